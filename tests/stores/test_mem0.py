"""The local store with mem0 in place of its vector index is a store; mem0 itself is made up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.erasure import Erasure, Forgotten
from ringback.errors import ClosedError, StoreUnavailableError, UsageError
from ringback.protocols import TurnAmended
from ringback.recollection import Channel, Facet
from ringback.records import Status
from ringback.stores import MemoryStore
from ringback.stores.mem0 import Mem0, Mem0Store
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
from ringback.testing.store_conformance import CONFORMANCE
from tests.stores.made_mem0 import ListedMem0

pytestmark = pytest.mark.unit

OF_VECTORS = {
    "the_best_of_several_query_vectors_counts",
    "other_dimensions_of_one_embedder_take_the_place_of_all",
    "vectors_without_one_shape_or_a_direction_are_refused",
    "the_same_vectors_twice_are_kept_once",  # counts vectors
    "what_has_vectors_waits_no_more",  # tells their dimensions
    "what_is_superseded_leaves_the_index",  # counts an embedder with dimensions alone
    "what_expires_leaves_the_index",
    "what_is_forgotten_leaves_the_index_and_the_receipt_counts_it",  # counts vectors
    "a_redacted_turn_loses_its_vectors_and_is_indexed_anew",
    "a_fact_whose_evidence_is_reworded_is_indexed_anew",  # counts vectors
    "the_nearest_come_first_facts_before_turns",  # also what points away, which mem0 leaves out
    "nothing_of_another_profile_or_tenant_is_near",
}
"""Facts about vectors that a store is given. mem0 makes its own; what else these say is below."""


class NeverAsked:
    async def fill(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("it was asked")


@pytest.fixture
def service() -> ListedMem0:
    return ListedMem0()


@pytest.fixture
async def store(service: ListedMem0) -> AsyncIterator[Any]:
    made = Mem0Store(MemoryStore(), service)
    yield made
    await made.close()


async def keep_a_call(store: Backend, *words: str) -> None:
    await record(store, opened(), *(said(place, text) for place, text in enumerate(words)))
    await attach(store)
    await index_all(store)


@pytest.mark.parametrize(
    "fact_of_it",
    [one for one in CONFORMANCE if one.__name__ not in OF_VECTORS],
    ids=lambda one: one.__name__,
)
async def test_it_is_a_store(fact_of_it, store):
    await fact_of_it(store)


async def test_nothing_of_another_profile_or_tenant_is_near(store):
    await store.write(TENANT, added(replace(fact("red lamp"), caller_id="erik")))
    await store.write("other", added(replace(fact("red lamp"), caller_id="dana", tenant="other")))
    await store.write(TENANT, added(replace(fact("lamp oil", position=2), caller_id="dana")))
    await index_all(store)

    assert [text_of(hit) for hit in await near(store, "red lamp")] == ["lamp oil"]


async def test_facts_come_before_turns_each_best_first(store):
    await keep_a_call(store, "a red lamp", "one lamp")
    for place, value in enumerate(("lamp", "red lamp shade"), start=2):
        await store.write(TENANT, added(replace(fact(value, position=place), caller_id="dana")))
    await index_all(store)

    hits = await near(store, "red lamp", facets=(Facet.TEXT,))

    assert [text_of(hit) for hit in hits] == ["red lamp shade", "lamp", "a red lamp", "one lamp"]


async def test_what_is_superseded_is_near_no_more(store):
    old = replace(fact("red lamp"), caller_id="dana")
    await store.write(TENANT, added(old))
    await index_all(store)

    new = replace(fact("green lamp", position=2), caller_id="dana")
    await store.write(TENANT, updated(new, replace(old, status=Status.SUPERSEDED)))

    assert await near(store, "red lamp") == ()


@pytest.mark.parametrize("key", ["revision", "caller", "passage"])
async def test_what_does_not_stand_so_in_the_local_store_is_no_hit(store, service, key):
    await keep_a_call(store, "a red lamp")
    (kept,) = service.kept.values()
    kept["metadata"][key] = "another"

    assert await near(store, "a red lamp") == ()


async def test_a_sweep_deletes_there_what_is_over_here(store, service):
    old, new = fact(), fact("4822", position=2)
    await store.write(TENANT, added(replace(old, caller_id="dana")))
    await index_all(store)
    superseded = replace(old, caller_id="dana", status=Status.SUPERSEDED)
    await store.write(TENANT, updated(replace(new, caller_id="dana"), superseded))
    await index_all(store)

    await store.sweep(now_at=LATER_AT, words_before=None)

    assert service.texts == ["4822", "account_number"]


async def test_words_that_must_not_stand_go_with_the_next_passages(store, service):
    await keep_a_call(store, "my card is 4111", "thank you")
    await record(store, TurnAmended(TENANT, "c1", said(0, "my card is ****").turn))

    await index_all(store)

    assert not [text for text in service.texts if "4111" in text]


async def test_a_call_that_becomes_another_callers_leaves_the_first_one(store, service):
    await keep_a_call(store, "a red lamp")
    await attach(store, caller_id="erik")

    await near(store, "lamp")

    assert [one["metadata"]["caller"] for one in service.kept.values()] == ["erik"]


async def test_what_is_sent_twice_is_found_once_and_swept(store, service):
    await keep_a_call(store, "a red lamp")
    (kept,) = service.kept.values()
    service.kept["again"] = dict(kept)

    found = await near(store, "lamp")
    await store.sweep(now_at=LATER_AT, words_before=None)

    assert len(found) == len(service.kept) == 1


async def test_forgetting_a_profile_leaves_nothing_there(store, service):
    await keep_a_call(store, "a red lamp", "a blue door")

    receipt = await store.forget(Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT))

    assert service.texts == []
    assert dict(receipt.removed)["mem0"] == 3


async def test_forgetting_one_call_leaves_the_others(store, service):
    await keep_a_call(store, "a red lamp")
    await record(store, opened("c2"), said(0, "a blue door", call_id="c2"))
    await attach(store, "c2")
    await index_all(store)

    await store.forget(Erasure(TENANT, Forgotten.CALL, "c1", "dana", LATER_AT))

    assert set(service.texts) == {"a blue door"}


async def test_while_mem0_is_down_the_receipt_says_so_and_the_next_one_clears(store, service):
    await keep_a_call(store, "a red lamp")
    service.is_down = True
    erasure = Erasure(TENANT, Forgotten.CALL, "c1", "dana", LATER_AT)

    receipt = await store.forget(erasure)
    unreachable = await store.residue(["lamp"])
    service.is_down = False
    found_meanwhile = await near(store, "a red lamp")
    await store.forget(Erasure(TENANT, Forgotten.CALL, "c9", "erik", LATER_AT))

    assert (receipt.scrub_ms, unreachable, found_meanwhile) == (-1, 1, ())
    assert service.texts == []


async def test_forgetting_that_is_broken_off_here_is_finished_there_by_the_next(store, service):
    await keep_a_call(store, "a red lamp")
    erasure = Erasure(TENANT, Forgotten.CALL, "c1", "dana", LATER_AT)
    is_asked, goes_on = service.stop()

    forgetting = asyncio.create_task(store.forget(erasure))
    await asyncio.to_thread(is_asked.wait)
    forgetting.cancel()
    await asyncio.wait([forgetting])
    goes_on.set()
    await store.forget(Erasure(TENANT, Forgotten.CALL, "c9", "erik", LATER_AT))

    assert service.texts == []


async def test_residue_counts_what_mem0_holds(store, service):
    await keep_a_call(store, "a red lamp")
    service.kept["left"] = {**next(iter(service.kept.values())), "memory": "Zebra"}

    assert await store.residue(["zebra"]) == 1


async def test_an_error_of_mem0_becomes_ours_without_the_words(store, service):
    await keep_a_call(store, "a red lamp")
    service.is_down = True

    with pytest.raises(StoreUnavailableError) as raised:
        await near(store, "lamp")

    assert str(raised.value) == "mem0 did not answer: ConnectionError"


async def test_only_the_facets_that_are_asked_for_are_searched(store, service):
    await keep_a_call(store, "a red lamp")
    service.asked.clear()

    await near(store, "lamp", facets=(Facet.QUESTION,))

    assert service.asked == ["search"]


async def test_after_closing_it_is_not_asked():
    store: Any = Mem0Store(MemoryStore(), ListedMem0())
    await store.close()
    await store.close()

    with pytest.raises(ClosedError):
        await near(store, "lamp")


async def test_a_memory_with_a_service_recalls_through_it(service):
    mem0 = Mem0(service, name="there")
    async with await Memory.open("memory:", service=mem0) as memory:
        dana = memory.profile("acme", "dana")
        await dana.ingest([OfferedTurn(Role.CALLER, "The zebra needs a new collar.")])
        await memory.settle()
        await memory.indexed()

        answer = await dana.recall("zebra collar", channels=[Channel.VECTORS])

    assert [one.text for one in answer.found] == ["The zebra needs a new collar."]
    assert answer.missed == ()


async def test_a_recall_without_mem0_names_what_it_missed(service):
    async with await Memory.open("memory:", service=Mem0(service)) as memory:
        dana = memory.profile("acme", "dana")
        await dana.ingest([OfferedTurn(Role.CALLER, "The zebra needs a new collar.")])
        await memory.settle()
        await memory.indexed()
        service.is_down = True

        answer = await dana.recall("zebra collar")

    assert [one.text for one in answer.found] == ["The zebra needs a new collar."]
    assert Channel.VECTORS in answer.missed


async def test_a_forgotten_profile_answers_nowhere(service):
    async with await Memory.open("memory:", service=Mem0(service)) as memory:
        dana = memory.profile("acme", "dana")
        await dana.ingest([OfferedTurn(Role.CALLER, "My account number is 48211.")])
        await memory.settle()
        await memory.indexed()

        erased = await dana.forget(everything=True)

    assert erased.is_clean
    assert service.texts == []


async def test_questions_that_a_service_would_never_be_sent_are_not_paid_for(service):
    with pytest.raises(UsageError, match="question_writer"):
        await Memory.open("memory:", service=Mem0(service), question_writer=NeverAsked())


def test_without_mem0_the_error_says_what_makes_it(tmp_path):
    with pytest.raises(UsageError, match="scripts/install mem0"):
        Mem0.on_this_machine(tmp_path, HASH)
