"""What becomes of a candidate: added, in place of another fact, or skipped; and why.

For each key with one value (and for each value of a key with many) the facts that were
ever said stand in one total order: authority of the source, a full name before a first
name, the time it was said, confidence, and last the record's own address. The first of
that order is the current one. Which call is processed first therefore does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from ringback.records import (
    Action,
    Call,
    Candidate,
    Cardinality,
    Decision,
    Fact,
    Kind,
    Source,
    Status,
    fact_id,
)
from ringback.schemas import Field, Schema
from ringback.text import folded

LEAST_CONFIDENCE = 0.5  # below: skipped
SETTLED_CONFIDENCE = 0.65  # below: kept, but provisional, to be read back

CURRENT = (Status.ACTIVE, Status.PROVISIONAL)
_AUTHORITY = {source: -place for place, source in enumerate(Source)}


def decide(
    candidates: Sequence[Candidate],
    current: Sequence[Fact],
    *,
    call: Call,
    recorded_at: datetime,
    schema: Schema,
) -> tuple[Decision, ...]:
    """Decide on each candidate of one call.

    Args:
        candidates: What was read from the call.
        current: The caller's current facts; those of the call if it is nobody's yet.
        call: The call they were read from.
        recorded_at: When this is decided.
        schema: Which facts there may be.

    Returns:
        One decision a candidate, oldest statement first. Candidates of the same call are
        weighed against each other as well.
    """
    standing = {
        _slot(fact.key, fact.value, fact.cardinality): fact
        for fact in sorted(current, key=lambda fact: _rank(fact, schema))
        if fact.status in CURRENT
    }
    decisions: list[Decision] = []
    for candidate in sorted(candidates, key=_said):
        refusal = _refusal(candidate, call, schema)
        field = schema.field(candidate.key)
        if refusal or field is None:
            decisions.append(Decision(Action.SKIP, refusal, candidate))
            continue
        fact = _fact(candidate, field, call, recorded_at)
        slot = _slot(fact.key, fact.value, fact.cardinality)
        decision = _against(fact, standing.get(slot), candidate, schema)
        if decision.fact:
            standing[slot] = decision.fact
        decisions.append(decision)
    return tuple(decisions)


def _said(candidate: Candidate) -> tuple[datetime, int, int, str, str]:
    evidence = candidate.evidence
    return (
        candidate.observed_at,
        evidence.position,
        evidence.start,
        candidate.key,
        candidate.value,
    )


def _refusal(candidate: Candidate, call: Call, schema: Schema) -> str:
    """Why a candidate cannot become a fact, whatever else is known; empty when it can."""
    field = schema.field(candidate.key)
    evidence = candidate.evidence
    if field is None:
        return "outside the schema"
    if candidate.source is not Source.SYSTEM and candidate.source not in field.sources:
        return "stated by the wrong role"
    if candidate.kind is Kind.INSTRUCTION and candidate.source is not Source.SYSTEM:
        return "instructions are not taken from a conversation"
    if evidence.call_id != call.id:
        return "from another call"
    if not evidence.words or evidence.end - evidence.start != len(evidence.words):
        return "without evidence"
    if candidate.confidence < LEAST_CONFIDENCE:
        return "low confidence"
    return "" if candidate.value.strip() else "without a value"


def _against(fact: Fact, known: Fact | None, candidate: Candidate, schema: Schema) -> Decision:
    if known is None:
        return Decision(Action.ADD, "new", candidate, fact)
    is_same = folded(known.value) == folded(fact.value)
    if known.id == fact.id or _rank(fact, schema) <= _rank(known, schema):
        reason = "already known" if is_same else _why_weaker(fact, known, schema)
        return Decision(Action.SKIP, reason, candidate)
    reason = "said again" if is_same else _why_stronger(fact, known, schema)
    ended_at = max(fact.observed_at, known.valid_from or known.observed_at)
    superseded = replace(known, status=Status.SUPERSEDED, valid_to=ended_at)
    return Decision(
        Action.UPDATE, reason, candidate, replace(fact, supersedes=known.id), superseded
    )


def _rank(fact: Fact, schema: Schema) -> tuple[int, bool, datetime, float, str, int, str]:
    """Where a fact stands among those of its slot; higher stands before lower."""
    return (
        _authority(fact, schema),
        fact.key == "name" and " " in fact.value.strip(),
        fact.observed_at,
        fact.confidence,
        fact.call_id,
        fact.evidence.position,
        fact.id,
    )


def _authority(fact: Fact, schema: Schema) -> int:
    field = schema.field(fact.key)
    if field and field.is_agreed and fact.source is Source.AGENT:
        return _AUTHORITY[Source.CALLER]
    return _AUTHORITY[fact.source]


def _why_weaker(fact: Fact, known: Fact, schema: Schema) -> str:
    mine, theirs = _rank(fact, schema), _rank(known, schema)
    if mine[0] < theirs[0]:
        return "weaker source than what is known"
    if mine[1] < theirs[1]:
        return "a full name is known"
    if mine[2] < theirs[2]:
        return "older than what is known"
    return "less certain than what is known"


def _why_stronger(fact: Fact, known: Fact, schema: Schema) -> str:
    mine, theirs = _rank(fact, schema), _rank(known, schema)
    if mine[0] > theirs[0]:
        return "stronger source than what was known"
    if mine[1] > theirs[1]:
        return "the full name"
    if mine[2] > theirs[2]:
        return "newer than what was known"
    return "more certain than what was known"


def _slot(key: str, value: str, cardinality: Cardinality) -> tuple[str, str]:
    """What a fact competes for: its key, or its key and value where many may stand."""
    return (key, folded(value) if cardinality is Cardinality.MANY else "")


def _fact(candidate: Candidate, field: Field, call: Call, recorded_at: datetime) -> Fact:
    is_settled = candidate.confidence >= SETTLED_CONFIDENCE
    return Fact(
        id=fact_id(call.tenant, candidate),
        tenant=call.tenant,
        call_id=call.id,
        caller_id=call.caller_id,
        key=candidate.key,
        value=candidate.value,
        source=candidate.source,
        confidence=candidate.confidence,
        observed_at=candidate.observed_at,
        recorded_at=recorded_at,
        evidence=candidate.evidence,
        kind=field.kind,
        scope=field.scope,
        cardinality=field.cardinality,
        status=Status.ACTIVE if is_settled else Status.PROVISIONAL,
        valid_from=candidate.observed_at,
        expires_at=_expiry(candidate, field),
    )


def _expiry(candidate: Candidate, field: Field) -> datetime | None:
    if field.ttl_days is None:
        return None
    starts_at = _date_of(candidate.value) or candidate.observed_at
    return max(starts_at, candidate.observed_at) + timedelta(days=field.ttl_days)


def _date_of(value: str) -> datetime | None:
    """A value that is a date, as the end of that day or its exact time, in UTC."""
    try:
        if len(value) == len("2026-03-06"):
            day = date.fromisoformat(value)
            return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else None
