"""Calls that nobody ended are ended in time; one that goes on after all loses nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Memory, MemorySettings, Role, Turn
from ringback.background.closing import BATCH, close_abandoned
from ringback.clock import SystemClock
from ringback.protocols import CallOpened, TurnObserved
from ringback.records import Call, JobKind
from ringback.stores import MemoryStore

pytestmark = pytest.mark.framework

DANA = [("phone", "+1 555 010 0199")]
AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


class HandClock(SystemClock):
    """Stands still, and is moved by hand."""

    def __init__(self, minute: int = 0) -> None:
        self.minute = minute

    def now_at(self) -> datetime:
        return AT + timedelta(minutes=self.minute)


def caller(text: str, minute: int = 0) -> Turn:
    return Turn(Role.CALLER, text, at=AT + timedelta(minutes=minute))


async def ended_at(memory: Memory, call_id: str) -> datetime | None:
    view = await memory.keeping.call("acme", call_id)
    assert view is not None
    return view.call.ended_at


async def end_of(store: MemoryStore, call_id: str) -> datetime | None:
    view = await store.call("acme", call_id)
    assert view is not None
    return view.call.ended_at


async def test_a_cut_off_call_ends_with_its_last_turn_or_with_its_opening():
    store = MemoryStore()
    for call_id in ("spoken", "silent"):
        store.record_nowait(CallOpened(Call(call_id, "acme", AT)))
    for position, minute in enumerate((1, 4)):
        turn = Turn(Role.CALLER, "yes", AT + timedelta(minutes=minute), position)
        store.record_nowait(TurnObserved("acme", "spoken", turn))

    closed = await close_abandoned(store, quiet_since=AT + timedelta(minutes=5), open_here=())

    assert closed == 2
    assert await end_of(store, "spoken") == AT + timedelta(minutes=4)
    assert await end_of(store, "silent") == AT


async def test_more_cut_off_calls_than_one_look_ends_are_ended_by_the_next_ones():
    store = MemoryStore()
    for number in range(BATCH + 1):
        store.record_nowait(CallOpened(Call(f"c{number}", "acme", AT)))
    later = AT + timedelta(minutes=5)

    closed = [await close_abandoned(store, quiet_since=later, open_here=()) for _ in range(3)]

    assert closed == [BATCH, 1, 0]


async def test_many_calls_on_hold_here_do_not_hide_one_that_was_cut_off():
    store = MemoryStore()
    on_hold = {("acme", f"c{number}") for number in range(BATCH + 1)}
    for _, call_id in on_hold:
        store.record_nowait(CallOpened(Call(call_id, "acme", AT)))
    store.record_nowait(CallOpened(Call("cut", "acme", AT + timedelta(minutes=1))))

    closed = await close_abandoned(store, quiet_since=AT + timedelta(minutes=5), open_here=on_hold)

    assert closed == 1
    assert await end_of(store, "cut") == AT + timedelta(minutes=1)
    assert await end_of(store, "c0") is None


async def test_a_call_on_hold_in_this_process_is_left_alone():
    clock = HandClock()
    async with await Memory.open("memory:", clock=clock) as memory:
        call = memory.ring(tenant="acme", handles=DANA, call_id="held")
        call.observe(caller("My account number is 4821."))
        clock.minute = 60

        await memory.settle()

        assert await ended_at(memory, "held") is None


async def test_a_call_of_another_process_is_ended_after_as_long_as_the_setting_says(
    tmp_path: Path,
):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    settings = MemorySettings(abandoned_ms=120_000, drain_ms=50)
    async with await Memory.open(url, clock=HandClock(), settings=settings) as first:
        await first.ring(tenant="acme", call_id="c1").observe(caller("Yes.")).committed()
        clock = HandClock(minute=2)
        async with await Memory.open(url, clock=clock, settings=settings) as second:
            await second.settle()
            at_the_limit = await ended_at(second, "c1")
            clock.minute = 3
            await second.settle()

            assert at_the_limit is None
            assert await ended_at(second, "c1") == AT


async def test_a_call_that_was_taken_for_abandoned_goes_on_and_is_summarised_whole(
    tmp_path: Path,
):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    clock = HandClock()
    async with await Memory.open(url, clock=clock) as first:
        call = first.ring(tenant="acme", handles=DANA, call_id="c1")
        await call.observe(caller("My internet has dropped every evening.")).committed()
        async with await Memory.open(url, clock=HandClock(minute=20)) as second:
            await second.settle()
            too_early = await ended_at(second, "c1")
            (person,) = await second.keeping.callers("acme")
            of_the_start = await second.keeping.last_interaction("acme", person.id)

        clock.minute = 30
        call.observe(caller("My account number is 4821.", 30))
        has_settled = await call.end()

        last = await first.keeping.last_interaction("acme", person.id)
        facts = await first.keeping.facts("acme", caller_id=person.id)
        assert too_early == AT
        assert of_the_start is not None
        assert "internet" in of_the_start.text
        assert has_settled
        assert await ended_at(first, "c1") == AT + timedelta(minutes=30)
        assert last is not None
        assert "internet" in last.text
        assert "4821" in last.text
        assert {fact.value for fact in facts} >= {"4821"}


async def test_a_hang_up_waits_for_the_last_summary_though_there_was_one_in_mid_call(
    tmp_path: Path,
):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    clock = HandClock()
    async with await Memory.open(url, clock=clock) as first:
        call = first.ring(tenant="acme", handles=DANA, call_id="c1")
        await call.observe(caller("My internet has dropped every evening.")).committed()
        async with await Memory.open(url, clock=HandClock(minute=20)) as second:
            await second.settle()
            (person,) = await second.keeping.callers("acme")
        clock.minute = 30
        heard: list[JobKind] = []
        first.on_settled(lambda job, _: heard.append(job.kind))
        call.observe(caller("Hello again.", 30))
        await first.settle()
        in_mid_call = heard.count(JobKind.SUMMARISE)

        call.observe(caller("My account number is 4821.", 31))
        await call.end()

        last = await first.keeping.last_interaction("acme", person.id)
        assert in_mid_call == 1
        assert last is not None
        assert "4821" in last.text
