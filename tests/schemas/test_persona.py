"""Who somebody is and how they feel: a part of its own, with a higher bar than other facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback import Assurance, Memory, Role, Turn
from ringback.records import Status
from ringback.schemas import GENERAL

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


async def known_after(*calls: tuple[str, ...]) -> dict[tuple[str, str], Status]:
    """What is current after these calls of a verified caller, by key and value."""
    async with await Memory.open("memory:", schema=GENERAL) as memory:
        for place, lines in enumerate(calls):
            call = memory.ring(tenant="acme", at=AT + timedelta(days=place))
            await call.identify("dana", Assurance.VERIFIED)
            for line in lines:
                call.observe(Turn(Role.CALLER, line, at=AT + timedelta(days=place)))
            await call.end()
        await memory.settle()
        facts = await memory.profile("acme", "dana").facts()
    return {(fact.key, fact.value): fact.status for fact in facts}


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("I'm someone who reads every contract twice.", "trait", "reads every contract twice"),
        ("I'm fed up with Waterline North.", "unhappy_with", "Waterline North"),
        ("I'm very happy with Bertil.", "pleased_with", "Bertil"),
        ("我對華聯電信很失望。", "unhappy_with", "華聯電信"),
    ],
)
async def test_it_is_provisional_until_it_is_said_again(line: str, key: str, value: str):
    once = await known_after((line,))
    twice = await known_after((line,), (line,))

    assert once == {(key, value): Status.PROVISIONAL}
    assert twice == {(key, value): Status.ACTIVE}


@pytest.mark.parametrize(
    "line",
    [
        "I'm happy.",
        "I'm very happy with that.",
        "I'm fed up.",
        "I would trust you if you called back.",
        "Are you disappointed with us?",
        "He said he's angry with the shop.",
        "I'm in the car.",
    ],
)
async def test_a_mood_or_a_courtesy_is_none(line: str):
    assert await known_after((line,)) == {}


async def test_a_change_of_heart_takes_the_other_ones_place():
    known = await known_after(
        ("I'm very happy with Waterline North.",), ("I'm disappointed with Waterline North.",)
    )

    assert set(known) == {("unhappy_with", "Waterline North")}
