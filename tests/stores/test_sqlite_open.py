"""Opening a SQLite store: what is refused, by several processes at once, and closing."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

import pytest

from ringback.errors import (
    ClosedError,
    SchemaVersionError,
    StoreCorruptError,
    StoreUnavailableError,
    UsageError,
)
from ringback.stores import SqliteSettings, SqliteStore
from ringback.stores.sqlite.statements import migrations
from ringback.testing.made_records import LATER_AT, TENANT, opened, record, said
from tests.stores.made import child, count, locked, output_of

pytestmark = pytest.mark.server

OPEN_AND_RECORD = """
import asyncio, sys
from ringback.stores import SqliteStore
from ringback.testing.made_records import opened, record, said

async def main(path, call_id):
    async with await SqliteStore.open(path) as store:
        await record(store, opened(call_id), said(0, call_id=call_id))

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""
OPEN_AS_NOBODY = """
import asyncio, os, sys
from ringback.errors import StoreError
from ringback.stores import SqliteStore

async def main(path):
    try:
        store = await SqliteStore.open(path)
    except StoreError as error:
        print(type(error).__name__, str(error))
    else:
        await store.close()

if os.geteuid() == 0:  # to root nothing is read-only
    os.setuid(65534)
asyncio.run(main(sys.argv[1]))
"""


@pytest.fixture(autouse=True)
def no_thread_is_left():
    threads = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) == threads


async def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(StoreUnavailableError, match=r"nowhere is not a folder: make it first$"):
        await SqliteStore.open(tmp_path / "nowhere" / "memory.db")

    assert list(tmp_path.iterdir()) == []


async def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(StoreUnavailableError, match=r"is a folder: name a file$"):
        await SqliteStore.open(tmp_path)


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough" * 100, b"SQLite format 3\0"]
)
async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "memory.db"
    path.write_bytes(content)

    with pytest.raises(StoreCorruptError, match=r"is not a Ringback store, or is damaged$"):
        await SqliteStore.open(path)

    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


async def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE call (id)")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(StoreCorruptError, match="another program's database"):
        await SqliteStore.open(path)

    assert path.read_bytes() == before


async def test_a_newer_schema_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(SchemaVersionError) as refused:
        await SqliteStore.open(path)

    assert (refused.value.found, refused.value.wanted) == (9, len(migrations()))
    assert path.read_bytes() == before


async def test_a_damaged_page_is_reported_when_it_is_read(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        await record(store, *(said(position, "x" * 2_000) for position in range(100)))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))

    with pytest.raises(StoreCorruptError):
        async with await SqliteStore.open(path) as store:
            await store.call(TENANT, "c1")


async def test_a_file_that_stays_locked_is_given_up_in_time(tmp_path):
    path = tmp_path / "memory.db"
    path.touch()

    with locked(path), pytest.raises(StoreUnavailableError, match="is locked"):
        await SqliteStore.open(path, settings=SqliteSettings(wait_ms=100))


async def test_a_file_whose_lock_goes_in_time_is_opened(tmp_path):
    path = tmp_path / "memory.db"

    with locked(path):
        opening = asyncio.create_task(SqliteStore.open(path))
        await asyncio.sleep(0.2)
        assert not opening.done()
    store = await opening

    await store.close()


async def test_a_store_opens_while_another_process_writes_to_it(tmp_path):
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path)).close()

    with locked(path):
        async with await SqliteStore.open(path) as store:
            assert await store.call(TENANT, "c1") is None


@pytest.mark.parametrize("place", ["memory.db", "."])
def test_a_read_only_file_or_folder_is_named(tmp_path, place):
    folder = tmp_path / "store"
    folder.mkdir()
    output_of(child(OPEN_AND_RECORD, folder / "memory.db", "c1"))
    (folder / "memory.db").chmod(0o666)
    folder.chmod(0o777)
    (folder / place).chmod(0o555)

    out = output_of(child(OPEN_AS_NOBODY, "memory.db", cwd=folder))

    assert out == f"StoreUnavailableError {place} is read-only\n"
    (folder / place).chmod(0o755)


def test_several_processes_may_be_the_first(tmp_path):
    for round_ in range(3):
        path = tmp_path / f"memory{round_}.db"

        for process in [child(OPEN_AND_RECORD, path, f"c{number}") for number in range(8)]:
            output_of(process)

        assert count(path, "call") == 8
        assert count(path, "turn") == 8
        assert count(path, "job") == 8


async def test_closing_writes_what_was_recorded(tmp_path):
    path = tmp_path / "memory.db"
    store = await SqliteStore.open(path)
    receipts = [store.record_nowait(said(position)) for position in range(2_000)]

    await store.close()

    assert all(receipt.is_committed for receipt in receipts)
    assert count(path, "turn") == 2_000


async def test_after_closing_every_verb_is_refused(tmp_path):
    store = await SqliteStore.open(tmp_path / "memory.db")

    await asyncio.gather(store.close(), store.close())
    await store.close()

    with pytest.raises(ClosedError):
        store.record_nowait(opened())
    with pytest.raises(ClosedError):
        await store.call(TENANT, "c1")
    with pytest.raises(ClosedError):
        await store.flush()
    with pytest.raises(ClosedError):
        await store.lease(now_at=LATER_AT, lease_ms=1_000)


async def test_opening_that_is_cancelled_leaves_nothing(tmp_path):
    path = tmp_path / "memory.db"
    with locked(path):
        opening = asyncio.create_task(SqliteStore.open(path, settings=SqliteSettings(wait_ms=200)))
        await asyncio.sleep(0.02)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

    for thread in threading.enumerate():
        if thread.name.startswith("ringback-"):
            thread.join(5)


@pytest.mark.parametrize(
    "wrong",
    [{"sync": "never"}, {"queue_entries": 0}, {"wait_ms": 0}, {"max_bytes": 1}],
)
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(UsageError, match=f"^{next(iter(wrong))} is .*has to be"):
        SqliteSettings(**wrong)


async def test_full_sync_is_asked_of_sqlite(tmp_path):
    async with await SqliteStore.open(
        tmp_path / "memory.db", settings=SqliteSettings(sync="full")
    ) as store:
        await record(store, opened(), said(0))

        view = await store.call(TENANT, "c1")
        assert view is not None
        assert len(view.turns) == 1
