"""Nothing of a call outlives it: no task, thread, connection or word, however it ended."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import ErrorFrame, LLMFullResponseEndFrame, TTSStoppedFrame

from ringback import CallHandle, Memory, MemorySettings
from ringback.background.stager import Stager
from ringback.errors import StoreUnavailableError
from ringback.live.call import LiveCall
from ringback.live.shelf import Shelf
from ringback_pipecat import PipecatCall
from ringback_pipecat.capture import Capture
from ringback_pipecat.mouth import Mouth
from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import VoiceApp, voice_app
from tests.field.made import turn
from tests.stores.made import count, until

pytestmark = pytest.mark.framework

CALLS, AT_ONCE = 100, 10
OF_A_CALL = (CallHandle, LiveCall, Shelf, Stager, PipecatCall, Capture, Mouth)
REPLY = "I have noted your account number and will call you back on Friday."


@dataclass(frozen=True)
class Held:
    """What this process holds at a moment."""

    tasks: int
    threads: int
    files: int
    calls: tuple[str, ...]


def held(folder: Path) -> Held:
    gc.collect()
    tasks = [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]
    threads = [one for one in threading.enumerate() if one.name.startswith("ringback")]
    files = [path for path in open_files() if path.startswith(str(folder))]
    calls = [type(one).__name__ for one in gc.get_objects() if isinstance(one, OF_A_CALL)]
    return Held(len(tasks), len(threads), len(files), tuple(calls))


def open_files() -> list[str]:
    found = []
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - they come and go
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}"))  # noqa: PTH115
        except OSError:
            continue
    return found


async def short_call(memory: Memory, place: int) -> None:
    """Every fifth caller hangs up while the bot speaks."""
    handles = [("phone", f"+1 555 01 {place:06}")]
    call = PipecatCall(memory.ring(tenant="acme", handles=handles))
    is_dropped = place % 5 == 0
    async with voice_app(call, REPLY, is_open=not is_dropped) as bot:
        await bot.say(f"My account number is 7{place:04}.")
        if is_dropped:
            await bot.line.play(3)
            await bot.worker.cancel()
        else:
            await bot.passed(LLMFullResponseEndFrame)
            await bot.worker.end()
        await bot.over()


async def test_many_short_calls_leave_nothing_in_the_process(tmp_path: Path):
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        await short_call(memory, 1)
        before = held(tmp_path)
        for first in range(AT_ONCE, CALLS + AT_ONCE, AT_ONCE):
            async with asyncio.TaskGroup() as line:
                for place in range(first, first + AT_ONCE):
                    line.create_task(short_call(memory, place))
            assert held(tmp_path) == before
        await memory.settle()

        assert before.calls == ()
        assert memory.health() == {}
    assert count(tmp_path / "m.db", "call") == CALLS + 1
    assert count(tmp_path / "m.db", "summary") == CALLS + 1


def breaks(verb: str) -> Any:
    """Have a verb of a store do its work and then fail."""

    def apply(memory: Memory) -> None:
        works = getattr(memory.keeping, verb)

        async def fails(*given: Any, **named: Any) -> Any:
            await works(*given, **named)
            raise StoreUnavailableError("the disk is gone")

        setattr(memory.keeping, verb, fails)

    return apply


@pytest.mark.parametrize("verb", ["close", "retry", "settle", "put_summary", "known", "none"])
@pytest.mark.parametrize("is_dropped", [True, False], ids=["dropped", "ended"])
async def test_a_call_whose_store_fails_at_any_step_lets_everything_else_go(
    tmp_path: Path, verb: str, is_dropped: bool
):
    before = held(tmp_path)
    call = await rung(tmp_path / "m.db", settings=MemorySettings(drain_ms=300))
    assert call._memory is not None
    if verb != "none":
        breaks(verb)(call._memory)
    async with voice_app(call, REPLY, is_open=not is_dropped) as bot:
        await bot.say("My account number is 4821.")
        if is_dropped:
            await bot.line.play(3)
            await bot.worker.cancel()
        else:
            await bot.passed(LLMFullResponseEndFrame)
            await bot.worker.end()
        await bot.over()
    del call, bot

    await until(lambda: held(tmp_path) == before)
    left = await on_record(tmp_path / "m.db")
    assert left.said[0] == ("caller", "My account number is 4821.")
    assert left.values == [("account_number", "4821")]
    assert (left.summaries, left.open_jobs) == (1, 0)


async def test_a_hang_up_that_is_broken_off_lets_the_call_go_and_leaves_it_to_be_settled(
    tmp_path: Path,
):
    async def nothing_is_leased(**_: object) -> None:
        return None

    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        before = held(tmp_path)
        lease = memory.keeping.lease
        memory.keeping.lease = nothing_is_leased  # type: ignore[method-assign]
        call = memory.ring(tenant="acme", handles=[("phone", "+15550100199")])
        await call.briefed()
        await call.observe(turn("c: My account number is 4821.")).committed()
        ending = asyncio.create_task(call.end())
        await memory.keeping.flush()  # the end is on disk, and the drain waits
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        del call, ending

        await until(lambda: held(tmp_path) == before)
        memory.keeping.lease = lease  # type: ignore[method-assign]
        await memory.settle()
    assert count(tmp_path / "m.db", "summary") == 1


def note_errors(bot: VoiceApp, errors: list[str]) -> None:
    """Have each error that a processor reports noted."""

    async def note(_worker: object, frame: ErrorFrame) -> None:
        errors.append(frame.error)

    bot.worker.add_event_handler("on_pipeline_error", note)


@pytest.mark.parametrize("is_dropped", [True, False], ids=["dropped", "ended"])
async def test_a_memory_that_is_closed_under_a_call_leaves_the_caller_an_answer(
    tmp_path: Path, is_dropped: bool
):
    before = held(tmp_path)
    call = await rung(tmp_path / "m.db")
    assert call._memory is not None
    async with voice_app(call, REPLY, "Yes.", is_open=not is_dropped) as bot:
        errors: list[str] = []
        note_errors(bot, errors)
        await bot.say("My account number is 4821.")
        if is_dropped:
            await bot.line.play(3)
        else:
            await bot.passed(LLMFullResponseEndFrame)
        await call._memory.close()
        if is_dropped:
            await bot.worker.cancel()
        else:
            await bot.say("Did you note that?")
            await bot.passed(TTSStoppedFrame, 2)
            await bot.worker.end()
        await bot.over()
    unkept = call.statistics()["unkept"]
    del call, bot

    assert errors == []
    assert unkept == (1 if is_dropped else 2)
    await until(lambda: held(tmp_path) == before)
    left = await on_record(tmp_path / "m.db")
    assert left.said[0] == ("caller", "My account number is 4821.")
    assert left.summaries == 1
