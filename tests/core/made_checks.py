"""Calls as they are spoken, candidates read from them, and a desk's schema to check by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ringback.core.checks import check
from ringback.records import (
    Call,
    Candidate,
    Cardinality,
    Check,
    Evidence,
    Kind,
    Outcome,
    Role,
    Scope,
    Source,
    Turn,
)
from ringback.schemas import Field, Schema, ValueType

AT = datetime(2026, 3, 3, 18, 0, tzinfo=UTC)  # a Tuesday, noon in Chicago
CALL = Call("call-1", "acme", AT, zone="America/Chicago", caller_id="dana")
CALLER_OR_AGENT = (Source.CALLER, Source.AGENT)


def a_field(key: str, **options: object) -> Field:
    named: dict[str, object] = {
        "label": key,
        "sentence": f"{key} is {{value}}",
        "sources": CALLER_OR_AGENT,
    }
    return Field(key=key, **(named | options))  # type: ignore[arg-type]


DESK = Schema(
    "desk",
    (
        a_field("order", type=ValueType.CODE),
        a_field("contract", type=ValueType.CODE, cardinality=Cardinality.MANY),
        a_field("delivery_address"),
        a_field("note"),
        a_field("matter", is_quoted=True, kind=Kind.TASK),
        a_field("recipient", type=ValueType.PERSON, object_kind="person"),
        a_field("guest", type=ValueType.PERSON),
        a_field("refund", kind=Kind.EVENT, scope=Scope.CASE, cardinality=Cardinality.MANY),
        a_field("visit", type=ValueType.DATE, kind=Kind.EVENT, is_agreed=True, ttl_days=1),
        a_field("birthday", type=ValueType.DATE),
        a_field("promise", kind=Kind.TASK),
        a_field("trial", ttl_days=30),
        a_field("medicine", object_kind="medication", cardinality=Cardinality.MANY),
        a_field("reminder", type=ValueType.NUMBER),
        a_field("email", type=ValueType.EMAIL),
        a_field("phone", type=ValueType.PHONE),
        a_field("tier", type=ValueType.CHOICE, choices=("gold", "none")),
    ),
)


def turns_of(*lines: str) -> tuple[Turn, ...]:
    """A call from "c: ..." and "a: ..." lines, ten seconds apart."""
    return tuple(
        Turn(
            Role.CALLER if line.startswith("c:") else Role.AGENT,
            line[2:].strip(),
            AT + timedelta(seconds=10 * place),
            place,
        )
        for place, line in enumerate(lines)
    )


def read(turns: Sequence[Turn], key: str, value: str, words: str, **changes: object) -> Candidate:
    """What a reader made of the last turn that holds these words."""
    turn = next(turn for turn in reversed(turns) if words in turn.text)
    start = turn.text.index(words)
    made = Candidate(
        key=key,
        value=value,
        source=Source.CALLER if turn.role is Role.CALLER else Source.AGENT,
        confidence=0.9,
        observed_at=turn.at,
        evidence=Evidence("call-1", turn.position, words, start, start + len(words)),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def checked(
    turns: Sequence[Turn], candidate: Candidate, *said: Candidate, schema: Schema = DESK
) -> tuple[Candidate | None, Check]:
    """A candidate as it comes out, and the check that changed or dropped it, else the last."""
    result, checks = check(candidate, turns=turns, call=CALL, said=said, schema=schema)
    telling = [one for one in checks if one.outcome is not Outcome.PASSED]
    return result, telling[0] if telling else checks[-1]


def is_untouched(candidate: Candidate, turns: Sequence[Turn], *said: Candidate) -> bool:
    result, last = checked(turns, candidate, *said)
    return result == candidate and last == Check("important", Outcome.PASSED)
