"""Times are compared as instants, wherever they were written; one without a zone is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from ringback import Memory, Role, Turn, UsageError
from ringback.core.alignment import OfferedTurn
from ringback.profile import Profile
from ringback.records import Source, Status
from ringback.schemas import GENERAL
from tests.field.made import AT, SetClock, current, dana, danas, past

pytestmark = pytest.mark.framework

EAST, WEST = timezone(timedelta(hours=9)), timezone(timedelta(hours=-6))


async def moved(source: Profile, target: Profile) -> None:
    """Take current facts over through an export that was plain text in between."""
    for fact in json.loads(json.dumps(await source.export()))["facts"]:
        if fact["status"] in ("active", "provisional"):
            since = datetime.fromisoformat(fact["valid_from"])
            await target.remember(fact["value"], key=fact["key"], valid_from=since)


@pytest.mark.parametrize("way", ["from a file", "to a file"])
async def test_a_fact_of_another_back_end_is_superseded_in_order(tmp_path: Path, way: str):
    urls = [f"sqlite:///{tmp_path / 'm.db'}", "memory:"]
    clock = SetClock()
    async with (
        await Memory.open(urls[way == "to a file"], schema=GENERAL, clock=clock) as old,
        await Memory.open(urls[way != "to a file"], schema=GENERAL, clock=clock) as new,
    ):
        since = datetime(2020, 1, 1, 8, tzinfo=EAST)
        await dana(old).remember("Porto", key="home_town", valid_from=since)
        await moved(dana(old), dana(new))
        clock.at += timedelta(hours=1)
        await dana(new).remember("Lisbon", key="home_town")

        assert await current(dana(new)) == [("home_town", "Lisbon")]
        assert await past(dana(new)) == [("home_town", "Porto")]
        (porto, lisbon) = await dana(new).facts(with_history=True)
        assert porto.valid_from == since
        assert porto.valid_to == lisbon.valid_from == clock.at
        for fact in (porto, lisbon):
            assert fact.valid_from is not None
            assert fact.valid_from.tzinfo is UTC


async def test_of_two_calls_the_later_instant_counts_whatever_its_clock_shows(url: str):
    earlier = AT.astimezone(EAST)  # tomorrow, by the date that it shows
    later = (AT + timedelta(hours=1)).astimezone(WEST)
    assert later.date() < earlier.date()
    async with await Memory.open(url, schema=GENERAL) as memory:
        for at, town in ((later, "Lisbon"), (earlier, "Porto")):
            call = await danas(memory, at=at)
            call.observe(Turn(Role.CALLER, f"I live in {town}.", at=at))
            await call.end()
        await memory.settle()

        assert await current(dana(memory)) == [("home_town", "Lisbon")]


async def test_a_time_without_a_zone_is_refused_and_nothing_is_kept_of_it(url: str):
    naive = AT.replace(tzinfo=None)
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        call = await danas(memory)

        with pytest.raises(UsageError, match="zone"):
            await profile.remember("Porto", key="home_town", valid_from=naive)
        with pytest.raises(UsageError, match="zone"):
            call.observe(Turn(Role.CALLER, "I live in Porto.", at=naive))
        with pytest.raises(UsageError, match="zone"):
            memory.ring(tenant="acme", at=naive)
        with pytest.raises(UsageError, match="zone"):
            OfferedTurn(Role.CALLER, "I live in Porto.", at=naive)
        await call.observe(Turn(Role.CALLER, "I live in Lisbon.", at=AT)).committed()
        await memory.settle()

        facts = await profile.facts(with_history=True)
        assert [(fact.value, fact.source, fact.status) for fact in facts] == [
            ("Lisbon", Source.CALLER, Status.ACTIVE)
        ]
