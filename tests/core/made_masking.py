"""A call in one line, "c: … | a: …", and what is written of it once it is masked."""

from __future__ import annotations

from datetime import UTC, datetime

from ringback.core.masking import Masker, Sensitive
from ringback.records import Role, Turn

AT = datetime(2026, 3, 3, 18, 0, tzinfo=UTC)


def turn(text: str, position: int = 0, role: Role = Role.CALLER) -> Turn:
    return Turn(role, text, AT, position)


def turns_of(call: str) -> list[Turn]:
    """What was said, "a: " by the agent and everything else by the caller."""
    return [
        turn(
            line.removeprefix("a: ").removeprefix("c: "),
            position,
            Role.AGENT if line.startswith("a: ") else Role.CALLER,
        )
        for position, line in enumerate(call.split(" | "))
    ]


def masked(turns: list[Turn], allowed: frozenset[Sensitive] = frozenset()) -> list[str]:
    """What is written in the end: each turn, with what was amended later."""
    masker = Masker(allowed)
    texts: dict[int, str] = {}
    for said in turns:
        result = masker.mask(said)
        texts |= {one.position: one.text for one in (result.turn, *result.amended)}
    return [texts[position] for position in sorted(texts)]


def written(call: str, *allowed: Sensitive) -> str:
    return " | ".join(masked(turns_of(call), frozenset(allowed)))
