"""Made calls and facts for the tests of summaries and briefings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ringback.core.extraction import extract
from ringback.core.promotion import decide
from ringback.records import (
    Call,
    CallView,
    Cardinality,
    Evidence,
    Fact,
    Role,
    Source,
    Status,
    Turn,
)
from ringback.schemas import SUPPORT

STARTED = datetime(2026, 3, 3, 20, 0, tzinfo=UTC)
CALL = Call("call-1", "acme", STARTED, caller_id="dana")


def view(*lines: str, partial: bool = False, interrupted: bool = False) -> CallView:
    """A call from "c: ..." and "a: ..." lines; its last turn may be cut."""
    turns = tuple(
        Turn(
            Role.CALLER if line.startswith("c:") else Role.AGENT,
            line[2:].strip(),
            STARTED + timedelta(seconds=place),
            place,
            partial=partial and place == len(lines) - 1,
            interrupted=interrupted and place == len(lines) - 1,
        )
        for place, line in enumerate(lines)
    )
    return CallView(CALL, turns)


def facts_of(made: CallView) -> tuple[Fact, ...]:
    """What extraction and promotion make of a call."""
    candidates = extract(made.turns, call=made.call, schema=SUPPORT)
    decisions = decide(candidates, (), call=made.call, recorded_at=STARTED, schema=SUPPORT)
    return tuple(decision.fact for decision in decisions if decision.fact)


def fact(key: str, value: str, **changes: object) -> Fact:
    """A fact that the caller said on 3 March."""
    named: dict[str, object] = {
        "id": f"{key}-{value}",
        "tenant": "acme",
        "call_id": "call-1",
        "caller_id": "dana",
        "key": key,
        "value": value,
        "source": Source.CALLER,
        "confidence": 0.9,
        "observed_at": STARTED,
        "recorded_at": STARTED,
        "evidence": Evidence("call-1", 0, value, 0, len(value)),
        "cardinality": Cardinality.ONE,
        "status": Status.ACTIVE,
    }
    return Fact(**(named | changes))  # type: ignore[arg-type]
