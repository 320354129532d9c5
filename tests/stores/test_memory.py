"""The twin in memory is a store."""

from __future__ import annotations

import pytest

from ringback.errors import ClosedError
from ringback.stores import MemoryStore
from ringback.testing.made_records import TENANT, opened
from ringback.testing.store_conformance import CONFORMANCE

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("fact", CONFORMANCE, ids=lambda fact: fact.__name__)
async def test_it_is_a_store(fact):
    async with MemoryStore() as store:
        await fact(store)


async def test_after_closing_every_verb_is_refused():
    store = MemoryStore()
    await store.close()
    await store.close()

    with pytest.raises(ClosedError):
        store.record_nowait(opened())
    with pytest.raises(ClosedError):
        await store.call(TENANT, "c1")
    with pytest.raises(ClosedError):
        await store.open_count()
