"""When the database cannot be written: what was observed is on disk all the same."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from ringback.errors import StoreUnavailableError
from ringback.stores import SqliteSettings, SqliteStore
from ringback.stores.sqlite.spill import Spill
from ringback.testing.made_records import (
    DANA,
    LATER_AT,
    TENANT,
    Backend,
    ended,
    opened,
    record,
    said,
)
from tests.stores.made import (
    SPILL_AND_DIE,
    child,
    count,
    died,
    locked,
    output_of,
    spill_files,
    until,
)

pytestmark = pytest.mark.server


@pytest.fixture(autouse=True)
def no_thread_is_left():
    threads = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) == threads


async def positions(store: Backend, call_id: str = "c1") -> list[int]:
    view = await store.call(TENANT, call_id)
    return [] if view is None else [turn.position for turn in view.turns]


async def test_while_the_file_is_locked_entries_are_spilled_and_folded_in_afterwards(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        with locked(path):
            await record(store, opened(), *(said(position) for position in range(20)), ended())
            during = store.statistics()
            seen = await positions(store)
            files = len(spill_files(tmp_path))
        await until(lambda: store.statistics().spill_pending == 0)

        assert (during.spilled, during.spill_pending, during.is_degraded) == (22, 22, True)
        assert during.reason == "SQLITE_BUSY"
        assert (seen, files) == ([], 1)
        assert await positions(store) == list(range(20))
        assert await store.open_count() == 2
        assert store.statistics().folded == 22
        assert not store.statistics().is_degraded
        assert spill_files(tmp_path) == []


async def test_verbs_wait_for_a_lock_that_goes(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        await record(store, opened(), said(0))
        with locked(path):
            leasing = asyncio.create_task(store.lease(now_at=LATER_AT, lease_ms=1_000))
            await asyncio.sleep(0.2)
            assert not leasing.done()

        assert await leasing is not None


async def test_verbs_give_up_on_a_lock_that_stays(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path, settings=SqliteSettings(wait_ms=150)) as store:
        with locked(path), pytest.raises(StoreUnavailableError, match=r"150 ms \(SQLITE_BUSY\)"):
            await store.lease(now_at=LATER_AT, lease_ms=1_000)


async def test_flush_is_done_when_what_was_recorded_is_spilled(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        with locked(path):
            receipt = store.record_nowait(opened())
            await store.flush()

            assert receipt.is_committed


async def test_a_full_queue_spills_in_the_calling_thread(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path, settings=SqliteSettings(queue_entries=1)) as store:
        receipts = [store.record_nowait(said(position)) for position in range(500)]
        await until(lambda: all(receipt.is_committed for receipt in receipts))
        await until(lambda: store.statistics().spill_pending == 0)

        assert store.statistics().spilled > 0
        assert await positions(store) == list(range(500))
        assert await store.open_count() == 1


async def test_entries_may_come_from_many_threads(tmp_path):
    async with await SqliteStore.open(
        tmp_path / "memory.db", settings=SqliteSettings(queue_entries=50)
    ) as store:

        def work(number: int) -> None:
            for position in range(100):
                store.record_nowait(said(position, call_id=f"c{number}"))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await until(lambda thread=thread: not thread.is_alive())
        await store.flush()
        await until(lambda: store.statistics().spill_pending == 0)

        for number in range(8):
            assert await positions(store, f"c{number}") == list(range(100))


async def test_a_full_file_spills_and_is_folded_in_when_there_is_room(tmp_path):
    path = tmp_path / "memory.db"
    small = SqliteSettings(max_bytes=400_000, wait_ms=300)
    store = await SqliteStore.open(path, settings=small)
    await record(store, *(said(position, "x" * 10_000) for position in range(100)))
    during = store.statistics()
    with pytest.raises(StoreUnavailableError, match="SQLITE_FULL"):
        await store.attach(
            TENANT, "c" * 500_000, caller_id="dana", assurance=opened().call.assurance
        )
    await store.close()

    async with await SqliteStore.open(path) as roomy:
        assert during.spilled > 0
        assert during.reason == "SQLITE_FULL"
        assert await positions(roomy) == list(range(100))
        assert await roomy.open_count() == 1
    assert spill_files(tmp_path) == []


async def test_a_file_that_becomes_read_only_spills(tmp_path):
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    await store._writer.run(
        lambda connection: connection.execute("PRAGMA query_only = ON") and None
    )

    await record(store, opened(), said(0))

    assert store.statistics().reason == "SQLITE_READONLY"
    await store.close()
    async with await SqliteStore.open(path) as again:
        assert await positions(again) == [0]


async def test_what_can_be_written_nowhere_is_kept_in_memory_and_reported_at_closing(
    tmp_path, monkeypatch
):
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path, settings=SqliteSettings(wait_ms=300, queue_entries=400))
    monkeypatch.setattr(Spill, "append", _no_space)

    with locked(path):
        receipts = [store.record_nowait(said(position)) for position in range(1_000)]
        await until(lambda: store.statistics().write_failures > 0)
        kept = store.statistics()
        with pytest.raises(StoreUnavailableError, match="1000 entries could not be written"):
            await store.close()

    assert kept.queue_depth == 1_000
    assert kept.overflowed > 0
    assert not any(receipt.is_committed for receipt in receipts)
    with pytest.raises(StoreUnavailableError):
        await receipts[0].committed()
    await store.close()


async def test_what_could_be_written_nowhere_is_written_when_it_can_be(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path, settings=SqliteSettings(queue_entries=10)) as store:
        with monkeypatch.context() as patched, locked(path):
            patched.setattr(Spill, "append", _no_space)
            receipts = [store.record_nowait(said(position)) for position in range(1_000)]
            await until(lambda: store.statistics().write_failures > 0)
        await receipts[-1].committed()
        await store.flush()

        assert await positions(store) == list(range(1_000))


def _no_space(self: Spill, entries: object) -> None:
    raise OSError(28, "No space left on device")


async def test_what_a_dead_process_spilled_is_taken_over_once(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    assert died(child(SPILL_AND_DIE, path, "c1"))
    (first,) = spill_files(tmp_path)
    aside = first.rename(tmp_path / "aside")
    assert died(child(SPILL_AND_DIE, path, "c2"))
    aside.rename(first)

    stores = await asyncio.gather(*(SqliteStore.open(path) for _ in range(4)))

    await until(lambda: spill_files(tmp_path) == [])
    folded = [store.statistics().folded for store in stores]
    for store in stores:
        assert await positions(store, "c1") == list(range(5))
        assert await positions(store, "c2") == list(range(5))
        assert await store.open_count() == 4
        await store.close()
    assert sum(folded) == 14


async def test_a_spill_file_that_is_folded_again_changes_nothing(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    assert died(child(SPILL_AND_DIE, path, "c1"))
    (file,) = spill_files(tmp_path)
    content = file.read_bytes()
    await (await SqliteStore.open(path)).close()
    file.write_bytes(content)  # as if it had died after the commit, before the deletion

    async with await SqliteStore.open(path) as store:
        assert await positions(store) == list(range(5))
        assert await store.open_count() == 2
    assert spill_files(tmp_path) == []


async def test_a_living_processs_spill_file_is_left_to_it(tmp_path):
    path = tmp_path / "memory.db"
    first = await SqliteStore.open(path)
    with locked(path):
        await record(first, opened(), said(0))
        second = await SqliteStore.open(path, settings=SqliteSettings(wait_ms=500))
    await until(lambda: first.statistics().spill_pending == 0)

    assert first.statistics().folded == 2
    assert second.statistics().folded == 0
    await first.close()
    await second.close()


async def test_a_torn_last_line_is_passed_over(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    assert died(child(SPILL_AND_DIE, path, "c1"))
    (file,) = spill_files(tmp_path)
    file.write_bytes(file.read_bytes()[:-20])

    async with await SqliteStore.open(path) as store:
        assert await positions(store) == list(range(5))
        assert store.statistics().spill_unreadable == 0
    assert spill_files(tmp_path) == []


async def test_a_line_that_makes_no_sense_is_counted_and_its_file_kept(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    assert died(child(SPILL_AND_DIE, path, "c1"))
    (file,) = spill_files(tmp_path)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], b"?\n", b'{"v": 2}\n', *lines[1:]]))

    async with await SqliteStore.open(path) as store:
        assert await positions(store) == list(range(5))
        assert store.statistics().spill_unreadable == 2
    assert [one.suffix for one in spill_files(tmp_path)] == [".unreadable"]


async def test_entries_in_a_spill_file_come_back_as_they_were(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        call = opened(zone="Asia/Taipei", caller_id="dana", ended_at=ended().at)
        with locked(path):
            await record(store, call, said(0, "訂單 👩‍👧 \ud800\n"))
        await until(lambda: store.statistics().spill_pending == 0)

        view = await store.call(TENANT, "c1")
        assert view is not None
        assert view.call == call.call
        assert view.turns[0].text == "訂單 👩‍👧 \ufffd\n"
        assert view.call.handles == (DANA,)


def test_a_torn_write_leaves_the_file_whole(tmp_path, monkeypatch):
    spill = Spill(tmp_path / "memory.db", is_synced=False)
    spill.append([said(0)])
    (file,) = spill_files(tmp_path)
    before = file.read_bytes()
    real = os.write

    def half(descriptor: int, data: memoryview) -> int:
        if len(data) < 50:
            raise OSError(28, "No space left on device")
        return real(descriptor, data[: len(data) // 2])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", half)
        with pytest.raises(OSError, match="No space"):
            spill.append([said(1)])

    assert file.read_bytes() == before
    spill.append([said(2)])
    assert len(file.read_bytes().splitlines()) == 2
    spill.close()


def test_an_open_store_is_written_out_when_the_interpreter_exits(tmp_path):
    code = """
import asyncio, sys
from ringback.stores import SqliteStore
from ringback.testing.made_records import opened, said

async def main(path):
    global store
    store = await SqliteStore.open(path)
    for position in range(2_000):
        store.record_nowait(said(position))

asyncio.run(main(sys.argv[1]))
"""

    output_of(child(code, tmp_path / "memory.db"))

    assert count(tmp_path / "memory.db", "turn") == 2_000


def test_a_store_works_while_the_interpreter_exits(tmp_path):
    code = """
import asyncio, atexit, sys
from ringback.stores import SqliteStore
from ringback.testing.made_records import opened, record, said, TENANT

async def drain(store):
    try:
        await asyncio.to_thread(int)
    except RuntimeError:
        print("no executor", end=" ")
    await record(store, opened(), said(0))
    print(len((await store.call(TENANT, "c1")).turns))
    await store.close()

async def main(path):
    store = await SqliteStore.open(path)
    atexit.register(lambda: asyncio.run(drain(store)))

asyncio.run(main(sys.argv[1]))
"""

    assert output_of(child(code, tmp_path / "memory.db")) == "no executor 1\n"
