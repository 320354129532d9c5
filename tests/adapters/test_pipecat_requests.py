"""What the language model is sent, and what stays out of the conversation's history."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringback import Memory
from ringback_pipecat import PipecatCall
from ringback_pipecat.context import with_memory
from tests.adapters.pipecat_app import SYSTEM, app
from tests.made import llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
ANSWER = "Thank you."


async def conversation(memory: PipecatCall | None, *lines: str) -> tuple[list[dict], list]:
    """Say lines to an app; return the requests that the model got, and the history left."""
    requests: list[dict] = []
    with llm_server(answer=ANSWER, requests=requests) as address:
        async with app(memory, llm_address=address) as bot:
            for line in lines:
                await bot.say(line)
            await bot.worker.end()
            await bot.finish()
            history = list(bot.context.get_messages())
    return requests, history


async def test_memory_is_in_the_request_and_not_in_the_history(tmp_path: Path):
    lines = ("This is Dana Whitfield. My account number is 4821.", "What next?")
    memory = await Memory.open(f"sqlite:///{tmp_path / 'm.db'}")
    call = PipecatCall(memory.ring(tenant="acme", handles=NUMBER), memory=memory)

    with_it, history = await conversation(call, *lines)
    without_it, plain_history = await conversation(None, *lines)

    assert history == plain_history
    assert len(with_it) == len(without_it) == 2
    for request, plain in zip(with_it, without_it, strict=True):
        added = [m for m in request["messages"] if m not in plain["messages"]]
        assert [m for m in request["messages"] if m not in added] == plain["messages"]
        assert added
    roles = [message["role"] for message in with_it[0]["messages"]]
    assert with_it[0]["messages"][0]["content"] == SYSTEM
    assert roles[-1] == "user"


async def test_the_next_call_is_briefed_from_the_first_behind_the_system_prompt(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    first = await Memory.open(url)
    await conversation(
        PipecatCall(first.ring(tenant="acme", handles=NUMBER), memory=first),
        "This is Dana Whitfield speaking. My account number is 4821.",
    )
    second = await Memory.open(url)
    call = PipecatCall(second.ring(tenant="acme", handles=NUMBER), memory=second)
    await call.call.briefed()

    requests, _ = await conversation(call, "Hello.", "What is my account number?")

    briefings = [request["messages"][1]["content"] for request in requests]
    assert "4821" in briefings[0]
    assert "Dana Whitfield" in briefings[0]
    assert briefings[0] == briefings[1]
    assert requests[0]["messages"][2]["content"] == "Hello."


async def test_another_number_is_told_nothing_of_it(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    first = await Memory.open(url)
    await conversation(
        PipecatCall(first.ring(tenant="acme", handles=NUMBER), memory=first),
        "This is Dana Whitfield speaking. My account number is 4821.",
    )
    second = await Memory.open(url)
    stranger = second.ring(tenant="acme", handles=[("phone", "+15550100200")])
    call = PipecatCall(stranger, memory=second)
    await stranger.briefed()

    requests, _ = await conversation(call, "Hello.")

    sent = str(requests[0]["messages"])
    assert "4821" not in sent
    assert "unknown" in sent.lower()


def test_a_message_that_only_one_service_understands_is_left_where_it_is():
    from ringback import Context

    class Odd:
        """Like `LLMSpecificMessage`: no `.get`."""

    odd = Odd()
    system, hello = {"role": "system", "content": "s"}, {"role": "user", "content": "hi"}

    laid = with_memory([system, odd, hello], Context("BRIEF", "BLOCK"))

    assert [m if m is odd else m["content"] for m in laid] == ["s", "BRIEF", odd, "BLOCK", "hi"]


def test_the_briefing_lies_before_the_block_also_where_nothing_leads_the_messages():
    from ringback import Context

    first = [{"role": "user", "content": "hi"}]
    later = [*first, {"role": "assistant", "content": "hello"}, {"role": "user", "content": "so"}]

    laid = [with_memory(messages, Context("BRIEF", "BLOCK")) for messages in (first, later)]

    assert [[m["content"] for m in messages] for messages in laid] == [
        ["BRIEF", "BLOCK", "hi"],
        ["BRIEF", "hi", "hello", "BLOCK", "so"],
    ]


def test_nothing_known_adds_nothing():
    from ringback import Context

    messages = [{"role": "user", "content": "hi"}]

    assert with_memory(messages, Context("", "")) == messages
