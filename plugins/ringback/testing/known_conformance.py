"""What every store tells of whoever is on the line, in one read; one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace

from ringback.errors import UsageError
from ringback.protocols import Known
from ringback.records import Assurance, Call, Handle, HandleKind, Status
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

ASKING = Call("asking", TENANT, LATER_AT, handles=(DANA,))


async def _settled(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    await attach(store)
    retired = replace(fact("4711"), status=Status.RETIRED)
    await store.settle(await leased(store), added(fact(), retired))
    await store.put_summary(await leased(store), summary())


async def whoever_is_on_the_line_is_known_by_a_handle(store: Backend) -> None:
    await _settled(store)

    known = await store.known(ASKING)

    assert known.caller == await store.caller(TENANT, "dana")
    assert {(one.value, one.status) for one in known.facts} == {
        ("4821", Status.ACTIVE),
        ("4711", Status.RETIRED),
    }
    assert known.last_interaction == await store.last_interaction(TENANT, "dana")
    assert known.last_interaction is not None
    assert (known.unsettled, known.is_behind) == ((), False)


async def nothing_is_known_of_a_stranger(store: Backend) -> None:
    await _settled(store)
    stranger = Handle(HandleKind.PHONE, "+15550000000")

    nobody = Known(None, (), (), None, is_behind=False)
    assert await store.known(replace(ASKING, handles=(stranger,))) == nobody
    assert await store.known(replace(ASKING, handles=())) == nobody
    assert await store.known(replace(ASKING, tenant="other")) == nobody


async def the_caller_that_a_call_names_comes_before_its_handles(store: Backend) -> None:
    await _settled(store)
    await record(store, opened("c2", handles=()))
    await store.attach(TENANT, "c2", caller_id="erin", assurance=Assurance.VERIFIED)

    known = await store.known(replace(ASKING, caller_id="erin"))

    assert known.caller is not None
    assert known.caller.id == "erin"
    assert known.facts == ()
    assert known.last_interaction is None


async def a_call_that_names_somebody_unheard_of_is_not_whom_its_handles_lead_to(
    store: Backend,
) -> None:
    await _settled(store)

    known = await store.known(replace(ASKING, caller_id="nobody"))

    assert (known.caller, known.facts, known.is_shared) == (None, (), False)


async def a_call_that_names_somebody_who_was_merged_is_the_others(store: Backend) -> None:
    await _settled(store)
    await attach(store, "c2", caller_id="erin")
    await store.moves.merge(TENANT, "dana", "erin", at=LATER_AT)

    known = await store.known(replace(ASKING, caller_id="dana"))

    assert known.caller is not None
    assert known.caller.id == "erin"


async def calls_that_are_not_settled_are_told_but_not_the_one_that_asks(store: Backend) -> None:
    await record(store, opened("c1"), said(0), opened("c2"), said(0, call_id="c2"))

    known = await store.known(replace(ASKING, id="c2"))

    assert [view.call.id for view in known.unsettled] == ["c1"]
    assert [turn.text for turn in known.unsettled[0].turns] == ["yes"]


async def facts_of_an_unsettled_call_that_is_nobodys_are_told(store: Backend) -> None:
    await record(store, opened("c1"), said(0))
    await store.settle(await leased(store), added(fact()))

    known = await store.known(ASKING)

    assert known.caller is None
    assert [one.value for one in known.facts] == ["4821"]


async def facts_of_another_callers_unsettled_call_are_not_told(store: Backend) -> None:
    await record(store, opened("c1"), said(0))
    await attach(store, "c1")
    await store.settle(await leased(store), added(fact()))
    await attach(store, "c2", caller_id="erin")

    known = await store.known(ASKING)

    assert known.caller is None
    assert known.is_shared
    assert [view.call.id for view in known.unsettled] == ["c1"]
    assert known.facts == ()


async def a_call_that_names_one_of_several_on_a_handle_is_not_shared(store: Backend) -> None:
    await record(store, opened("c1"), opened("c2"))
    await attach(store, "c1")
    await attach(store, "c2", caller_id="erin")

    known = await store.known(replace(ASKING, caller_id="erin"))

    assert known.caller is not None
    assert known.caller.id == "erin"
    assert not known.is_shared


async def whoever_asks_for_nobody_is_refused(store: Backend) -> None:
    try:
        await store.known(replace(ASKING, tenant=""))
    except UsageError:
        return
    raise AssertionError("asked without a tenant")
