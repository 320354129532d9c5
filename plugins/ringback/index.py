"""What is asked of a back-end's vector index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set as AbstractSet
from typing import Protocol

from ringback.recollection import Hit, IndexState, Passage, PassageVectors, VectorCue


class Index(Protocol):
    """Vectors of what is kept: auxiliary, can be dropped and made again.

    Facts that are superseded, retired or expired leave it in the transaction that ends them,
    and so does a turn whose words change, and the one after it. What is forgotten leaves it
    with the rest.
    """

    async def unindexed(self, embedder: str, *, limit: int) -> tuple[Passage, ...]:
        """Current facts and turns of profiles without vectors of this embedder.

        Of any tenant; the newest first, as far as they have been looked through.
        """
        ...

    async def put_vectors(self, embedder: str, made: Sequence[PassageVectors]) -> None:
        """Keep what an embedder made, in one transaction.

        What was made of a passage that is gone, superseded or of another revision by now is
        dropped. Vectors of other dimensions than this embedder's so far take their place:
        all its passages are unindexed again.

        Raises:
            UsageError: Vectors of several dimensions, or without a direction.
        """
        ...

    async def nearest(self, cue: VectorCue) -> tuple[Hit, ...]:
        """What is nearest to a cue in one profile: first narrowed, then ranked.

        Facts first, then turns, each best first, at most `cue.limit` of each; nothing where
        this embedder has no vectors, or has them in other dimensions. Where the cue wants
        its facets apart, first the facts of each facet in turn, then the turns; a memory may
        be there once for each.
        """
        ...

    async def indexed_with(self) -> Mapping[str, int]:
        """How many passages each embedder has done, by its name."""
        ...

    async def index_state(self, embedder: str) -> IndexState:
        """How far the index of one embedder is, and how much waits."""
        ...

    async def drop_index(self, *, besides: AbstractSet[str] = frozenset()) -> None:
        """Drop the vectors of all embedders but these; what text is found by stays."""
        ...
