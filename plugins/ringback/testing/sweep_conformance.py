"""What every store's sweep ends, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from ringback.errors import UsageError
from ringback.protocols import Swept
from ringback.recollection import Cue
from ringback.records import Status
from ringback.testing.made_records import (
    LATER_AT,
    START_AT,
    TENANT,
    Backend,
    added,
    attach,
    ended,
    fact,
    opened,
    record,
    said,
    settle_all,
    words_of,
)


async def a_fact_whose_time_is_over_expires(store: Backend) -> None:
    mine = replace(fact(), caller_id="dana")
    over = [
        replace(mine, id="a", expires_at=LATER_AT),
        replace(mine, id="b", expires_at=LATER_AT, status=Status.PROVISIONAL),
        replace(mine, id="c", expires_at=LATER_AT, status=Status.RETIRED),
        replace(mine, id="d", expires_at=LATER_AT + timedelta(microseconds=1)),
        replace(mine, id="e"),
    ]
    await store.write(TENANT, added(*over))

    swept = await store.sweep(now_at=LATER_AT, words_before=None)

    assert swept == Swept(facts_expired=2)
    expired = await store.facts(TENANT, caller_id="dana", statuses=[Status.EXPIRED])
    assert {one.id for one in expired} == {"a", "b"}
    assert await store.sweep(now_at=LATER_AT, words_before=None) == Swept()


async def old_words_go_and_what_was_made_of_them_stays(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"), said(1), ended())
    await attach(store)
    await settle_all(store, added(fact()))

    swept = await store.sweep(now_at=LATER_AT, words_before=LATER_AT)

    assert swept == Swept(turns_deleted=2)
    assert await words_of(store, "c1") == []
    assert len(await store.facts(TENANT, caller_id="dana")) == 1
    assert await store.last_interaction(TENANT, "dana") is not None
    assert await store.find(Cue(TENANT, "dana", ("lamp",), LATER_AT)) == ()


async def words_of_new_open_and_unsettled_calls_stay(store: Backend) -> None:
    await record(store, opened("new"), said(0, call_id="new"), ended("new"))
    await record(store, opened("open"), said(0, call_id="open"))
    await settle_all(store)
    await record(store, opened("due"), said(0, call_id="due"), ended("due"))

    swept = [
        await store.sweep(now_at=LATER_AT, words_before=START_AT),
        await store.sweep(now_at=LATER_AT, words_before=None),
    ]
    last = await store.sweep(now_at=LATER_AT, words_before=LATER_AT)

    assert swept == [Swept(), Swept()]
    assert last == Swept(turns_deleted=1)
    assert [await words_of(store, one) for one in ("new", "open", "due")] == [[], ["yes"], ["yes"]]


async def a_sweep_without_a_time_zone_is_refused(store: Backend) -> None:
    naive = LATER_AT.replace(tzinfo=None)
    for now_at, before in ((naive, None), (LATER_AT, naive)):
        try:
            await store.sweep(now_at=now_at, words_before=before)
        except UsageError:
            continue
        raise AssertionError("was not refused")
