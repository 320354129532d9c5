"""Two calls of one caller that go on at once lose nothing of each other."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from ringback import Memory
from tests.field.made import AT, current, dana, danas, summary_of, turn

pytestmark = pytest.mark.framework


async def test_two_calls_that_end_at_once_keep_both_facts_and_both_summaries(url: str):
    async with await Memory.open(url) as memory:
        first, second = await danas(memory), await danas(memory)
        first.observe(turn("c: My new address is 9 Quill Lane."))
        second.observe(turn("c: My email is dana at example dot org."))
        first.observe(turn("a: Thank you, I will send you a letter."))

        assert await asyncio.gather(first.end(), second.end()) == [True, True]

        assert [pair for pair in await current(dana(memory)) if pair[0] != "promise"] == [
            ("address", "9 Quill Lane"),
            ("email", "dana@example.org"),
        ]
        newest = await memory.keeping.last_interaction("acme", "dana")
        assert newest is not None
        of_first, of_second = "9 Quill Lane", "dana@example.org"
        other = first if newest.call_id == second.call.id else second
        mine, theirs = (of_second, of_first) if other is first else (of_first, of_second)
        assert mine in newest.text
        assert theirs not in newest.text
        await dana(memory).forget(call=newest.call_id)
        assert theirs in (left := await summary_of(memory))
        assert mine not in left


async def test_two_processes_that_correct_one_fact_at_once_leave_the_later_one(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    async with await Memory.open(url) as one, await Memory.open(url) as other:
        first, second = await danas(one), await danas(other)
        first.observe(turn("c: My account number is 4821."))
        second.observe(turn("c: My account number is 4822.", AT + timedelta(seconds=1)))

        await asyncio.gather(first.end(), second.end())
        await asyncio.gather(one.settle(), other.settle())

        assert await current(dana(one)) == [("account_number", "4822")]
        assert await dana(one).facts() == await dana(other).facts()
        assert one.health() == other.health() == {}


async def test_what_one_line_says_is_not_the_other_lines_history(url: str):
    async with await Memory.open(url) as memory:
        first, second = await danas(memory), await danas(memory)
        first.observe(turn("c: My account number is 4821."))
        await memory.settle()
        for _ in range(10):
            second.observe(turn("c: Yes."))
        await memory.settle()
        await second.briefed()

        assert "4821" not in second.context().block
        view = await memory.keeping.call("acme", second.call.id)
        assert view is not None
        assert {said.text for said in view.turns} == {"Yes."}
