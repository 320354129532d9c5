"""Several processes on one SQLite file, one of which holds the write lock for seconds."""

from __future__ import annotations

import asyncio
import json

import pytest

from ringback.stores import SqliteStore
from ringback.testing.made_records import TENANT
from tests.stores.made import child, count, locked, output_of, spill_files, until

pytestmark = pytest.mark.server

PROCESSES = 8
CALLS = 50
TURNS = 6
LOCKED_S = 3

RECORD_CALLS = """
import asyncio, json, sys
from ringback.stores import SqliteStore
from ringback.testing.made_records import TENANT, ended, opened, said

async def main(path, number, calls, turns):
    store = await SqliteStore.open(path)
    print("open", flush=True)
    sys.stdin.readline()  # the file is locked now
    receipts = []
    for call in range(calls):
        call_id = f"{number}-{call}"
        receipts.append(store.record_nowait(opened(call_id)))
        for position in range(turns):
            receipts.append(store.record_nowait(said(position, call_id=call_id)))
            await asyncio.sleep(0)
        receipts.append(store.record_nowait(ended(call_id)))
    for receipt in receipts:
        await receipt.committed()
    during = store.statistics()
    read = await store.call(TENANT, "0-0")  # a reader is not kept waiting
    print(json.dumps({
        "spilled": during.spilled, "is_degraded": during.is_degraded, "read": read is None,
    }), flush=True)
    sys.stdin.readline()  # and now it is not
    async with asyncio.timeout(30):
        while store.statistics().spill_pending:
            await asyncio.sleep(0.01)
    await store.close()

asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
"""


async def test_nothing_is_lost_and_nobody_waits_while_one_process_holds_the_lock(tmp_path):
    path = tmp_path / "memory.db"
    children = [
        child(RECORD_CALLS, path, number, CALLS, TURNS, stdin=-1) for number in range(PROCESSES)
    ]
    assert [process.stdout.readline() for process in children] == ["open\n"] * PROCESSES

    with locked(path):
        for process in children:
            process.stdin.write("go\n")
            process.stdin.flush()
        during = [json.loads(process.stdout.readline()) for process in children]
        await asyncio.sleep(LOCKED_S)
        rows_while_locked = count(path, "turn")
    for process in children:
        process.stdin.write("go\n")
        process.stdin.flush()
        output_of(process)

    entries = CALLS * (TURNS + 2)
    assert during == [{"spilled": entries, "is_degraded": True, "read": True}] * PROCESSES
    assert rows_while_locked == 0
    assert count(path, "call") == PROCESSES * CALLS
    assert count(path, "turn") == PROCESSES * CALLS * TURNS
    assert count(path, "job") == PROCESSES * CALLS * 2
    assert spill_files(tmp_path) == []


async def test_a_job_is_leased_by_one_of_several_stores(tmp_path):
    path = tmp_path / "memory.db"
    output = child(RECORD_CALLS, path, 0, 20, 1, stdin=-1)
    output_of_go(output)
    stores = [await SqliteStore.open(path) for _ in range(4)]

    async def work(store: SqliteStore) -> list[str]:
        done = []
        now_at = stores[0]._clock.now_at()
        while job := await store.lease(now_at=now_at, lease_ms=60_000):
            done.append(job.id)
            await (store.settle(job, ()) if job.kind == "extract" else store.put_summary(job, None))
        return done

    done = await asyncio.gather(*(work(store) for store in stores))

    ids = [one for ids in done for one in ids]
    assert len(ids) == len(set(ids)) == 40
    assert await stores[0].unsettled(TENANT, caller_id=None, handles=[]) == ()
    assert count(path, "job") == 0
    for store in stores:
        await store.close()
    await until(lambda: spill_files(tmp_path) == [])


def output_of_go(process) -> None:
    """Let a recording child run through."""
    process.stdin.write("go\ngo\n")
    process.stdin.flush()
    output_of(process)
