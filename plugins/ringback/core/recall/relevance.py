"""What of all that was found answers the question: few things, none beside the point.

Two kinds of question need two measures. One about what a named person said in recorded
conversations ("What did Caroline research?") has its answer somewhere in thousands of turns,
so whatever speaks for a turn counts, and the best come back. Everything else asks for one
thing that is known or is not: there the answer must say it by itself, clearly ahead of the
rest, or nothing comes back. Most wrong answers of a memory are near misses: the caller's
number for their wife's, order A's courier for order B's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringback.core.recall.asked import Asked
from ringback.core.recall.fusion import Candidate, is_short_question
from ringback.core.recall.wanted import wanted_terms
from ringback.core.wording import sentence
from ringback.recollection import Channel, Recollection
from ringback.records import Fact, turn_id
from ringback.schemas import Schema
from ringback.terms import terms

TALK_BEST_LEAST = 0.34
"""A third of the question's weight, or as much likeness: without anything above, nothing is known."""
TALK_LEAST = 0.2  # of anything that is returned beside the best
CLEAR = 0.45  # by itself, without a key that was asked for
CLEAR_BESIDE_KEY = 0.7  # where a key was asked for that nothing is known under
NEAR_BEST = 0.8  # times the best: what is as likely an answer comes with it


def answering(
    candidates: Sequence[Candidate], asked: Asked, *, named_speaker: str, limit: int
) -> list[Candidate]:
    """Keep what answers, in order; empty when nothing does.

    Args:
        candidates: Best first, by `Candidate.score`.
        asked: The question.
        named_speaker: The one person of recorded conversations that it names; "" for none.
        limit: How many at most.
    """
    kept = _of_talk(candidates) if named_speaker else _exact(candidates, asked)
    return _each_once(kept)[:limit]


def _of_talk(candidates: Sequence[Candidate]) -> list[Candidate]:
    if max((likeness(one) for one in candidates), default=0.0) < TALK_BEST_LEAST:
        return []
    return [one for one in candidates if likeness(one) >= TALK_LEAST]


def _exact(candidates: Sequence[Candidate], asked: Asked) -> list[Candidate]:
    pool = [one for one in candidates if not is_short_question(one.hit)]
    keyed = [one for one in pool if _is_keyed(one, asked)]
    if keyed:
        return _those_meant(keyed, asked)
    clear = CLEAR_BESIDE_KEY if asked.keys else CLEAR
    by_itself = sorted(pool, key=own_likeness, reverse=True)
    least = max(clear, NEAR_BEST * own_likeness(by_itself[0])) if by_itself else 1.0
    return [one for one in by_itself if own_likeness(one) >= least]


def _is_keyed(one: Candidate, asked: Asked) -> bool:
    """It stands under a key that the question names: of the schema, or of its own."""
    if Channel.KEY in one.channels:
        return True
    fact = one.hit.fact
    return fact is not None and set(terms(fact.key.replace("_", " "))) <= set(asked.terms)


def _those_meant(keyed: Sequence[Candidate], asked: Asked) -> list[Candidate]:
    """Of several under one key, those that the question also names by what they say."""
    wanted = set(wanted_terms(asked.text))
    named = [one for one in keyed if one.hit.fact and wanted & _said(one.hit.fact)]
    return named or list(keyed)


def _said(fact: Fact) -> set[str]:
    return set(terms(f"{fact.value} {fact.evidence.words}")) - set(terms(fact.key.replace("_", " ")))


def likeness(one: Candidate) -> float:
    """How alike it is to the question, by any way, in [0, 1]."""
    return max(one.scores.values(), default=0.0)


def own_likeness(one: Candidate) -> float:
    """How alike it is by what it says itself, by words and by meaning, in [0, 1]."""
    words = max(one.scores.get(Channel.FACTS, 0.0), one.scores.get(Channel.TURNS, 0.0))
    meaning = one.scores.get(Channel.VECTORS, 0.0)
    return max(words, meaning)


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
