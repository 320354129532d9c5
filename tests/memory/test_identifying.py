"""A call becomes its caller's while it goes on: what the application's own systems say, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, Call, CallHandle, Identity, Memory, MemorySettings, Role, Turn
from ringback.background import recognising
from ringback.background.identifying import Identification
from ringback.claims import LookUp
from ringback.errors import StoreUnavailableError
from ringback.records import CallView

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
PHONE = [("phone", "+15550100199")]
ACCOUNT = "My account number is 4821."
EMAIL = "My email is dana at example dot org."


class Crm:
    """An application's own system, which answers when it is let."""

    def __init__(self, *answers: Identity | Exception | None) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[tuple[str, ...], dict[str, str]]] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.was_asked = asyncio.Event()

    async def __call__(self, call: Call, said: Mapping[str, str]) -> Identity | None:
        self.asked.append((tuple(one.value for one in call.handles), dict(said)))
        self.was_asked.set()
        await self.may_answer.wait()
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


DANA = Identity("crm:88", Assurance.VERIFIED)


async def opened(path: Path, crm: LookUp, **settings: int) -> Memory:
    bounds = MemorySettings(**{"first_pause_ms": 1, **settings})  # type: ignore[arg-type]
    return await Memory.open(f"sqlite:///{path / 'm.db'}", identify=crm, settings=bounds)


async def known_before(path: Path) -> None:
    """Dana has called before, and was verified."""
    async with await Memory.open(f"sqlite:///{path / 'm.db'}") as memory:
        call = memory.ring(tenant="acme", at=AT)
        await call.identify("crm:88", Assurance.VERIFIED)
        call.observe(Turn(Role.CALLER, EMAIL, at=AT))
        await call.end()
        await memory.settle()


async def say(call: CallHandle, memory: Memory, words: str) -> None:
    await call.observe(Turn(Role.CALLER, words, at=AT)).committed()
    await memory.settle()
    await call.briefed()


async def values(memory: Memory, caller_id: str = "crm:88") -> set[str]:
    return {fact.value for fact in await memory.profile("acme", caller_id).facts()}


async def test_an_account_number_said_in_the_call_makes_it_the_callers(tmp_path: Path):
    await known_before(tmp_path)
    crm = Crm(None, DANA)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", at=AT)
        await say(call, memory, "My internet is down.")
        await say(call, memory, ACCOUNT)
        await call.identified()
        await call.briefed()

        assert crm.asked[-1] == ((), {**crm.asked[-1][1], "account_number": "4821"})
        assert (call.call.caller_id, call.call.assurance) == ("crm:88", Assurance.VERIFIED)
        assert call.identification is Identification.FOUND
        assert "dana@example.org" in call.context().briefing
        await call.end()
        await memory.settle()
        assert {"4821", "dana@example.org"} <= await values(memory)


async def test_a_number_is_looked_up_as_soon_as_it_rings(tmp_path: Path):
    await known_before(tmp_path)
    crm = Crm(DANA)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.identified()
        await call.briefed()

        assert crm.asked == [(("+15550100199",), {})]
        assert "dana@example.org" in call.context().briefing


async def test_a_slow_system_holds_up_neither_a_reply_nor_a_hang_up(tmp_path: Path):
    crm = Crm(DANA)
    crm.may_answer.clear()
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await crm.was_asked.wait()
        await say(call, memory, ACCOUNT)

        assert call.context().briefing
        assert call.identification is Identification.ASKING
        assert await call.end() is True
        crm.may_answer.set()
        await call.identified()
        await memory.settle()

        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.call.caller_id == "crm:88"
        assert "4821" in await values(memory)


async def test_a_system_that_fails_is_asked_again_and_then_answers(tmp_path: Path):
    crm = Crm(RuntimeError("down"), RuntimeError("down"), DANA)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.identified()

        assert call.call.caller_id == "crm:88"
        assert len(crm.asked) == 3
        assert memory.health()["identify"] == "2 x RuntimeError"


async def test_a_system_that_never_answers_leaves_the_call_nobodys_and_says_so(tmp_path: Path):
    crm = Crm(DANA)
    crm.may_answer.clear()
    async with await opened(tmp_path, crm, identify_ms=5, identify_attempts=2) as memory:
        call = memory.ring(tenant="acme", at=AT)
        await say(call, memory, ACCOUNT)
        assert await call.end() is True
        await call.identified()

        assert call.identification is Identification.FAILED
        assert memory.health()["identify"] == "2 x TimeoutError"
        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.call.caller_id is None


async def test_a_memory_closes_while_a_system_has_not_answered(tmp_path: Path):
    crm = Crm(DANA)
    crm.may_answer.clear()
    memory = await opened(tmp_path, crm)
    call = memory.ring(tenant="acme", handles=PHONE, at=AT)
    call.observe(Turn(Role.CALLER, ACCOUNT, at=AT))
    await crm.was_asked.wait()

    await memory.close()

    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as again:
        await again.settle()
        (kept,) = await again.keeping.calls("acme")
        assert kept.ended_at is not None


