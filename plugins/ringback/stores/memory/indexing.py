"""The vector index in the state: every vector of the profile is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import replace

import numpy as np

from ringback.recollection import Facet, Hit, IndexState, Passage, PassageVectors, VectorCue
from ringback.stores.memory.finding import is_wanted, is_within, turn_hit
from ringback.stores.memory.state import EmbedderRow, PassageKey, State
from ringback.stores.vectors import FACETS, Codes, checked_vectors, codes_of, cosines


def unindexed(state: State, embedder: str, *, limit: int) -> tuple[Passage, ...]:
    """Passages without vectors of this embedder, newest first."""
    waiting = [passage for _, passage in _waiting(state, embedder)]
    waiting.sort(key=lambda one: (-_said_at(one), one.id))
    return tuple(waiting[:limit])


def put_vectors(state: State, embedder: str, made: Sequence[PassageVectors]) -> None:
    """Keep vectors of passages that are still so."""
    dimensions = checked_vectors(made)
    row = state.vectors.setdefault(embedder, EmbedderRow())
    if dimensions is not None and dimensions != row.dimensions:
        row.dimensions = dimensions
        row.passages.clear()
    there = {(one.tenant, one.id): (key, one.revision) for key, one in state.passages()}
    for one in made:
        key, revision = there.get((one.passage.tenant, one.passage.id), (None, ""))
        if key is not None and revision == one.passage.revision:
            row.passages[key] = tuple(
                (FACETS.index(facet), codes_of(vector)) for facet, vector in one.vectors
            )


def nearest(state: State, cue: VectorCue) -> tuple[Hit, ...]:
    """Facts, then turns, that are nearest, of all facets or of each apart; each best first."""
    row = state.vectors.get(cue.embedder)
    if row is None or {query.size for query in cue.vectors} != {row.dimensions}:
        return ()
    facets = tuple(dict.fromkeys(cue.facets))
    apart = [(one,) for one in facets] if cue.is_apart else [facets]
    looks = [_nearest(state, row, replace(cue, facets=some)) for some in apart]
    return tuple(hit for kind in (0, 1) for look in looks for hit in look[kind])


def _nearest(state: State, row: EmbedderRow, cue: VectorCue) -> tuple[list[Hit], list[Hit]]:
    found: list[list[tuple[float, float, str, Hit]]] = [[], []]
    for key, passage in state.passages():
        mine = [(FACETS[place], codes) for place, codes in row.passages.get(key, ())]
        wanted = [one for one in mine if one[0] in cue.facets]
        if wanted and _is_about(passage, cue):
            hit = _hit(state, passage, cue, wanted)
            at = -_said_at(passage)
            found[passage.turn is not None].append((-hit.similarity, at, passage.id, hit))
    facts, turns = (sorted(kind, key=lambda one: one[:3])[: cue.limit] for kind in found)
    return [hit for *_, hit in facts], [hit for *_, hit in turns]


def indexed_with(state: State) -> dict[str, int]:
    """How many passages each embedder has done."""
    rows = state.vectors.items()
    return {name: len(row.passages) for name, row in rows if row.dimensions or row.passages}


def index_state(state: State, embedder: str) -> IndexState:
    """How far one embedder is."""
    row = state.vectors.get(embedder, EmbedderRow())
    waiting = sum(1 for _ in _waiting(state, embedder))
    return IndexState(row.dimensions, len(row.passages), waiting)


def drop_index(state: State, *, besides: AbstractSet[str]) -> None:
    """Drop the vectors of all embedders but these."""
    for name in state.vectors.keys() - besides:
        del state.vectors[name]


def _waiting(state: State, embedder: str) -> Iterator[tuple[PassageKey, Passage]]:
    done = state.vectors.get(embedder, EmbedderRow()).passages
    return (one for one in state.passages() if one[0] not in done)


def _is_about(passage: Passage, cue: VectorCue) -> bool:
    if (passage.tenant, passage.caller_id) != (cue.tenant, cue.caller_id):
        return False
    if passage.fact is not None:
        return is_wanted(passage.fact, cue) and is_within(passage.fact.observed_at, cue)
    return passage.turn is not None and is_within(passage.turn.at, cue)


def _hit(
    state: State, passage: Passage, cue: VectorCue, wanted: Sequence[tuple[Facet, Codes]]
) -> Hit:
    similarities = cosines(np.stack([codes for _, codes in wanted]), cue.vectors)
    best = float(similarities.max())
    places = [
        FACETS.index(facet)
        for (facet, _), similarity in zip(wanted, similarities, strict=True)
        if similarity == best
    ]
    found = Hit(0.0, fact=passage.fact)
    if passage.turn is not None:
        call = state.calls[passage.tenant, passage.call_id]
        found = turn_hit(state, call, passage.turn)
    return replace(found, score=best, similarity=best, facet=FACETS[min(places)])


def _said_at(passage: Passage) -> float:
    said = passage.fact.observed_at if passage.fact else passage.turn.at if passage.turn else None
    return said.timestamp() if said else 0.0
