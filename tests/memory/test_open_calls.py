"""What a call is told of others of its caller that have not ended, and of nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, CallHandle, Memory, Role, Turn
from ringback.background.preload import build_briefing
from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.clock import SystemClock
from ringback.live.call import SEEN_TURNS
from ringback.protocols import CallOpened, TurnObserved
from ringback.records import (
    Action,
    Briefing,
    Call,
    Decision,
    Handle,
    HandleKind,
    Status,
)
from ringback.schemas.support import SUPPORT
from ringback.stores import MemoryStore, SqliteSettings, SqliteStore
from ringback.stores.sqlite import callers
from ringback.stores.sqlite.connection import open_reader, open_writer, transaction
from ringback.stores.sqlite.known import known
from tests.stores.made import count, locked

pytestmark = pytest.mark.framework

DANA = [("phone", "+1 555 010 0199")]
DANAS = Handle(HandleKind.PHONE, "+15550100199")
AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
INCOMPLETE = "An earlier call is not fully on record yet."


def caller(text: str, minute: int = 0) -> Turn:
    return Turn(Role.CALLER, text, at=AT + timedelta(minutes=minute))


def said(call_id: str, position: int, text: str, minute: int = 0) -> TurnObserved:
    at = AT + timedelta(minutes=minute)
    return TurnObserved("acme", call_id, Turn(Role.CALLER, text, at, position))


def opened(call_id: str, handles: Sequence[Handle] = (DANAS,)) -> CallOpened:
    return CallOpened(Call(call_id, "acme", AT, handles=tuple(handles)))


async def rung(memory: Memory, handles=DANA, **options) -> CallHandle:
    call = memory.ring(tenant="acme", handles=handles, **options)
    await call.briefed()
    return call


async def briefing_of(store: MemoryStore | SqliteStore, call: Call) -> Briefing:
    thinking = Thinking()
    try:
        briefing, _ = await build_briefing(
            store, call, SUPPORT, now_at=AT, recent_turns=6, thinking=thinking
        )
        return briefing
    finally:
        thinking.close()


async def test_a_call_that_is_open_on_another_line_is_told_of_as_not_fully_on_record():
    async with await Memory.open("memory:") as memory:
        first = await rung(memory)
        first.observe(caller("My internet has dropped every evening since Tuesday."))
        await memory.settle()

        second = await rung(memory)

        assert await memory.keeping.open_count() == 0
        briefing = second.context().briefing
        assert 'said earlier: "My internet has dropped every evening since Tuesday."' in briefing
        assert INCOMPLETE in briefing


async def test_a_call_is_not_told_of_itself_when_it_is_briefed_again():
    async with await Memory.open("memory:") as memory:
        call = await rung(memory)
        call.observe(caller("My internet has dropped every evening since Tuesday."))
        await memory.settle()

        await call.identify("customer-17", Assurance.VERIFIED)
        await call.briefed()

        assert "said earlier" not in call.context().briefing
        assert INCOMPLETE not in call.context().briefing


async def test_a_caller_whose_calls_have_all_ended_has_a_complete_briefing():
    async with await Memory.open("memory:") as memory:
        first = await rung(memory)
        first.observe(caller("My internet has dropped every evening since Tuesday."))
        await first.end()

        second = await rung(memory)

        assert INCOMPLETE not in second.context().briefing


async def test_a_line_on_which_nothing_was_said_makes_nobody_known():
    store = MemoryStore()
    store.record_nowait(opened("c1"))

    briefing = await briefing_of(store, Call("c2", "acme", AT, handles=(DANAS,)))

    assert briefing == Briefing(Assurance.UNKNOWN, is_complete=False)


async def test_another_callers_open_call_from_the_same_number_is_not_told_of():
    store = MemoryStore()
    for entry in (opened("c1"), said("c1", 0, "My account number is 4821.")):
        store.record_nowait(entry)
    await store.attach("acme", "c1", caller_id="aurelio", assurance=Assurance.VERIFIED)
    await store.attach("acme", "c2", caller_id="beatrix", assurance=Assurance.VERIFIED)
    view = await store.call("acme", "c2")
    assert view is not None

    asking = replace(view.call, handles=(DANAS,))

    assert await briefing_of(store, asking) == Briefing(Assurance.VERIFIED, "beatrix")


async def test_a_caller_who_is_attached_while_a_briefing_is_read_is_nobody_throughout(
    tmp_path: Path,
):
    asking = Call("c2", "acme", AT, handles=(DANAS,))
    async with await SqliteStore.open(tmp_path / "m.db") as store:
        for entry in (opened("c1"), said("c1", 0, "My account number is 4821.")):
            store.record_nowait(entry)
        await store.flush()
        with (
            closing(open_reader(tmp_path / "m.db")) as reading,
            closing(open_writer(tmp_path / "m.db", SqliteSettings(), SystemClock())) as writing,
        ):
            wanted = callers.Attachment("acme", "c1", "dana", Assurance.CLAIMED, (DANAS,))

            def attach_meanwhile(statement: str) -> None:
                if "FROM call" in statement and not writing.in_transaction:  # nobody was found
                    with transaction(writing):
                        callers.attach(writing, wanted, now_at=AT)

            with transaction(reading, "DEFERRED"):
                assert not reading.execute("SELECT 1 FROM caller").fetchall()
                reading.set_trace_callback(attach_meanwhile)
                during = known(reading, asking, is_behind=False)
                reading.set_trace_callback(None)

        after = await store.known(asking)

    assert during.caller is None
    assert [view.call.caller_id for view in during.unsettled] == [None]
    assert after.caller is not None
    assert [view.call.caller_id for view in after.unsettled] == ["dana"]


async def test_a_fact_that_was_retired_is_not_read_again_from_a_call_that_goes_on():
    store = MemoryStore()
    for entry in (opened("c1"), said("c1", 0, "My account number is 4821.")):
        store.record_nowait(entry)
    await store.attach("acme", "c1", caller_id="dana", assurance=Assurance.CLAIMED)
    view = await store.call("acme", "c1")
    assert view is not None
    (learnt,) = read_call(view, (), SUPPORT, AT)
    job = await store.lease(now_at=AT, lease_ms=1_000)
    assert job is not None
    assert learnt.fact is not None
    await store.settle(job, [learnt])
    asking = Call("c2", "acme", AT, handles=(DANAS,), caller_id="dana")
    before = await briefing_of(store, asking)

    retired = replace(learnt.fact, status=Status.RETIRED)
    retirement = Decision(Action.SKIP, "retired", learnt.candidate, superseded=retired)
    store.record_nowait(said("c1", 1, "No, forget that."))
    job = await store.lease(now_at=AT, lease_ms=1_000)
    assert job is not None
    await store.settle(job, [retirement])

    after = await briefing_of(store, asking)
    assert [fact.value for fact in before.facts] == ["4821"]
    assert after.facts == ()
    assert [turn.text for turn in after.recent][-1] == "No, forget that."


async def test_entries_that_another_process_spilled_may_be_this_callers(tmp_path: Path):
    file = tmp_path / "m.db"
    async with (
        await SqliteStore.open(file) as elsewhere,
        await SqliteStore.open(file) as here,
    ):
        with locked(file):
            await elsewhere.record_nowait(opened("c1")).committed()

            danas = await briefing_of(here, Call("c2", "acme", AT, handles=(DANAS,)))
            nobodys = await briefing_of(here, Call("c3", "acme", AT))

        assert not danas.is_complete
        assert nobodys.is_complete


async def test_two_calls_of_one_caller_at_once_keep_both_facts_and_two_summaries(tmp_path: Path):
    file = tmp_path / "m.db"
    async with await Memory.open(f"sqlite:///{file}") as memory:
        first, second = await rung(memory), await rung(memory)
        first.observe(caller("My new address is 9 Quill Lane."))
        second.observe(caller("My email is dana at example dot org."))

        has_settled = await asyncio.gather(first.end(), second.end())

        (person,) = await memory.keeping.callers("acme")
        facts = await memory.keeping.facts("acme", caller_id=person.id)
        third = await rung(memory)
    assert has_settled == [True, True]
    assert {(fact.key, fact.value) for fact in facts} == {
        ("address", "9 Quill Lane"),
        ("email", "dana@example.org"),
    }
    assert {fact.call_id for fact in facts} == {first.call.id, second.call.id}
    assert count(file, "summary") == 2
    assert INCOMPLETE not in third.context().briefing


async def test_two_calls_of_one_caller_at_once_have_each_their_own_history():
    async with await Memory.open("memory:") as memory:
        first, second = await rung(memory), await rung(memory)
        for minute in range(SEEN_TURNS + 1):
            first.observe(caller("My account number is 4821." if not minute else "Yes.", minute))
            second.observe(caller("Please send me a text." if not minute else "Yes.", minute))
        await memory.settle()
        await first.briefed()
        await second.briefed()

        assert "4821" in first.context().block
        assert "text" not in first.context().block
        assert "text" in second.context().block
        assert "4821" not in second.context().block


async def test_what_another_line_says_stays_apart_from_what_this_call_says():
    async with await Memory.open("memory:") as memory:
        first = await rung(memory)
        first.observe(caller("My account number is 4821."))
        await memory.settle()

        second = await rung(memory)

        assert 'said earlier: "My account number is 4821."' in second.context().briefing
        assert second.context().block == ""
        view = await memory.keeping.call("acme", second.call.id)
        assert view is not None
        assert view.turns == ()
