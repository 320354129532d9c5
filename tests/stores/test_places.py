"""Every place that holds what callers said is registered, together with what empties it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from ringback import places
from ringback.core.forgetting import BLOT
from ringback.erasure import Erasure, Forgotten
from ringback.protocols import FactsUsed, TurnAmended
from ringback.recollection import Cue
from ringback.stores import MemoryStore, SqliteStore, checks
from ringback.stores.memory.state import State
from ringback.testing.made_index import index_all, near
from ringback.testing.made_records import (
    LATER_AT,
    TENANT,
    Backend,
    added,
    attach,
    ended,
    fact,
    leased,
    opened,
    record,
    said,
    settle_all,
)
from ringback.testing.places_check import unregistered, unregistered_files
from tests.stores.made import locked

pytestmark = pytest.mark.server

NONSENSE = "nonsense\n"


async def use_everything(store: Backend) -> None:
    """Call every verb that keeps something."""
    await record(store, opened(), said(0, "my number is 4821"), ended())
    await attach(store)
    await store.settle(await leased(store), added(fact()))
    await record(store, FactsUsed(TENANT, (fact().id,), LATER_AT))
    await record(store, TurnAmended(TENANT, "c1", said(0, "my number is ****").turn))
    await store.give_up(await leased(store), reason="A")
    await settle_all(store)
    await store.find(Cue(TENANT, "dana", ("number",), LATER_AT))
    await index_all(store)
    await near(store, "number")
    await attach(store, "c9", "dora")
    await store.moves.merge(TENANT, "dora", "dana", at=LATER_AT)
    await record(store, opened("c2"), said(0, call_id="c2"))
    await store.forget(Erasure(TENANT, Forgotten.CALL, "c2", "dana", LATER_AT))


def tables_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return [name for (name,) in rows]


async def test_every_table_and_file_of_the_sqlite_store_is_registered(tmp_path):
    path = tmp_path / "memory.db"
    (tmp_path / "memory.db.spill-1-1.jsonl").write_text(NONSENSE)
    async with await SqliteStore.open(path) as store:
        await use_everything(store)
        with locked(path):
            await record(store, opened("c3"))
            during = unregistered_files(tmp_path, path.name, places.SQLITE_FILES)
            names = {one.name for one in tmp_path.iterdir()}

    assert during == []
    assert any(name.endswith(".jsonl") for name in names)
    assert any(name.endswith(".unreadable") for name in names)
    assert unregistered(tables_of(path), places.SQLITE_TABLES) == []
    registered = {place.name for place in places.SQLITE_TABLES}
    assert registered <= set(tables_of(path))


async def test_every_cache_of_the_sqlite_store_is_registered(tmp_path):
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        await use_everything(store)
        await near(store, "number")
        held = {
            type(one).__name__
            for one in vars(store).values()
            if any(
                isinstance(kept, dict) and kept for kept in getattr(one, "__dict__", {}).values()
            )
        }

    assert held == {place.name for place in places.SQLITE_CACHES}


async def test_every_attribute_of_the_twin_is_registered():
    async with MemoryStore() as store:
        await use_everything(store)

        kept = [
            one for one in vars(store) if one not in {"_clock", "_state", "_is_closed", "moves"}
        ]

    names = [one.name for one in fields(State) if one.name != "number"]
    assert kept == []
    assert unregistered(names, places.MEMORY_TABLES) == []
    assert {place.name for place in places.MEMORY_TABLES} <= set(names)


async def test_a_planted_table_and_a_planted_file_are_noticed(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE embedding (vector BLOB)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    (tmp_path / "memory.db.cache").touch()
    (tmp_path / "recordings").mkdir()

    found = unregistered(tables_of(path), places.SQLITE_TABLES)

    assert found == [
        "embedding", "words", "words_config", "words_content", "words_data", "words_docsize",
        "words_idx",
    ]  # fmt: skip
    assert unregistered_files(tmp_path, path.name, places.SQLITE_FILES) == [
        "memory.db.cache",
        "recordings",
    ]


def test_every_place_says_what_it_holds_and_what_empties_it():
    registered = (
        *places.SQLITE_TABLES,
        *places.SQLITE_FILES,
        *places.SQLITE_CACHES,
        *places.MEMORY_TABLES,
        *places.LIBRARY_CACHES,
    )

    assert all(place.holds and place.forgotten_by for place in registered)


def test_stores_and_plans_of_erasures_blot_out_with_one_sign():
    assert checks.BLOT == BLOT
