"""What every back-end refuses or mends before it keeps anything.

Names are refused when they are empty, because an empty name would be everybody's. Text is
mended rather than refused, because a turn must not be lost for one bad character.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ringback.erasure import BLOT, Erasure
from ringback.errors import StoreConflictError, UsageError
from ringback.protocols import Basis, CallEnded, CallOpened, Entry, FactsUsed
from ringback.recollection import Cue, VectorCue
from ringback.records import Call, Decision, Fact, Handle, JobKind, Summary, Turn, content_id
from ringback.stores.vectors import checked_queries

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
    if isinstance(entry, FactsUsed):
        require_ids(tenant=entry.tenant)
        ids = tuple(dict.fromkeys(map(storable, entry.fact_ids)))
        return FactsUsed(entry.tenant, ids, in_utc("at", entry.at))
    require_ids(tenant=entry.tenant, call_id=entry.call_id)
    if isinstance(entry, CallEnded):
        return replace(entry, at=in_utc("at", entry.at))
    return replace(entry, turn=checked_turn(entry.turn))


def call_id_of(entry: Entry) -> str | None:
    """The call that an entry is about; None for what is about facts."""
    match entry:
        case CallOpened():
            return entry.call.id
        case FactsUsed():
            return None
        case _:
            return entry.call_id


def tenant_of(entry: Entry) -> str:
    """Whose an entry is."""
    return entry.call.tenant if isinstance(entry, CallOpened) else entry.tenant


def amended_text(present: str, wanted: str) -> str:
    """A turn's new text; what was forgotten in it stays forgotten."""
    if BLOT not in present:
        return wanted
    blotted = [new if old != BLOT else BLOT for old, new in zip(present, wanted, strict=False)]
    return "".join(blotted) + wanted[len(present) :]


def no_longer_said(fact: Fact, *, before: str, after: str) -> bool:
    """A fact rests on words that stood in its turn and do not stand there any more."""
    words, place = fact.evidence.words, slice(fact.evidence.start, fact.evidence.end)
    return before[place] == words != after[place]


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
        ref=storable(turn.ref),
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
        last_used_at=_optional_utc("last_used_at", fact.last_used_at),
        subject=storable(fact.subject),
        object=storable(fact.object),
        speaker=storable(fact.speaker),
    )


def checked_cue(cue: Cue) -> Cue:
    """A cue that every back-end can answer.

    Raises:
        UsageError: A name is empty, a time has no zone, or the limit is below 1.
    """
    require_ids(tenant=cue.tenant, caller_id=cue.caller_id)
    require_limit(cue.limit)
    return replace(
        cue,
        at=in_utc("at", cue.at),
        since_at=_optional_utc("since_at", cue.since_at),
        until_at=_optional_utc("until_at", cue.until_at),
    )


def checked_vector_cue(cue: VectorCue) -> VectorCue:
    """A vector cue that every back-end can answer.

    Raises:
        UsageError: A name is empty, a time has no zone, or the limit is below 1.
    """
    require_ids(tenant=cue.tenant, caller_id=cue.caller_id, embedder=cue.embedder)
    require_limit(cue.limit)
    return replace(
        cue,
        vectors=checked_queries(cue.vectors),
        at=in_utc("at", cue.at),
        since_at=_optional_utc("since_at", cue.since_at),
        until_at=_optional_utc("until_at", cue.until_at),
    )


def checked_erasure(erasure: Erasure) -> Erasure:
    """An erasure that every back-end can do.

    Raises:
        UsageError: A name is empty, or a time has no zone.
    """
    require_ids(tenant=erasure.tenant, target_id=erasure.target_id, caller_id=erasure.caller_id)
    restored = (checked_fact(erasure.tenant, fact) for fact in erasure.restored)
    return replace(
        erasure,
        at=in_utc("at", erasure.at),
        redactions=tuple(replace(one, text=storable(one.text)) for one in erasure.redactions),
        reworded=tuple((one, storable(words)) for one, words in erasure.reworded),
        restored=tuple(fact for fact in restored if fact is not None),
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


def requested_basis(caller_id: str | None, call_id: str | None) -> Basis:
    """Whose basis is asked for; its revision is not read yet.

    Raises:
        UsageError: Neither caller nor call is given.
    """
    if caller_id is None and call_id is None:
        raise UsageError("basis() needs a caller or a call")
    return Basis(caller_id, call_id if caller_id is None else None, 0)


def require_basis(basis: Basis, now: Basis, *, is_of_now: bool = True) -> None:
    """What was decided rests on what still is so.

    Raises:
        StoreConflictError: It does not.
    """
    if basis != now or not is_of_now:
        raise StoreConflictError("what this was decided on has changed meanwhile: decide again")
