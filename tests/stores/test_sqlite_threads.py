"""The threads of a SQLite store go on after whatever one verb does."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

import pytest

from ringback.errors import StoreError
from ringback.stores import SqliteStore
from ringback.stores.sqlite import journal
from ringback.testing.made_records import TENANT, opened, record, said

pytestmark = pytest.mark.server


def fail(connection: sqlite3.Connection) -> None:
    raise ZeroDivisionError


def be_refused(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO call (tenant) VALUES (NULL)")


@pytest.mark.parametrize("work", [fail, be_refused])
async def test_a_verb_that_fails_is_told_so_and_the_next_works(tmp_path, work):
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        with pytest.raises(StoreError):
            await store._write(work)
        with pytest.raises(StoreError):
            await store._read(work)

        await record(store, opened(), said(0))
        view = await store.call(TENANT, "c1")
        assert view is not None
        assert len(view.turns) == 1


async def test_an_entry_that_the_database_refuses_keeps_no_other_from_it(tmp_path, monkeypatch):
    real = journal.apply

    def apply(connection, entry, *, now_at):
        if entry == said(1):
            raise OverflowError
        real(connection, entry, now_at=now_at)

    monkeypatch.setattr(journal, "apply", apply)
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        await record(store, opened(), said(0), said(1), said(2))
        await store.attach(TENANT, "c1", caller_id="dana", assurance=opened().call.assurance)

        view = await store.call(TENANT, "c1")
        assert view is not None
        assert [turn.position for turn in view.turns] == [0, 2]
        assert store.statistics().spill_unreadable == 1
    assert [path.suffix for path in tmp_path.iterdir() if ".spill-" in path.name] == [".unreadable"]


async def test_a_verb_whose_task_was_cancelled_is_not_run(tmp_path):
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        ran = []
        hold, held = threading.Event(), threading.Event()
        first = asyncio.create_task(store._write(lambda _: (held.set(), hold.wait(10))))
        while not held.is_set():  # noqa: ASYNC110 - threads set no asyncio event
            await asyncio.sleep(0.001)
        second = asyncio.create_task(store._write(lambda _: ran.append(1)))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])

        hold.set()
        await first
        await store.flush()

        assert ran == []
