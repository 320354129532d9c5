"""What becomes of a candidate: added, in place of another fact, or skipped; and why.

First the checks (`ringback.core.checks`), which look at the candidate and at its call. Then
the policy of the schema, which says what may be kept at all and from whom. Then the rules
of correction (`ringback.core.correction`), which weigh it against what is known. The first
two never look at other calls, and the third looks at no clock, so that the order in which
calls are processed does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ringback.core.assurance import may_correct, may_write
from ringback.core.chains import Chains, Statement
from ringback.core.checks import check
from ringback.core.correction import (
    GUARDED,
    NEEDS_KNOWN,
    NEEDS_VERIFIED,
    Slot,
    is_weak,
    order_in_call,
    slot_of,
)
from ringback.core.validity import expires_at
from ringback.records import (
    Action,
    Assurance,
    Call,
    Candidate,
    Check,
    Decision,
    Durability,
    Fact,
    Kind,
    Scope,
    Sensitivity,
    Source,
    Status,
    Turn,
    fact_id,
)
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import Promotion

LEAST_CONFIDENCE = 0.5  # below: skipped
UNVERIFIED_CONFIDENCE = 0.6  # at most, of what is sensitive and may be somebody else's word

_SENSITIVITY = {level: place for place, level in enumerate(Sensitivity)}
_AUTHORITY = {source: place for place, source in enumerate(Source)}


def decide(
    candidates: Sequence[Candidate],
    current: Sequence[Fact],
    *,
    call: Call,
    recorded_at: datetime,
    schema: Schema,
    turns: Sequence[Turn] = (),
) -> tuple[Decision, ...]:
    """Decide on each candidate of one call.

    Args:
        candidates: What was read from the call.
        current: The caller's facts, of every status; those of the call if it is nobody's
            yet. Without the superseded ones, a statement from before a withdrawal may in
            rare cases count again, and what was said once and replaced counts as new.
        call: The call they were read from, as it is now: once its caller is verified, so
            is what was said before.
        recorded_at: When this is decided.
        schema: Which facts there may be.
        turns: The call's turns, to check candidates against; none are checked without.

    Returns:
        At least one decision a candidate, oldest statement first, with the candidate as it
        was given. Candidates of the same call are weighed against each other as well. A
        decision without a fact, but with one that is superseded, changes that one alone:
        it ends, or is confirmed.
    """
    chains = Chains(current, schema)
    looked_at = list(_checked(sorted(candidates, key=_said), call, schema, turns))
    made = {
        place: _statement(one.repaired, field, call, recorded_at)
        for place, one in enumerate(looked_at)
        if one.repaired is not None
        and (field := schema.field(one.repaired.key)) is not None
        and not one.reason
    }
    unsaid = _corrected_in_call(made)
    decisions: list[Decision] = []
    for place, one in enumerate(looked_at):
        if place in made and place not in unsaid:
            weighed = chains.weigh(made[place])
        else:
            reason = one.reason or "corrected in the same call"
            weighed = (Decision(Action.SKIP, reason, one.given),)
        decisions += [replace(each, candidate=one.given, checks=one.checks) for each in weighed]
    return tuple(decisions)


@dataclass(frozen=True, slots=True)
class _Looked:
    """A candidate after its checks and the policy."""

    given: Candidate
    repaired: Candidate | None
    checks: tuple[Check, ...]
    reason: str
    """Why it cannot become a fact; empty when it can."""


def _said(candidate: Candidate) -> tuple[datetime, int, int, str, str, bool, int, float]:
    """The order in which things were said; in one place, the strongest statement first."""
    evidence = candidate.evidence
    return (
        candidate.observed_at,
        evidence.position,
        evidence.start,
        candidate.key,
        candidate.value,
        candidate.is_withdrawal,
        _AUTHORITY[candidate.source],
        -candidate.confidence,
    )


def _checked(
    candidates: Sequence[Candidate], call: Call, schema: Schema, turns: Sequence[Turn]
) -> Iterator[_Looked]:
    said: list[Candidate] = []
    for candidate in candidates:
        repaired, checks = check(candidate, turns=turns, call=call, said=said, schema=schema)
        if repaired is None:
            yield _Looked(candidate, None, checks, checks[-1].reason)
            continue
        reason = _refusal(repaired, call, schema)
        if not reason:
            said.append(repaired)
        yield _Looked(candidate, repaired, checks, reason)


def _refusal(candidate: Candidate, call: Call, schema: Schema) -> str:
    """Why a candidate cannot become a fact, whatever else is known; empty when it can."""
    field = schema.field(candidate.key)
    if field is None:
        return "outside the schema"
    return (
        _wrong_origin(candidate, call, field)
        or _unfit(candidate, field)
        or _not_theirs_to_say(candidate, call, field)
    )


def _wrong_origin(candidate: Candidate, call: Call, field: Field) -> str:
    evidence = candidate.evidence
    if candidate.source is not Source.SYSTEM:
        if candidate.kind is Kind.INSTRUCTION:
            return "instructions are not taken from a conversation"
        if field.promotion is not Promotion.REFUSED and candidate.source not in field.sources:
            return "stated by the wrong role"
    if evidence.call_id != call.id:
        return "from another call"
    if not evidence.words or evidence.end - evidence.start != len(evidence.words):
        return "without evidence"
    return ""


def _unfit(candidate: Candidate, field: Field) -> str:
    """What the policy does not keep, whoever says it."""
    if field.promotion is Promotion.REFUSED:
        return "the schema keeps nothing of this kind"
    if candidate.is_speculation:
        return "a guess, not a statement"
    if candidate.durability is Durability.MOMENT and field.durability is not Durability.MOMENT:
        return "a state that passes"
    if (
        candidate.sensitivity
        and _SENSITIVITY[candidate.sensitivity] > _SENSITIVITY[field.sensitivity]
    ):
        return "more sensitive than the schema allows"
    is_lasting = _scope(candidate, field) is Scope.CALLER and field.kind is not Kind.EVENT
    if candidate.kind is Kind.EVENT and is_lasting:
        return "an event that happened once, not a lasting trait"
    return "low confidence" if candidate.confidence < LEAST_CONFIDENCE else ""


def _not_theirs_to_say(candidate: Candidate, call: Call, field: Field) -> str:
    if candidate.source is Source.SYSTEM or may_write(_assurance(call), field.sensitivity):
        return ""
    return NEEDS_VERIFIED if _is_somebodys(call) else NEEDS_KNOWN


def _assurance(call: Call) -> Assurance:
    """How sure it is who is calling; a handle, or whose call it is, is at least a claim."""
    if call.assurance is Assurance.UNKNOWN and _is_somebodys(call):
        return Assurance.CLAIMED
    return call.assurance


def _is_somebodys(call: Call) -> bool:
    return call.caller_id is not None or bool(call.handles)


def _corrected_in_call(made: Mapping[int, Statement]) -> set[int]:
    """Which statements a doubtful later one of the same call takes the place of.

    Where a caller may not correct, each call has one word, its last; else the place of a
    call among others would hang on what it took back.
    """
    last: dict[Slot, Statement] = {}
    for one in made.values():
        slot = slot_of(one.fact, one.field)
        if one.field.sensitivity not in GUARDED or one.fact.is_withdrawal:
            continue
        if slot not in last or order_in_call(one.fact, one.field) > order_in_call(
            last[slot].fact, one.field
        ):
            last[slot] = one
    weak = {slot: one for slot, one in last.items() if is_weak(one.fact, one.field)}
    return {
        place
        for place, one in made.items()
        if not one.fact.is_withdrawal and weak.get(slot_of(one.fact, one.field), one) is not one
    }


def _statement(candidate: Candidate, field: Field, call: Call, recorded_at: datetime) -> Statement:
    is_free = (
        candidate.source is Source.SYSTEM
        or field.sensitivity not in GUARDED
        or may_correct(_assurance(call), field.sensitivity)
    )
    confidence = (
        candidate.confidence if is_free else min(candidate.confidence, UNVERIFIED_CONFIDENCE)
    )
    fact = Fact(
        id=fact_id(call.tenant, candidate),
        tenant=call.tenant,
        call_id=call.id,
        caller_id=call.caller_id,
        key=candidate.key,
        value=candidate.value,
        source=candidate.source,
        confidence=confidence,
        observed_at=candidate.observed_at,
        recorded_at=recorded_at,
        evidence=candidate.evidence,
        kind=field.kind,
        scope=_scope(candidate, field),
        cardinality=field.cardinality,
        status=Status.PROVISIONAL,
        valid_from=candidate.valid_from or candidate.observed_at,
        expires_at=None if candidate.is_withdrawal else expires_at(candidate, field),
        subject=candidate.subject,
        object=candidate.object,
        speaker=candidate.speaker,
        sensitivity=field.sensitivity,
        is_speakable=field.is_speakable,
        is_withdrawal=candidate.is_withdrawal,
    )
    return Statement(fact, candidate, field, may_correct=is_free)


def _scope(candidate: Candidate, field: Field) -> Scope:
    """A statement may hold for its matter only; it never holds for more than its field."""
    return Scope.CASE if candidate.scope is Scope.CASE else field.scope
