"""What every store's jobs do, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from datetime import timedelta

from ringback.errors import UsageError
from ringback.records import JobKind
from ringback.testing.made_records import (
    LATER_AT,
    LEASE_MS,
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
    summary,
)

AFTER_LEASE_AT = LATER_AT + timedelta(milliseconds=LEASE_MS)


async def a_leased_job_is_nobody_elses(store: Backend) -> None:
    await record(store, opened(), said(0))
    await leased(store)

    assert await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS) is None
    almost_at = AFTER_LEASE_AT - timedelta(milliseconds=1)
    assert await store.lease(now_at=almost_at, lease_ms=LEASE_MS) is None
    assert await store.open_count() == 1


async def a_lease_that_ends_gives_the_job_to_the_next_and_counts(store: Backend) -> None:
    await record(store, opened(), said(0))
    first = await leased(store)

    second = await leased(store, at=AFTER_LEASE_AT)

    assert second.id == first.id
    assert (second.attempts, second.reason) == (1, "LeaseExpired")


async def the_job_that_is_due_longest_comes_first(store: Backend) -> None:
    await record(store, said(4, call_id="c4"), said(2, call_id="c2"), said(6, call_id="c6"))

    jobs = [await leased(store) for _ in range(3)]

    assert [job.call_id for job in jobs] == ["c2", "c4", "c6"]


async def a_job_is_not_leased_before_it_is_due(store: Backend) -> None:
    await record(store, opened(), said(10))

    early_at = said(10).turn.at - timedelta(microseconds=1)

    assert await store.lease(now_at=early_at, lease_ms=LEASE_MS) is None
    assert await store.lease(now_at=said(10).turn.at, lease_ms=LEASE_MS) is not None


async def only_the_wanted_kinds_are_leased(store: Backend) -> None:
    await record(store, opened(), ended(), said(0, call_id="c2"))

    job = await leased(store, JobKind.SUMMARISE)

    assert (job.kind, job.call_id) == (JobKind.SUMMARISE, "c1")
    assert await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS, kinds=()) is None


async def a_job_that_failed_is_tried_again_when_it_is_due(store: Backend) -> None:
    await record(store, opened(), said(0))
    due_at = LATER_AT + timedelta(minutes=3)

    await store.retry(await leased(store), due_at=due_at, reason="InferenceUnavailableError")

    assert await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS) is None
    again = await leased(store, at=due_at)
    assert (again.attempts, again.reason) == (1, "InferenceUnavailableError")
    assert again.due_at == due_at


async def a_job_that_is_given_up_is_a_dead_letter(store: Backend) -> None:
    await record(store, opened("c1"), said(0, call_id="c1"), said(1, call_id="c2"))
    first, second = await leased(store), await leased(store)

    await store.give_up(second, reason="B")
    await store.give_up(first, reason="A")

    assert [(job.id, job.reason) for job in await store.dead()] == [
        (second.id, "B"),
        (first.id, "A"),
    ]
    assert await store.open_count() == 0
    assert await store.lease(now_at=AFTER_LEASE_AT, lease_ms=LEASE_MS) is None


async def a_summary_waits_for_its_calls_extraction(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    extraction = await leased(store)
    while_it_runs = await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS)

    await store.settle(extraction, ())

    assert extraction.kind is JobKind.EXTRACT
    assert while_it_runs is None
    assert (await leased(store)).kind is JobKind.SUMMARISE


async def a_summary_does_not_wait_for_an_extraction_that_was_given_up(store: Backend) -> None:
    await record(store, opened(), said(0), ended())

    await store.give_up(await leased(store), reason="A")

    assert (await leased(store)).kind is JobKind.SUMMARISE


async def a_turn_that_comes_while_its_call_is_extracted_is_extracted_afterwards(
    store: Backend,
) -> None:
    await record(store, opened(), said(0))
    first = await leased(store)
    await record(store, said(1))
    await store.settle(first, added(fact("4821")))

    second = await leased(store)

    assert second.id != first.id
    assert (second.kind, second.attempts) == (JobKind.EXTRACT, 0)
    await store.settle(second, added(fact("9000", key="order_number")))
    assert await store.open_count() == 0
    assert len(await store.facts(TENANT, call_id="c1")) == 2


async def a_turn_that_comes_before_a_job_fails_is_not_forgotten(store: Backend) -> None:
    await record(store, opened(), said(0))
    first = await leased(store)
    await record(store, said(1))

    await store.give_up(first, reason="A")

    assert len(await store.dead()) == 1
    again = await leased(store)
    assert (again.kind, again.attempts, again.reason) == (JobKind.EXTRACT, 0, "")


async def a_turn_that_comes_after_the_summary_brings_a_new_one(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    await settle_all(store)
    await attach(store)

    await record(store, said(1))
    await store.settle(await leased(store), ())
    await store.put_summary(await leased(store), summary(text="Then said goodbye."))

    last = await store.last_interaction(TENANT, "dana")
    assert last is not None
    assert last.text == "Then said goodbye."
    assert await store.open_count() == 0


async def settling_twice_changes_nothing(store: Backend) -> None:
    await record(store, opened(), said(0))
    job = await leased(store)

    await store.settle(job, added(fact("4821")))
    await store.settle(job, added(fact("4821"), fact("17")))

    assert [one.value for one in await store.facts(TENANT, call_id="c1")] == ["4821"]
    assert await store.open_count() == 0


async def a_worker_that_comes_back_late_changes_nothing(store: Backend) -> None:
    await record(store, opened(), said(0))
    late = await leased(store)
    await record(store, said(1))
    taken_over = await leased(store, at=AFTER_LEASE_AT)

    await store.settle(late, added(fact("17")))
    await store.retry(late, due_at=LATER_AT, reason="A")
    await store.give_up(late, reason="A")

    assert await store.facts(TENANT, call_id="c1") == ()
    assert await store.dead() == ()
    await store.settle(taken_over, added(fact("4821")))
    assert [one.value for one in await store.facts(TENANT, call_id="c1")] == ["4821"]
    assert await store.open_count() == 0


async def a_job_that_was_put_back_is_finished_by_nobody(store: Backend) -> None:
    await record(store, opened(), said(0))
    job = await leased(store)
    await store.retry(job, due_at=LATER_AT, reason="A")

    await store.settle(job, added(fact("4821")))

    assert await store.open_count() == 1
    assert await store.facts(TENANT, call_id="c1") == ()


async def a_turn_that_is_recorded_again_brings_no_new_job(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    await settle_all(store)

    await record(store, opened(), said(0), ended())

    assert await store.open_count() == 0


async def an_extraction_is_not_finished_by_a_summary(store: Backend) -> None:
    await record(store, opened(), said(0))
    job = await leased(store)

    try:
        await store.put_summary(job, None)
    except UsageError:
        assert await store.open_count() == 1
        return
    raise AssertionError("was not refused")
