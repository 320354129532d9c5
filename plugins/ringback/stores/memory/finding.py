"""Answering a cue from the state: every fact and turn of the profile is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from ringback.recollection import Cue, Hit
from ringback.records import Fact, Status, Turn, turn_id
from ringback.stores.memory.state import State
from ringback.stores.scoring import fact_terms, share, turn_terms, weights

T = TypeVar("T")


def find(state: State, cue: Cue) -> tuple[Hit, ...]:
    """Facts, then turns, that hold any of the cue's terms; each best first."""
    facts = [(fact, _of_fact(state, fact)) for fact in _facts(state, cue)]
    turns = [
        (turn, call_id, _of_turn(state, cue, call_id, turn)) for call_id, turn in _turns(state, cue)
    ]
    found = [
        (-score, -_instant(fact.observed_at), fact.id, Hit(score, fact=fact))
        for fact, score in _scored(cue, facts, lambda one: _is_wanted(one, cue))
    ]
    said = [
        (
            -score,
            -_instant(turn.at),
            turn_id(cue.tenant, call_id, turn),
            Hit(score, turn=turn, call_id=call_id, outdated=_outdated(state, cue, call_id, turn)),
        )
        for (call_id, turn), score in _scored(
            cue,
            [((call_id, turn), held) for turn, call_id, held in turns],
            lambda one: _is_within(one[1].at, cue),
        )
    ]
    return tuple(
        hit
        for hits in (found, said)
        for *_, hit in sorted(hits, key=lambda one: one[:3])[: cue.limit]
    )


def _scored(
    cue: Cue, documents: list[tuple[T, frozenset[str]]], is_wanted: Callable[[T], bool]
) -> Iterable[tuple[T, float]]:
    wanted = set(cue.terms)
    counts = Counter(term for _, held in documents for term in held & wanted)
    weighed = weights(cue.terms, len(documents), counts)
    total = [weight for _, weight in weighed]
    for document, held in documents:
        mine = [weight for term, weight in weighed if term in held]
        if mine and is_wanted(document):
            yield document, share(mine, total)


def _facts(state: State, cue: Cue) -> Iterable[Fact]:
    mine = (cue.tenant, cue.caller_id)
    return (fact for fact in state.facts.values() if (fact.tenant, fact.caller_id) == mine)


def _turns(state: State, cue: Cue) -> Iterable[tuple[str, Turn]]:
    mine = (cue.tenant, cue.caller_id)
    return (
        (row.call.id, turn)
        for row in state.calls.values()
        if (row.call.tenant, row.call.caller_id) == mine
        for turn in row.turns.values()
    )


def _of_fact(state: State, fact: Fact) -> frozenset[str]:
    key = (fact.tenant, fact.id)
    if key not in state.fact_terms:
        state.fact_terms[key] = fact_terms(fact)
    return state.fact_terms[key]


def _of_turn(state: State, cue: Cue, call_id: str, turn: Turn) -> frozenset[str]:
    key = (cue.tenant, call_id, turn.position, turn.role)
    if key not in state.turn_terms:
        state.turn_terms[key] = turn_terms(turn)
    return state.turn_terms[key]


def _outdated(state: State, cue: Cue, call_id: str, turn: Turn) -> tuple[tuple[int, int], ...]:
    there = [
        (fact.status, (fact.evidence.start, fact.evidence.end))
        for fact in _facts(state, cue)
        if (fact.evidence.call_id, fact.evidence.position) == (call_id, turn.position)
        and not fact.is_withdrawal
    ]
    held = [span for status, span in there if status in (Status.ACTIVE, Status.PROVISIONAL)]
    ended = [span for status, span in there if status in (Status.SUPERSEDED, Status.RETIRED)]
    return tuple(
        sorted(
            (start, end)
            for start, end in ended
            if not any(first < end and last > start for first, last in held)
        )
    )


def _is_wanted(fact: Fact, cue: Cue) -> bool:
    is_over = fact.expires_at is not None and fact.expires_at <= cue.at
    return (
        fact.status in cue.statuses
        and fact.kind in cue.kinds
        and (not cue.subjects or fact.subject in cue.subjects)
        and not is_over
        and _is_within(fact.observed_at, cue)
    )


def _is_within(at: datetime, cue: Cue) -> bool:
    is_after = cue.since_at is None or at >= cue.since_at
    return is_after and (cue.until_at is None or at < cue.until_at)


def _instant(at: datetime) -> float:
    return at.timestamp()
