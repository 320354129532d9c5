"""What every store knows about callers, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta, timezone

from ringback.errors import StoreConflictError, UsageError
from ringback.records import Assurance, Caller, Handle, HandleKind, Status
from ringback.testing.made_records import (
    DANA,
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
    updated,
)

SIP = Handle(HandleKind.SIP, "sip:dana@example.org")


async def attaching_makes_the_caller_and_adds_handles(store: Backend) -> None:
    await record(store, opened(), opened("c2"))

    await attach(store, "c1")
    await store.attach(
        TENANT, "c2", caller_id="dana", assurance=Assurance.VERIFIED, handles=(SIP, DANA)
    )

    assert await store.caller(TENANT, "dana") == Caller("dana", TENANT, (DANA, SIP))
    assert await store.callers_of(TENANT, [SIP]) == (Caller("dana", TENANT, (DANA, SIP)),)
    view = await store.call(TENANT, "c2")
    assert view is not None
    assert view.call.assurance is Assurance.VERIFIED


async def attaching_rekeys_the_call_its_facts_and_its_summary(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    await settle_all(store, added(fact()))

    await attach(store, "c1", "dana")
    await attach(store, "c1", "dora")

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert (view.call.caller_id, view.call.handles) == ("dora", (DANA,))
    assert await store.facts(TENANT, caller_id="dana") == ()
    assert [one.caller_id for one in await store.facts(TENANT, caller_id="dora")] == ["dora"]
    assert await store.last_interaction(TENANT, "dana") is None
    last = await store.last_interaction(TENANT, "dora")
    assert last is not None
    assert last.caller_id == "dora"


async def a_call_can_be_attached_before_it_is_opened(store: Backend) -> None:
    await attach(store, "c1")

    view = await store.call(TENANT, "c1")

    assert view is not None
    assert view.call.caller_id == "dana"


async def a_first_claim_leaves_a_call_that_is_somebodys_by_now(store: Backend) -> None:
    await record(store, opened(), said(0))
    await store.attach(TENANT, "c1", caller_id="dana", assurance=Assurance.VERIFIED)
    claim = store.attach(
        TENANT, "c1", caller_id="erik", assurance=Assurance.CLAIMED, handles=(SIP,), is_first=True
    )

    try:
        await claim
    except StoreConflictError:
        view = await store.call(TENANT, "c1")
        assert view is not None
        assert (view.call.caller_id, view.call.assurance) == ("dana", Assurance.VERIFIED)
        assert await store.callers_of(TENANT, [SIP]) == ()
        return
    raise AssertionError("a verified caller was overwritten by a claim")


async def a_first_claim_takes_a_call_that_is_nobodys(store: Backend) -> None:
    await record(store, opened(), said(0))

    claimed = await store.attach(
        TENANT, "c1", caller_id="dana", assurance=Assurance.CLAIMED, is_first=True
    )

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call.caller_id == claimed == "dana"


async def facts_take_the_caller_that_their_call_has_by_then(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    await attach(store)

    await settle_all(store, added(replace(fact(), caller_id="somebody else")))

    assert [one.caller_id for one in await store.facts(TENANT, call_id="c1")] == ["dana"]
    assert await store.last_interaction(TENANT, "dana") == replace(summary(), caller_id="dana")


async def a_handle_of_two_callers_leads_to_both(store: Backend) -> None:
    await record(store, opened("c1"), opened("c2"))
    await attach(store, "c1", "dana")
    await attach(store, "c2", "erik")

    assert [one.id for one in await store.callers_of(TENANT, [DANA])] == ["dana", "erik"]


async def two_handles_of_two_callers_lead_to_both(store: Backend) -> None:
    for caller_id, handle in (("dana", DANA), ("erik", SIP)):
        await store.attach(
            TENANT, "c1", caller_id=caller_id, assurance=Assurance.CLAIMED, handles=[handle]
        )

    assert [one.id for one in await store.callers_of(TENANT, [DANA, SIP])] == ["dana", "erik"]
    assert await store.callers_of(TENANT, [SIP]) == (Caller("erik", TENANT, (SIP,)),)


async def an_unknown_handle_and_no_handle_lead_to_none(store: Backend) -> None:
    await attach(store)

    assert await store.callers_of(TENANT, [SIP]) == ()
    assert await store.callers_of(TENANT, []) == ()
    assert await store.callers_of(TENANT, [Handle(HandleKind.CRM, DANA.value)]) == ()
    assert await store.callers_of(TENANT, [Handle(HandleKind.PHONE, DANA.value[:-1])]) == ()


async def the_caller_with_the_newest_call_is_first(store: Backend) -> None:
    for call_id, caller_id, hour in (("c1", "dana", 1), ("c2", "erik", 2), ("c3", "dana", 3)):
        await record(store, opened(call_id, started_at=START_AT + timedelta(hours=hour)))
        await attach(store, call_id, caller_id)
    await attach(store, "c2", "fay")

    assert [caller.id for caller in await store.callers(TENANT)] == ["dana", "fay", "erik"]
    assert [caller.id for caller in await store.callers(TENANT, limit=1)] == ["dana"]


async def facts_come_back_as_they_were_oldest_first(store: Backend) -> None:
    there = timezone(timedelta(hours=2))
    late = replace(
        fact("14:00", key="callback_at", position=4),
        status=Status.PROVISIONAL,
        valid_from=START_AT.astimezone(there),
        valid_to=START_AT + timedelta(days=1),
        expires_at=START_AT + timedelta(days=30, microseconds=1),
        supersedes="f0",
    )
    await record(store, opened(), said(0))

    await store.settle(await leased(store), added(late, fact("4821", position=2)))

    facts = await store.facts(TENANT, call_id="c1")
    assert facts == (fact("4821", position=2), late)
    assert facts[1].valid_from is not None
    assert facts[1].valid_from.utcoffset() == timedelta(0)


async def summaries_of_a_caller_come_newest_first(store: Backend) -> None:
    for number, call_id in enumerate(("c1", "c2", "c3")):
        await record(store, opened(call_id), said(0, call_id=call_id), ended(call_id=call_id))
        await attach(store, call_id, "dora" if call_id == "c2" else "dana")
        await store.settle(await leased(store), ())
        made = summary(call_id, text=f"Call {number}.", hours=number)
        await store.put_summary(await leased(store), made)

    found = await store.summaries(TENANT, caller_id="dana")

    assert [one.text for one in found] == ["Call 2.", "Call 0."]
    assert await store.summaries(TENANT, caller_id="dana", limit=1) == found[:1]
    assert await store.summaries("other", caller_id="dana") == ()


async def superseding_writes_both_facts(store: Backend) -> None:
    old, new = fact("4821"), fact("9000", position=2)
    ended_at = START_AT + timedelta(seconds=2)
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(old))
    await attach(store)
    await record(store, said(2))

    superseded = replace(old, status=Status.SUPERSEDED, valid_to=ended_at)
    await store.settle(await leased(store), updated(replace(new, supersedes=old.id), superseded))

    current = await store.facts(TENANT, caller_id="dana")
    past = await store.facts(TENANT, caller_id="dana", statuses=[Status.SUPERSEDED])
    assert [(one.value, one.supersedes) for one in current] == [("9000", old.id)]
    assert [(one.value, one.valid_to, one.caller_id) for one in past] == [
        ("4821", ended_at, "dana")
    ]


async def a_fact_that_is_there_is_left_as_it_is(store: Backend) -> None:
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact()))
    await record(store, said(2))

    await store.settle(await leased(store), added(replace(fact(), confidence=0.1)))

    assert [one.confidence for one in await store.facts(TENANT, call_id="c1")] == [0.9]


async def facts_of_nobody_are_refused(store: Backend) -> None:
    await _refused(store.facts(TENANT))


async def facts_of_a_caller_and_a_call_are_both_theirs(store: Backend) -> None:
    for call_id in ("c1", "c2"):
        await record(store, opened(call_id), said(0, call_id=call_id))
        await store.settle(await leased(store), added(fact(call_id=call_id)))
        await attach(store, call_id)

    both = await store.facts(TENANT, caller_id="dana", call_id="c2")

    assert [one.call_id for one in both] == ["c2"]
    assert await store.facts(TENANT, caller_id="dana", statuses=[]) == ()


async def the_last_interaction_is_the_newest_calls(store: Backend) -> None:
    for call_id, hour in (("c1", 1), ("c3", 3), ("c2", 2)):
        await record(store, opened(call_id), ended(call_id))
        await attach(store, call_id)
        await store.put_summary(await leased(store), summary(call_id, hours=hour))

    last = await store.last_interaction(TENANT, "dana")

    assert last == replace(summary("c3", hours=3), caller_id="dana")


async def a_call_with_nothing_to_say_has_no_summary(store: Backend) -> None:
    await record(store, opened(), ended())
    await attach(store)

    await store.put_summary(await leased(store), None)

    assert await store.last_interaction(TENANT, "dana") is None
    assert await store.open_count() == 0


async def tenants_never_see_each_others_anything(store: Backend) -> None:
    await record(store, opened(), said(0, "secret"), ended())
    await settle_all(store, added(fact()))
    await attach(store)
    await record(store, said(2))

    for other in ("acm", "acme2", "ACME", "a%", "acme "):
        await record(store, opened(tenant=other), said(0, "ours", tenant=other))
        view = await store.call(other, "c1")
        assert view is not None
        assert [turn.text for turn in view.turns] == ["ours"]
        assert view.call.caller_id is None
        assert len(await store.calls(other)) == 1
        assert await store.calls(other, caller_id="dana") == ()
        assert await store.caller(other, "dana") is None
        assert await store.callers_of(other, [DANA]) == ()
        assert await store.callers(other) == ()
        assert await store.facts(other, caller_id="dana") == ()
        assert await store.facts(other, call_id="c1") == ()
        assert await store.last_interaction(other, "dana") is None
        views = await store.unsettled(other, caller_id="dana", handles=[DANA])
        assert [one.call.tenant for one in views] == [other]


async def two_tenants_may_have_a_caller_of_the_same_name(store: Backend) -> None:
    await attach(store)
    await store.attach("other", "c1", caller_id="dana", assurance=Assurance.CLAIMED, handles=[SIP])

    assert await store.caller(TENANT, "dana") == Caller("dana", TENANT, (DANA,))
    assert await store.caller("other", "dana") == Caller("dana", "other", (SIP,))


async def a_fact_of_another_tenant_than_its_job_is_refused(store: Backend) -> None:
    await record(store, opened(), said(0))
    job = await leased(store)

    await _refused(store.settle(job, added(replace(fact(), tenant="other"))))

    assert await store.open_count() == 1


async def empty_names_are_refused_when_asked_for(store: Backend) -> None:
    nobody = Handle(HandleKind.PHONE, "")
    await _refused(store.call("", "c1"))
    await _refused(store.call(TENANT, ""))
    await _refused(store.calls(""))
    await _refused(store.calls(TENANT, caller_id=""))
    await _refused(store.unsettled("", caller_id=None, handles=[]))
    await _refused(store.unsettled(TENANT, caller_id="", handles=[]))
    await _refused(store.unsettled(TENANT, caller_id=None, handles=[nobody]))
    await _refused(store.callers_of("", [DANA]))
    await _refused(store.callers_of(TENANT, [nobody]))
    await _refused(store.caller(TENANT, ""))
    await _refused(store.callers(""))
    await _refused(store.facts("", caller_id="dana"))
    await _refused(store.facts(TENANT, caller_id=""))
    await _refused(store.facts(TENANT, call_id=""))
    await _refused(store.last_interaction(TENANT, ""))
    for names in (("", "c1", "dana"), (TENANT, "", "dana"), (TENANT, "c1", "")):
        tenant, call_id, caller_id = names
        await _refused(
            store.attach(tenant, call_id, caller_id=caller_id, assurance=Assurance.CLAIMED)
        )


async def _refused(attempt: Awaitable[object]) -> None:
    try:
        await attempt
    except UsageError:
        return
    raise AssertionError("was not refused")
