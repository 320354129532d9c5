"""What should not be is refused in the call or borne; the pipeline goes on and nothing is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import ErrorFrame, LLMFullResponseEndFrame

from ringback import Assurance, Memory
from ringback.call_tools import CallTools
from ringback.records import Role
from ringback_pipecat import PipecatCall, memory_tools
from tests.adapters.pipecat_app import app
from tests.adapters.voice_app import VoiceApp, voice_app
from tests.made import ToolCall, llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
ANSWER = "All right."


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    """One in which Dana is known, and her account number with her."""
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as opened:
        first = opened.ring(tenant="acme")
        await first.identify("dana", Assurance.VERIFIED, handles=NUMBER)
        await opened.profile("acme", "dana").remember("4821", key="account_number")
        assert await first.end()
        yield opened


def errors_of(bot: VoiceApp) -> list[str]:
    """Is filled with each error that a processor reports."""
    errors: list[str] = []

    async def note(_worker: object, frame: ErrorFrame) -> None:
        errors.append(frame.error)

    bot.worker.add_event_handler("on_pipeline_error", note)
    return errors


async def said_by_callers(memory: Memory) -> list[str]:
    """What is on record of callers, over all calls."""
    await memory.settle()
    views = [
        await memory.keeping.call("acme", call.id) for call in await memory.keeping.calls("acme")
    ]
    turns = [turn for view in views if view is not None for turn in view.turns]
    return sorted(turn.text for turn in turns if turn.role is Role.CALLER)


async def say_both(first: VoiceApp, second: VoiceApp) -> None:
    """Two pipelines, in turn: each hears a caller and answers."""
    await first.say("My email is dana at example dot org.")
    await first.passed(LLMFullResponseEndFrame)
    await second.say("My language is Spanish.")
    await second.passed(LLMFullResponseEndFrame)
    await first.say("Goodbye.")
    await first.passed(LLMFullResponseEndFrame, 2)
    await asyncio.gather(first.worker.cancel(), second.worker.end())
    await first.over()
    await second.over()


@pytest.mark.parametrize("call_id", [None, "CA17"], ids=["two calls", "one call rung twice"])
async def test_two_calls_of_one_caller_at_once_are_both_answered_and_kept(
    memory: Memory, call_id: str | None
):
    calls = [
        PipecatCall(memory.ring(tenant="acme", handles=NUMBER, call_id=call_id)) for _ in range(2)
    ]
    for call in calls:
        await call.call.briefed()
    async with (
        voice_app(calls[0], ANSWER, "Goodbye.") as first,
        voice_app(calls[1], ANSWER) as second,
    ):
        errors = [errors_of(first), errors_of(second)]
        await say_both(first, second)

    assert errors == [[], []]
    assert all("4821" in str(bot.llm.requests[0]) for bot in (first, second))
    assert await said_by_callers(memory) == [
        "Goodbye.",
        "My email is dana at example dot org.",
        "My language is Spanish.",
    ]
    facts = {fact.key: fact.value for fact in await memory.profile("acme", "dana").facts()}
    assert facts == {
        "account_number": "4821",
        "email": "dana@example.org",
        "language": "Spanish",
    }


GIVEN = {
    "search_memory": {"question": "account number"},
    "remember": {"key": "account_number", "value": "7714"},
    "correct": {"what": "account number", "value": "7714"},
    "forget_that": {"what": "account number"},
}


async def answers(memory: Memory, use: ToolCall) -> tuple[list[dict[str, str]], list[str], bool]:
    """A stranger's call in which the model uses a tool: its answers, errors, and the call goes on."""
    requests: list[dict[str, Any]] = []
    errors: list[str] = []
    call = PipecatCall(memory.ring(tenant="acme", handles=[("phone", "+15550100200")]))
    await call.call.briefed()
    context = call.context(tools=memory_tools(CallTools(call.call, memory)))
    with llm_server(first=[use], answer=ANSWER, requests=requests) as address:
        async with app(call, llm_address=address, context=context) as bot:

            async def note(_worker: object, frame: ErrorFrame) -> None:
                errors.append(frame.error)

            bot.worker.add_event_handler("on_pipeline_error", note)
            await bot.say("I am calling for Dana. Her account number is 7714.")
            await bot.replies.until(LLMFullResponseEndFrame, 2)
            bot.turns += 1
            await bot.say("And what about my order?")
            await bot.worker.end()
            await bot.finish()
    told = [one for one in requests[1]["messages"] if one["role"] == "tool"]
    goes_on = requests[-1]["messages"][-1]["content"] == "And what about my order?"
    return [json.loads(one["content"]) for one in told], errors, goes_on


@pytest.mark.parametrize("name", ["caller_id", "caller", "customer", "phone", "tenant"])
@pytest.mark.parametrize("tool", GIVEN)
async def test_a_tool_that_is_called_with_another_callers_id_is_refused_and_the_call_goes_on(
    memory: Memory, tool: str, name: str
):
    (answer,), errors, goes_on = await answers(
        memory, ToolCall(tool, {**GIVEN[tool], name: "dana"})
    )

    assert answer["status"] == "refused"
    assert "4821" not in answer["text"]
    assert (errors, goes_on) == ([], True)
    facts = await memory.profile("acme", "dana").facts()
    assert [fact.value for fact in facts] == ["4821"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": None},
        {"question": ["dana", "4821"]},
        {"question": "x" * 100_000},
        [],
        "account number",
        None,
        17,
    ],
    ids=["none", "null", "a list", "endless", "no names", "a text", "null!", "a number"],
)
async def test_arguments_of_any_shape_are_answered_and_the_call_goes_on(
    memory: Memory, arguments: Any
):
    told, errors, goes_on = await answers(memory, ToolCall("search_memory", arguments))

    assert [one["status"] for one in told] == ["refused"]
    assert (errors, goes_on) == ([], True)
