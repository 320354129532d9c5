"""Between records and rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from ringback.erasure import ErasureReceipt, Forgotten
from ringback.records import (
    Action,
    Assurance,
    Call,
    Cardinality,
    Check,
    DecisionMade,
    Evidence,
    Fact,
    Handle,
    HandleKind,
    Job,
    JobKind,
    Kind,
    Outcome,
    Role,
    Scope,
    Sensitivity,
    Source,
    Status,
    Summary,
    Turn,
)
from ringback.stores.checks import job_id

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
TURN_COLUMNS = (
    "role", "text", "at", "position", "speaker", "started_ms", "ended_ms", "interrupted",
    "partial", "ref",
)  # fmt: skip
FACT_COLUMNS = (
    "id", "tenant", "call_id", "caller_id", "key", "value", "source", "confidence",
    "observed_at", "recorded_at", "evidence_call_id", "evidence_position", "evidence_words",
    "evidence_start", "evidence_end", "evidence_started_ms", "evidence_ended_ms", "kind",
    "scope", "cardinality", "status", "valid_from", "valid_to", "expires_at", "supersedes",
    "subject", "object", "speaker", "sensitivity", "is_speakable", "is_withdrawal", "uses",
    "last_used_at",
)  # fmt: skip

_ROLES = {one.value: one for one in Role}  # three times as quick as asking the class
_SOURCES = {one.value: one for one in Source}
_KINDS = {one.value: one for one in Kind}
_SCOPES = {one.value: one for one in Scope}
_CARDINALITIES = {one.value: one for one in Cardinality}
_STATUSES = {one.value: one for one in Status}
_SENSITIVITIES = {one.value: one for one in Sensitivity}


def only(statement: str, columns: Sequence[str]) -> str:
    """A statement that takes every column, with these instead, in this order."""
    return statement.replace("*", ", ".join(columns), 1)


def micros(at: datetime) -> int:
    """Whole microseconds since 1970, exact."""
    return (at - EPOCH) // MICROSECOND


def micros_or_none(at: datetime | None) -> int | None:
    """The same for a time that may be missing."""
    return None if at is None else micros(at)


def time_at(number: int) -> datetime:
    """The aware time in UTC that `micros` was made of."""
    return EPOCH + number * MICROSECOND


def time_or_none(number: int | None) -> datetime | None:
    """The same for a time that may be missing."""
    return None if number is None else time_at(number)


def handles_json(handles: Iterable[Handle]) -> str:
    """Handles as one parameter."""
    return json.dumps([[handle.kind, handle.value] for handle in handles])


def handles_of(rows: Iterable[sqlite3.Row]) -> tuple[Handle, ...]:
    """Handles from rows."""
    return tuple(Handle(HandleKind(row["kind"]), row["value"]) for row in rows)


def call_of(row: sqlite3.Row, handles: Sequence[Handle]) -> Call:
    """A call from its row and its handles."""
    return Call(
        id=row["id"],
        tenant=row["tenant"],
        started_at=time_at(row["started_at"]),
        zone=row["zone"],
        handles=tuple(handles),
        caller_id=row["caller_id"],
        assurance=Assurance(row["assurance"]),
        ended_at=time_or_none(row["ended_at"]),
    )


def turn_row(turn: Turn) -> dict[str, Any]:
    """A turn's columns."""
    return {
        "position": turn.position,
        "role": turn.role,
        "text": turn.text,
        "at": micros(turn.at),
        "speaker": turn.speaker,
        "started_ms": turn.started_ms,
        "ended_ms": turn.ended_ms,
        "interrupted": turn.interrupted,
        "partial": turn.partial,
        "ref": turn.ref,
    }


def turn_of(row: sqlite3.Row) -> Turn:
    """A turn from its row."""
    return turn_from([row[name] for name in TURN_COLUMNS])


def turn_from(values: Sequence[Any]) -> Turn:
    """A turn from the values of `TURN_COLUMNS`, in their order; quicker than by names."""
    role, text, at, position, speaker, started_ms, ended_ms, interrupted, partial, ref = values
    return Turn(
        role=_ROLES[role],
        text=text,
        at=time_at(at),
        position=position,
        speaker=speaker,
        started_ms=started_ms,
        ended_ms=ended_ms,
        interrupted=bool(interrupted),
        partial=bool(partial),
        ref=ref,
    )


def fact_row(fact: Fact) -> dict[str, Any]:
    """A fact's columns, without its caller."""
    evidence = fact.evidence
    return {
        "tenant": fact.tenant,
        "id": fact.id,
        "call_id": fact.call_id,
        "key": fact.key,
        "value": fact.value,
        "source": fact.source,
        "confidence": fact.confidence,
        "observed_at": micros(fact.observed_at),
        "recorded_at": micros(fact.recorded_at),
        "evidence_call_id": evidence.call_id,
        "evidence_position": evidence.position,
        "evidence_words": evidence.words,
        "evidence_start": evidence.start,
        "evidence_end": evidence.end,
        "evidence_started_ms": evidence.started_ms,
        "evidence_ended_ms": evidence.ended_ms,
        "kind": fact.kind,
        "scope": fact.scope,
        "cardinality": fact.cardinality,
        "status": fact.status,
        "valid_from": micros_or_none(fact.valid_from),
        "valid_to": micros_or_none(fact.valid_to),
        "expires_at": micros_or_none(fact.expires_at),
        "supersedes": fact.supersedes,
        "subject": fact.subject,
        "object": fact.object,
        "speaker": fact.speaker,
        "sensitivity": fact.sensitivity,
        "is_speakable": fact.is_speakable,
        "is_withdrawal": fact.is_withdrawal,
        "uses": fact.uses,
        "last_used_at": micros_or_none(fact.last_used_at),
    }


