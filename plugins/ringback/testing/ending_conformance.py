"""What every journal makes of calls that nobody ended, or that were ended too early."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from datetime import timedelta, timezone

from ringback.errors import UsageError
from ringback.records import JobKind
from ringback.testing.made_records import (
    DANA,
    LATER_AT,
    START_AT,
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

MOMENT = timedelta(microseconds=1)


async def calls_without_an_end_are_abandoned_whoever_they_are_of_the_oldest_first(
    store: Backend,
) -> None:
    await record(store, opened("c2", started_at=START_AT + timedelta(minutes=2)))
    await record(store, opened("c1", tenant="other"), said(0, call_id="c1", tenant="other"))
    await record(store, opened("c3"), said(0, call_id="c3"), ended("c3"))

    found = await store.abandoned(quiet_since=LATER_AT)
    first = await store.abandoned(quiet_since=LATER_AT, limit=1)

    assert [(call.tenant, call.id) for call in found] == [("other", "c1"), (TENANT, "c2")]
    assert first == found[:1]
    assert found[1].handles == (DANA,)


async def a_call_is_quiet_from_its_last_turn_on(store: Backend) -> None:
    await record(store, opened(), said(60), said(7))

    at_the_turn = await store.abandoned(quiet_since=START_AT + timedelta(seconds=60))
    after_it = await store.abandoned(quiet_since=START_AT + timedelta(seconds=60) + MOMENT)

    assert at_the_turn == ()
    assert [call.id for call in after_it] == ["c1"]


async def a_call_in_which_nothing_was_said_is_quiet_from_its_opening_on(store: Backend) -> None:
    await record(store, opened())

    assert await store.abandoned(quiet_since=START_AT) == ()
    assert len(await store.abandoned(quiet_since=START_AT + MOMENT)) == 1


async def a_call_whose_turns_are_dated_before_its_opening_is_quiet_from_its_opening_on(
    store: Backend,
) -> None:
    opening = opened(started_at=START_AT + timedelta(minutes=3))
    await record(store, opening, said(0))

    assert await store.abandoned(quiet_since=START_AT + timedelta(minutes=3)) == ()


async def an_abandoned_call_that_is_ended_is_summarised_and_no_longer_abandoned(
    store: Backend,
) -> None:
    await record(store, opened(), said(0))
    await store.settle(await leased(store), ())

    await record(store, ended(minutes=0))

    assert await store.abandoned(quiet_since=LATER_AT) == ()
    assert (await leased(store)).kind is JobKind.SUMMARISE


async def a_call_that_goes_on_after_it_was_ended_loses_nothing(store: Backend) -> None:
    await record(store, opened(), said(0, "four"), ended(minutes=1))
    await settle_all(store, added(fact("4821")))
    await attach(store)

    await record(store, said(600, "five"), ended(minutes=12))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert [turn.text for turn in view.turns] == ["four", "five"]
    assert view.call.ended_at == ended(minutes=12).at
    await store.settle(await leased(store), added(fact("9000", key="order_number", position=600)))
    await store.put_summary(await leased(store), summary(text="All of it."))
    assert len(await store.facts(TENANT, caller_id="dana")) == 2
    last = await store.last_interaction(TENANT, "dana")
    assert last is not None
    assert last.text == "All of it."
    assert await store.open_count() == 0


async def an_end_that_moves_brings_the_summary_again(store: Backend) -> None:
    await record(store, opened(), said(0), ended(minutes=1))
    await settle_all(store)

    await record(store, ended(minutes=12))

    assert (await leased(store)).kind is JobKind.SUMMARISE
    assert await store.open_count() == 1


async def a_summary_under_way_is_made_again_when_the_end_moves(store: Backend) -> None:
    await record(store, opened(), said(0), ended(minutes=1))
    await store.settle(await leased(store), ())
    under_way = await leased(store)

    await record(store, ended(minutes=12))
    await store.put_summary(under_way, summary())

    again = await leased(store)
    assert again.kind is JobKind.SUMMARISE
    assert again.id != under_way.id


async def the_latest_of_several_ends_counts_in_whatever_order_they_come(store: Backend) -> None:
    await record(store, opened(), said(0), ended(minutes=12))
    await settle_all(store)

    await record(store, ended(minutes=1), ended(minutes=12))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call.ended_at == ended(minutes=12).at
    assert await store.open_count() == 0


async def a_call_that_is_opened_late_and_ended_takes_back_no_later_end(store: Backend) -> None:
    await record(store, ended(minutes=12))

    await record(store, opened(ended_at=ended(minutes=1).at))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call.ended_at == ended(minutes=12).at


async def abandoned_calls_since_no_time_or_at_most_none_are_refused(store: Backend) -> None:
    for wrong in ({"quiet_since": LATER_AT.replace(tzinfo=None)}, {"limit": 0}):
        try:
            await store.abandoned(**{"quiet_since": LATER_AT, **wrong})  # type: ignore[arg-type]
        except UsageError:
            continue
        raise AssertionError("was not refused")


async def a_quiet_time_of_any_offset_is_an_instant(store: Backend) -> None:
    await record(store, opened())
    there = timezone(timedelta(hours=-6))

    assert await store.abandoned(quiet_since=START_AT.astimezone(there)) == ()
    assert len(await store.abandoned(quiet_since=(START_AT + MOMENT).astimezone(there))) == 1


async def a_store_that_can_be_written_is_not_behind(store: Backend) -> None:
    await record(store, opened(), said(0))

    assert not await store.is_behind()
