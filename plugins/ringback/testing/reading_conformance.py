"""What every store keeps of reading by language models, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from datetime import timedelta

from ringback.erasure import Erasure, Forgotten
from ringback.records import OF_RULES, JobKind, ModelUse
from ringback.testing.made_records import (
    DANA,
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
    summary,
)


async def _settled(store: Backend, call_id: str = "c1") -> None:
    """A call that has ended, was settled, and waits for a model."""
    await record(store, opened(call_id), said(0, call_id=call_id), ended(call_id))
    await attach(store, call_id)
    await store.settle(await leased(store), ())
    await store.put_summary(await leased(store), summary(call_id), then=JobKind.DEEPEN)


async def what_waits_for_a_model_is_opened_with_the_summary(store: Backend) -> None:
    await _settled(store)

    job = await leased(store)
    assert (job.kind, job.call_id) == (JobKind.DEEPEN, "c1")
    await store.settle(job, added(fact()))
    assert await store.open_count() == 0
    assert len(await store.facts(TENANT, caller_id="dana")) == 1


async def what_waits_for_a_model_is_opened_with_an_extraction(store: Backend) -> None:
    await record(store, opened(), said(0))

    await store.settle(await leased(store), (), then=JobKind.DEEPEN)

    assert (await leased(store)).kind is JobKind.DEEPEN


async def what_waits_for_a_model_comes_last_and_is_counted_apart(store: Backend) -> None:
    await _settled(store)
    await record(store, opened("c2"), said(600, call_id="c2"))

    assert await store.open_count() == 2
    assert await store.open_count(kinds=OF_RULES) == 1
    assert (await leased(store)).call_id == "c2"
    assert (await leased(store)).kind is JobKind.DEEPEN


async def a_call_that_only_waits_for_a_model_is_settled(store: Backend) -> None:
    await _settled(store)

    assert await store.unsettled(TENANT, caller_id="dana", handles=[DANA]) == ()


async def whoever_has_no_model_is_not_given_its_work(store: Backend) -> None:
    await _settled(store)

    assert await store.lease(now_at=LATER_AT, lease_ms=1_000, kinds=OF_RULES) is None


async def a_job_that_opens_itself_again_is_open_once(store: Backend) -> None:
    await _settled(store)
    await record(store, said(2))

    await store.settle(await leased(store, JobKind.EXTRACT), (), then=JobKind.DEEPEN)

    assert await store.open_count(kinds=[JobKind.DEEPEN]) == 1


async def words_that_are_forgotten_are_not_read_by_work_under_way(store: Backend) -> None:
    await _settled(store)
    job = await leased(store)
    await store.forget(
        Erasure(TENANT, Forgotten.FACT, "f", "dana", LATER_AT, summarised_anew=("c1",))
    )

    await store.settle(job, added(fact()))

    assert await store.facts(TENANT, caller_id="dana") == ()
    assert await store.open_count(kinds=[JobKind.DEEPEN]) == 0


async def what_models_cost_a_call_is_added_up(store: Backend) -> None:
    await record(store, opened(), said(0))

    assert await store.model_use(TENANT, "c1") == ModelUse()
    await store.note_use(TENANT, "c1", ModelUse(1, 100, 20, 4))
    await store.note_use(TENANT, "c1", ModelUse(2, 10, 3))

    assert await store.model_use(TENANT, "c1") == ModelUse(3, 110, 23, 4)
    assert await store.model_use("other", "c1") == ModelUse()


async def what_a_model_cost_goes_with_its_call(store: Backend) -> None:
    await _settled(store)
    await store.note_use(TENANT, "c1", ModelUse(1, 100, 20, 4))

    receipt = await store.forget(
        Erasure(TENANT, Forgotten.CALL, "c1", "dana", LATER_AT + timedelta(days=1))
    )
    await store.note_use(TENANT, "c1", ModelUse(1, 100, 20, 4))

    assert dict(receipt.removed)["model_use"] == 1
    assert await store.model_use(TENANT, "c1") == ModelUse()
