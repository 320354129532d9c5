"""Answering a cue from the state: every fact and turn of the profile is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ringback.recollection import Cue, Facet, Heard, Hit, VectorCue
from ringback.records import SELF, Fact, Status, Turn, turn_id
from ringback.stores.memory.state import CallRow, State
from ringback.stores.scoring import bm25, fact_terms, share, turn_terms, weights
from ringback.terms import terms


@dataclass(frozen=True, slots=True)
class _Document:
    """A fact, a turn or an exchange, with the terms it is found by."""

    held: Counter[str]
    at: datetime
    id: str
    hit: Hit
    """Without its scores."""


def find(state: State, cue: Cue) -> tuple[Hit, ...]:
    """Facts, turns, then exchanges, that hold any of the cue's terms; each best first."""
    documents = [_fact_documents(state, cue), _turn_documents(state, cue)]
    if cue.exchanges:
        documents.append(_exchange_documents(state, cue))
    return tuple(hit for kind in documents for hit in _ranked(cue, kind))


def _ranked(cue: Cue, documents: list[_Document]) -> list[Hit]:
    wanted = set(cue.terms)
    counts = Counter(term for one in documents for term in wanted & one.held.keys())
    weighed = weights(cue.terms, len(documents), counts)
    total, lengths = [weight for _, weight in weighed], sum(one.held.total() for one in documents)
    found = []
    for one in documents:
        mine = [(weight, one.held[term]) for term, weight in weighed if term in one.held]
        is_in_time = not cue.terms and (cue.since_at is not None or cue.until_at is not None)
        if not (mine or is_in_time) or not _is_wanted(one.hit, one.at, cue):
            continue
        score = share((weight for weight, _ in mine), total)
        saturated = bm25(mine, length=one.held.total(), lengths=lengths, documents=len(documents))
        hit = replace(one.hit, score=score, bm25=saturated)
        found.append((-score, -one.at.timestamp(), one.id, hit))
    return [hit for *_, hit in sorted(found, key=lambda one: one[:3])[: cue.limit]]


def _fact_documents(state: State, cue: Cue) -> list[_Document]:
    return [
        _Document(_of_fact(state, fact), fact.observed_at, fact.id, Hit(0.0, fact=fact))
        for fact in _facts(state, cue.tenant, cue.caller_id)
    ]


def _turn_documents(state: State, cue: Cue) -> list[_Document]:
    return [
        _Document(_of_turn(state, row, turn), turn.at, turn_id(cue.tenant, row.call.id, turn), hit)
        for row, _, turn in _turns(state, cue)
        for hit in [turn_hit(state, row, turn)]
    ]


def _exchange_documents(state: State, cue: Cue) -> list[_Document]:
    return [
        _Document(
            (_of_turn(state, row, before) if before is not None else Counter())
            + _of_turn(state, row, turn),
            turn.at,
            turn_id(cue.tenant, row.call.id, turn),
            replace(turn_hit(state, row, turn), facet=Facet.EXCHANGE),
        )
        for row, before, turn in _turns(state, cue)
    ]


def heard(state: State, tenant: str, caller_id: str, names: Sequence[str]) -> dict[str, Heard]:
    """How each name is known; those that nobody said and nobody bears are left out."""
    cue = Cue(tenant, caller_id, (), datetime.max.replace(tzinfo=UTC))
    turns = list(_turns(state, cue))
    said_by = [turn_terms(turn.speaker) for _, _, turn in turns]
    said = [_of_turn(state, row, turn) for row, _, turn in turns]
    facts = [_of_fact(state, fact) for fact in _facts(state, tenant, caller_id)]
    known = {
        name: Heard(_fewest(said_by, name), _fewest(facts, name) + _fewest(said, name))
        for name in names
    }
    return {name: one for name, one in known.items() if one != Heard()}


def _fewest(documents: Sequence[Counter[str]], name: str) -> int:
    """In how many documents the rarest term of a name stands."""
    return min((sum(term in one for one in documents) for term in set(terms(name))), default=0)


def is_linked(fact: Fact) -> bool:
    """It gives a name, or speaks of or names another than the profile itself."""
    return fact.subject != SELF or fact.object != "" or fact.key in ("name", "alias")


def one_each(linked: Sequence[Fact]) -> tuple[Fact, ...]:
    """Those that give or hold a name, and of each other thing the fact that lasts longest."""
    longest: dict[str, Fact] = {}
    for fact in linked:
        there = longest.get(fact.subject)
        is_plain = not (gives_name(fact) or fact.is_withdrawal)
        if is_plain and (there is None or _lasts(fact) > _lasts(there)):
            longest[fact.subject] = fact
    plain = {fact.id for fact in longest.values()}
    return tuple(fact for fact in linked if gives_name(fact) or fact.id in plain)


def gives_name(fact: Fact) -> bool:
    """It holds the name of what it speaks of, or names something else."""
    return fact.object != "" or fact.key in ("name", "alias")


def _lasts(fact: Fact) -> datetime:
    return fact.expires_at or datetime.max.replace(tzinfo=UTC)


def turn_hit(state: State, row: CallRow, turn: Turn) -> Hit:
    """A turn as a hit, without its scores."""
    outdated = _outdated(state, row, turn)
    return Hit(0.0, turn=turn, call_id=row.call.id, outdated=outdated)


def _facts(state: State, tenant: str, caller_id: str | None) -> Iterable[Fact]:
    mine = (tenant, caller_id)
    return (fact for fact in state.facts.values() if (fact.tenant, fact.caller_id) == mine)


def _turns(state: State, cue: Cue) -> Iterable[tuple[CallRow, Turn | None, Turn]]:
    """Turns, each with its call and the turn before it."""
    mine = (cue.tenant, cue.caller_id)
    for row in state.calls.values():
        if (row.call.tenant, row.call.caller_id) == mine:
            turns = [row.turns[place] for place in sorted(row.turns)]
            yield from ((row, *pair) for pair in zip([None, *turns], turns, strict=False))


def _of_fact(state: State, fact: Fact) -> Counter[str]:
    key = (fact.tenant, fact.id)
    if key not in state.fact_terms:
        state.fact_terms[key] = fact_terms(fact)
    return state.fact_terms[key]


def _of_turn(state: State, row: CallRow, turn: Turn) -> Counter[str]:
    key = (row.call.tenant, row.call.id, turn.position, turn.role)
    if key not in state.turn_terms:
        state.turn_terms[key] = turn_terms(turn.text)
    return state.turn_terms[key]


def _outdated(state: State, row: CallRow, turn: Turn) -> tuple[tuple[int, int], ...]:
    there = [
        (fact.status, (fact.evidence.start, fact.evidence.end))
        for fact in _facts(state, row.call.tenant, row.call.caller_id)
        if (fact.evidence.call_id, fact.evidence.position) == (row.call.id, turn.position)
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


def _is_wanted(hit: Hit, at: datetime, cue: Cue) -> bool:
    return is_within(at, cue) and (hit.fact is None or is_wanted(hit.fact, cue))


def is_wanted(fact: Fact, cue: Cue | VectorCue) -> bool:
    """The cue is about this fact, whenever it was."""
    return (
        fact.status in cue.statuses
        and fact.kind in cue.kinds
        and (not cue.subjects or fact.subject in cue.subjects)
        and (fact.expires_at is None or fact.expires_at > cue.at)
    )


def is_within(at: datetime, cue: Cue | VectorCue) -> bool:
    """It was in the time that the cue is about."""
    is_after = cue.since_at is None or at >= cue.since_at
    return is_after and (cue.until_at is None or at < cue.until_at)