async def test_a_system_that_knows_nobody_leaves_the_call_as_it_was(tmp_path: Path):
    crm = Crm(None)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", at=AT)
        await say(call, memory, ACCOUNT)
        await call.identified()

        assert call.identification is Identification.NOBODY
        assert call.call.caller_id is None
        assert memory.health() == {}


async def test_nothing_is_asked_about_a_call_that_says_nothing_of_its_caller(tmp_path: Path):
    crm = Crm(DANA)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=[("phone", "anonymous")], at=AT)
        await say(call, memory, "Hello?")
        await call.identified()

        assert crm.asked == []
        assert call.identification is Identification.NOT_ASKED


async def test_the_same_words_are_not_asked_twice_and_more_of_them_are(tmp_path: Path):
    crm = Crm(None)
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", at=AT)
        await say(call, memory, ACCOUNT)
        await say(call, memory, ACCOUNT)
        await say(call, memory, EMAIL)
        await call.identified()

        said = [said for _, said in crm.asked if said]
        assert said == [
            {"account_number": "4821"},
            {"account_number": "4821", "email": "dana@example.org"},
        ]


async def test_what_the_application_says_itself_outweighs_what_is_still_asked(tmp_path: Path):
    crm = Crm(DANA)
    crm.may_answer.clear()
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await crm.was_asked.wait()
        await call.identify("erik", Assurance.CLAIMED)
        crm.may_answer.set()
        await call.identified()

        assert call.call.caller_id == "erik"


@pytest.mark.parametrize("caller_id", ["globex:dana", "globex/dana", "globex|dana"])
async def test_an_answer_with_another_tenants_name_is_not_taken(tmp_path: Path, caller_id: str):
    crm = Crm(Identity(caller_id))
    async with await opened(tmp_path, crm, identify_attempts=1) as memory:
        memory.ring(tenant="globex", at=AT)
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.identified()

        assert call.identification is Identification.FAILED
        assert call.call.caller_id is None
        assert memory.health()["identify"] == "1 x UsageError"


async def test_an_answer_that_is_none_costs_the_call_nothing(tmp_path: Path):
    async def answers(call: Call, said: Mapping[str, str]) -> Identity | None:
        return "dana"  # type: ignore[return-value]

    def answers_at_once(call: Call, said: Mapping[str, str]) -> None:
        return None

    for crm in (answers, answers_at_once):
        async with await opened(tmp_path, crm, identify_attempts=1) as memory:  # type: ignore[arg-type]
            call = memory.ring(tenant="acme", handles=PHONE, at=AT)
            await say(call, memory, ACCOUNT)
            await call.identified()

            assert call.identification is Identification.FAILED
            assert await call.end() is True


async def test_a_claim_becomes_verified_in_the_call_and_what_is_sensitive_is_told(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    async with await Memory.open(url) as memory:
        first = memory.ring(tenant="acme", at=AT)
        await first.identify("dana", Assurance.VERIFIED, handles=PHONE)
        await say(first, memory, "My address is 9 Quill Lane.")
        await first.end()
        await memory.settle()
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.briefed()
        claimed = call.context().briefing
        await call.identify("dana", Assurance.VERIFIED)
        await call.briefed()

        assert "9 Quill Lane" not in claimed
        assert "9 Quill Lane" in call.context().briefing


async def test_a_claim_by_number_leaves_whom_the_application_verified_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    decided_by = recognising.names_of
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        first = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await first.identify("dana", Assurance.CLAIMED, handles=PHONE)
        await first.end()
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)

        async def names_of(*arguments: Any, **named: Any) -> tuple[str, ...]:
            names = await decided_by(*arguments, **named)
            if call.call.assurance is not Assurance.VERIFIED:  # between the look and the claim
                await call.identify("erik", Assurance.VERIFIED)
            return names

        monkeypatch.setattr(recognising, "names_of", names_of)
        await say(call, memory, EMAIL)

        assert (call.call.caller_id, call.call.assurance) == ("erik", Assurance.VERIFIED)
        assert await values(memory, "erik") == {"dana@example.org"}
        assert await values(memory, "dana") == set()


async def test_an_answer_that_comes_while_the_applications_word_is_written_is_not_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    crm = Crm(Identity("crm:88"))
    crm.may_answer.clear()
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await crm.was_asked.wait()
        writes = memory.keeping.attach

        async def attach(tenant: str, call_id: str, **whose: Any) -> str:
            if whose["caller_id"] == "erik":
                kept_as = await writes(tenant, call_id, **whose)
                crm.may_answer.set()
                await call.identified()
                return kept_as
            return await writes(tenant, call_id, **whose)

        monkeypatch.setattr(memory.keeping, "attach", attach)
        await call.identify("erik", Assurance.VERIFIED)

        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert (view.call.caller_id, view.call.assurance) == ("erik", Assurance.VERIFIED)
        assert call.call.caller_id == "erik"


