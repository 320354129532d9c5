"""What every journal does, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

from ringback.errors import UsageError
from ringback.protocols import CallOpened, Entry, TurnObserved
from ringback.records import Assurance, Call, Handle, HandleKind, JobKind, Role, Turn
from ringback.testing.made_records import (
    DANA,
    LATER_AT,
    LEASE_MS,
    START_AT,
    TENANT,
    Backend,
    attach,
    ended,
    leased,
    opened,
    record,
    said,
    settle_all,
)


async def turns_are_in_order_of_position_whatever_the_order_of_their_commits(
    store: Backend,
) -> None:
    await record(store, opened(), said(2, "three"), said(0, "one"), said(1, "two"))

    view = await store.call(TENANT, "c1")

    assert view is not None
    assert [turn.text for turn in view.turns] == ["one", "two", "three"]


async def the_same_entry_twice_is_one_entry(store: Backend) -> None:
    entries: list[Entry] = [opened(), said(0), said(1), ended()]

    await record(store, *entries, *entries)

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert [turn.position for turn in view.turns] == [0, 1]
    assert await store.open_count() == 2


async def a_second_real_yes_is_a_second_turn(store: Backend) -> None:
    await record(store, opened(), said(0, "yes"), said(2, "yes"))

    view = await store.call(TENANT, "c1")

    assert view is not None
    assert [(turn.position, turn.text) for turn in view.turns] == [(0, "yes"), (2, "yes")]


async def two_roles_may_have_one_position(store: Backend) -> None:
    turn = said(0, "hello")

    await record(store, turn, replace(turn, turn=replace(turn.turn, role=Role.AGENT)))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert [one.role for one in view.turns] == [Role.AGENT, Role.CALLER]


async def a_call_comes_back_as_it_was_opened(store: Backend) -> None:
    call = Call(
        "c1",
        TENANT,
        START_AT,
        zone="America/Chicago",
        handles=(DANA, Handle(HandleKind.SIP, "sip:dana@example.org")),
        caller_id="dana",
        assurance=Assurance.VERIFIED,
    )

    await record(store, CallOpened(call))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call == call
    caller = await store.caller(TENANT, "dana")
    assert caller is not None
    assert caller.handles == ()


async def a_turn_comes_back_as_it_was_said(store: Backend) -> None:
    turn = Turn(Role.AGENT, "Your ref", START_AT, 3, "agent-7", 12_000, 13_500, True, True)

    await record(store, opened(), TurnObserved(TENANT, "c1", turn))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.turns == (turn,)


async def turns_whose_call_has_not_been_opened_yet_are_kept(store: Backend) -> None:
    await record(store, said(1), said(0))
    before = await store.call(TENANT, "c1")

    await record(store, opened(zone="Asia/Taipei"))

    after = await store.call(TENANT, "c1")
    assert before is not None
    assert before.call.started_at == START_AT
    assert len(before.turns) == 2
    assert after is not None
    assert after.call == Call("c1", TENANT, START_AT, "Asia/Taipei", (DANA,))
    assert len(after.turns) == 2


async def a_call_that_is_opened_late_stays_attached_and_ended(store: Backend) -> None:
    await record(store, ended())
    await attach(store)

    await record(store, opened())

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call.caller_id == "dana"
    assert view.call.assurance is Assurance.CLAIMED
    assert view.call.ended_at == ended().at


async def a_receipt_is_committed_once_it_was_awaited(store: Backend) -> None:
    receipt = store.record_nowait(opened())

    await receipt.committed()

    assert receipt.is_committed
    await receipt.committed()


async def flush_waits_for_all_that_was_recorded(store: Backend) -> None:
    receipts = [store.record_nowait(said(position)) for position in range(600)]

    await store.flush()

    assert all(receipt.is_committed for receipt in receipts)


async def times_come_back_aware_and_equal_whatever_their_offset(store: Backend) -> None:
    there = START_AT.astimezone(timezone(timedelta(hours=-6)))
    turn = Turn(Role.CALLER, "hello", there, 0)

    await record(store, opened(started_at=there), TurnObserved(TENANT, "c1", turn))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert view.call.started_at == START_AT
    assert view.call.started_at.utcoffset() == timedelta(0)
    assert view.turns[0].at == START_AT
    assert view.turns[0].at.utcoffset() == timedelta(0)


async def times_without_a_zone_are_refused(store: Backend) -> None:
    naive = START_AT.replace(tzinfo=None)

    _refused(lambda: store.record_nowait(opened(started_at=naive)))
    _refused(lambda: store.record_nowait(replace(ended(), at=naive)))
    turn = Turn(Role.CALLER, "hello", naive, 0)
    _refused(lambda: store.record_nowait(TurnObserved(TENANT, "c1", turn)))


async def a_turn_without_a_position_is_refused(store: Backend) -> None:
    turn = Turn(Role.CALLER, "hello", START_AT)

    _refused(lambda: store.record_nowait(TurnObserved(TENANT, "c1", turn)))


async def empty_names_are_refused_when_recorded(store: Backend) -> None:
    _refused(lambda: store.record_nowait(opened("")))
    _refused(lambda: store.record_nowait(opened(tenant="")))
    _refused(lambda: store.record_nowait(opened(caller_id="")))
    _refused(lambda: store.record_nowait(opened(handles=(Handle(HandleKind.PHONE, ""),))))
    _refused(lambda: store.record_nowait(said(0, call_id="")))
    _refused(lambda: store.record_nowait(said(0, tenant="")))
    _refused(lambda: store.record_nowait(ended("")))


async def text_of_any_script_comes_back_as_it_was(store: Backend) -> None:
    texts = ["訂單編號 4821,下週五", "👩‍👩‍👧 gerne", "", "e\u0301 'quoted\" \\ %s\n", "漢" * 10_000]

    await record(store, *(said(position, text) for position, text in enumerate(texts)))

    view = await store.call(TENANT, "c1")
    assert view is not None
    assert [turn.text for turn in view.turns] == texts


async def what_no_file_can_hold_is_replaced_and_the_turn_kept(store: Backend) -> None:
    await record(store, said(0, "call \ud83d me \udc00 at\0 five"))

    view = await store.call(TENANT, "c1")

    assert view is not None
    assert view.turns[0].text == "call \ufffd me \ufffd at\ufffd five"


async def a_handle_of_ten_thousand_characters_is_a_handle(store: Backend) -> None:
    handle = Handle(HandleKind.WEB, "w" * 10_000)

    await record(store, opened(handles=(handle,)), said(0))

    (view,) = await store.unsettled(TENANT, caller_id=None, handles=[handle])
    assert view.call.handles == (handle,)


async def calls_are_listed_newest_first(store: Backend) -> None:
    for hour in (2, 1, 3):
        at = START_AT + timedelta(hours=hour)
        await record(store, opened(f"c{hour}", started_at=at))
    await attach(store, "c1")
    await attach(store, "c2")

    assert [call.id for call in await store.calls(TENANT)] == ["c3", "c2", "c1"]
    assert [call.id for call in await store.calls(TENANT, limit=2)] == ["c3", "c2"]
    assert [call.id for call in await store.calls(TENANT, caller_id="dana")] == ["c2", "c1"]


async def unsettled_calls_are_found_by_caller_and_by_handle_oldest_first(store: Backend) -> None:
    other = Handle(HandleKind.PHONE, "+15550000000")
    for call_id, hour, handle in (("c2", 2, other), ("c1", 1, DANA), ("c3", 3, other)):
        at = START_AT - timedelta(hours=4 - hour)
        await record(store, opened(call_id, started_at=at, handles=(handle,)))
        await record(store, said(0, call_id=call_id))
    await attach(store, "c2")

    by_both = await store.unsettled(TENANT, caller_id="dana", handles=[DANA])
    by_caller = await store.unsettled(TENANT, caller_id="dana", handles=[])
    by_handle = await store.unsettled(TENANT, caller_id=None, handles=[other, DANA])

    assert [view.call.id for view in by_both] == ["c1", "c2"]
    assert [view.call.id for view in by_caller] == ["c2"]
    assert [view.call.id for view in by_handle] == ["c1", "c2", "c3"]
    assert [turn.text for turn in by_both[0].turns] == ["yes"]


async def a_call_is_settled_when_all_its_jobs_are_done(store: Backend) -> None:
    await record(store, opened(), said(0), ended())
    extraction = await leased(store)

    await store.settle(extraction, ())
    with_summary_open = await store.unsettled(TENANT, caller_id=None, handles=[DANA])
    await settle_all(store)

    assert [view.call.id for view in with_summary_open] == ["c1"]
    assert await store.unsettled(TENANT, caller_id=None, handles=[DANA]) == ()


async def a_call_that_has_not_ended_is_unsettled_though_all_its_jobs_are_done(
    store: Backend,
) -> None:
    await record(store, opened("c1"), said(0, call_id="c1"), opened("c2"), opened("c3"))
    await record(store, ended("c3"))
    await settle_all(store)
    await attach(store, "c2")
    await attach(store, "c3")

    by_handle = await store.unsettled(TENANT, caller_id=None, handles=[DANA])
    by_caller = await store.unsettled(TENANT, caller_id="dana", handles=[])

    assert [(view.call.id, len(view.turns)) for view in by_handle] == [("c1", 1), ("c2", 0)]
    assert [view.call.id for view in by_caller] == ["c2"]


async def the_call_that_asks_is_not_among_the_unsettled(store: Backend) -> None:
    await record(store, opened("c1"), said(0, call_id="c1"), opened("c2"), said(0, call_id="c2"))
    await attach(store, "c1")
    await attach(store, "c2")

    for_2 = await store.unsettled(TENANT, caller_id="dana", handles=[DANA], besides="c2")

    assert [view.call.id for view in for_2] == ["c1"]


async def nobody_has_no_unsettled_calls(store: Backend) -> None:
    await record(store, opened(handles=()), said(0))

    assert await store.unsettled(TENANT, caller_id=None, handles=[]) == ()


async def a_call_that_is_not_there_is_none(store: Backend) -> None:
    assert await store.call(TENANT, "c1") is None
    assert await store.calls(TENANT) == ()


async def jobs_come_with_what_they_follow_from(store: Backend) -> None:
    await record(store, opened())
    after_opening = await store.open_count()
    await record(store, said(0), said(1), said(2))
    after_turns = await store.open_count()
    await record(store, ended())

    assert (after_opening, after_turns, await store.open_count()) == (0, 1, 2)
    job = await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS)
    assert job is not None
    assert (job.kind, job.tenant, job.call_id) == (JobKind.EXTRACT, TENANT, "c1")
    assert (job.attempts, job.reason) == (0, "")


def _refused(attempt: object) -> None:
    try:
        attempt()  # type: ignore[operator]
    except UsageError:
        return
    raise AssertionError("was not refused")
