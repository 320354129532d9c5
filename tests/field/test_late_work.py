"""Work that began before something changed neither undoes the change nor brings back what went."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ringback import Memory, MemorySettings, UsageError
from ringback.background import reading
from ringback.background.reading import decided
from ringback.core.alignment import OfferedTurn
from ringback.protocols import Generator
from ringback.records import Role
from ringback.schemas import GENERAL
from tests.field.made import AT, current, dana, danas, summary_of, talk, turn

pytestmark = pytest.mark.framework

BIRTHDAY = "My birthday is 5 May 1980."
HEATING = "My heating has been broken since Sunday."
HURRY = MemorySettings(drain_ms=50, first_pause_ms=1)


class HeldGenerator:
    """A language model that answers when it is let go."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.may_go = asyncio.Event()

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        self.has_begun.set()
        await self.may_go.wait()
        return "The caller was born on 5 May 1980 and reported that the heating is broken."


class HeldReading:
    """Reads calls in its thread as the settler does, but answers when it is let go."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.may_go = threading.Event()

    def __call__(self, *about: object) -> object:
        read = decided(*about)  # type: ignore[arg-type]
        self.has_begun.set()
        assert self.may_go.wait(20)
        return read


@asynccontextmanager
async def opened(url: str, generator: Generator | None = None) -> AsyncIterator[Memory]:
    async with await Memory.open(
        url, schema=GENERAL, generator=generator, settings=HURRY
    ) as memory:
        yield memory


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch):
    """The next readings of calls, held back."""
    held_reading = HeldReading()
    monkeypatch.setattr(reading, "decided", held_reading)
    yield held_reading
    held_reading.may_go.set()


async def is_reading(held: HeldReading) -> None:
    assert await asyncio.to_thread(held.has_begun.wait, 20)


async def test_a_slow_summary_keeps_what_was_learnt_and_what_was_forgotten_meanwhile(url: str):
    model = HeldGenerator()
    async with opened(url, model) as memory:
        profile = dana(memory)
        first = await danas(memory)
        for line in (f"c: {BIRTHDAY}", f"c: {HEATING}"):
            first.observe(turn(line))
        assert not await first.end()
        await model.has_begun.wait()

        second = await danas(memory)
        second.observe(turn("c: I live in Lisbon."))
        await profile.remember("gate code changed to Heron")
        (birthday,) = [fact for fact in await profile.facts() if fact.key == "birthday"]
        await profile.forget(fact=birthday.id)
        model.may_go.set()
        await second.end()
        await memory.settle()

        kept = await current(profile)
        assert ("note", "gate code changed to Heron") in kept
        assert ("home_town", "Lisbon") in kept
        assert "birthday" not in {key for key, _ in kept}
        looks = await profile.verify_forgotten(["1980-05-05", "5 May 1980"])
        assert all(look.is_clean for look in looks), looks
        view = await memory.keeping.call("acme", first.call.id)
        assert view is not None
        assert view.turns[1].text == HEATING


@pytest.mark.parametrize("what", ["call", "everything"])
async def test_a_slow_summary_of_a_call_that_was_forgotten_meanwhile_is_never_written(
    url: str, what: str
):
    model = HeldGenerator()
    async with opened(url, model) as memory:
        profile = dana(memory)
        call = await danas(memory)
        call.observe(turn(f"c: {BIRTHDAY}"))
        assert not await call.end()
        await model.has_begun.wait()

        await (
            profile.forget(call=call.call.id) if what == "call" else profile.forget(everything=True)
        )
        model.may_go.set()
        await memory.settle()

        assert await memory.keeping.call("acme", call.call.id) is None
        assert await summary_of(memory) == ""
        assert await profile.facts(with_history=True) == ()
        looks = await profile.verify_forgotten(["1980", "birthday"])
        assert all(look.is_clean for look in looks), looks


async def test_facts_that_the_application_writes_while_a_call_is_being_read_stand_beside_it(
    url: str, held: HeldReading
):
    async with opened(url) as memory:
        profile = dana(memory)
        call = await danas(memory)
        call.observe(turn("c: I live in Lisbon."))
        await is_reading(held)

        await profile.remember("Faro", key="home_town")
        await profile.remember("gate code changed to Heron")
        held.may_go.set()
        await memory.settle()

        assert await current(profile) == [
            ("home_town", "Faro"),
            ("note", "gate code changed to Heron"),
        ]


@pytest.mark.parametrize("what", ["fact", "call", "everything"])
async def test_a_slow_reading_brings_back_nothing_that_was_forgotten_meanwhile(
    url: str, held: HeldReading, what: str
):
    held.may_go.set()
    async with opened(url) as memory:
        profile = dana(memory)
        call = await danas(memory)
        call.observe(turn(f"c: {BIRTHDAY}"))
        await memory.settle()
        (birthday,) = await profile.facts()
        held.may_go.clear()
        held.has_begun.clear()
        call.observe(turn(f"c: {HEATING}"))
        await is_reading(held)

        asked: dict = {
            "fact": {"fact": birthday.id},
            "call": {"call": call.call.id},
            "everything": {"everything": True},
        }
        await profile.forget(**asked[what])
        held.may_go.set()
        await call.end()
        await memory.settle()

        keys = {key for key, _ in await current(profile)}
        assert keys == ({"open_matter"} if what == "fact" else set())
        looks = await profile.verify_forgotten(["1980-05-05", "5 May 1980"])
        assert all(look.is_clean for look in looks), looks


async def test_a_reading_that_waits_in_the_queue_is_not_done_once_its_caller_is_erased(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    async with opened(url) as memory:
        profile = dana(memory)

        async def nothing_is_leased(**_: object) -> None:
            return None

        with monkeypatch.context() as held:
            held.setattr(memory.keeping, "lease", nothing_is_leased)
            call = await danas(memory)
            await call.observe(turn(f"c: {BIRTHDAY}")).committed()
            await profile.ingest([OfferedTurn(Role.CALLER, HEATING, at=AT)])
            await profile.forget(everything=True)
        call.observe(turn("c: I live in Lisbon."))
        await call.end()
        await memory.settle()

        assert await profile.facts(with_history=True) == ()
        assert await memory.keeping.calls("acme") == ()
        assert await memory.keeping.caller("acme", "dana") is None
        assert await memory.keeping.open_count() == 0


async def test_an_id_of_a_forgotten_fact_neither_corrects_nor_retires_anything(url: str):
    async with opened(url) as memory:
        await talk(memory, f"c: {BIRTHDAY}")
        profile = dana(memory)
        (birthday,) = await profile.facts()
        await profile.forget(fact=birthday.id)

        with pytest.raises(UsageError, match="no fact"):
            await profile.correct(birthday.id, "1980-05-06")
        with pytest.raises(UsageError, match="no fact"):
            await profile.retire(birthday.id)

        assert await profile.facts(with_history=True) == ()
        assert not any(one.fact for one in (await profile.recall("birthday")).found)
