"""The SQLite store with mem0 in place of its vector index is a store."""

from __future__ import annotations

import pytest

from ringback.stores import SqliteStore
from ringback.stores.mem0 import Mem0Store
from ringback.testing.store_conformance import CONFORMANCE
from tests.stores.made_mem0 import ListedMem0
from tests.stores.test_mem0 import OF_VECTORS

pytestmark = pytest.mark.server


@pytest.mark.parametrize(
    "fact_of_it",
    [one for one in CONFORMANCE if one.__name__ not in OF_VECTORS],
    ids=lambda one: one.__name__,
)
async def test_it_is_a_store(fact_of_it, tmp_path):
    store = Mem0Store(await SqliteStore.open(tmp_path / "memory.db"), ListedMem0())
    try:
        await fact_of_it(store)
    finally:
        await store.close()
