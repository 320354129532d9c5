"""Model work gives way to replies, and is held up by none of them for ever."""

from __future__ import annotations

import asyncio

import pytest

from ringback.background.yielding import LONGEST_GIVING_WAY_S, GiveWay

pytestmark = [pytest.mark.unit, pytest.mark.virtual_time]


async def test_work_is_done_at_once_while_nobody_waits():
    async def work() -> int:
        return 7

    assert await GiveWay(1_000).beside(work) == 7


async def test_work_waits_until_every_line_has_its_reply():
    way, done = GiveWay(60_000), asyncio.Event()
    way.reply_is_due("a")
    way.reply_is_due("b")

    async def work() -> None:
        done.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(way.beside(work))
        await asyncio.sleep(1)
        way.reply_is_heard("a")
        await asyncio.sleep(1)
        assert not done.is_set()
        way.reply_is_heard("b")

    assert done.is_set()


async def test_a_reply_that_never_comes_holds_work_up_for_its_bound_only():
    way, loop = GiveWay(10_000), asyncio.get_running_loop()
    way.reply_is_due("a")
    begun = loop.time()

    async def work() -> float:
        return loop.time() - begun

    assert 10 <= await way.beside(work) < 11


async def test_a_reply_that_never_comes_holds_up_the_first_request_only():
    way, loop = GiveWay(10_000), asyncio.get_running_loop()
    way.reply_is_due("a")

    async def work() -> float:
        return loop.time()

    first = await way.beside(work)
    second = await way.beside(work)

    assert second == first


async def test_work_that_is_broken_off_again_and_again_is_done_in_the_end():
    way, begun, loop = GiveWay(60_000), 0, asyncio.get_running_loop()
    begun_at = loop.time()

    async def work() -> str:
        nonlocal begun
        begun += 1
        await asyncio.sleep(10)
        return "done"

    async def talking() -> None:
        while True:
            await asyncio.sleep(5)
            way.reply_is_due("a")
            await asyncio.sleep(1)
            way.reply_is_heard("a")

    async with asyncio.TaskGroup() as group:
        talk = group.create_task(talking())
        assert await way.beside(work) == "done"
        talk.cancel()

    assert begun == 9
    assert loop.time() - begun_at < LONGEST_GIVING_WAY_S + 20


async def test_a_failure_comes_as_itself():
    async def work() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await GiveWay(1_000).beside(work)


async def test_cancelling_whoever_waits_cancels_the_work():
    way, is_cancelled, begun = GiveWay(1_000), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(way.beside(work))
        await begun.wait()
        task.cancel()

    assert is_cancelled.is_set()
