"""What every back-end refuses or mends before it keeps anything.

Names are refused when they are empty, because an empty name would be everybody's. Text is
mended rather than refused, because a turn must not be lost for one bad character.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ringback.errors import UsageError
from ringback.protocols import CallEnded, CallOpened, Entry, TurnObserved
from ringback.records import Call, Decision, Fact, Handle, JobKind, Summary, Turn, content_id

LARGEST_INTEGER = 2**63 - 1  # what SQLite and PostgreSQL keep in one column
LONGEST_LEASE_MS = 7 * 24 * 3_600_000  # a week: longer is a mistake
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no back-end keeps all of these
REPLACEMENT = "\ufffd"
LEASE_EXPIRED = "LeaseExpired"  # a job's reason when its worker did not come back


def storable(text: str) -> str:
    """Replace NUL and lone surrogates, one for one, so that offsets into the text stay right."""
    if text.isascii() and "\0" not in text:
        return text
    return UNSTORABLE.sub(REPLACEMENT, text)


def require_ids(**names: str | None) -> None:
    """Refuse names that are empty or that no file can hold.

    Raises:
        UsageError: One of them is empty, or has NUL or a lone surrogate in it.
    """
    for name, value in names.items():
        if value is None:
            continue
        if not value:
            raise UsageError(f"{name} is empty")
        if storable(value) != value:
            raise UsageError(f"{name} has a character that cannot be stored")


def require_limit(limit: int) -> None:
    """Refuse a listing of nothing."""
    if not 0 < limit <= LARGEST_INTEGER:
        raise UsageError(f"limit is {limit}, it has to be at least 1")


def require_lease(lease_ms: int) -> None:
    """Refuse a lease that ends before it begins."""
    if not 0 < lease_ms <= LONGEST_LEASE_MS:
        raise UsageError(f"lease_ms is {lease_ms}, it has to be 1 to {LONGEST_LEASE_MS}")


def in_utc(name: str, at: datetime) -> datetime:
    """The same instant in UTC.

    Raises:
        UsageError: It has no offset, so that nobody knows which instant it is.
    """
    if at.utcoffset() is None:
        raise UsageError(f"{name} has no time zone")
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def checked_handles(handles: Sequence[Handle]) -> tuple[Handle, ...]:
    """Handles without repeats, in the order given; empty ones are refused."""
    for handle in handles:
        if not handle.value:
            raise UsageError(f"a handle of kind {handle.kind} is empty")
    return tuple(dict.fromkeys(replace(one, value=storable(one.value)) for one in handles))


def checked_entry(entry: Entry) -> Entry:
    """An entry that every back-end can keep.

    Raises:
        UsageError: A name is empty, a time has no zone, or a turn has no place yet.
    """
    if isinstance(entry, CallOpened):
        return CallOpened(checked_call(entry.call))
    require_ids(tenant=entry.tenant, call_id=entry.call_id)
    if isinstance(entry, CallEnded):
        return replace(entry, at=in_utc("at", entry.at))
    return TurnObserved(entry.tenant, entry.call_id, checked_turn(entry.turn))


def checked_call(call: Call) -> Call:
    """A call that every back-end can keep."""
    require_ids(tenant=call.tenant, call_id=call.id, caller_id=call.caller_id)
    return replace(
        call,
        started_at=in_utc("started_at", call.started_at),
        ended_at=_optional_utc("ended_at", call.ended_at),
        handles=checked_handles(call.handles),
        zone=storable(call.zone),
    )


def checked_turn(turn: Turn) -> Turn:
    """A turn that every back-end can keep."""
    if turn.position < 0:
        raise UsageError("a turn has no position yet; its call gives it one")
    for number in (turn.position, turn.started_ms, turn.ended_ms):
        if number is not None and abs(number) > LARGEST_INTEGER:
            raise UsageError("a turn's position or time is out of range")
    return replace(
        turn,
        text=storable(turn.text),
        speaker=storable(turn.speaker),
        at=in_utc("at", turn.at),
    )


def checked_decisions(tenant: str, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Decisions whose facts every back-end can keep, all of one tenant."""
    return tuple(
        replace(
            decision,
            fact=checked_fact(tenant, decision.fact),
            superseded=checked_fact(tenant, decision.superseded),
        )
        for decision in decisions
    )


def checked_fact(tenant: str, fact: Fact | None) -> Fact | None:
    """A fact that every back-end can keep, of this tenant."""
    if fact is None:
        return None
    require_ids(fact_id=fact.id, tenant=fact.tenant, call_id=fact.call_id, key=fact.key)
    if fact.tenant != tenant:
        raise UsageError("a fact and its job are of two tenants")
    return replace(
        fact,
        value=storable(fact.value),
        evidence=replace(fact.evidence, words=storable(fact.evidence.words)),
        observed_at=in_utc("observed_at", fact.observed_at),
        recorded_at=in_utc("recorded_at", fact.recorded_at),
        valid_from=_optional_utc("valid_from", fact.valid_from),
        valid_to=_optional_utc("valid_to", fact.valid_to),
        expires_at=_optional_utc("expires_at", fact.expires_at),
    )


def checked_summary(tenant: str, call_id: str, summary: Summary | None) -> Summary | None:
    """A summary that every back-end can keep, of this call."""
    if summary is None:
        return None
    if (summary.tenant, summary.call_id) != (tenant, call_id):
        raise UsageError("a summary and its job are of two calls")
    return replace(
        summary,
        at=in_utc("at", summary.at),
        text=storable(summary.text),
        promises=tuple(map(storable, summary.promises)),
        numbers=tuple(map(storable, summary.numbers)),
    )


def require_summary_job(kind: JobKind) -> None:
    """Refuse to finish an extraction with a summary."""
    if kind is not JobKind.SUMMARISE:
        raise UsageError(f"a summary finishes a summary job, not one of kind {kind}")


def job_id(tenant: str, call_id: str, kind: str, generation: int) -> str:
    """Address a job by how much of its call it covers.

    A call's generation counts what happened in it. A worker that comes back late with a
    job of an older generation is thereby recognised, and changes nothing.
    """
    return content_id(tenant, call_id, kind, generation)


def _optional_utc(name: str, at: datetime | None) -> datetime | None:
    return None if at is None else in_utc(name, at)
