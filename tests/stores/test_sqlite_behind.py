"""A store knows when entries are on disk that its answers do not hold yet."""

from __future__ import annotations

import asyncio

import pytest

from ringback.clock import SystemClock
from ringback.stores import SqliteStore
from ringback.testing.made_records import LATER_AT, TENANT, opened, record
from tests.stores.made import SPILL_AND_DIE, child, died, locked, spill_files, until

pytestmark = pytest.mark.server


class HandClock(SystemClock):
    """Stands still, and is moved on by hand."""

    def __init__(self) -> None:
        self.ms = 1_000.0

    def now_ms(self) -> float:
        return self.ms


async def turns_of(store: SqliteStore, call_id: str) -> list[int]:
    view = await store.call(TENANT, call_id)
    return [] if view is None else [turn.position for turn in view.turns]


async def test_every_store_on_the_file_is_behind_while_one_has_spilled(tmp_path):
    path = tmp_path / "memory.db"
    async with (
        await SqliteStore.open(path) as store,
        await SqliteStore.open(path) as other,
        await SqliteStore.open(tmp_path / "memory2.db") as of_another_file,
    ):
        with locked(path):
            await record(store, opened())
            during = [await one.is_behind() for one in (store, other, of_another_file)]
        await until(lambda: store.statistics().spill_pending == 0)

        assert during == [True, True, False]
        assert not await store.is_behind()
        assert not await other.is_behind()


async def test_lines_that_make_no_sense_leave_no_store_behind_for_ever(tmp_path):
    (tmp_path / "memory.db.spill-1-1.jsonl").write_text("nonsense\n")

    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        assert not await store.is_behind()


async def test_what_a_process_spilled_before_it_died_is_folded_in_by_one_that_is_busy(tmp_path):
    path, clock = tmp_path / "memory.db", HandClock()
    async with await SqliteStore.open(path, clock=clock) as store:
        assert await asyncio.to_thread(died, child(SPILL_AND_DIE, path, "c1"))
        before = await store.is_behind()

        clock.ms += 2_000
        await store.lease(now_at=LATER_AT, lease_ms=1_000)

        assert before
        assert await turns_of(store, "c1") == [0, 1, 2, 3, 4]
        assert not await store.is_behind()


async def test_what_a_process_spilled_before_it_died_is_folded_in_by_one_that_is_idle(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        assert await asyncio.to_thread(died, child(SPILL_AND_DIE, path, "c1"))

        await until(lambda: spill_files(tmp_path) == [])

        assert await turns_of(store, "c1") == [0, 1, 2, 3, 4]
