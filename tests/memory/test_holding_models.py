"""A model that can be held stands still for replies, loses no work, and always goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from ringback import MemorySettings
from ringback.background.yielding import LONGEST_GIVING_WAY_S, WORKING_S, GiveWay
from ringback.errors import InferenceUnavailableError
from ringback.inference.openai import OpenAiGenerator
from ringback.model_ports import hold_of

pytestmark = [pytest.mark.unit, pytest.mark.virtual_time]


class HeldModel:
    """Computes for so long, in steps of a tenth of a second; none of them while it is held."""

    def __init__(self, takes_s: float = 10.0) -> None:
        self.steps = round(takes_s * 10)
        self.begun = 0
        self.worked = 0
        self.holders: set[object] = set()
        self.free = asyncio.Event()
        self.free.set()

    def hold(self, holder: object) -> None:
        self.holders.add(holder)
        self.free.clear()

    def go_on(self, holder: object) -> None:
        self.holders.discard(holder)
        if not self.holders:
            self.free.set()

    async def work(self) -> str:
        self.begun += 1
        for _ in range(self.steps):
            await asyncio.sleep(0.1)
            await self.free.wait()
            self.worked += 1
        return "done"


async def talk(way: GiveWay, line: str = "a", *, pause_s: float = 1.0, reply_s: float = 4.0):
    """A caller who is answered again and again."""
    while True:
        await asyncio.sleep(pause_s)
        way.reply_is_due(line)
        await asyncio.sleep(reply_s)
        way.reply_is_heard(line)


async def timed(work: Callable) -> tuple[object, float]:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    return await work(), loop.time() - begun


async def test_a_model_stands_still_from_the_pause_to_the_first_sound():
    way, model = GiveWay(60_000), HeldModel()

    async with asyncio.TaskGroup() as group:
        group.create_task(way.beside(model.work, hold=model))
        await asyncio.sleep(1.05)
        way.reply_is_due("a")
        await asyncio.sleep(0)  # the watcher's turn
        await asyncio.sleep(0)
        assert model.holders
        await asyncio.sleep(5)
        assert model.worked <= 11
        way.reply_is_heard("a")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not model.holders

    assert model.worked == 100


async def test_work_that_is_held_is_begun_only_once():
    way, model = GiveWay(60_000), HeldModel(takes_s=3)

    async with asyncio.TaskGroup() as group:
        talking = group.create_task(talk(way, reply_s=1))
        assert await way.beside(model.work, hold=model) == "done"
        talking.cancel()

    assert model.begun == 1


async def test_work_is_not_begun_while_somebody_waits():
    way, model = GiveWay(60_000), HeldModel(takes_s=1)
    way.reply_is_due("a")

    async with asyncio.TaskGroup() as group:
        group.create_task(way.beside(model.work, hold=model))
        await asyncio.sleep(5)
        assert model.begun == 0
        way.reply_is_heard("a")

    assert model.begun == 1


async def test_a_reply_that_never_comes_holds_a_model_for_its_bound_only():
    way, model = GiveWay(10_000), HeldModel(takes_s=5)
    asyncio.get_running_loop().call_later(1, way.reply_is_due, "a")

    _, seconds = await timed(lambda: way.beside(model.work, hold=model))

    assert seconds == pytest.approx(15, abs=0.2)


async def test_replies_without_end_hold_a_request_for_45_seconds_in_all():
    way, model = GiveWay(60_000), HeldModel(takes_s=20)

    async with asyncio.TaskGroup() as group:
        talking = group.create_task(talk(way, pause_s=0.2, reply_s=20))
        _, seconds = await timed(lambda: way.beside(model.work, hold=model))
        talking.cancel()

    assert seconds == pytest.approx(20 + LONGEST_GIVING_WAY_S, abs=1)


async def test_the_time_limit_of_work_does_not_run_while_it_is_held():
    way, model = GiveWay(60_000), HeldModel(takes_s=WORKING_S - 1)
    loop = asyncio.get_running_loop()
    for due_s in (60, WORKING_S):  # the second wait is over the limit by the clock alone
        loop.call_later(due_s, way.reply_is_due, "a")
        loop.call_later(due_s + 10, way.reply_is_heard, "a")

    result, seconds = await timed(lambda: way.beside(model.work, hold=model))

    assert result == "done"
    assert seconds == pytest.approx(WORKING_S - 1 + 20, abs=1)


async def test_a_model_that_works_beyond_its_limit_is_no_answer():
    way, model = GiveWay(60_000), HeldModel(takes_s=WORKING_S + 1)
    loop = asyncio.get_running_loop()
    loop.call_later(60, way.reply_is_due, "a")
    loop.call_later(70, way.reply_is_heard, "a")

    with pytest.raises(InferenceUnavailableError, match="no answer in 120 s of work"):
        await way.beside(model.work, hold=model)


async def test_a_reply_that_is_due_as_the_limit_is_reached_is_no_other_failure():
    way, model = GiveWay(60_000), HeldModel(takes_s=WORKING_S + 1)
    asyncio.get_running_loop().call_later(WORKING_S, way.reply_is_due, "a")

    with pytest.raises(InferenceUnavailableError, match="no answer in 120 s of work"):
        await way.beside(model.work, hold=model)

    assert not model.holders


async def test_work_that_is_cancelled_leaves_no_model_held():
    way, model = GiveWay(60_000), HeldModel()

    working = asyncio.create_task(way.beside(model.work, hold=model))
    await asyncio.sleep(1)
    way.reply_is_due("a")
    await asyncio.sleep(1)
    held = set(model.holders)
    working.cancel()
    await asyncio.wait([working])

    assert held
    assert not model.holders


async def test_work_that_fails_while_it_is_held_leaves_no_model_held():
    way, model = GiveWay(60_000), HeldModel()

    async def broken() -> None:
        await asyncio.sleep(2)
        raise LookupError("gone")

    asyncio.get_running_loop().call_later(1, way.reply_is_due, "a")
    with pytest.raises(LookupError, match="gone"):
        await way.beside(broken, hold=model)

    assert not model.holders


async def test_a_model_stands_still_until_the_last_of_two_requests_lets_go():
    way, model = GiveWay(60_000), HeldModel()

    async with asyncio.TaskGroup() as group:
        first = group.create_task(way.beside(model.work, hold=model))
        group.create_task(way.beside(model.work, hold=model))
        await asyncio.sleep(1)
        way.reply_is_due("a")
        await asyncio.sleep(1)
        first.cancel()
        await asyncio.sleep(1)
        assert len(model.holders) == 1
        way.reply_is_heard("a")


async def test_work_that_was_cancelled_from_within_ends():
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(GiveWay(1_000).beside(cancelled, hold=HeldModel()))


def test_a_model_behind_an_address_cannot_be_held():
    assert hold_of(OpenAiGenerator("http://localhost:1/v1", "m")) is None


def test_a_model_is_held_by_what_its_owner_gave():
    hold = HeldModel()

    assert hold_of(OpenAiGenerator("http://localhost:1/v1", "m", hold=hold)) is hold


def test_a_model_that_knows_of_no_hold_cannot_be_held():
    assert hold_of(object()) is None


def test_a_call_stays_with_its_reader_for_three_requests_that_are_held_and_slow():
    settings = MemorySettings()

    each_ms = settings.yield_ms + (LONGEST_GIVING_WAY_S + WORKING_S) * 1_000

    assert settings.reading_lease_ms >= 3 * each_ms
