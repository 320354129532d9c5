"""What every store keeps of decisions, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from ringback.errors import UsageError
from ringback.records import (
    Action,
    Check,
    Decision,
    Outcome,
    Sensitivity,
    Status,
)
from ringback.testing.made_records import (
    START_AT,
    TENANT,
    Backend,
    added,
    attach,
    fact,
    leased,
    made_candidate,
    opened,
    record,
    said,
    updated,
)

CHECKS = (Check("time", Outcome.PASSED), Check("verifiable", Outcome.DROPPED, "too vague"))
SKIPPED = Decision(Action.SKIP, "sensitive", made_candidate("078-05-1120"), checks=CHECKS)


async def decisions_are_kept_with_their_checks_newest_first(store: Backend) -> None:
    await record(store, opened(), said(0))
    await attach(store)

    await store.settle(await leased(store), [*added(fact()), SKIPPED])

    skipped, adding = await store.decisions(TENANT, caller_id="dana")
    assert (adding.action, adding.key, adding.fact_id) == (Action.ADD, "account_number", fact().id)
    assert (adding.call_id, adding.position, adding.caller_id) == ("c1", 0, "dana")
    assert (skipped.action, skipped.reason, skipped.fact_id) == (Action.SKIP, "sensitive", None)
    assert skipped.checks == CHECKS


async def a_skipped_value_is_not_kept(store: Backend) -> None:
    await record(store, opened(), said(0))
    await attach(store)

    await store.settle(await leased(store), [SKIPPED])

    assert await store.residue(["078-05-1120"]) == 0
    assert len(await store.decisions(TENANT, caller_id="dana")) == 1


async def a_job_done_twice_keeps_one_decision(store: Backend) -> None:
    await record(store, opened(), said(0))
    await attach(store)
    decided = [*added(fact()), SKIPPED]
    await store.settle(await leased(store), decided)
    await record(store, said(2))

    await store.settle(await leased(store), decided)

    assert len(await store.decisions(TENANT, caller_id="dana")) == 2


async def decisions_follow_their_call_to_its_caller(store: Backend) -> None:
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact()))

    await attach(store, caller_id="dana")
    await attach(store, caller_id="dora")

    assert await store.decisions(TENANT, caller_id="dana") == ()
    assert [one.caller_id for one in await store.decisions(TENANT, caller_id="dora")] == ["dora"]
    assert len(await store.decisions(TENANT, caller_id="dora", limit=1)) == 1


async def writing_keeps_the_caller_and_makes_it(store: Backend) -> None:
    mine = replace(fact(call_id="application:1"), caller_id="dana")

    await store.write(TENANT, added(mine))
    await store.write(TENANT, added(replace(mine, confidence=0.1)))

    assert await store.facts(TENANT, caller_id="dana") == (mine,)
    caller = await store.caller(TENANT, "dana")
    assert caller is not None
    assert len(await store.decisions(TENANT, caller_id="dana")) == 1


async def retiring_keeps_both(store: Backend) -> None:
    old = replace(fact(), caller_id="dana")
    gone = replace(
        fact(position=2),
        id="withdrawal",
        caller_id="dana",
        status=Status.RETIRED,
        is_withdrawal=True,
        supersedes=old.id,
    )
    await store.write(TENANT, added(old))

    over = replace(old, status=Status.SUPERSEDED, valid_to=START_AT + timedelta(seconds=2))
    retired = replace(updated(gone, over)[0], action=Action.RETIRE)
    await store.write(TENANT, [retired])

    assert await store.facts(TENANT, caller_id="dana") == ()
    history = await store.facts(TENANT, caller_id="dana", statuses=tuple(Status))
    assert [(one.status, one.is_withdrawal) for one in history] == [
        (Status.SUPERSEDED, False),
        (Status.RETIRED, True),
    ]


async def what_would_supersede_a_fact_that_is_gone_is_left_out(store: Backend) -> None:
    new, old = replace(fact("9000"), caller_id="dana"), replace(fact(), caller_id="dana")

    await store.write(TENANT, updated(new, old))

    assert await store.facts(TENANT, caller_id="dana", statuses=tuple(Status)) == ()
    assert await store.decisions(TENANT, caller_id="dana") == ()


async def every_field_of_a_fact_comes_back(store: Backend) -> None:
    full = replace(
        fact(),
        caller_id="dana",
        subject="person:rosa",
        object="order:a-17",
        speaker="speaker-2",
        sensitivity=Sensitivity.SECRET,
        is_speakable=False,
        is_withdrawal=True,
        uses=3,
        last_used_at=START_AT + timedelta(days=2),
        evidence=replace(fact().evidence, started_ms=1_200, ended_ms=2_400),
    )

    await store.write(TENANT, added(full))

    assert await store.facts(TENANT, caller_id="dana") == (full,)


async def a_fact_of_another_tenant_is_refused_when_written(store: Backend) -> None:
    try:
        await store.write(TENANT, added(replace(fact(), tenant="other")))
    except UsageError:
        return
    raise AssertionError("was not refused")
