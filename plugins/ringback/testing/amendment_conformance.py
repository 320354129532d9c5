"""What every journal does with amended turns and used facts, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from ringback.errors import UsageError
from ringback.protocols import FactsUsed, TurnAmended, TurnObserved
from ringback.records import Fact, JobKind
from ringback.testing.made_records import (
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
    words_of,
)

CARD = said(0, "my card is 4111 1111 1111 1111")
MASKED = said(0, "my card is **** **** **** ****")


def _amended(observed: TurnObserved) -> TurnAmended:
    return TurnAmended(observed.tenant, observed.call_id, observed.turn)


async def an_amended_turn_has_the_new_text_in_the_same_place(store: Backend) -> None:
    await record(store, opened(), CARD, said(1, "thank you"))

    await record(store, _amended(MASKED))

    assert await words_of(store, "c1") == ["my card is **** **** **** ****", "thank you"]


async def an_amendment_that_comes_before_its_turn_wins(store: Backend) -> None:
    await record(store, opened(), _amended(MASKED))

    await record(store, CARD)

    assert await words_of(store, "c1") == ["my card is **** **** **** ****"]
    assert await store.open_count() == 1


async def an_amended_call_is_extracted_and_summarised_again(store: Backend) -> None:
    await record(store, opened(), CARD, ended())
    await settle_all(store)
    await attach(store)
    before = await store.last_interaction(TENANT, "dana")

    await record(store, _amended(MASKED))

    assert before is not None
    assert await store.last_interaction(TENANT, "dana") is None
    assert (await leased(store)).kind is JobKind.EXTRACT
    assert await store.open_count() == 2


async def work_that_began_before_an_amendment_writes_nothing(store: Backend) -> None:
    await record(store, opened(), CARD)
    early = await leased(store)

    await record(store, _amended(MASKED))
    await store.settle(early, added(fact("4111 1111 1111 1111", key="card")))

    assert await store.facts(TENANT, call_id="c1") == ()
    again = await leased(store)
    assert again.id != early.id


async def the_same_amendment_twice_is_one(store: Backend) -> None:
    await record(store, opened(), CARD, _amended(MASKED))
    await store.settle(await leased(store), ())

    await record(store, _amended(MASKED), CARD)

    assert await store.open_count() == 0
    assert await words_of(store, "c1") == ["my card is **** **** **** ****"]


async def facts_whose_words_an_amendment_takes_away_go(store: Backend) -> None:
    elsewhere = _resting("7777", 40)  # it never stood where its evidence points
    stays, goes = _resting("4821", 3), _resting("9000", 12)
    await record(store, opened(), said(0, "no 4821 and 9000"))
    await store.settle(await leased(store), added(stays, goes, elsewhere))

    await record(store, _amended(said(0, "no 4821 and ****")))

    assert {one.value for one in await store.facts(TENANT, call_id="c1")} == {"4821", "7777"}


def _resting(value: str, start: int) -> Fact:
    made = fact(value, key=f"k{start}")
    evidence = replace(made.evidence, start=start, end=start + len(value))
    return replace(made, evidence=evidence)


async def a_fact_that_is_used_counts_each_use_and_the_last_time(store: Backend) -> None:
    first_at, last_at = START_AT + timedelta(days=1), START_AT + timedelta(days=3)
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact("4821"), fact("9000", position=2)))
    ids = (fact("4821").id, "unknown")

    await record(store, FactsUsed(TENANT, ids, last_at), FactsUsed(TENANT, ids, first_at))

    used, unused = await store.facts(TENANT, call_id="c1")
    assert (used.uses, used.last_used_at) == (2, last_at)
    assert (unused.uses, unused.last_used_at) == (0, None)


async def the_same_use_twice_is_one(store: Backend) -> None:
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact()))
    use = FactsUsed(TENANT, (fact().id, fact().id), START_AT)

    await record(store, use, use)

    assert [one.uses for one in await store.facts(TENANT, call_id="c1")] == [1]


async def a_use_of_another_tenants_fact_counts_nothing(store: Backend) -> None:
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact()))

    await record(store, FactsUsed("other", (fact().id,), START_AT))

    assert [one.uses for one in await store.facts(TENANT, call_id="c1")] == [0]


async def entries_without_names_or_with_naive_times_are_refused(store: Backend) -> None:
    naive = START_AT.replace(tzinfo=None)
    for entry in (
        FactsUsed("", ("f",), START_AT),
        FactsUsed(TENANT, ("f",), naive),
        TurnAmended("", "c1", MASKED.turn),
        TurnAmended(TENANT, "", MASKED.turn),
        TurnAmended(TENANT, "c1", replace(MASKED.turn, at=naive)),
        TurnAmended(TENANT, "c1", replace(MASKED.turn, position=-1)),
    ):
        try:
            store.record_nowait(entry)
        except UsageError:
            continue
        raise AssertionError(f"{entry} was not refused")


async def what_identifies_a_turn_outside_comes_back(store: Backend) -> None:
    turn = replace(said(0).turn, ref="message-17")

    await record(store, opened(), TurnObserved(TENANT, "c1", turn))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.turns == (turn,)
