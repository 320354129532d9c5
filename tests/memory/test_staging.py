# ruff: noqa: RUF001 - Chinese signs are meant
"""Recall that is ready for the next turn, through a memory: right, in time, and never stale."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, CallHandle, Memory, MemorySettings, Role, Turn
from ringback.core.staging import StagingCounts
from ringback.errors import StoreUnavailableError
from ringback.records import ToolUse
from ringback.testing import HashEmbedder

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
EARLIER = (
    "Behind the barn we planted seven cherry trees.",
    "For the holiday in Lisbon we booked the blue hotel by the river.",
    "My address is 12 Oak Street, Springfield.",
)


@pytest.fixture(params=["memory", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'm.db'}"


class Clock:
    def __init__(self) -> None:
        self.at = AT

    def now_ms(self) -> float:
        return self.at.timestamp() * 1000

    def now_at(self) -> datetime:
        return self.at


async def said(call: CallHandle, *lines: str, role: Role = Role.CALLER) -> None:
    for line in lines:
        await call.observe(Turn(role, line, at=AT)).committed()


@asynccontextmanager
async def second_call(
    url: str,
    *,
    assurance: Assurance = Assurance.CLAIMED,
    earlier: Sequence[str] = EARLIER,
    **more: Any,
) -> AsyncIterator[tuple[Memory, CallHandle]]:
    """A caller who told things in a first call is on the line again."""
    clock = Clock()
    async with await Memory.open(
        url, clock=clock, settings=MemorySettings(**more), embedder=HashEmbedder()
    ) as memory:
        first = memory.ring(tenant="acme")
        await first.identify("dana", Assurance.VERIFIED)
        await said(first, *earlier)
        await memory.settle()
        assert await first.end()
        assert await memory.indexed()
        clock.at += timedelta(days=9)
        call = memory.ring(tenant="acme")
        await call.identify("dana", assurance)
        await call.briefed()
        yield memory, call


def block(call: CallHandle, words: str, turn: int) -> str:
    return call.context(words, turn=turn).block


async def test_interim_words_bring_the_memory_into_the_same_turn(url: str):
    async with second_call(url) as (_, call):
        call.hear("which trees did we plant behind the barn")
        await call.briefed()

        assert "seven cherry" in block(call, "Which trees did we plant behind the barn?", 1)
        assert call.counts == StagingCounts(staged=1, used_same_turn=1)


async def test_without_interims_the_turn_brings_it_into_the_next_one(url: str):
    async with second_call(url) as (_, call):
        before = block(call, "Which trees did we plant behind the barn?", 1)
        await said(call, "Which trees did we plant behind the barn?")
        await call.briefed()

        assert before == ""
        assert "seven cherry" in block(call, "So how many trees are there?", 2)
        assert call.counts == StagingCounts(staged=1, used_later=1)


async def test_a_call_that_switches_topics_rapidly_is_never_given_a_stale_memory(url: str):
    async with second_call(url) as (_, call):
        topics = {
            "Which trees did we plant behind the barn?": "Lisbon",
            "Which hotel did we book in Lisbon?": "cherry",
            "How do I cook rice?": "Lisbon",
        }
        for turn in range(12):
            line = list(topics)[turn % 3]
            call.hear(line)
            await asyncio.sleep(0)
            given = block(call, line, turn)
            await said(call, line)
            await call.briefed()

            assert topics[line] not in given
            if "rice" in line:
                assert given == ""


async def test_an_aside_does_not_leak_into_the_answer_after_it(url: str):
    async with second_call(url) as (_, call):
        await said(call, "Which trees did we plant behind the barn?")
        await call.briefed()
        await said(call, "Wait, my neighbour is singing outside.")
        await call.briefed()

        assert block(call, "What a voice my neighbour has!", 3) == ""
        assert call.counts.stale == 1


async def test_what_a_claimed_caller_may_not_be_told_is_not_staged(url: str):
    asked = "Which address do you have for me, Oak Street?"
    async with second_call(url) as (_, call):
        call.hear(asked)
        await call.briefed()
        claimed = block(call, asked, 1)
    async with second_call("memory:", assurance=Assurance.VERIFIED) as (_, call):
        told = call.context().briefing
        call.hear(asked)
        await call.briefed()

        assert "Oak" in told + block(call, asked, 1)
    assert "Oak" not in claimed


async def test_what_this_call_said_itself_is_not_staged(url: str):
    async with second_call(url, earlier=["Hello there."]) as (memory, call):
        await said(call, "My bicycle has a flat tyre.")
        await memory.settle()
        call.hear("what about the flat tyre of my bicycle then")
        await call.briefed()

        assert block(call, "What about the flat tyre of my bicycle then?", 1) == ""


async def test_when_nothing_is_found_the_whole_last_summary_stands_by_for_who_asks_about_it(
    url: str,
):
    matter = "The internet is down and it is about the {} lamp upstairs, room {}."
    earlier = [matter.format(colour, n) for n, colour in enumerate(("red", "blue", "green"), 1)]
    async with second_call(url, earlier=earlier) as (memory, call):
        last = await memory.keeping.last_interaction("acme", "dana")
        assert last is not None
        call.hear("when does the ferry to Harwich sail")
        await call.briefed()

        whole = block(call, "The last call was about the green lamp upstairs, right?", 1)
        assert block(call, "When does the ferry to Harwich sail?", 2) == ""
    assert (last.text in whole) == (len(last.text) > 180)


async def test_a_caller_whom_nobody_knows_is_looked_up_nowhere(url: str):
    async with await Memory.open(url) as memory:
        call = memory.ring(tenant="acme")
        call.hear("which trees did we plant behind the barn")
        await call.briefed()

        assert call.counts == StagingCounts()
        assert block(call, "Which trees did we plant behind the barn?", 1) == ""


async def test_who_is_identified_in_mid_call_gets_what_was_asked_before(url: str):
    async with second_call(url) as (memory, _):
        call = memory.ring(tenant="acme")
        await said(call, "Which trees did we plant behind the barn?")
        await call.identify("dana", Assurance.CLAIMED)
        await call.briefed()

        assert "seven cherry" in block(call, "So how many trees are there?", 2)


async def test_a_store_that_fails_costs_the_memory_and_not_the_call(url: str, monkeypatch):
    async def fails(*_: Any, **__: Any) -> Any:
        raise StoreUnavailableError("down")

    async with second_call(url) as (memory, call):
        for verb in ("find", "linked", "with_keys", "heard", "nearest"):
            monkeypatch.setattr(memory.keeping, verb, fails)
        call.hear("which trees did we plant behind the barn")
        await call.briefed()

        assert block(call, "Which trees did we plant behind the barn?", 1) == ""
        assert call.counts == StagingCounts(failed=1)
        monkeypatch.undo()
        call.hear("which trees did we plant behind the barn and the ditch")
        await call.briefed()
        assert "seven cherry" in block(call, "the cherry trees", 2)


async def test_an_embedder_that_hangs_leaves_what_full_text_finds(url: str, monkeypatch):
    async def hangs(*_: Any) -> Any:
        await asyncio.Event().wait()

    async with second_call(url, staging_ms=300) as (_, call):
        monkeypatch.setattr(HashEmbedder, "embed_query", hangs)
        call.hear("which trees did we plant behind the barn")
        await call.briefed()

        assert "seven cherry" in block(call, "Which trees did we plant behind the barn?", 1)


async def test_a_slow_answer_is_there_for_a_later_turn_of_the_topic(url: str, monkeypatch):
    async with second_call(url) as (memory, call):
        find, may_answer = memory.keeping.find, asyncio.Event()

        async def slow(cue: Any) -> Any:
            await may_answer.wait()
            return await find(cue)

        monkeypatch.setattr(memory.keeping, "find", slow)
        call.hear("which trees did we plant behind the barn")
        given = block(call, "Which trees did we plant behind the barn?", 1)
        await said(call, "Which trees did we plant behind the barn?")
        await said(call, "One moment, I am looking.", role=Role.AGENT)
        may_answer.set()
        await call.briefed()

        assert given == ""
        assert "seven cherry" in block(call, "Yes.", 2)
        assert call.counts == StagingCounts(staged=1, used_later=1)


async def test_what_is_forgotten_while_it_is_looked_up_is_not_staged(url: str, monkeypatch):
    async with second_call(url) as (memory, call):
        find, reached, may_answer = memory.keeping.find, asyncio.Event(), asyncio.Event()

        async def slow(cue: Any) -> Any:
            hits = await find(cue)
            reached.set()
            await may_answer.wait()
            return hits

        monkeypatch.setattr(memory.keeping, "find", slow)
        call.hear("which trees did we plant behind the barn")
        await reached.wait()
        await memory.profile("acme", "dana").forget(everything=True)
        may_answer.set()
        await call.briefed()

        assert block(call, "Which trees did we plant behind the barn?", 1) == ""


async def test_what_is_forgotten_while_it_is_staged_is_gone_from_the_next_request(url: str):
    async with second_call(url) as (memory, call):
        call.hear("which trees did we plant behind the barn")
        await call.briefed()
        await memory.profile("acme", "dana").forget(everything=True)

        assert block(call, "Which trees did we plant behind the barn?", 1) == ""


async def test_counts_go_on_over_calls(url: str):
    async with second_call(url) as (memory, call):
        call.hear("which trees did we plant behind the barn")
        await call.briefed()
        block(call, "Which trees did we plant behind the barn?", 1)
        assert await call.end()

        assert call.counts.used_same_turn == memory.staging_counts().used_same_turn == 1


async def test_the_other_one_is_the_record_that_was_looked_up_two_turns_before(url: str):
    orders = {
        "orders": [{"order_id": "7713", "item": "磨豆機"}, {"order_id": "7714", "item": "濾杯"}]
    }
    async with second_call(url) as (_, call):
        await said(call, "我想查我的訂單")
        call.observe_tool(ToolUse("list_orders", {}, orders, AT))
        await said(call, "7713 磨豆機已經出貨了", role=Role.AGENT)
        await said(call, "好，謝謝")

        assert "order 7714: item 濾杯" in block(call, "那另外那筆呢", 3)
