"""Whole calls in several processes on one new file, while somebody else holds its lock."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ringback import Memory
from tests.field.made import AT
from tests.stores.made import child, count, locked, output_of, spill_files

pytestmark = pytest.mark.server

PROCESSES = 4
CALLS = 10
LOCKED_S = 3

TAKE_CALLS = """
import asyncio, json, sys
from datetime import UTC, datetime
from ringback import Memory, MemorySettings, Role, Turn

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)

async def main(path, number, calls):
    settings = MemorySettings(drain_ms=100, poll_ms=50, attempts=50)
    memory = await Memory.open(f"sqlite:///{path}", settings=settings)
    print("open", flush=True)
    sys.stdin.readline()  # the file is locked now
    rung, told = [], 0
    for place in range(calls):
        handles = [("phone", f"+1 555 01{number} {place:04}")]
        call = memory.ring(tenant="acme", handles=handles, call_id=f"{number}-{place}", at=AT)
        call.observe(Turn(Role.CALLER, f"My account number is {number}7{place:02}.", at=AT))
        told += bool(call.context().briefing)
        call.observe(Turn(Role.AGENT, "Thank you.", at=AT))
        rung.append(call)
    await memory.keeping.flush()
    during = memory.keeping.statistics()
    print(json.dumps({"told": told, "is_degraded": during.is_degraded}), flush=True)
    sys.stdin.readline()  # and now it is not
    for call in rung:
        await call.end()
    await memory.settle()
    print(json.dumps({"health": memory.health(), "dead": len(await memory.keeping.dead())}))
    await memory.close()

asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
"""


async def test_no_turn_is_lost_and_no_call_waits_while_the_file_is_locked(tmp_path: Path):
    path = tmp_path / "m.db"
    children = [
        child(TAKE_CALLS, path, number, CALLS, stdin=-1) for number in range(1, PROCESSES + 1)
    ]  # all of them are the first to open it
    assert [process.stdout.readline() for process in children] == ["open\n"] * PROCESSES

    with locked(path):
        for process in children:
            process.stdin.write("go\n")
            process.stdin.flush()
        during = [json.loads(process.stdout.readline()) for process in children]
        await asyncio.sleep(LOCKED_S)
        turns_while_locked = count(path, "turn")
    for process in children:
        process.stdin.write("go\n")
        process.stdin.flush()

    async with await Memory.open(f"sqlite:///{path}") as reader:
        while any(process.poll() is None for process in children):
            await reader.keeping.callers("acme")
            await reader.keeping.sweep(now_at=AT, words_before=None)
            await asyncio.sleep(0.02)
        await reader.settle()
        values = {
            fact.value
            for person in await reader.keeping.callers("acme", limit=1_000)
            for fact in await reader.keeping.facts("acme", caller_id=person.id)
        }
    after = [json.loads(output_of(process)) for process in children]

    assert during == [{"told": CALLS, "is_degraded": True}] * PROCESSES
    assert turns_while_locked == 0
    assert after == [{"health": {}, "dead": 0}] * PROCESSES
    assert count(path, "call") == PROCESSES * CALLS
    assert count(path, "turn") == PROCESSES * CALLS * 2
    assert count(path, "summary") == PROCESSES * CALLS
    assert count(path, "job") == 0
    assert values == {
        f"{number}7{place:02}" for number in range(1, PROCESSES + 1) for place in range(CALLS)
    }
    assert spill_files(tmp_path) == []
