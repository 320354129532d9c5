"""What is read from made lines, as short text: for the tests of each sort of thing that is read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ringback.core.extraction import extract
from ringback.core.promotion import decide
from ringback.records import SELF, Action, Call, Decision, Role, Turn
from ringback.schemas import GENERAL, SUPPORT, Schema

THURSDAY = datetime(2026, 3, 19, 15, 0, tzinfo=UTC)  # 10:00 in Chicago
CALL = Call("call-1", "acme", THURSDAY, "America/Chicago", caller_id="dana")


def spoken(lines: str) -> tuple[Turn, ...]:
    """Turns from lines that "|" parts: the agent's begin with "a:", all others are the caller's."""
    return tuple(
        Turn(
            Role.AGENT if line.strip().startswith("a:") else Role.CALLER,
            line.strip().removeprefix("a:").strip(),
            THURSDAY + timedelta(seconds=10 * place),
            place,
        )
        for place, line in enumerate(lines.split("|"))
    )


def found(lines: str, schema: Schema = SUPPORT) -> list[str]:
    """What is kept, in order: "key = value", "not" before it, " of person:mother" behind it."""
    turns = spoken(lines)
    candidates = extract(turns, call=CALL, schema=schema)
    decisions = decide(candidates, (), call=CALL, recorded_at=THURSDAY, schema=schema, turns=turns)
    return [_said(one) for one in decisions if one.action is not Action.SKIP and one.fact]


def found_of_anybody(lines: str) -> list[str]:
    """The same with the schema for what is worth knowing of anybody."""
    return found(lines, GENERAL)


def _said(decision: Decision) -> str:
    fact = decision.fact
    assert fact is not None
    words = f"{'not ' if fact.is_withdrawal else ''}{fact.key} = {fact.value}"
    return words if fact.subject == SELF else f"{words} of {fact.subject}"
