"""The SQLite back-end is a store."""

from __future__ import annotations

import threading

import pytest

from ringback.stores import SqliteStore
from ringback.testing.store_conformance import CONFORMANCE

pytestmark = pytest.mark.server


@pytest.mark.parametrize("fact", CONFORMANCE, ids=lambda fact: fact.__name__)
async def test_it_is_a_store(fact, tmp_path):
    threads = set(threading.enumerate())

    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        await fact(store)

    assert set(threading.enumerate()) == threads
    assert [path.name for path in tmp_path.iterdir()] == ["memory.db"]
