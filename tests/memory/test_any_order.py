"""Calls may be processed in any order, in parts and twice: the same is known in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from ringback import Assurance, Memory, Role, Turn
from ringback.core.alignment import OfferedTurn

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
LINES = (
    "c: This is Dana Whitfield.",
    "c: My name is Dana.",
    "c: My account number is 4821.",
    "c: My account number is 4822.",
    "c: Sorry, my account number is not 4821.",
    "c: Please text me, don't call.",
    "c: Please call me back instead of texting.",
    "c: My email is dana at example dot com.",
    "c: My internet has dropped every evening since Tuesday.",
    "c: My internet works again.",
    "c: I live at 12 Harbour Road, Bristol.",
    "c: Yes.",
    "a: I will send you a text on Friday.",
    "a: I have made an exception for order A: one refund because of the storm.",
)

calls = st.lists(st.lists(st.sampled_from(LINES), min_size=1, max_size=4), min_size=2, max_size=4)


def conversation(place: int, lines: Sequence[str]) -> list[OfferedTurn]:
    return [
        OfferedTurn(
            Role.CALLER if line.startswith("c: ") else Role.AGENT,
            line[3:],
            at=AT + timedelta(days=place, seconds=5 * turn),
        )
        for turn, line in enumerate(lines)
    ]


async def known(
    said: Sequence[Sequence[str]], order: Sequence[int], pauses: Sequence[bool]
) -> set[tuple[str, str, str, str, datetime]]:
    """What is current once all of these conversations have been processed."""
    async with await Memory.open("memory:") as memory:
        dana = memory.profile("acme", "dana")
        for place, is_settled in zip(order, pauses, strict=True):
            await dana.ingest(conversation(place, said[place]), conversation=str(place))
            if is_settled:
                await memory.settle()
        for place in order[:1]:  # once more
            await dana.ingest(conversation(place, said[place]), conversation=str(place))
        await memory.settle()
        facts = await dana.facts()
    return {
        (fact.subject, fact.key, fact.value, fact.status.value, fact.observed_at) for fact in facts
    }


@settings(max_examples=60, deadline=None)
@given(data=st.data(), said=calls)
def test_any_order_of_processing_ends_in_the_same_current_facts(data: st.DataObject, said):
    places = list(range(len(said)))
    order = data.draw(st.permutations(places))
    pauses = data.draw(st.lists(st.booleans(), min_size=len(said), max_size=len(said)))

    in_time = asyncio.run(known(said, places, [True] * len(said)))
    otherwise = asyncio.run(known(said, order, pauses))

    assert otherwise == in_time
    assert len({(subject, key, value) for subject, key, value, *_ in in_time}) == len(in_time)


async def late(said: Sequence[str], *, is_identified_first: bool) -> set[tuple[str, str, str]]:
    """A second call of Dana, who is identified before anything is extracted, or after it."""
    async with await Memory.open("memory:") as memory:
        dana = memory.profile("acme", "dana")
        await dana.ingest(conversation(0, LINES[:1] + LINES[2:3]), conversation="0")
        await memory.settle()
        call = memory.ring(tenant="acme", at=AT + timedelta(days=9))
        if is_identified_first:
            await call.identify("dana", Assurance.VERIFIED)
        for offered in conversation(9, said):
            call.observe(turn_of(offered))
        await memory.settle()
        await call.identify("dana", Assurance.VERIFIED)
        assert await call.end()
        await memory.settle()
        facts = await dana.facts()
    return {(fact.key, fact.value, fact.status.value) for fact in facts}


def turn_of(offered: OfferedTurn) -> Turn:
    assert offered.at is not None
    return Turn(offered.role, offered.text, at=offered.at)


@settings(max_examples=30, deadline=None)
@given(said=st.lists(st.sampled_from(LINES), min_size=1, max_size=5))
def test_it_makes_no_difference_when_the_caller_was_identified(said):
    before = asyncio.run(late(said, is_identified_first=True))
    after = asyncio.run(late(said, is_identified_first=False))

    assert after == before
