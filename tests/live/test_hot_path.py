"""On the path to a reply memory reads what is there: no I/O, no thread, no wait, bounded work."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from ringback import Memory
from ringback.core.briefing import render_briefing
from ringback.core.staging import SpokenCue, Staged, topical
from ringback.live.call import LiveCall
from ringback.records import Assurance, Briefing, Call, Role, ToolUse, Turn
from ringback.schemas import SUPPORT
from tests.core.made_call import fact

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
FEW, MANY = 100, 10_000
SAID = "And what about the other one, my broadband router?"
HELD = (
    "start_new_thread",
    "acquire",
    "__enter__",
    "wait",
    "wait_for",
    "join",
    "sleep",
    "select",
    "poll",
)
"""How a thread starts another or waits, by name, in modules that are written in C.

A plain lock that a `with` statement takes is not seen; that `ringback.live` may not import
`threading` is a contract.
"""
WAITING = ("_thread", "_queue", "time", "select")
TOUCHES = ("open", "os.", "socket.", "sqlite3.", "subprocess.", "_thread.", "shutil.", "tempfile.")
"""Audit events of files, sockets, databases, processes and threads begin so."""
RESUMABLE = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Watch:
    """Notes what the thread that is watched touches, and counts its steps."""

    def __init__(self) -> None:
        self.thread: int | None = None
        self.touched: list[str] = []
        self.steps = 0

    def audit(self, event: str, _arguments: tuple[Any, ...]) -> None:
        if threading.get_ident() == self.thread and event.startswith(TOUCHES):
            self.touched.append(event)

    def trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        """Count each step of the interpreter: also of a loop that calls nothing."""
        frame.f_trace_opcodes = True
        self.steps += event == "opcode"
        return self.trace

    def profile(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "call" and frame.f_code.co_flags & RESUMABLE:
            self.touched.append(f"coroutine {frame.f_code.co_qualname}")
        elif event == "c_call":
            owner = getattr(called, "__self__", None)
            module = getattr(called, "__module__", None) or type(owner).__module__
            if module in WAITING and called.__name__ in HELD:
                self.touched.append(f"{module}.{called.__name__}")


WATCH = Watch()
sys.addaudithook(WATCH.audit)  # for good: it looks only while a thread is watched


@contextmanager
def watched() -> Iterator[Watch]:
    """What the thread does in this block."""
    WATCH.touched, WATCH.steps, WATCH.thread = [], 0, threading.get_ident()
    before = sys.gettrace()  # that of a coverage run
    sys.setprofile(WATCH.profile)
    sys.settrace(WATCH.trace)
    try:
        yield WATCH
    finally:
        sys.settrace(before)
        sys.setprofile(None)
        WATCH.thread = None


def steps_of(act: Callable[[], object]) -> int:
    """How many steps it takes the second time; it touches nothing."""
    act()  # expressions are compiled, and caches filled, once
    with watched() as watch:
        act()

    assert watch.touched == []
    return watch.steps


class Retrieval:
    """Takes cues, as the stager does: one waits."""

    def cue(self, cue: SpokenCue) -> None:
        self.next = cue

    def forget(self) -> None:
        self.next = None


def knowing(facts: int, turns: int) -> LiveCall:
    """A call with everything in place: a briefing, a recall, facts of its own, and a case."""
    recorded: list[Any] = []
    call = LiveCall(Call("c", "acme", AT), recorded.append, SUPPORT)  # type: ignore[arg-type]
    call.retrieval = Retrieval()
    for number in range(turns):
        role = Role.AGENT if number % 2 else Role.CALLER
        call.observe(Turn(role, "My broadband router is down.", at=AT))
    known = tuple(fact("open_matter", f"router {number} is down") for number in range(facts))
    briefing = Briefing(Assurance.CLAIMED, "dana", known)
    call.take_briefing(briefing, render_briefing(briefing, now_at=AT, zone="UTC"))
    call.observe_tool(
        ToolUse("list_orders", {}, {"orders": [{"order_id": "7713", "item": "grinder"}]}, AT)
    )
    call.observe(Turn(Role.AGENT, "Order 7713 is on its way.", at=AT))
    for number in range(9):
        call.observe(Turn(Role.CALLER, f"One more thing, number {number}.", at=AT))
    call.observe_tool(
        ToolUse("list_orders", {}, {"orders": [{"order_id": "7714", "item": "cup"}]}, AT)
    )
    call.observe(Turn(Role.AGENT, "Order 7714 is on its way.", at=AT))
    call.take_facts([fact("account_number", "4821")])
    ids = tuple(one.id for one in known[:3])
    line, cue = "- The router was replaced.", "my broadband router"
    call.take_staged(Staged(SpokenCue(cue, topical(cue)), ("guard", line), topical(cue), ids))
    return call


def test_everything_that_a_request_may_carry_is_in_the_calls_that_are_watched():
    context = knowing(FEW, 20).context(SAID, turn=1)

    assert "router 99 is down" in context.briefing
    assert "account number is 4821" in context.block
    assert "order 7713: item grinder" in context.block
    assert "The router was replaced." in context.block
    assert "Here the caller means order 7713" in context.block


@pytest.mark.parametrize(
    "act",
    [
        lambda call: call.context(),
        lambda call: call.context(SAID),
        lambda call: call.context(SAID, turn=object()),
        lambda call: call.hear(SAID),
        lambda call: call.pause(),
        lambda call: call.answered(),
        lambda call: call.observe(Turn(Role.CALLER, SAID, at=AT)),
        lambda call: call.observe_tool(ToolUse("get_order", {}, {"order_id": "7713", "x": 1}, AT)),
    ],
    ids="prime look answer hear pause answered observe tool".split(),  # noqa: SIM905
)
def test_nothing_is_touched_and_more_facts_and_turns_take_no_more_steps(
    act: Callable[[LiveCall], object],
):
    few, many = knowing(FEW, 100), knowing(MANY, 1_000)

    assert steps_of(lambda: act(few)) == steps_of(lambda: act(many)) > 0


async def test_with_a_file_and_its_threads_behind_it_a_call_touches_nothing_either(tmp_path: Path):
    async with await Memory.open(f"sqlite:///{tmp_path / 'memory.db'}") as memory:
        call = memory.ring(tenant="acme", handles=[("phone", "+15551234567")])
        await call.identify("dana", Assurance.VERIFIED)
        await call.briefed()

        for act in (
            lambda: call.hear(f"{SAID} {call._live.turns_observed}"),
            call.reply_is_due,
            lambda: call.context(SAID, turn=call._live.turns_observed),
            lambda: call.observe(Turn(Role.CALLER, SAID, at=AT)),
            lambda: call.observe_tool(ToolUse("get_order", {}, {"order_id": "7713", "x": 1}, AT)),
            call.reply_is_heard,
        ):
            assert steps_of(act) > 0


def test_the_watch_sees_files_threads_waits_and_coroutines():
    lock = threading.Lock()

    async def nothing() -> None:
        await asyncio.sleep(0)

    def touch() -> None:
        Path(__file__).read_bytes()
        sqlite3.connect(":memory:").close()
        threading.Thread(target=int).start()
        lock.acquire()
        with suppress(StopIteration):
            nothing().send(None)

    with watched() as watch:
        touch()

    seen = " ".join(watch.touched)
    for one in ("open", "sqlite3.connect", "start_new_thread", "_thread.acquire", "coroutine"):
        assert one in seen, one
