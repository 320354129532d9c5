"""The thread in which decisions are made: one at a time, for whoever still asks."""

from __future__ import annotations

import asyncio
import threading

import pytest

from ringback.background.thinking import Thinking
from ringback.errors import ClosedError

pytestmark = pytest.mark.framework


@pytest.fixture
def thinking():
    made = Thinking()
    yield made
    made.close()


async def test_a_decision_is_made_off_the_loop_and_its_error_is_its_askers(thinking: Thinking):
    def fails() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        await thinking.about(fails)
    thread = await thinking.about(threading.current_thread)

    assert thread is not threading.main_thread()


async def test_what_nobody_asks_for_any_more_is_not_decided(thinking: Thinking):
    may_go, decided = threading.Event(), []
    first = asyncio.create_task(thinking.about(lambda: may_go.wait(20)))
    second = asyncio.create_task(thinking.about(lambda: decided.append("second")))
    await asyncio.sleep(0)  # both are asked for
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    may_go.set()

    assert await first
    await thinking.about(lambda: decided.append("third"))
    assert decided == ["third"]


async def test_a_closed_one_lets_those_go_who_wait_and_refuses_new_ones(thinking: Thinking):
    has_begun, may_go = threading.Event(), threading.Event()

    def long_decision() -> str:
        has_begun.set()
        may_go.wait(20)
        return "decided"

    running = asyncio.create_task(thinking.about(long_decision))
    waiting = asyncio.create_task(thinking.about(lambda: "never"))
    await asyncio.to_thread(has_begun.wait, 20)
    thinking.close()  # and it does not wait for what is decided now
    may_go.set()

    assert await running == "decided"
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(ClosedError):
        await thinking.about(lambda: "too late")
