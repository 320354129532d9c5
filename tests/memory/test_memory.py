"""What an application sees of memory: open, ring, observe, context, identify, end, close."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, CallHandle, Memory, MemorySettings, Role, Turn, UsageError
from ringback.errors import ClosedError, InferenceUnavailableError, StoreUnavailableError
from ringback.records import JobKind, Sensitivity
from ringback.schemas import SUPPORT, Schema

pytestmark = pytest.mark.framework

DANA = [("phone", "+1 555 010 0199")]
AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


def caller(text: str, minute: int = 0) -> Turn:
    return Turn(Role.CALLER, text, at=AT + timedelta(minutes=minute))


def agent(text: str, minute: int = 0) -> Turn:
    return Turn(Role.AGENT, text, at=AT + timedelta(minutes=minute))


@asynccontextmanager
async def memory(url: str = "memory:", **options) -> AsyncIterator[Memory]:
    async with await Memory.open(url, **options) as opened:
        yield opened


async def rung(opened: Memory, handles=DANA, **options) -> CallHandle:
    call = opened.ring(tenant="acme", handles=handles, **options)
    await call.briefed()
    return call


async def test_ringing_returns_at_once_and_the_context_is_an_unknown_callers_until_briefed():
    async with memory() as opened:
        call = opened.ring(tenant="acme", handles=DANA)

        assert not call.has_briefing
        assert "unknown" in call.context().briefing.lower()
        assert call.context().block == ""


async def test_the_next_call_knows_what_the_last_one_said():
    async with memory() as opened:
        first = await rung(opened)
        first.observe(caller("This is Dana Whitfield speaking. My account number is 4821."))
        first.observe(agent("Thank you. I will send you a text on Friday."))
        assert await first.end()

        second = await rung(opened)

        briefing = second.context().briefing
        assert "4821" in briefing
        assert "Dana Whitfield" in briefing
        assert "text on Friday" in briefing
        assert second.call.assurance is Assurance.CLAIMED


async def test_what_the_call_said_a_while_ago_is_there_when_it_is_asked_for_again():
    async with memory() as opened:
        call = await rung(opened)
        call.observe(caller("This is Dana Whitfield. My account number is 4821."))
        await opened.settle()
        await call.briefed()
        just_said = call.context().block
        for minute in range(1, 11):
            call.observe(agent("I see.", minute))
        await opened.settle()
        await call.briefed()

        assert just_said == ""  # the model reads the last turns by itself
        assert "4821" in call.context().block
        assert "Dana Whitfield" in call.context().block


async def test_a_briefing_is_never_older_than_the_last_committed_turn(monkeypatch):
    async with memory() as opened:

        async def nothing_is_leased(**_: object) -> None:
            return None

        monkeypatch.setattr(opened.keeping, "lease", nothing_is_leased)
        first = await rung(opened)
        await first.observe(
            caller("This is Dana Whitfield. My account number is 4821.")
        ).committed()

        second = await rung(opened)

        assert "4821" in second.context().briefing


async def test_a_withheld_number_is_nobody_and_leaves_nothing_to_the_next():
    async with memory() as opened:
        first = await rung(opened, [("phone", "anonymous")])
        first.observe(caller("This is Ignace. My account number is 4821."))
        await first.end()

        second = await rung(opened, [("phone", "anonymous")])

        assert "4821" not in second.context().briefing
        assert await opened.keeping.callers("acme") == ()


async def test_a_shared_number_does_not_tell_one_person_what_another_just_said(monkeypatch):
    async with memory() as opened:
        for who in ("aurelio", "beatrix"):
            known = await rung(opened)
            await known.identify(who, Assurance.VERIFIED, handles=DANA)
            await known.end()

        async def nothing_is_leased(**_: object) -> None:
            return None

        monkeypatch.setattr(opened.keeping, "lease", nothing_is_leased)
        first = await rung(opened)
        await first.identify("aurelio", Assurance.VERIFIED)
        await first.observe(caller("My account number is 4821.")).committed()
        second = await rung(opened)
        await second.identify("beatrix", Assurance.VERIFIED)
        await second.briefed()

        assert "4821" not in second.context().briefing


async def test_another_tenant_never_hears_of_it():
    async with memory() as opened:
        first = await rung(opened)
        first.observe(caller("My account number is 4821."))
        await first.end()

        other = opened.ring(tenant="other", handles=DANA)
        await other.briefed()

        assert "4821" not in other.context().briefing


async def test_a_call_in_which_nobody_spoke_makes_no_caller_and_no_summary():
    async with memory() as opened:
        call = await rung(opened)
        call.observe(caller("  "))

        await call.end()

        assert await opened.keeping.callers("acme") == ()


async def test_identifying_takes_along_what_was_said_and_brings_what_is_known():
    async with memory() as opened:
        known = await rung(opened, [("crm", "17")])
        known.observe(caller("This is Dana Whitfield. I'd rather have a text than a call."))
        await known.identify("customer-17", Assurance.VERIFIED)
        await known.end()
        call = await rung(opened, [])
        call.observe(caller("My account number is 4821."))

        await call.identify("customer-17", Assurance.VERIFIED)
        await call.briefed()
        await call.end()

        assert "Dana Whitfield" in call.context().briefing
        facts = await opened.keeping.facts("acme", caller_id="customer-17")
        assert {fact.key for fact in facts} >= {"name", "account_number"}


@pytest.mark.parametrize(("who", "how"), [("", Assurance.VERIFIED), ("x", Assurance.UNKNOWN)])
async def test_an_identity_that_is_none_is_refused(who: str, how: Assurance):
    async with memory() as opened:
        call = await rung(opened)

        with pytest.raises(UsageError, match=r"caller's id|claimed"):
            await call.identify(who, how)


async def test_a_caller_id_of_ten_thousand_characters_is_no_claim_and_no_harm():
    async with memory() as opened:
        call = await rung(opened, [("phone", "9" * 10_000), ("web", "x" * 10_000)])
        call.observe(caller("My account number is 4821."))

        assert await call.end()


async def test_words_after_the_end_are_kept_and_the_context_still_answers():
    async with memory() as opened:
        call = await rung(opened)
        call.observe(caller("Hello."))
        await call.end()

        await call.observe(caller("And my account number is 4821.", 1)).committed()
        await opened.settle()

        assert call.context().briefing
        view = await opened.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.turns[-1].text == "And my account number is 4821."


async def test_two_real_yeses_are_two_turns_and_one_observed_twice_is_one():
    async with memory() as opened:
        call = await rung(opened)
        call.observe(caller("Yes."))
        call.observe(caller("Yes."))
        call.observe(Turn(Role.CALLER, "Yes.", at=AT, position=1))
        await opened.settle()

        view = await opened.keeping.call("acme", call.call.id)
        assert view is not None
        assert [turn.position for turn in view.turns] == [0, 1]


async def test_a_call_ended_twice_has_one_summary():
    async with memory() as opened:
        call = await rung(opened)
        call.observe(caller("My internet has dropped every evening since Tuesday."))
        heard = []
        opened.on_settled(lambda job, _: heard.append(job.kind))

        assert await call.end()
        assert await call.end()

        assert heard.count(JobKind.SUMMARISE) == 1


async def test_a_drain_that_takes_too_long_is_left_to_a_later_worker(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    settings = MemorySettings(drain_ms=100)

    class SlowModel:
        async def write(self, *_: object, **__: object) -> str:
            await asyncio.sleep(30)
            return ""

    async with memory(url, settings=settings, generator=SlowModel()) as opened:
        call = await rung(opened)
        call.observe(caller("My internet has dropped every evening since Tuesday."))
        assert not await call.end()

    async with memory(url, settings=MemorySettings(lease_ms=1)) as later:
        await later.settle()
        (person,) = await later.keeping.callers("acme")
        assert await later.keeping.last_interaction("acme", person.id) is not None


async def test_a_model_that_is_down_leaves_the_plain_summary():
    class DownModel:
        async def write(self, *_: object, **__: object) -> str:
            raise InferenceUnavailableError("down")

    async with memory(generator=DownModel()) as opened:
        call = await rung(opened)
        call.observe(caller("My internet has dropped every evening since Tuesday."))
        assert await call.end()

        (person,) = await opened.keeping.callers("acme")
        summary = await opened.keeping.last_interaction("acme", person.id)
        assert summary is not None
        assert "internet" in summary.text


async def test_a_model_that_answers_the_caller_instead_is_not_believed():
    class Clever:
        async def write(self, *_: object, **__: object) -> str:
            return "The capital of Peru is Lima, and your balance is 9,000 dollars."

    async with memory(generator=Clever()) as opened:
        call = await rung(opened)
        call.observe(caller("My account number is 4821. And what is the capital of Peru?"))
        await call.end()

        (person,) = await opened.keeping.callers("acme")
        summary = await opened.keeping.last_interaction("acme", person.id)
        assert summary is not None
        assert "Lima" not in summary.text
        assert "9,000" not in summary.text


@pytest.mark.parametrize("url", ["", "sqlite:///", "postgres://x", "memory.db"])
async def test_what_is_no_memory_is_told_at_once(url: str):
    with pytest.raises(UsageError, match="sqlite:///PATH"):
        await Memory.open(url)


async def test_a_folder_that_is_not_there_is_a_typed_error(tmp_path: Path):
    with pytest.raises(StoreUnavailableError):
        await Memory.open(f"sqlite:///{tmp_path / 'no' / 'm.db'}")


async def test_a_closed_memory_rings_nobody_and_may_be_closed_again():
    opened = await Memory.open("memory:")
    await opened.close()
    await opened.close()

    with pytest.raises(ClosedError):
        opened.ring(tenant="acme")


@pytest.mark.parametrize("wrong", [{"tenant": ""}, {"tenant": "a", "handles": [("fax", "1")]}])
async def test_a_ring_that_cannot_be_is_refused_at_once(wrong: dict):
    async with memory() as opened:
        with pytest.raises(UsageError):
            opened.ring(**wrong)


async def test_reading_the_context_touches_no_file_no_socket_and_no_thread(tmp_path: Path):
    async with memory(f"sqlite:///{tmp_path / 'm.db'}") as opened:
        call = await rung(opened)
        call.observe(caller("My account number is 4821."))
        await opened.settle()
        await call.briefed()
        events: list[str] = []
        watching = [True]

        def hook(event: str, _: object) -> None:
            if watching[0]:
                events.append(event)

        sys.addaudithook(hook)
        call.context()
        watching[0] = False

        assert events == []


async def test_a_schema_of_ones_own_decides_the_words_and_who_may_hear_them():
    shy = tuple(
        replace(field, sensitivity=Sensitivity.SENSITIVE, sentence="Contract {value}")
        if field.key == "account_number"
        else field
        for field in SUPPORT.fields
    )
    async with memory(schema=Schema("shy", shy)) as opened:
        first = await rung(opened)
        first.observe(caller("My account number is 4821."))
        assert await first.end()

        second = await rung(opened)
        claimed = second.context().briefing
        await second.identify(second.call.caller_id, Assurance.VERIFIED)
        await second.briefed()

        assert "4821" not in claimed
        assert "Contract 4821." in second.context().briefing
