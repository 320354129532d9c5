"""Processes that have a real Pipecat call, to be ended in mid-call."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from ringback.clock import SystemClock
from tests.stores.made import ROOT

TALK = """
import asyncio, signal, sys
from pipecat.frames.frames import LLMFullResponseEndFrame
from tests.adapters.on_record import rung
from tests.adapters.voice_app import voice_app

async def main(path, turns, on_term, *lines):
    call = await rung(path)
    async with voice_app(call, *["I note that."] * len(lines)) as bot:
        if on_term == "cancel":  # as Pipecat's own runner does
            loop = asyncio.get_running_loop()
            ending = lambda: setattr(bot, "ending", loop.create_task(bot.worker.cancel()))
            loop.add_signal_handler(signal.SIGTERM, ending)
        elif on_term == "exit":
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        for place in range(turns):
            if place % 2 == 0:
                await bot.say(lines[place // 2])
                await bot.asked(place // 2 + 1)
            if place % 2 == 1:
                await bot.passed(LLMFullResponseEndFrame, place // 2 + 1)
        await call._memory.keeping.flush()
        print("said", flush=True)
        await bot.over()

asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
"""


class LaterClock(SystemClock):
    """The machine's clock, long after the call."""

    def now_at(self) -> datetime:
        return super().now_at() + timedelta(minutes=16)


@asynccontextmanager
async def worker(code: str, *arguments: object) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that has a call, up to its last turn so far."""
    paths = [str(ROOT / "plugins"), str(ROOT / "models"), str(ROOT / "pipelines"), str(ROOT)]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, *map(str, arguments)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "LOGURU_AUTOINIT": "False"},
    )
    assert process.stdout is not None
    try:
        said = await process.stdout.readline()
        assert said == b"said\n", (await process.communicate())[1].decode()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
