"""Forgetting in the state, as the SQLite back-end does it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from ringback.erasure import BLOT, Erasure, ErasureReceipt, Forgotten, Redaction, call_tombstone
from ringback.protocols import Swept
from ringback.records import Fact, Status
from ringback.stores.checks import amended_text
from ringback.stores.decided import tombstones_over_fact
from ringback.stores.memory.happening import end_fact
from ringback.stores.memory.state import CallRow, State


def forget(state: State, erasure: Erasure, *, now_at: datetime) -> ErasureReceipt:
    """Delete what an erasure names, and what was written of it since it was planned."""
    counts: Counter[str] = Counter()
    call_ids = _calls_of(state, erasure)
    tombstones = {call_tombstone(erasure.tenant, call_id) for call_id in call_ids}
    tombstones.update(erasure.tombstones)
    for call_id in call_ids:
        _remove_call(state, erasure.tenant, call_id, counts)
    for fact in _facts_named(state, erasure):
        _remove_fact(state, fact, counts)
    if erasure.what is Forgotten.PROFILE:
        tombstones |= _remove_profile(state, erasure, counts)
    _redact(state, erasure, counts, min(erasure.at, now_at))
    for fact in erasure.restored:
        end_fact(state, fact)
    state.tombstones |= {(erasure.tenant, one) for one in tombstones}
    receipt = ErasureReceipt(
        tenant=erasure.tenant,
        what=erasure.what,
        target_id=erasure.target_id,
        caller_id=erasure.caller_id,
        at=erasure.at,
        removed=tuple(sorted((name, count) for name, count in counts.items() if count)),
        call_ids=tuple(call_ids),
        scrub_ms=0,
    )
    state.erasures.append(receipt)
    return receipt


def sweep(state: State, *, now_at: datetime, words_before: datetime | None) -> Swept:
    """End what has expired, and let the words of old settled calls go."""
    over = [
        fact
        for fact in state.facts.values()
        if fact.status in (Status.ACTIVE, Status.PROVISIONAL)
        and fact.expires_at is not None
        and fact.expires_at <= now_at
    ]
    for fact in over:
        state.put_fact(replace(fact, status=Status.EXPIRED))
    settled = [
        row
        for row in state.calls.values()
        if words_before is not None and row.call.started_at < words_before
        if row.call.ended_at is not None and not _has_job(state, row)
    ]
    return Swept(len(over), sum(state.remove_turns(row) for row in settled))


def _has_job(state: State, row: CallRow) -> bool:
    return any(key[:2] == (row.call.tenant, row.call.id) for key in state.jobs)


def _calls_of(state: State, erasure: Erasure) -> list[str]:
    """The calls that go: of a profile also those of nobody whose handles lead to it alone."""
    if erasure.what is Forgotten.PROFILE:
        return sorted(
            row.call.id for row in state.rows(erasure.tenant) if _leads_to(state, row, erasure)
        )
    return [erasure.target_id] if erasure.what is Forgotten.CALL else []


def _leads_to(state: State, row: CallRow, erasure: Erasure) -> bool:
    if row.call.caller_id is not None:
        return row.call.caller_id == erasure.target_id
    led_to = {
        caller_id
        for (tenant, caller_id), owned in state.callers.items()
        if tenant == erasure.tenant and any(handle in owned for handle in row.call.handles)
    }
    return led_to == {erasure.target_id}


def _facts_named(state: State, erasure: Erasure) -> list[Fact]:
    """The facts named, and what was written of them since from the same words."""
    tombstones = set(erasure.tombstones)
    return [
        fact
        for fact in state.facts.values()
        if fact.tenant == erasure.tenant
        if fact.id in erasure.fact_ids
        or (
            not {fact.call_id, fact.evidence.call_id}.isdisjoint(erasure.changed_calls)
            and not tombstones.isdisjoint(tombstones_over_fact(fact))
        )
    ]


def _remove_fact(state: State, fact: Fact, counts: Counter[str]) -> None:
    counts["vector"] += state.drop_vectors((fact.tenant, fact.id))
    counts["decision"] += state.remove_fact(fact)
    counts["fact"] += 1


def _remove_call(state: State, tenant: str, call_id: str, counts: Counter[str]) -> None:
    key = (tenant, call_id)
    for fact in list(state.facts.values()):
        if fact.tenant == tenant and call_id in (fact.call_id, fact.evidence.call_id):
            _remove_fact(state, fact, counts)
    decided = [one for one, made in state.decisions.items() if (made.tenant, made.call_id) == key]
    for one in decided:
        del state.decisions[one]
    dead = [job for job in state.dead if (job.tenant, job.call_id) == key]
    state.dead = [job for job in state.dead if (job.tenant, job.call_id) != key]
    jobs = [one for one in state.jobs if one[:2] == key]
    for open_job in jobs:
        del state.jobs[open_job]
    counts["decision"] += len(decided)
    counts["dead_letter"] += len(dead)
    counts["job"] += len(jobs)
    counts["model_use"] += state.model_use.pop(key, None) is not None
    counts["summary"] += state.summaries.pop(key, None) is not None
    row = state.calls.pop(key, None)
    if row is not None:
        counts["vector"] += state.drop_call_vectors(row)
        counts["turn"] += state.remove_turns(row)
        counts["call_handle"] += len(row.call.handles)
        counts["call"] += 1


def _remove_profile(state: State, erasure: Erasure, counts: Counter[str]) -> set[str]:
    """Delete what a profile has outside its calls; gives tombstones for its facts."""
    key = (erasure.tenant, erasure.target_id)
    tombstones: set[str] = set()
    for fact in [one for one in state.facts.values() if (one.tenant, one.caller_id) == key]:
        *_, of_fact = tombstones_over_fact(fact)  # its call may be somebody else's
        tombstones.add(of_fact)
        _remove_fact(state, fact, counts)
    decided = [one for one, made in state.decisions.items() if (made.tenant, made.caller_id) == key]
    for one in decided:
        del state.decisions[one]
    told = [one for one, kept in state.summaries.items() if (kept.tenant, kept.caller_id) == key]
    for one in told:
        del state.summaries[one]
    counts["decision"] += len(decided)
    counts["summary"] += len(told)
    counts["move"] += _remove_moves(state, *key)
    handles = state.callers.pop(key, None)
    counts["caller_handle"] += len(handles or ())
    counts["caller"] += handles is not None
    return tombstones


def _remove_moves(state: State, tenant: str, caller_id: str) -> int:
    """Delete what was moved from or into a profile, or into what was merged into it since."""
    gone, found = {caller_id}, 0
    while len(gone) > found:
        found = len(gone)
        gone |= state.merged_from(tenant, gone)
    keys = [
        key
        for key, move in state.moves.items()
        if key[0] == tenant and not gone.isdisjoint((move.from_id, move.into_id))
    ]
    for key in keys:
        del state.moves[key]
    return len(keys)


def _redact(state: State, erasure: Erasure, counts: Counter[str], due_at: datetime) -> None:
    """Blot words out of turns and out of other facts' evidence; have their calls read anew."""
    for redaction in erasure.redactions:
        _redact_turn(state, erasure.tenant, redaction, counts)
    for fact_id, words in erasure.reworded:
        fact = state.facts.get((erasure.tenant, fact_id))
        if fact is not None:
            counts["vector"] += state.drop_vectors((fact.tenant, fact.id))
            state.put_fact(replace(fact, evidence=replace(fact.evidence, words=words)))
    for call_id in erasure.changed_calls:
        counts["summary"] += (erasure.tenant, call_id) in state.summaries
        state.read_anew(erasure.tenant, call_id, due_at)


def _redact_turn(state: State, tenant: str, redaction: Redaction, counts: Counter[str]) -> None:
    row = state.calls.get((tenant, redaction.call_id))
    place = (redaction.position, redaction.role)
    turn = row.turns.get(place) if row else None
    if row is None or turn is None:
        return
    text = redaction.text
    if BLOT in text and len(text) == len(turn.text):
        text = amended_text(text, turn.text)  # it may have been amended since this was planned
    counts["turn"] += 1
    counts["vector"] += state.drop_turn_vectors(row, place)
    state.put_turn(row, replace(turn, text=text))
