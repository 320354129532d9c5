"""Facts end by themselves and words go when they are old, on a clock that is handed in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, CallHandle, Memory, MemorySettings, Role, Turn
from ringback.clock import SystemClock
from ringback.records import Status

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
DAY = timedelta(days=1)


class SetClock(SystemClock):
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = AT

    def now_at(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@asynccontextmanager
async def opened(path: Path, clock: SetClock, **bounds: int) -> AsyncIterator[Memory]:
    settings = MemorySettings(**bounds)
    url = f"sqlite:///{path / 'memory.db'}"
    async with await Memory.open(url, clock=clock, settings=settings) as memory:
        yield memory


async def called(memory: Memory, clock: SetClock, *lines: str) -> CallHandle:
    call = memory.ring(tenant="acme", at=clock.at)
    await call.identify("dana", Assurance.VERIFIED)
    await call.briefed()
    for line in lines:
        call.observe(Turn(Role.CALLER, line, at=clock.at))
    return call


async def test_an_appointment_is_told_until_it_is_over_and_marked_when_it_is_swept(tmp_path, clock):
    async with opened(tmp_path, clock) as memory:
        dana = memory.profile("acme", "dana")
        assert await (await called(memory, clock, "My appointment is on March 6th at 2 pm.")).end()
        (fact,) = await dana.facts()
        assert fact.expires_at is not None

        clock.at = fact.expires_at - timedelta(minutes=1)
        on_its_eve = (await called(memory, clock)).context().briefing
        clock.at = fact.expires_at
        after = (await called(memory, clock)).context().briefing
        found = (await dana.recall("When is my appointment?")).found
        swept = await memory.sweep()

        assert "The date agreed with the caller is 2026-03-06 at 14:00" in on_its_eve
        assert "The date agreed" not in after  # the last call was about it, and says so
        assert [one for one in found if one.fact is not None] == []
        assert swept.facts_expired == 1
        assert await dana.facts() == ()
        assert [one.status for one in await dana.facts(with_history=True)] == [Status.EXPIRED]


async def test_sweeping_every_night_ends_nothing_that_has_not_expired(tmp_path, clock):
    async with opened(tmp_path, clock) as memory:
        dana = memory.profile("acme", "dana")
        for place in range(100):
            await dana.remember(f"item {place} is on shelf {place % 7}", key="open_matter")
        before = {fact.id for fact in await dana.facts()}

        for _ in range(7):
            clock.at += DAY
            await memory.sweep()

        assert {fact.id for fact in await dana.facts()} == before
        assert len(before) == 100


async def test_old_words_go_and_what_was_made_of_them_stays(tmp_path, clock):
    async with opened(tmp_path, clock, words_days=30) as memory:
        dana = memory.profile("acme", "dana")
        call = await called(memory, clock, "My account number is 4821.", "It is zanzibarite.")
        assert await call.end()

        clock.at += 29 * DAY
        assert (await memory.sweep()).turns_deleted == 0
        clock.at += 2 * DAY
        swept = await memory.sweep()

        assert swept.turns_deleted == 2
        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.turns == ()
        assert "4821" in {fact.value for fact in await dana.facts()}
        assert (await dana.recall("zanzibarite")).found == ()


async def test_words_are_kept_where_nobody_says_how_long(tmp_path, clock):
    async with opened(tmp_path, clock) as memory:
        call = await called(memory, clock, "My account number is 4821.")
        assert await call.end()

        clock.at += 4000 * DAY

        assert (await memory.sweep()).turns_deleted == 0


async def test_what_nobody_speaks_of_fades_from_the_briefing_but_not_from_an_answer(
    tmp_path, clock
):
    async with opened(tmp_path, clock) as memory:
        dana = memory.profile("acme", "dana")
        await dana.remember("six in the evening", key="contact_time")

        clock.at += 365 * DAY
        in_a_year = (await called(memory, clock)).context().briefing
        clock.at += 40 * 365 * DAY
        in_forty = (await called(memory, clock)).context().briefing
        answer = await dana.recall("contact time")

        assert "six in the evening" in in_a_year
        assert "six in the evening" not in in_forty
        assert [one.fact.value for one in answer.found if one.fact] == ["six in the evening"]


async def test_a_memory_sweeps_by_itself(tmp_path, clock):
    async with opened(tmp_path, clock) as memory:
        assert await (await called(memory, clock, "My appointment is on March 6th at 2 pm.")).end()
    clock.at += 30 * DAY

    async with opened(tmp_path, clock) as memory:
        dana = memory.profile("acme", "dana")
        async with asyncio.timeout(20):
            while await dana.facts():
                pass  # each read lets the sweeper go on

        assert [one.status for one in await dana.facts(with_history=True)] == [Status.EXPIRED]
