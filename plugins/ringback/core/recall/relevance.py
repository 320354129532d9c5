"""What of all that was found answers the question: few things, none beside the point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringback.core.recall.fusion import Candidate
from ringback.core.wording import sentence
from ringback.recollection import Recollection
from ringback.records import turn_id
from ringback.schemas import Schema

BEST_LEAST = 0.34
"""A third of the question's weight, or as much likeness: without anything above, nothing is known."""
LEAST = 0.2  # of anything that is returned beside the best


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


def recollections(
    candidates: Sequence[Candidate], schema: Schema, *, tenant: str
) -> Iterator[Recollection]:
    """Put into words what is returned; what has no harmless words is left out.

    Args:
        candidates: Best first.
        schema: Has the wording for each key.
        tenant: Whose they are; part of a turn's id.
    """
    for one in candidates:
        fact, turn = one.hit.fact, one.hit.turn
        text = sentence(fact, schema=schema) if fact is not None else one.text
        if not text:
            continue
        yield Recollection(
            id=_id(one, tenant),
            text=text,
            score=round(_similarity(one), 3),
            channels=tuple(one.channels),
            observed_at=one.at,
            call_id=one.place[0],
            fact=fact,
            turn=turn,
        )


def _id(one: Candidate, tenant: str) -> str:
    fact, turn = one.hit.fact, one.hit.turn
    if fact is not None:
        return fact.id
    return turn_id(tenant, one.hit.call_id, turn) if turn is not None else ""