async def test_a_system_is_heeded_still_where_the_applications_word_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    crm = Crm(DANA)
    crm.may_answer.clear()
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await crm.was_asked.wait()
        with monkeypatch.context() as failing:

            async def attach(*whose: Any, **named: Any) -> str:
                raise StoreUnavailableError("the disk is full")

            failing.setattr(memory.keeping, "attach", attach)
            with pytest.raises(StoreUnavailableError):
                await call.identify("erik", Assurance.CLAIMED)
        crm.may_answer.set()
        await call.identified()

        assert call.call.caller_id == "crm:88"


async def named_before(path: Path) -> None:
    """Dana has called before, and gave her name and her address."""
    async with await Memory.open(f"sqlite:///{path / 'm.db'}") as memory:
        call = memory.ring(tenant="acme", at=AT)
        await call.identify("crm:88", Assurance.VERIFIED)
        for words in ("Hello, this is Dana.", EMAIL):
            call.observe(Turn(Role.CALLER, words, at=AT))
        await call.end()
        await memory.settle()


async def test_a_number_that_is_looked_up_again_pulls_no_relative_back_to_its_owner(tmp_path: Path):
    await named_before(tmp_path)
    crm = Crm(Identity("crm:88"))
    async with await opened(tmp_path, crm) as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.identified()
        await call.briefed()
        assert "dana@example.org" in call.context().briefing

        await say(call, memory, "This is Tom, Dana's husband.")
        await call.identified()
        await say(call, memory, ACCOUNT)
        await call.identified()
        await call.briefed()

        assert {"name": "Tom", "account_number": "4821"} in [said for _, said in crm.asked]
        assert "dana@example.org" not in call.context().briefing
        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.call.caller_id == call.call.caller_id
        assert view.call.caller_id not in (None, "crm:88")
        assert "4821" not in await values(memory)


async def test_a_late_answer_tells_whoever_gave_another_name_nothing_of_the_numbers_owner(
    tmp_path: Path,
):
    await named_before(tmp_path)
    crm = Crm(Identity("crm:88"))
    crm.may_answer.clear()
    async with await opened(tmp_path, crm) as memory:
        told: list[str] = []
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        call.on_change(lambda: told.append(call.context().briefing))
        await say(call, memory, "This is Tom, Dana's husband.")
        assert call.call.caller_id not in (None, "crm:88")

        crm.may_answer.set()
        await call.identified()
        await call.briefed()
        told.append(call.context().briefing)
        await memory.settle()
        await call.briefed()

        assert "dana@example.org" not in "\n".join([*told, call.context().briefing])
        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        assert view.call.caller_id not in (None, "crm:88")


async def test_an_id_that_was_merged_is_on_the_line_as_whom_it_was_merged_into(tmp_path: Path):
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        for caller_id, words in (("cust-7", ACCOUNT), ("cust-8", EMAIL)):
            call = memory.ring(tenant="acme", at=AT)
            await call.identify(caller_id, Assurance.VERIFIED)
            await say(call, memory, words)
            await call.end()
        await memory.moves.merge("acme", "cust-7", "cust-8")
        colleague = memory.ring(tenant="acme", at=AT)
        await colleague.identify("zoe", Assurance.VERIFIED, handles=PHONE)
        await say(colleague, memory, "My address is 9 Quill Lane.")
        await colleague.end()
        await memory.settle()

        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.identify("cust-7", Assurance.VERIFIED)
        await call.briefed()

        assert (call.call.caller_id, call.call.assurance) == ("cust-8", Assurance.VERIFIED)
        assert "4821" in call.context().briefing
        assert "dana@example.org" in call.context().briefing
        assert "Quill" not in call.context().briefing


async def test_whoever_is_named_is_told_nothing_of_another_while_nothing_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    await known_before(tmp_path)
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        call = memory.ring(tenant="acme", at=AT)
        await call.identify("crm:88", Assurance.VERIFIED)
        await say(call, memory, "Hello.")
        call.context("What is my email?", turn=1)
        told: list[str] = []
        call.on_change(lambda: told.append(call.context().briefing))
        assert "dana@example.org" in call.context(turn=1).briefing

        async def known(asked: Call) -> None:
            raise StoreUnavailableError("the disk is gone")

        monkeypatch.setattr(memory.keeping, "known", known)
        await call.identify("erik", Assurance.VERIFIED)
        at_once = call.context()
        await call.briefed()

        for context in (at_once, call.context(), call.context(turn=1)):
            assert "dana@example.org" not in context.briefing + context.block
        assert len(told) == 1
        assert (call.call.caller_id, call.call.assurance) == ("erik", Assurance.VERIFIED)


async def test_what_was_read_before_somebody_was_named_is_not_put_in_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        call = memory.ring(tenant="acme", handles=PHONE, at=AT)
        await call.briefed()
        reads = memory.keeping.call

        async def named_meanwhile(tenant: str, call_id: str) -> CallView | None:
            view = await reads(tenant, call_id)
            if view is not None and view.call.caller_id not in (None, "erik"):
                await call.identify("erik", Assurance.VERIFIED)
            return view

        monkeypatch.setattr(memory.keeping, "call", named_meanwhile)
        await say(call, memory, EMAIL)

        assert (call.call.caller_id, call.call.assurance) == ("erik", Assurance.VERIFIED)
