"""However the process of a call ends, what was said in it is there, and read once."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from pathlib import Path

import pytest

from ringback import Memory
from tests.adapters.on_record import on_record
from tests.field.workers import TALK, LaterClock, worker

pytestmark = pytest.mark.server

LINES = (
    "This is Dana Whitfield speaking.",
    "My account number is 4821.",
    "Please send me a text, do not call me.",
    "My internet has dropped every evening since Tuesday.",
    "My address is 9 Quill Lane, Dunbar.",
)
ANSWER = "I note that."


@pytest.mark.parametrize("turns", [1, 9])
async def test_after_a_kill_the_turns_so_far_are_there_and_read_once_by_whoever_comes(
    tmp_path: Path, turns: int
):
    file = tmp_path / "m.db"
    async with worker(TALK, file, turns, "nothing", *LINES) as process:
        process.kill()
        await process.wait()

    async with (  # two new workers at the same moment, and one after them
        await Memory.open(f"sqlite:///{file}", clock=LaterClock()) as one,
        await Memory.open(f"sqlite:///{file}", clock=LaterClock()) as other,
    ):
        await asyncio.gather(one.settle(), other.settle())
    left = await on_record(file)

    expected = [one for line in LINES for one in (("caller", line), ("agent", ANSWER))]
    assert left.said[:turns] == expected[:turns]
    assert len(left.said) <= turns + 1
    assert (left.summaries, left.open_jobs) == (1, 0)
    assert len(left.values) == len(set(left.values))
    if turns == 9:
        assert {("account_number", "4821"), ("address", "9 Quill Lane, Dunbar")} <= set(left.values)
        assert "4821" in left.summary


@pytest.mark.parametrize("on_term", ["cancel", "exit"])
async def test_a_worker_that_is_told_to_end_leaves_the_call_settled_or_to_the_next_one(
    tmp_path: Path, on_term: str
):
    file = tmp_path / "m.db"
    async with worker(TALK, file, 9, on_term, *LINES) as process:
        process.send_signal(signal.SIGTERM)
        _, trouble = await process.communicate()
        assert process.returncode == 0, trouble.decode()

    if on_term == "cancel":
        with sqlite3.connect(file) as rows:
            assert rows.execute("SELECT count(*) FROM summary").fetchone() == (1,)
        rows.close()
    async with await Memory.open(f"sqlite:///{file}", clock=LaterClock()) as memory:
        await memory.settle()
    left = await on_record(file)
    assert b"cannot schedule" not in trouble
    assert [text for role, text in left.said if role == "caller"] == list(LINES)
    assert (left.summaries, left.open_jobs) == (1, 0)
    assert ("account_number", "4821") in left.values


DRAIN_AT_EXIT = """
import asyncio, atexit, sys
from datetime import UTC, datetime
from ringback import Memory, Role, Turn

loop = asyncio.new_event_loop()
number = [("phone", "+15550100199")]

async def begin():
    memory = await Memory.open("sqlite:///" + sys.argv[1])
    call = memory.ring(tenant="acme", handles=number)
    call.observe(Turn(Role.CALLER, "My account number is 4821.", at=datetime.now(UTC)))
    return memory, call

memory, call = loop.run_until_complete(begin())

async def drain():
    try:
        await asyncio.to_thread(int)
    except RuntimeError as error:
        print(error)  # the standard library's executors have ended by now
    call.observe(Turn(Role.CALLER, "Please send me a text, do not call me.", at=datetime.now(UTC)))
    print(await call.end(), memory.health(), flush=True)
    await memory.close()
    loop.stop()

def at_exit():
    loop.create_task(drain())
    loop.run_forever()
    loop.close()

atexit.register(at_exit)
print("said", flush=True)
"""


async def test_a_call_that_is_drained_while_the_interpreter_ends_is_settled(tmp_path: Path):
    file = tmp_path / "m.db"
    async with worker(DRAIN_AT_EXIT, file) as process:
        out, trouble = await process.communicate()

    no_executor, has_settled = out.decode().splitlines()
    assert "after shutdown" in no_executor
    assert has_settled == "True {}"
    assert trouble.decode() == ""
    left = await on_record(file)
    assert [text for _, text in left.said] == [
        "My account number is 4821.",
        "Please send me a text, do not call me.",
    ]
    assert ("account_number", "4821") in left.values
    assert (left.summaries, left.open_jobs) == (1, 0)
