"""What a recall returns, put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringback.core.recall.fusion import Candidate
from ringback.core.recall.likeness import likeness
from ringback.core.wording import sentence
from ringback.recollection import Recollection
from ringback.records import turn_id
from ringback.schemas import Schema


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
            score=round(likeness(one), 3),
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
