"""What is done for one call holds up no other: long thinking has threads of its own."""

from __future__ import annotations

import asyncio
import sys
import threading
from asyncio.events import Handle
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import LLMFullResponseEndFrame

from ringback import Memory, MemorySettings, Role, Turn
from ringback.background import reading
from ringback.background.reading import found_in
from ringback.inference import OnnxEmbedder
from ringback.schemas import GENERAL
from ringback_pipecat import PipecatCall
from tests.adapters.voice_app import voice_app
from tests.field.made import AT, HANDLES

pytestmark = pytest.mark.framework

LINES = (
    "My internet has dropped every evening since Tuesday and I restarted the router twice.",
    "I see, let me look at that for you, one moment please.",
    "My account number is 4821 and my son Bertil is diabetic.",
    "Thank you. I will send you a technician on Friday between nine and noon.",
    "我对花生过敏，我住在杭州西湖区。",  # noqa: RUF001
    "No, not that one, the other order, the blue one that came on the fifth of May.",
)
SHORT, LONG = 12, 240  # turns
A_STEP = 10_000  # functions called: a few milliseconds of a loop on which sound is due every 20


def talk(turns: int) -> list[Turn]:
    return [
        Turn(
            Role.AGENT if place % 2 else Role.CALLER,
            LINES[place % len(LINES)],
            at=AT + timedelta(seconds=5 * place),
        )
        for place in range(turns)
    ]


@contextmanager
def steps_of_the_loop() -> Iterator[list[int]]:
    """How many functions each step of the loop calls; other threads are not counted."""
    steps: list[int] = []
    run = Handle._run
    calls = 0

    def count(_frame: object, event: str, _of: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    def counted(handle: Handle) -> None:
        nonlocal calls
        calls = 0
        sys.setprofile(count)
        try:
            run(handle)
        finally:
            sys.setprofile(None)
            steps.append(calls)

    Handle._run = counted  # type: ignore[method-assign]
    try:
        yield steps
    finally:
        Handle._run = run  # type: ignore[method-assign]


async def longest_step(file: Path, turns: int) -> int:
    """Of the loop, while a call of so many turns is had, cut off, redialled, and settled."""
    async with await Memory.open(f"sqlite:///{file}", schema=GENERAL) as memory:
        with steps_of_the_loop() as steps:
            call = memory.ring(tenant="acme", handles=HANDLES, at=AT)
            for turn in talk(turns):
                await call.observe(turn).committed()
            redial = memory.ring(tenant="acme", handles=HANDLES, at=AT + timedelta(hours=1))
            await redial.briefed()
            assert "not fully on record yet" in redial.context().briefing
            await call.end()
            await memory.settle()
            await redial.end()
        last = await memory.keeping.call("acme", call.call.id)
        assert last is not None
        assert last.call.caller_id is not None
        assert await memory.keeping.last_interaction("acme", last.call.caller_id) is not None
    return max(steps)


async def test_no_step_of_the_loop_grows_with_the_length_of_a_call(tmp_path: Path):
    await longest_step(tmp_path / "first.db", SHORT)  # what is made once in a process

    assert await longest_step(tmp_path / "long.db", LONG) < A_STEP


class HeldReading:
    """Reads a call in its thread as the settler does, but is done when it is let go."""

    def __init__(self) -> None:
        self.threads: set[threading.Thread] = set()
        self.has_begun = threading.Event()
        self.may_go = threading.Event()

    def __call__(self, *about: Any) -> Any:
        self.threads.add(threading.current_thread())
        self.has_begun.set()
        assert self.may_go.wait(30)
        return found_in(*about)


async def test_a_call_is_answered_and_kept_while_the_long_talk_of_another_is_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    held = HeldReading()
    monkeypatch.setattr(reading, "found_in", held)
    settings = MemorySettings(drain_ms=50)
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}", settings=settings) as memory:
        long = memory.ring(tenant="acme", handles=HANDLES, at=AT)
        for turn in talk(LONG):
            long.observe(turn)
        assert await asyncio.to_thread(held.has_begun.wait, 20)
        other = PipecatCall(memory.ring(tenant="acme", handles=[("phone", "+15550100200")]))

        async with voice_app(other, "I note that.") as bot:
            await bot.say("My account number is 7714.")
            await bot.passed(LLMFullResponseEndFrame)
            await bot.worker.end()
            await bot.over()
        await memory.keeping.flush()
        view = await memory.keeping.call("acme", other.call.call.id)
        was_being_read = not held.may_go.is_set()
        held.may_go.set()
        await memory.settle()
        found = await memory.keeping.facts("acme", call_id=other.call.call.id)

    assert was_being_read
    assert threading.main_thread() not in held.threads
    assert view is not None
    assert [one.text for one in view.turns] == ["My account number is 7714.", "I note that."]
    assert [one.value for one in found] == ["7714"]


async def test_a_call_is_answered_while_the_embedder_is_at_work_on_another(
    tmp_path: Path, embedding_folder: Path
):
    embedder = await asyncio.to_thread(OnnxEmbedder, embedding_folder)
    is_busy, may_go = threading.Event(), threading.Event()

    def long_batch() -> None:
        is_busy.set()
        assert may_go.wait(30)

    url = f"sqlite:///{tmp_path / 'm.db'}"
    settings = MemorySettings(staging_ms=50, drain_ms=50)
    async with await Memory.open(url, embedder=embedder, settings=settings) as memory:
        working = asyncio.create_task(embedder._thread.run(long_batch))
        assert await asyncio.to_thread(is_busy.wait, 20)
        call = PipecatCall(memory.ring(tenant="acme", handles=HANDLES))

        async with voice_app(call, "I note that.", "It is 7714.") as bot:
            await bot.say("My account number is 7714.")
            await bot.passed(LLMFullResponseEndFrame)
            await bot.say("What is my account number?")
            await bot.passed(LLMFullResponseEndFrame, 2)
            await bot.worker.end()
            await bot.over()
        was_busy = not working.done()
        may_go.set()
        await working
        await memory.settle()
        found = await memory.keeping.facts("acme", call_id=call.call.call.id)
    await asyncio.to_thread(embedder.close)

    assert was_busy
    assert [one.value for one in found] == ["7714"]
