"""What of all that was found answers the question: few things, none beside the point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringback.core.recall.fusion import Candidate
from ringback.core.wording import sentence
from ringback.recollection import Recollection
from ringback.schemas import Schema

BEST_LEAST = 0.34
"""A third of the question's weight, or as much likeness: without anything above, nothing is known."""
LEAST = 0.2  # of anything that is returned beside the best
COSINE_NONE, COSINE_ALL = 0.1, 0.7
"""Of all-MiniLM-L6-v2: sentences with nothing in common, and paraphrases."""


def similarity(cosine: float) -> float:
    """A cosine as similarity in [0, 1]: 0 for two unrelated sentences, 1 for paraphrases."""
    return min(1.0, max(0.0, (cosine - COSINE_NONE) / (COSINE_ALL - COSINE_NONE)))


def answering(candidates: Sequence[Candidate], *, limit: int) -> list[Candidate]:
    """Keep what answers, in order; empty when nothing does.

    Args:
        candidates: Best first, by `Candidate.score`.
        limit: How many at most.
    """
    if max((_similarity(one) for one in candidates), default=0.0) < BEST_LEAST:
        return []
    kept = [one for one in candidates if _similarity(one) >= LEAST]
    return _each_once(kept)[:limit]


def _similarity(one: Candidate) -> float:
    return max(one.scores.values(), default=0.0)


def _each_once(candidates: Sequence[Candidate]) -> list[Candidate]:
    """A fact says what its turn says: of the two the fact stays."""
    told = {one.place for one in candidates if one.hit.fact is not None}
    return [one for one in candidates if one.hit.fact is not None or one.place not in told]


def recollections(candidates: Sequence[Candidate], schema: Schema) -> Iterator[Recollection]:
    """Put into words what is returned; what has no harmless words is left out."""
    for one in candidates:
        fact, turn = one.hit.fact, one.hit.turn
        text = sentence(fact, schema=schema) if fact is not None else one.text
        if not text:
            continue
        yield Recollection(
            id=one.id,
            text=text,
            score=round(_similarity(one), 3),
            channels=tuple(one.channels),
            observed_at=one.at,
            call_id=one.place[0],
            fact=fact,
            turn=turn,
        )
