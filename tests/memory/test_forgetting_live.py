"""Forgetting while calls go on, here and in another process, and while work is under way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ringback import (
    Assurance,
    CallHandle,
    Memory,
    MemorySettings,
    OfferedTurn,
    Role,
    Turn,
    UsageError,
)
from ringback.errors import StoreUnavailableError
from ringback.profile import Profile
from ringback.protocols import Known

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
UNKNOWN = "There are no notes about this caller, who is unknown."
PATIENCE_S = 20
PHONE = ("phone", "+15550100199")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'memory.db'}"


@pytest.fixture
async def memory(url: str) -> AsyncIterator[Memory]:
    async with await Memory.open(url) as opened:
        yield opened


@pytest.fixture
async def dana(memory: Memory) -> Profile:
    """A caller of whom one call is kept."""
    call = await on_the_line(memory, "call-1")
    say(call, "This is Dana Whitfield.", "My account number is 4821.")
    assert await call.end()
    return memory.profile("acme", "dana")


async def on_the_line(memory: Memory, call_id: str) -> CallHandle:
    call = memory.ring(tenant="acme", call_id=call_id)
    await call.identify("dana", Assurance.VERIFIED)
    await call.briefed()
    return call


def say(call: CallHandle, *lines: str) -> None:
    for line in lines:
        call.observe(Turn(Role.CALLER, line, at=AT))


async def fact_id(profile: Profile, key: str) -> str:
    (found,) = [fact.id for fact in await profile.facts() if fact.key == key]
    return found


async def test_a_call_that_goes_on_knows_a_forgotten_fact_no_more(memory: Memory, dana: Profile):
    call = await on_the_line(memory, "call-2")
    assert "4821" in call.context().briefing

    await dana.forget(fact=await fact_id(dana, "account_number"))
    at_once = call.context()
    await call.briefed()

    assert "4821" not in at_once.briefing + at_once.block
    assert "4821" not in call.context().briefing
    assert "Dana Whitfield" in call.context().briefing


async def test_a_call_knows_a_forgotten_fact_no_more_though_nothing_can_be_read_again(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch
):
    call = await on_the_line(memory, "call-2")

    async def fails(*_: object) -> Known:
        raise StoreUnavailableError("the disk is gone")

    monkeypatch.setattr(memory.keeping, "known", fails)
    await dana.forget(fact=await fact_id(dana, "account_number"))
    await call.briefed()

    assert call.context().briefing == UNKNOWN


async def test_a_call_of_somebody_who_is_forgotten_goes_on_as_an_unknown_callers(
    memory: Memory, dana: Profile
):
    call = await on_the_line(memory, "call-2")

    erased = await dana.forget(everything=True)
    say(call, "My account number is 4821.")
    await call.briefed()
    assert await call.end()  # there is nothing to wait for
    await memory.settle()

    assert erased.is_clean
    assert call.context().briefing == UNKNOWN
    assert await memory.keeping.caller("acme", "dana") is None
    assert await memory.keeping.residue(["4821", "whitfield"]) == 0


async def test_a_call_in_another_process_knows_a_forgotten_fact_no_more(
    url: str, memory: Memory, dana: Profile
):
    settings = MemorySettings(poll_ms=20)
    async with await Memory.open(url, settings=settings) as other:
        call = await on_the_line(other, "call-2")
        assert "4821" in call.context().briefing

        await dana.forget(fact=await fact_id(dana, "account_number"))

        async with asyncio.timeout(PATIENCE_S):
            while "4821" in call.context().briefing:  # noqa: ASYNC110 - of another process
                await asyncio.sleep(0.02)
        await call.briefed()
        assert "Dana Whitfield" in call.context().briefing


async def test_a_caller_who_was_forgotten_may_become_known_again(memory: Memory, dana: Profile):
    await dana.forget(everything=True)

    call = await on_the_line(memory, "call-2")
    say(call, "This is Dana Whitfield.")
    assert await call.end()

    assert [fact.value for fact in await dana.facts()] == ["Dana Whitfield"]


async def test_a_correction_reaches_a_call_that_goes_on(memory: Memory, dana: Profile):
    call = await on_the_line(memory, "call-2")

    await dana.correct(await fact_id(dana, "account_number"), "4822")
    await call.briefed()

    assert "4822" in call.context().briefing
    assert "4821" not in call.context().briefing


async def test_work_under_way_brings_nothing_back(memory: Memory, dana: Profile):
    call = await on_the_line(memory, "call-2")
    job_comes_late = call.observe(Turn(Role.CALLER, "Account 4821 is down again.", at=AT))
    await job_comes_late.committed()
    leased = await memory.keeping.lease(now_at=datetime.now(UTC), lease_ms=60_000)

    await dana.forget(call="call-2")
    if leased is not None:
        await memory.keeping.settle(leased, ())
    say(call, "As I said: account 4821.")
    await call.end()
    await memory.settle()

    assert await memory.keeping.call("acme", "call-2") is None
    assert [fact.call_id for fact in await dana.facts() if fact.key == "account_number"] == [
        "call-1"
    ]


async def test_forgetting_takes_exactly_one_thing(dana: Profile):
    for nothing_clear in ({}, {"fact": "f", "call": "c"}, {"fact": "f", "everything": True}):
        with pytest.raises(UsageError, match="forget"):
            await dana.forget(**nothing_clear)


async def test_what_still_answers_is_said(memory: Memory, dana: Profile):
    looks = {look.path: look for look in await dana.verify_forgotten(["4821"])}

    assert not looks["facts"].is_clean
    assert not looks["history"].is_clean
    assert not looks["files"].is_clean
    assert looks["facts"].detail
    assert not any("4821" in look.detail for look in looks.values())


async def test_words_that_nobody_said_are_nowhere(dana: Profile):
    assert all(look.is_clean for look in await dana.verify_forgotten(["zanzibarite"]))


async def test_a_marker_word_is_found_wherever_it_stands(memory: Memory, dana: Profile):
    call = await on_the_line(memory, "call-2")
    say(call, "There is something about zanzibarite.")
    await call.end()

    looks = {look.path: look.is_clean for look in await dana.verify_forgotten(["zanzibarite"])}

    assert not looks["history"]
    assert not looks["export"]
    assert not looks["files"]


async def test_a_time_or_an_id_that_holds_the_same_digits_is_not_taken_for_an_answer():
    class Standing:
        def now_ms(self) -> float:
            return 0.0

        def now_at(self) -> datetime:
            return AT.replace(microsecond=482_155)

    async with await Memory.open("memory:", clock=Standing()) as memory:
        dana = memory.profile("acme", "dana")
        await dana.ingest([OfferedTurn(Role.CALLER, "My account number is 4821.")])
        await memory.settle()

        erased = await dana.forget(fact=await fact_id(dana, "account_number"))

        assert "482155" in json.dumps(await dana.export())
        assert erased.is_clean, erased.looks


async def test_an_id_that_names_what_was_forgotten_still_answers(memory: Memory):
    profile = memory.profile("acme", "customer-4821")
    await profile.remember("Prefers the window seat.", key="open_matter")

    looks = {look.path: look for look in await profile.verify_forgotten(["4821"])}

    assert not looks["export"].is_clean


class Held:
    """Has a read of the store done, and hands its first answer out late."""

    def __init__(self, read: Callable[..., Awaitable[Any]]) -> None:
        self._read = read
        self._is_first = True
        self.has_read = asyncio.Event()
        self.may_go_on = asyncio.Event()

    async def __call__(self, *asked: object, **named: object) -> Any:
        is_first, self._is_first = self._is_first, False
        answer = await self._read(*asked, **named)
        if is_first:
            self.has_read.set()
            await self.may_go_on.wait()
        return answer


async def test_a_call_that_rings_while_its_caller_is_forgotten_is_told_nothing_of_them(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    first = memory.ring(tenant="acme", handles=[PHONE])
    await first.identify("dana", Assurance.CLAIMED, handles=[PHONE])
    say(first, "This is Dana Whitfield.")
    assert await first.end()
    held = Held(memory.keeping.known)
    monkeypatch.setattr(memory.keeping, "known", held)

    call = memory.ring(tenant="acme", handles=[PHONE])
    await held.has_read.wait()
    await memory.profile("acme", "dana").forget(everything=True)
    held.may_go_on.set()
    await call.briefed()

    assert call.call.caller_id is None
    assert "Whitfield" not in call.context().briefing


async def test_what_is_being_read_of_a_call_that_is_forgotten_is_not_put_back(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch
):
    call = await on_the_line(memory, "call-2")
    say(call, "My email is dana at example dot org.", *["Let me see."] * 9)
    await memory.settle()
    await call.briefed()
    held = Held(memory.keeping.facts)
    monkeypatch.setattr(memory.keeping, "facts", held)

    memory._switchboard.changed("acme", "dana")
    await held.has_read.wait()
    before = call.context().block
    await dana.forget(call="call-2")
    held.may_go_on.set()
    await call.briefed()

    assert "dana@example.org" in before
    assert "dana@example.org" not in call.context().block
