"""What entries do to the state, as the SQLite back-end's journal does it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ringback.erasure import call_tombstone
from ringback.protocols import (
    CallEnded,
    CallOpened,
    Entry,
    FactsUsed,
    TurnAmended,
    TurnObserved,
)
from ringback.records import Call, Decision, Fact, JobKind
from ringback.stores.checks import amended_text, call_id_of, no_longer_said, tenant_of
from ringback.stores.decided import decision_id, decision_made, tombstones_over
from ringback.stores.memory.state import State


def apply(state: State, entry: Entry, *, now_at: datetime) -> None:
    """Keep an entry, with the job that follows from it; none of a forgotten call."""
    call_id, tenant = call_id_of(entry), tenant_of(entry)
    if call_id is not None and (tenant, call_tombstone(tenant, call_id)) in state.tombstones:
        return
    match entry:
        case CallOpened(call):
            _open(state, call, now_at)
        case TurnObserved():
            _observe(state, entry, now_at)
        case TurnAmended():
            _amend(state, entry, now_at)
        case FactsUsed():
            _use(state, entry)
        case CallEnded():
            _end(state, entry, now_at)


def write(
    state: State, tenant: str, decision: Decision, *, caller_id: str | None, now_at: datetime
) -> None:
    """Keep one decision with its fact; not what was forgotten, nor what is there already."""
    if any((tenant, one) in state.tombstones for one in tombstones_over(tenant, decision)):
        return
    fact, ended = decision.fact, decision.superseded
    if ended is not None and (tenant, ended.id) not in state.facts:
        return
    if fact is not None:
        if (tenant, fact.id) in state.facts:
            return
        if caller_id is not None:
            state.callers.setdefault((tenant, caller_id), {})
        state.put_fact(replace(fact, caller_id=caller_id))
    if ended is not None:
        end_fact(state, ended)
    made = decision_made(tenant, decision, caller_id=caller_id, at=now_at)
    state.decisions.setdefault((tenant, decision_id(tenant, decision)), made)


def end_fact(state: State, fact: Fact) -> None:
    """Give a fact that is kept the end that this one has."""
    kept = state.facts.get((fact.tenant, fact.id))
    if kept is not None:
        state.put_fact(
            replace(
                kept,
                status=fact.status,
                confidence=fact.confidence,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                expires_at=fact.expires_at,
            )
        )


def _open(state: State, call: Call, now_at: datetime) -> None:
    row = state.call_row(call.tenant, call.id, call.started_at)
    if row.is_opened:
        return
    known, row.is_opened = row.call, True
    row.call = replace(call, ended_at=known.ended_at)
    if known.caller_id is not None:
        row.call = replace(row.call, caller_id=known.caller_id, assurance=known.assurance)
    if call.caller_id is not None:
        state.callers.setdefault((call.tenant, call.caller_id), {})
    if call.ended_at is not None:
        _end(state, CallEnded(call.tenant, call.id, call.ended_at), now_at)


def _observe(state: State, entry: TurnObserved | TurnAmended, now_at: datetime) -> None:
    turn = entry.turn
    row = state.call_row(entry.tenant, entry.call_id, turn.at)
    if (turn.position, turn.role) in row.turns:
        return
    state.put_turn(row, turn)
    row.generation += 1
    if not row.is_opened:
        row.call = replace(row.call, started_at=min(row.call.started_at, turn.at))
    due_at = min(turn.at, now_at)
    state.open_job(row, JobKind.EXTRACT, due_at)
    if row.call.ended_at is not None:
        state.open_job(row, JobKind.SUMMARISE, due_at)


def _amend(state: State, entry: TurnAmended, now_at: datetime) -> None:
    place = (entry.turn.position, entry.turn.role)
    row = state.calls.get((entry.tenant, entry.call_id))
    if row is None or place not in row.turns:
        _observe(state, entry, now_at)
        return
    before = row.turns[place]
    text = amended_text(before.text, entry.turn.text)
    if text == before.text:
        return
    state.put_turn(row, replace(before, text=text))
    for fact in list(state.facts.values()):
        where = (fact.tenant, fact.evidence.call_id, fact.evidence.position)
        is_its_own = where == (entry.tenant, entry.call_id, before.position)
        if is_its_own and no_longer_said(fact, before=before.text, after=text):
            state.remove_fact(fact)
    state.read_anew(entry.tenant, entry.call_id, min(entry.turn.at, now_at))


def _use(state: State, entry: FactsUsed) -> None:
    for fact_id in entry.fact_ids:
        fact = state.facts.get((entry.tenant, fact_id))
        if fact is not None:
            used = fact.uses + (fact.last_used_at != entry.at)
            last_at = max(fact.last_used_at or entry.at, entry.at)
            state.put_fact(replace(fact, uses=used, last_used_at=last_at))


def _end(state: State, entry: CallEnded, now_at: datetime) -> None:
    row = state.call_row(entry.tenant, entry.call_id, entry.at)
    if row.call.ended_at is None or row.call.ended_at < entry.at:
        row.generation += 1
        row.call = replace(row.call, ended_at=entry.at)
        state.open_job(row, JobKind.SUMMARISE, min(entry.at, now_at))
