"""Vectors in a SQLite file: what is kept of them in memory is what the file has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from ringback.erasure import Erasure, Forgotten
from ringback.errors import UsageError
from ringback.recollection import Facet, Hit, PassageVectors, VectorCue
from ringback.records import Fact, Status
from ringback.stores import SqliteStore
from ringback.stores.sqlite import SqliteSettings, vectors
from ringback.stores.sqlite.connection import open_reader, transaction
from ringback.stores.sqlite.indexing import FACT
from ringback.stores.sqlite.signs import differing, signs_of
from ringback.stores.sqlite.vector_cache import COMPARED_WHOLE, Owned, VectorCache
from ringback.stores.vectors import codes_of, cosines
from ringback.testing.made_index import HASH, index_all, near, text_of
from ringback.testing.made_records import (
    LATER_AT,
    TENANT,
    Backend,
    added,
    attach,
    fact,
    opened,
    record,
    said,
    updated,
)
from tests.stores.made import count

pytestmark = pytest.mark.server

FORGET_DANA = Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT)
MANY = 1_000
TABLES = ("vector", "vector_sign", "passage", "unindexed")


def note(value: str, position: int = 0, caller_id: str = "dana") -> Fact:
    made = fact(value, key="note", position=position, call_id="application:1")
    return replace(made, caller_id=caller_id)


def texts(hits: Sequence[Hit]) -> list[str]:
    return [text_of(hit) for hit in hits]


async def keep(store: Backend, *notes: Fact) -> None:
    await store.write(TENANT, added(*notes))
    await index_all(store)


async def test_what_another_process_changed_is_seen(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as one, await SqliteStore.open(path) as other:
        await keep(other, note("red lamp"))
        first = texts(await near(one, "lamp"))
        await keep(other, note("blue lamp", 2))
        second = texts(await near(one, "lamp"))
        ended = replace(note("red lamp"), status=Status.SUPERSEDED)
        await other.write(TENANT, updated(note("green lamp", 3), ended))
        third = texts(await near(one, "lamp"))

    assert first == ["red lamp"]
    assert sorted(second) == ["blue lamp", "red lamp"]
    assert third == ["blue lamp"]


async def test_forgetting_empties_what_is_kept_in_memory_in_every_process(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as one, await SqliteStore.open(path) as other:
        await keep(one, note("red lamp"))
        for store in (one, other):
            await near(store, "lamp")
        held = [len(store._cache._parts) for store in (one, other)]

        await one.forget(FORGET_DANA)
        await other.erasures()  # what every memory asks for, time and again

        assert held == [2, 2]
        assert [len(store._cache._parts) for store in (one, other)] == [0, 0]
    assert [count(path, table) for table in TABLES] == [0, 0, 0, 0]


async def test_a_profile_in_the_place_of_a_forgotten_one_is_not_taken_for_it(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as one, await SqliteStore.open(path) as other:
        await keep(one, note("red lamp"), note("blue lamp", 1))
        await near(other, "lamp")
        await one.forget(FORGET_DANA)
        await keep(one, note("oak table", 2, caller_id="erik"))

        assert texts(await near(other, "lamp", caller_id="erik")) == ["oak table"]


async def test_what_is_added_bit_by_bit_is_found_as_if_read_at_once(tmp_path):
    path = tmp_path / "memory.db"
    grown: list[Hit] = []
    async with await SqliteStore.open(path) as store:
        for start in range(0, COMPARED_WHOLE + 300, 300):
            await keep(store, *(note(f"lamp word{n}", n % 7) for n in range(start, start + 300)))
            grown = list(await near(store, "word77 lamp", facets=(Facet.TEXT,)))
    async with await SqliteStore.open(path) as store:
        read = list(await near(store, "word77 lamp", facets=(Facet.TEXT,)))

    assert grown == read
    assert text_of(grown[0]) == "lamp word77"


@pytest.mark.parametrize("bound", [0, 30_000])
async def test_a_small_bound_on_memory_changes_no_answer(tmp_path, bound):
    settings = SqliteSettings(vector_cache_bytes=bound)
    async with await SqliteStore.open(tmp_path / "memory.db", settings=settings) as store:
        for caller_id in ("dana", "erik", "dora"):
            await keep(store, *(note(f"{caller_id} {n}", n, caller_id) for n in range(60)))
        for caller_id in ("dana", "erik", "dora", "dana"):
            hits = await near(store, f"{caller_id} 7", caller_id=caller_id, facets=(Facet.TEXT,))
            assert text_of(hits[0]) == f"{caller_id} 7"
        held = sum(part.bytes for part in store._cache._parts.values())

    assert held <= bound


def test_a_bound_below_nothing_is_refused():
    with pytest.raises(UsageError, match="vector_cache_bytes is -1"):
        SqliteSettings(vector_cache_bytes=-1)


async def test_of_many_vectors_those_picked_by_their_signs_are_the_nearest(tmp_path):
    drawn = np.random.default_rng(1)
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        await store.write(TENANT, added(*(note(f"{n}", n) for n in range(COMPARED_WHOLE + 500))))
        made = {}
        while waiting := await store.unindexed("e", limit=500):
            for one in waiting:
                made[one.id] = drawn.standard_normal(64).astype(np.float32)
            given = [PassageVectors(one, ((Facet.TEXT, made[one.id]),)) for one in waiting]
            await store.put_vectors("e", given)
        wanted = list(made)[77]
        query = made[wanted] + 0.3 * drawn.standard_normal(64).astype(np.float32)

        hits = await store.nearest(VectorCue(TENANT, "dana", "e", (query,), LATER_AT, limit=3))

    ids = list(made)
    exact = cosines(
        np.stack([codes_of(made[one]) for one in ids]), (query / np.linalg.norm(query),)
    )
    assert [hit.fact.id for hit in hits if hit.fact][:1] == [wanted]
    assert hits[0].similarity == exact.max()


async def test_nothing_of_a_forgotten_vector_stands_in_the_file(tmp_path):
    path, drawn = tmp_path / "memory.db", np.random.default_rng(3)
    kept: dict[str, list[bytes]] = {"dana": [], "erik": []}
    async with await SqliteStore.open(path) as store:
        for start in range(0, 300, 20):  # in turns, so that their rows lie among each other
            for who in kept:
                notes = (note(f"{who} {n}", n, who) for n in range(start, start + 20))
                await store.write(TENANT, added(*notes))
            waiting = await store.unindexed("e", limit=MANY)
            vectors = drawn.standard_normal((len(waiting), 384)).astype(np.float32)
            made = list(zip(waiting, vectors, strict=True))
            given = [PassageVectors(one, ((Facet.TEXT, vector),)) for one, vector in made]
            await store.put_vectors("e", given)
            for one, vector in made:
                kept[one.caller_id].append(codes_of(vector).tobytes())

        await store.forget(FORGET_DANA)

    left = path.read_bytes()
    assert [codes for codes in kept["dana"] if codes[:32] in left or codes[-32:] in left] == []
    assert all(codes[:32] in left for codes in kept["erik"])


async def test_what_was_read_before_something_was_forgotten_is_not_kept_after_it(tmp_path):
    path, cache = tmp_path / "memory.db", VectorCache(2**20)
    async with await SqliteStore.open(path) as store:
        await keep(store, note("red lamp"))
    with closing(open_reader(path)) as connection, transaction(connection, "DEFERRED"):
        cleared = cache.cleared
        row = connection.execute("SELECT number, vectors, vectors_fewer FROM caller").fetchone()
        owned = Owned(*row, embedder=1, dimensions=HASH.dimensions)
        cache.clear()  # meanwhile it was forgotten
        part = cache.part(connection, owned, FACT, cleared=cleared)
        held_late = cache.bytes
        cache.part(connection, owned, FACT, cleared=cache.cleared)

    assert part.size > 0
    assert held_late == 0
    assert cache.bytes == part.bytes


async def test_a_sweep_finishes_dropping_that_was_broken_off(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        await keep(store, *(note(f"lamp {n}", n) for n in range(5)))
        await store._write(lambda db: vectors.drop_embedders(db, besides=()))

        await store.sweep(now_at=LATER_AT, words_before=None)

    assert [count(path, table) for table in TABLES] == [0, 0, 0, 0]


async def test_dropping_that_was_broken_off_is_finished_by_the_next(tmp_path):
    path = tmp_path / "memory.db"
    async with await SqliteStore.open(path) as store:
        await keep(store, *(note(f"lamp {n}", n) for n in range(5)))
        await store._write(lambda db: vectors.drop_embedders(db, besides=()))
        found, left = await near(store, "lamp"), count(path, "vector")

        await store.drop_index(besides={"other"})

    assert found == ()
    assert left > 0
    assert [count(path, table) for table in TABLES] == [0, 0, 0, 0]


async def test_an_embedder_looks_through_more_than_one_step_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "LOOKED_THROUGH", 3)
    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        await record(store, opened(), *(said(n, f"lamp {n}") for n in range(10)))
        await record(store, opened("c2"), *(said(n, call_id="c2") for n in range(10)))
        await attach(store)
        before = await store.index_state(HASH.name)

        first = await store.unindexed(HASH.name, limit=2)
        during = await store.index_state(HASH.name)
        done = await index_all(store)

    assert (before.waiting, during.waiting, done) == (10, 10, 10)
    assert [one.turn.text for one in first if one.turn] == ["lamp 9", "lamp 8"]


def test_signs_differ_where_numbers_do():
    query = np.ones(70, np.float32)
    other = query.copy()
    other[[0, 63, 64, 69]] = -1

    held = np.stack([signs_of(query), signs_of(other)], axis=1)

    assert differing(held, signs_of(query)).tolist() == [0, 4]


def test_a_direction_outlives_being_kept_in_bytes():
    drawn = np.random.default_rng(2).standard_normal((50, 384)).astype(np.float32)
    units = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    kept = cosines(np.stack([codes_of(one) for one in units]), (units[0],))

    assert np.allclose(kept, np.clip(units @ units[0], 0, 1), atol=0.005)
