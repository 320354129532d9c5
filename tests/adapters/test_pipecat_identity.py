"""Who is calling, through Pipecat's own parts: found out late, or somebody else than was thought."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, Call, Identity, Memory, Role, Turn, UsageError
from ringback.claims import LookUp
from ringback_pipecat import PipecatCall, open_call
from tests.adapters.pipecat_app import app
from tests.made import llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
EMAIL = "dana@example.org"
NAME = "This is Aurelio."
ACCOUNT = "My account number is 4821."


async def known_before(url: str) -> None:
    """Aurelio has called from the number, and customer-17 without one."""
    async with await Memory.open(url) as memory:
        for caller_id, handles, words in (
            ("customer-17", [], "My email is dana at example dot org."),
            ("aurelio", NUMBER, f"{NAME} {ACCOUNT}"),
        ):
            call = memory.ring(tenant="acme", handles=handles, at=AT)
            await call.identify(caller_id, Assurance.CLAIMED, handles=handles)
            call.observe(Turn(Role.CALLER, words, at=AT))
            await call.end()
            await memory.settle()


async def requests_of(
    url: str, handles: list[tuple[str, str]], *lines: str, identify: LookUp | None = None
) -> list[str]:
    """What the language model is sent for each of these turns."""
    requests: list[dict[str, Any]] = []
    memory = await Memory.open(url, identify=identify)
    call = PipecatCall(memory.ring(tenant="acme", handles=handles), memory=memory)
    await call.call.briefed()
    with llm_server(answer="One moment.", requests=requests) as address:
        async with app(call, llm_address=address) as bot:
            for line in lines:
                await bot.say(line)
                await memory.settle()
                if identify is None:
                    await call.call.briefed()
            await call.call.identified()
            await call.call.briefed()
            await bot.say("Thank you.")
            await bot.worker.end()
            await bot.finish()
    return [json.dumps(one["messages"]) for one in requests]


async def test_a_slow_look_up_holds_up_no_turn_and_its_answer_is_in_a_later_one(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    await known_before(url)
    may_answer = asyncio.Event()  # the second reply is out

    async def slow(call: Call, said: Mapping[str, str]) -> Identity | None:
        await may_answer.wait()
        return Identity("customer-17", Assurance.VERIFIED)

    requests: list[dict[str, Any]] = []
    async with await Memory.open(url, identify=slow) as memory:
        call = PipecatCall(memory.ring(tenant="acme"), memory=memory)
        with llm_server(answer="One moment.", requests=requests) as address:
            async with app(call, llm_address=address) as bot:
                await bot.say(ACCOUNT)
                await memory.settle()
                await bot.say("It has stopped working.")
                may_answer.set()
                await call.call.identified()
                await call.call.briefed()
                await bot.say("What do you know about me?")
                await bot.worker.end()
                await bot.finish()

    first, second, third = (json.dumps(one["messages"]) for one in requests)
    assert EMAIL not in first + second
    assert EMAIL in third


async def test_a_look_up_that_raises_costs_no_turn(tmp_path: Path):
    async def down(call: Call, said: Mapping[str, str]) -> Identity | None:
        raise ConnectionError("the CRM is down")

    url = f"sqlite:///{tmp_path / 'm.db'}"
    requests = await requests_of(url, NUMBER, ACCOUNT, "Hello?", identify=down)

    assert len(requests) == 3


@pytest.mark.parametrize(
    "line",
    [
        "It's Beatrix this time, what is my account number?",
        "I'm his wife. What is my account number?",
        "我是他太太,我的帳號是多少?",
    ],
)
async def test_the_reply_to_another_persons_first_words_is_asked_for_without_the_first_ones_notes(
    tmp_path: Path, line: str
):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    await known_before(url)

    of_aurelio = await requests_of(url, NUMBER, "Hello, what is my account number?")
    of_beatrix = await requests_of(url, NUMBER, line)

    assert not any("4821" in one or "Aurelio" in one for one in of_beatrix)
    assert len(of_beatrix) == 2
    assert "4821" in of_aurelio[0]


async def test_a_call_that_cannot_ring_leaves_no_memory_open(tmp_path: Path):
    before = threading.active_count()

    with pytest.raises(UsageError):
        await open_call(f"sqlite:///{tmp_path / 'm.db'}", tenant="acme", handles=[("fax", "1")])

    assert threading.active_count() == before
