"""From what each channel found to one answer: few things, best first, none beside the point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ringback.core.wording import sentence
from ringback.recollection import Channel, Hit, Recollection
from ringback.records import Fact, turn_id
from ringback.schemas import Schema
from ringback.terms import terms

RRF_K = 60  # Cormack, Clarke, Buettcher 2009, "Reciprocal Rank Fusion": their constant
WEIGHTS: Mapping[Channel, float] = MappingProxyType(
    {Channel.KEY: 3.0, Channel.FACTS: 1.0, Channel.TURNS: 0.5}
)
"""An exact key answers; a fact is likelier to than the words it came from."""
LEAST_SCORE = 0.34  # a third of the question's weight: below, it is beside the point
CODE_DIGITS = 4  # of a number that names one thing; fewer count or measure

_YEAR = re.compile(r"(?:19|20)\d\d")


def asked_keys(question: str, schema: Schema) -> tuple[str, ...]:
    """Which keys of the schema a question names, by their labels: "account number"."""
    asked = set(terms(question))
    return tuple(field.key for field in schema.fields if set(terms(field.label)) <= asked)


def key_hits(question: str, facts: Sequence[Fact], schema: Schema) -> tuple[Hit, ...]:
    """Facts whose key the question names; newest first, and all of them fit it wholly."""
    keys = set(asked_keys(question, schema))
    named = [fact for fact in facts if fact.key in keys]
    newest = sorted(named, key=lambda fact: (fact.observed_at, fact.id), reverse=True)
    return tuple(Hit(score=1.0, fact=fact) for fact in newest)


def up_to_date(hit: Hit, asked: Sequence[str]) -> Hit | None:
    """A turn without the words of facts that hold no more; its history has them still.

    Args:
        hit: Of a turn.
        asked: The question's terms.

    Returns:
        None when what is left answers nothing; else the score is lowered by the terms that
        went.
    """
    if hit.turn is None or not hit.outdated:
        return hit
    text, place, kept = hit.turn.text, 0, ""
    for start, end in hit.outdated:
        kept += text[place:start] + ("…" if start >= place else "")
        place = max(place, end)
    kept += text[place:]
    held = set(asked) & set(terms(text))
    left = held & set(terms(kept))
    if not left:
        return None
    turn = replace(hit.turn, text=kept)
    return replace(hit, score=hit.score * len(left) / len(held), turn=turn, outdated=())


@dataclass(slots=True)
class _Fused:
    hit: Hit
    rank_score: float = 0.0
    score: float = 0.0
    channels: tuple[Channel, ...] = ()


def fused(
    channels: Mapping[Channel, Sequence[Hit]],
    *,
    question: str,
    tenant: str,
    schema: Schema,
    limit: int,
) -> tuple[Recollection, ...]:
    """Fuse what the channels found by reciprocal rank.

    Args:
        channels: Each one's hits, best first.
        question: What was asked: what holds another code than it names is no answer.
        tenant: Whose they are; part of a turn's id.
        schema: Has the wording for each key.
        limit: How many to return at most.

    Returns:
        Best first: by sum of weight / (60 + rank) over the channels. Each one's score is
        its best similarity in any channel; those under `LEAST_SCORE` are left out.
    """
    found: dict[str, _Fused] = {}
    asked = _codes(question)
    for channel, hits in channels.items():
        fitting = [hit for hit in hits if not _holds_another(asked, hit)]
        for rank, hit in enumerate(fitting, start=1):
            one = found.setdefault(_id(hit, tenant), _Fused(hit))
            one.rank_score += WEIGHTS[channel] / (RRF_K + rank)
            one.score = max(one.score, hit.score)
            one.channels += (channel,)
    best = sorted(found.items(), key=lambda pair: (-pair[1].rank_score, pair[0]))
    return tuple(_recollections(best, schema))[:limit]


def _recollections(best: Sequence[tuple[str, _Fused]], schema: Schema) -> Iterator[Recollection]:
    for identity, one in best:
        hit = one.hit
        if one.score < LEAST_SCORE:
            continue
        if hit.fact is not None:
            text, observed_at = sentence(hit.fact, schema=schema), hit.fact.observed_at
            call_id = hit.fact.evidence.call_id
        elif hit.turn is not None:
            text, observed_at, call_id = hit.turn.text, hit.turn.at, hit.call_id
        else:
            continue
        if text:
            yield Recollection(
                id=identity,
                text=text,
                score=round(one.score, 3),
                channels=one.channels,
                observed_at=observed_at,
                call_id=call_id,
                fact=hit.fact,
                turn=hit.turn,
            )


def _holds_another(asked: frozenset[str], hit: Hit) -> bool:
    """It holds a code of as many digits as one that was asked for, and none of those."""
    held = _codes(hit.fact.value if hit.fact else hit.turn.text if hit.turn else "")
    return bool(asked) and not asked & held and bool({*map(len, asked)} & {*map(len, held)})


def _codes(text: str) -> frozenset[str]:
    digits = (re.sub(r"\D", "", term) for term in terms(text))
    return frozenset(
        code for code in digits if len(code) >= CODE_DIGITS and not _YEAR.fullmatch(code)
    )


def _id(hit: Hit, tenant: str) -> str:
    if hit.fact is not None:
        return hit.fact.id
    return turn_id(tenant, hit.call_id, hit.turn) if hit.turn is not None else ""
