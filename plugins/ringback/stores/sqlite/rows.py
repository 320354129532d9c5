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
    return Turn(
        role=Role(row["role"]),
        text=row["text"],
        at=time_at(row["at"]),
        position=row["position"],
        speaker=row["speaker"],
        started_ms=row["started_ms"],
        ended_ms=row["ended_ms"],
        interrupted=bool(row["interrupted"]),
        partial=bool(row["partial"]),
        ref=row["ref"],
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
    return Fact(
        id=row["id"],
        tenant=row["tenant"],
        call_id=row["call_id"],
        caller_id=row["caller_id"],
        key=row["key"],
        value=row["value"],
        source=Source(row["source"]),
        confidence=row["confidence"],
        observed_at=time_at(row["observed_at"]),
        recorded_at=time_at(row["recorded_at"]),
        evidence=Evidence(
            call_id=row["evidence_call_id"],
            position=row["evidence_position"],
            words=row["evidence_words"],
            start=row["evidence_start"],
            end=row["evidence_end"],
            started_ms=row["evidence_started_ms"],
            ended_ms=row["evidence_ended_ms"],
        ),
        kind=Kind(row["kind"]),
        scope=Scope(row["scope"]),
        cardinality=Cardinality(row["cardinality"]),
        status=Status(row["status"]),
        valid_from=time_or_none(row["valid_from"]),
        valid_to=time_or_none(row["valid_to"]),
        expires_at=time_or_none(row["expires_at"]),
        supersedes=row["supersedes"],
        subject=row["subject"],
        object=row["object"],
        speaker=row["speaker"],
        sensitivity=Sensitivity(row["sensitivity"]),
        is_speakable=bool(row["is_speakable"]),
        is_withdrawal=bool(row["is_withdrawal"]),
        uses=row["uses"],
        last_used_at=time_or_none(row["last_used_at"]),
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
