"""A process is killed in mid-call; the caller rings again, at once or later, and is known."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ringback import Memory
from ringback.clock import SystemClock
from ringback.records import Decision, Job, JobKind

pytestmark = pytest.mark.server

CODE = """
import asyncio, os, sys
from datetime import UTC, datetime
from ringback import Memory, Role, Turn

SAID = ["This is Dana Whitfield speaking.", "My account number is 4821.",
        "Please send me a text, do not call me."]

async def main():
    memory = await Memory.open("sqlite:///" + sys.argv[1])
    call = memory.ring(tenant="acme", handles=[("phone", "+15550100199")], call_id="call-1")
    for text in SAID:
        await call.observe(Turn(Role.CALLER, text, at=datetime.now(UTC))).committed()
    print("said", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


DANA = [("phone", "+15550100199")]
INCOMPLETE = "An earlier call is not fully on record yet."


class LaterClock(SystemClock):
    """The machine's clock, some minutes on."""

    def __init__(self, minutes: int) -> None:
        self._ahead = timedelta(minutes=minutes)

    def now_at(self) -> datetime:
        return super().now_at() + self._ahead


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """A store whose process was killed after three turns of a call."""
    path = tmp_path / "m.db"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CODE, str(path), stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"said\n"
    process.kill()
    await process.wait()
    return path


async def briefing_of(memory: Memory, call_id: str) -> str:
    call = memory.ring(tenant="acme", handles=DANA, call_id=call_id)
    await call.briefed()
    return call.context().briefing


async def test_call_2_knows_what_the_turns_before_the_kill_said(file: Path):
    clock = LaterClock(minutes=1)  # what the dead process leased is free again
    async with await Memory.open(f"sqlite:///{file}", clock=clock) as memory:
        briefing = await briefing_of(memory, "call-2")
        await memory.settle()
        view = await memory.keeping.call("acme", "call-1")
        later = await briefing_of(memory, "call-3")

    assert view is not None
    assert [turn.position - view.turns[0].position for turn in view.turns] == [0, 1, 2]
    for known in (briefing, later):
        assert "4821" in known
        assert "Dana Whitfield" in known
        assert "text" in known


async def test_soon_after_the_kill_its_words_are_there_and_the_call_is_not_fully_on_record(
    file: Path,
):
    clock = LaterClock(minutes=14)
    async with await Memory.open(f"sqlite:///{file}", clock=clock) as memory:
        await memory.settle()
        briefing = await briefing_of(memory, "call-2")
        view = await memory.keeping.call("acme", "call-1")

    assert 'Caller said earlier: "Please send me a text, do not call me."' in briefing
    assert INCOMPLETE in briefing
    assert view is not None
    assert view.call.ended_at is None


async def test_long_after_the_kill_its_call_has_an_end_and_a_summary(file: Path):
    clock = LaterClock(minutes=16)
    async with await Memory.open(f"sqlite:///{file}", clock=clock) as memory:
        await memory.settle()
        (person,) = await memory.keeping.callers("acme")
        last = await memory.keeping.last_interaction("acme", person.id)
        view = await memory.keeping.call("acme", "call-1")
        briefing = await briefing_of(memory, "call-2")

    assert last is not None
    assert last.call_id == "call-1"
    assert "4821" in last.text
    assert view is not None
    assert view.call.ended_at == view.turns[-1].at
    assert "Last call" in briefing
    assert INCOMPLETE not in briefing


async def test_the_worker_ends_the_call_by_itself_when_it_has_nothing_else_to_do(file: Path):
    is_summarised = asyncio.Event()

    def hear(job: Job, _: tuple[Decision, ...]) -> None:
        if job.kind is JobKind.SUMMARISE:
            is_summarised.set()

    clock = LaterClock(minutes=16)
    async with await Memory.open(f"sqlite:///{file}", clock=clock) as memory:
        memory.on_settled(hear)
        async with asyncio.timeout(20):
            await is_summarised.wait()

        assert await memory.keeping.open_count() == 0
        assert memory.health() == {}