def fact_of(row: sqlite3.Row) -> Fact:
    """A fact from its row."""
    return fact_from([row[name] for name in FACT_COLUMNS])


def fact_from(values: Sequence[Any]) -> Fact:
    """A fact from the values of `FACT_COLUMNS`, in their order; quicker than by names."""
    (
        id_, tenant, call_id, caller_id, key, value, source, confidence, observed_at,
        recorded_at, evidence_call_id, evidence_position, evidence_words, evidence_start,
        evidence_end, evidence_started_ms, evidence_ended_ms, kind, scope, cardinality, status,
        valid_from, valid_to, expires_at, supersedes, subject, object_, speaker, sensitivity,
        is_speakable, is_withdrawal, uses, last_used_at,
    ) = values  # fmt: skip
    return Fact(
        id=id_,
        tenant=tenant,
        call_id=call_id,
        caller_id=caller_id,
        key=key,
        value=value,
        source=_SOURCES[source],
        confidence=confidence,
        observed_at=time_at(observed_at),
        recorded_at=time_at(recorded_at),
        evidence=Evidence(
            call_id=evidence_call_id,
            position=evidence_position,
            words=evidence_words,
            start=evidence_start,
            end=evidence_end,
            started_ms=evidence_started_ms,
            ended_ms=evidence_ended_ms,
        ),
        kind=_KINDS[kind],
        scope=_SCOPES[scope],
        cardinality=_CARDINALITIES[cardinality],
        status=_STATUSES[status],
        valid_from=time_or_none(valid_from),
        valid_to=time_or_none(valid_to),
        expires_at=time_or_none(expires_at),
        supersedes=supersedes,
        subject=subject,
        object=object_,
        speaker=speaker,
        sensitivity=_SENSITIVITIES[sensitivity],
        is_speakable=bool(is_speakable),
        is_withdrawal=bool(is_withdrawal),
        uses=uses,
        last_used_at=time_or_none(last_used_at),
    )


def summary_row(summary: Summary) -> dict[str, Any]:
    """A summary's columns, without its caller."""
    return {
        "tenant": summary.tenant,
        "call_id": summary.call_id,
        "at": micros(summary.at),
        "text": summary.text,
        "resolved": summary.resolved,
        "promises": json.dumps(summary.promises),
        "numbers": json.dumps(summary.numbers),
    }


def summary_of(row: sqlite3.Row) -> Summary:
    """A summary from its row."""
    return Summary(
        call_id=row["call_id"],
        tenant=row["tenant"],
        caller_id=row["caller_id"],
        at=time_at(row["at"]),
        text=row["text"],
        resolved=None if row["resolved"] is None else bool(row["resolved"]),
        promises=tuple(json.loads(row["promises"])),
        numbers=tuple(json.loads(row["numbers"])),
    )


def decision_row(made: DecisionMade) -> dict[str, Any]:
    """A decision's columns."""
    return {
        "tenant": made.tenant,
        "call_id": made.call_id,
        "caller_id": made.caller_id,
        "position": made.position,
        "key": made.key,
        "action": made.action,
        "reason": made.reason,
        "at": micros(made.at),
        "fact_id": made.fact_id,
        "superseded_id": made.superseded_id,
        "checks": json.dumps([[one.name, one.outcome, one.reason] for one in made.checks]),
    }


def decision_of(row: sqlite3.Row) -> DecisionMade:
    """A decision from its row."""
    return DecisionMade(
        tenant=row["tenant"],
        call_id=row["call_id"],
        caller_id=row["caller_id"],
        position=row["position"],
        key=row["key"],
        action=Action(row["action"]),
        reason=row["reason"],
        at=time_at(row["at"]),
        fact_id=row["fact_id"],
        superseded_id=row["superseded_id"],
        checks=tuple(
            Check(name, Outcome(outcome), reason)
            for name, outcome, reason in json.loads(row["checks"])
        ),
    )


def receipt_row(receipt: ErasureReceipt) -> dict[str, Any]:
    """A receipt's columns."""
    return {
        "tenant": receipt.tenant,
        "what": receipt.what,
        "target_id": receipt.target_id,
        "caller_id": receipt.caller_id,
        "at": micros(receipt.at),
        "removed": json.dumps(receipt.removed),
        "call_ids": json.dumps(receipt.call_ids),
        "scrub_ms": receipt.scrub_ms,
    }


def receipt_of(row: sqlite3.Row) -> ErasureReceipt:
    """A receipt from its row."""
    return ErasureReceipt(
        tenant=row["tenant"],
        what=Forgotten(row["what"]),
        target_id=row["target_id"],
        caller_id=row["caller_id"],
        at=time_at(row["at"]),
        removed=tuple((name, count) for name, count in json.loads(row["removed"])),
        call_ids=tuple(json.loads(row["call_ids"])),
        scrub_ms=row["scrub_ms"],
    )


def leased_job_of(row: sqlite3.Row) -> Job:
    """A job from the row of one that is leased."""
    number = job_id(row["tenant"], row["call_id"], row["kind"], row["leased_generation"])
    return _job(row, number)


def dead_job_of(row: sqlite3.Row) -> Job:
    """A job from a dead letter."""
    return _job(row, row["id"])


def _job(row: sqlite3.Row, id_of_job: str) -> Job:
    return Job(
        id=id_of_job,
        kind=JobKind(row["kind"]),
        tenant=row["tenant"],
        call_id=row["call_id"],
        due_at=time_at(row["due_at"]),
        attempts=row["attempts"],
        reason=row["reason"],
    )
