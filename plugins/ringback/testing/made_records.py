"""Small records that tests of stores make: calls, turns, facts, summaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from ringback.moves import Movable
from ringback.protocols import (
    CallEnded,
    CallOpened,
    Entry,
    Index,
    Jobs,
    Journal,
    Store,
    TurnObserved,
)
from ringback.records import (
    Action,
    Assurance,
    Call,
    Candidate,
    Decision,
    Evidence,
    Fact,
    Handle,
    HandleKind,
    Job,
    JobKind,
    Role,
    Source,
    Status,
    Summary,
    Turn,
    fact_id,
)

START_AT = datetime(2026, 3, 2, 15, 0, 0, 123456, tzinfo=UTC)
LATER_AT = START_AT + timedelta(hours=1)  # when jobs of made calls are due
LEASE_MS = 60_000
TENANT = "acme"
DANA = Handle(HandleKind.PHONE, "+15551234567")


class Backend(Journal, Store, Jobs, Index, Movable, Protocol):
    """What a back-end offers over one place."""


def opened(call_id: str = "c1", *, tenant: str = TENANT, **fields: object) -> CallOpened:
    """A call that becomes known; fields as in `Call`."""
    call = {"started_at": START_AT, "handles": (DANA,), **fields}
    return CallOpened(Call(call_id, tenant, **call))  # type: ignore[arg-type]


def said(
    position: int, text: str = "yes", *, call_id: str = "c1", tenant: str = TENANT
) -> TurnObserved:
    """A turn at its place, one second per place."""
    at = START_AT + timedelta(seconds=position)
    role = Role.AGENT if position % 2 else Role.CALLER
    return TurnObserved(tenant, call_id, Turn(role, text, at, position))


def ended(call_id: str = "c1", *, tenant: str = TENANT, minutes: int = 5) -> CallEnded:
    """The line closes, so long after the start."""
    return CallEnded(tenant, call_id, START_AT + timedelta(minutes=minutes))


def fact(
    value: str = "4821", *, key: str = "account_number", position: int = 0, call_id: str = "c1"
) -> Fact:
    """An active fact that was read from a turn."""
    candidate = made_candidate(value, key=key, position=position, call_id=call_id)
    return Fact(
        id=fact_id(TENANT, candidate),
        tenant=TENANT,
        call_id=call_id,
        caller_id=None,
        key=key,
        value=value,
        source=candidate.source,
        confidence=candidate.confidence,
        observed_at=candidate.observed_at,
        recorded_at=START_AT + timedelta(seconds=position + 2),
        evidence=candidate.evidence,
        status=Status.ACTIVE,
    )


def made_candidate(
    value: str = "4821", *, key: str = "account_number", position: int = 0, call_id: str = "c1"
) -> Candidate:
    """What such a fact was before it was decided on."""
    return Candidate(
        key=key,
        value=value,
        source=Source.CALLER,
        confidence=0.9,
        observed_at=START_AT + timedelta(seconds=position),
        evidence=Evidence(call_id, position, value, 3, 3 + len(value)),
    )


def added(*facts: Fact) -> list[Decision]:
    """Decisions that add these facts."""
    return [Decision(Action.ADD, "new", _candidate_of(one), one) for one in facts]


def updated(new: Fact, old: Fact) -> list[Decision]:
    """The decision that puts one fact in another's place; both as they are from now on."""
    return [Decision(Action.UPDATE, "newer", _candidate_of(new), new, old)]


def summary(call_id: str = "c1", *, text: str = "Asked for a callback.", hours: int = 0) -> Summary:
    """What is left of a call."""
    at = START_AT + timedelta(hours=hours)
    return Summary(call_id, TENANT, None, at, text, False, ("call back",), ("4821", "14:00"))


async def record(store: Backend, *entries: Entry) -> None:
    """Record entries and wait until they are on disk."""
    for receipt in [store.record_nowait(entry) for entry in entries]:
        await receipt.committed()


async def leased(store: Backend, *kinds: JobKind, at: datetime = LATER_AT) -> Job:
    """Lease the next job, which has to be there."""
    job = await store.lease(now_at=at, lease_ms=LEASE_MS, kinds=kinds or tuple(JobKind))
    if job is None:
        raise AssertionError("no job is due")
    return job


async def settle_all(store: Backend, decisions: Sequence[Decision] = ()) -> None:
    """Do every job that is due, with these decisions for each extraction."""
    while job := await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS):
        if job.kind is JobKind.EXTRACT:
            await store.settle(job, decisions)
        else:
            await store.put_summary(job, summary(job.call_id))


async def attach(store: Backend, call_id: str = "c1", caller_id: str = "dana") -> None:
    """Make a call Dana's."""
    await store.attach(
        TENANT, call_id, caller_id=caller_id, assurance=Assurance.CLAIMED, handles=(DANA,)
    )


def _candidate_of(fact: Fact) -> Candidate:
    return Candidate(
        key=fact.key,
        value=fact.value,
        source=fact.source,
        confidence=fact.confidence,
        observed_at=fact.observed_at,
        evidence=fact.evidence,
    )


async def words_of(store: Backend, call_id: str) -> list[str]:
    """What was said in a call, in order; nothing of one that is not there."""
    view = await store.call(TENANT, call_id)
    return [] if view is None else [turn.text for turn in view.turns]
