"""The tools of a call in a real pipeline: what the model is told, asks for and gets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import (
    FunctionCallCancelFrame,
    FunctionCallInProgressFrame,
    FunctionCallResultFrame,
    LLMFullResponseEndFrame,
    TTSSpeakFrame,
)
from pipecat.services.llm_service import FunctionCallParams

from ringback import Assurance, Memory, UsageError
from ringback.call_tools import CallTools
from ringback.records import Source
from ringback_pipecat import PipecatCall, memory_tools
from tests.adapters.pipecat_app import App, app
from tests.made import ToolCall, llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
ANSWER = "All right."
FILLER = "One moment."
NAMES = ["search_memory", "remember", "correct", "forget_that"]


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    """One in which Dana is known, by number, and her account number with her."""
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as opened:
        await first_call(opened)
        yield opened


async def first_call(memory: Memory) -> None:
    call = memory.ring(tenant="acme", handles=NUMBER)
    await call.identify("dana", Assurance.CLAIMED, handles=NUMBER)
    await memory.profile("acme", "dana").remember("4821", key="account_number")
    assert await call.end()


async def ring(memory: Memory, handles: Sequence[tuple[str, str]] = tuple(NUMBER)) -> PipecatCall:
    call = PipecatCall(memory.ring(tenant="acme", handles=handles))
    await call.call.briefed()
    return call


def tools_of(call: PipecatCall, memory: Memory, **options: Any) -> ToolsSchema:
    return memory_tools(CallTools(call.call, memory), **options)


async def until_answered(bot: App, count: int) -> None:
    """Until the model has answered so often; a request for a tool is an answer as well."""
    await bot.replies.until(LLMFullResponseEndFrame, count)


def results(request: dict[str, Any]) -> list[dict[str, str]]:
    """The answers of tools that a request to the model carries."""
    return [json.loads(m["content"]) for m in request["messages"] if m["role"] == "tool"]


async def one_use(
    memory: Memory, call: PipecatCall, said: str, use: ToolCall, **options: Any
) -> list[dict[str, Any]]:
    """Say something that the model answers by way of a tool, then something else."""
    requests: list[dict[str, Any]] = []
    context = call.context(tools=tools_of(call, memory, **options))
    with llm_server(first=[use], answer=ANSWER, requests=requests) as address:
        async with app(call, llm_address=address, context=context) as bot:
            await bot.say(said)
            await until_answered(bot, 2)
            bot.turns += 1
            await bot.say("Thank you.")
            await bot.worker.end()
            await bot.finish()
    return requests


def memory_in(request: dict[str, Any]) -> str:
    return str([m["content"] for m in request["messages"] if m["role"] == "developer"])


async def test_a_model_that_searches_gets_the_answer_in_its_next_request(memory: Memory):
    call = await ring(memory)
    use = ToolCall("search_memory", {"question": "What is my account number?"})

    requests = await one_use(memory, call, "What is my account number?", use)

    assert [tool["function"]["name"] for tool in requests[0]["tools"]] == NAMES
    (answer,) = results(requests[1])
    assert answer["status"] == "found"
    assert "4821" in answer["text"]
    assert requests[1]["messages"][-1]["role"] == "tool"


async def test_what_a_model_remembers_is_in_its_next_request(memory: Memory):
    call = await ring(memory)
    words = "in the evening after six"
    use = ToolCall("remember", {"key": "contact_time", "value": words})

    requests = await one_use(memory, call, f"Best reach me {words}.", use)

    assert results(requests[1])[0]["status"] == "done"
    assert words not in memory_in(requests[0])
    assert words in memory_in(requests[1])


async def test_what_a_model_corrects_is_right_in_its_next_request(memory: Memory):
    await memory.profile("acme", "dana").remember(
        "before noon", key="contact_time", source=Source.CALLER
    )
    call = await ring(memory)
    use = ToolCall("correct", {"what": "time for contact", "value": "after six"})

    requests = await one_use(memory, call, "Not before noon, reach me after six.", use)

    assert results(requests[1])[0]["status"] == "done"
    assert "before noon" in memory_in(requests[0])
    assert "before noon" not in memory_in(requests[1])
    assert "after six" in memory_in(requests[1])


async def test_what_the_callers_word_does_not_outweigh_is_refused_with_the_reason(memory: Memory):
    call = await ring(memory)
    use = ToolCall("correct", {"what": "account number", "value": "4822"})

    requests = await one_use(memory, call, "My account number should be 4822.", use)

    assert results(requests[1]) == [
        {"status": "refused", "text": "It was not noted: weaker source than what is known."}
    ]


@pytest.mark.parametrize("that", ["my account number", "我的帳號"])
async def test_what_a_model_is_to_forget_is_not_in_its_next_request(memory: Memory, that: str):
    call = await ring(memory)
    use = ToolCall("forget_that", {"what": that})

    requests = await one_use(memory, call, "Please forget my account number.", use)

    assert results(requests[1])[0]["status"] == "done"
    assert "4821" in memory_in(requests[0])
    assert "4821" not in memory_in(requests[1]) + memory_in(requests[2])
    assert await memory.profile("acme", "dana").facts(with_history=True) == ()


@pytest.mark.parametrize("name", ["caller_id", "user_id", "tenant"])
async def test_a_model_that_names_another_caller_is_refused(memory: Memory, name: str):
    call = await ring(memory, handles=[("phone", "+15550100200")])
    use = ToolCall("search_memory", {"question": "account number", name: "dana"})

    requests = await one_use(memory, call, "I am calling for Dana.", use)

    (answer,) = results(requests[1])
    assert answer["status"] == "refused"
    assert "4821" not in str(requests)


async def test_an_unknown_caller_is_told_of_this_call_and_of_nothing_else(memory: Memory):
    call = await ring(memory, handles=())
    use = ToolCall("search_memory", {"question": "account number"})

    requests = await one_use(memory, call, "What is the account number?", use)

    assert results(requests[1])[0]["status"] == "nothing"
    assert "4821" not in str(requests)


async def test_a_slow_store_is_answered_for_by_the_deadline_and_filled_meanwhile(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    call = await ring(memory)
    original = memory.keeping.facts

    async def slow(*arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(8)
        return await original(*arguments, **options)

    requests: list[dict[str, Any]] = []
    use = ToolCall("search_memory", {"question": "What is my account number?"})
    context = call.context(tools=tools_of(call, memory, filler=FILLER))
    with llm_server(first=[use], answer=ANSWER, requests=requests) as address:
        async with app(call, llm_address=address, context=context) as bot:
            monkeypatch.setattr(memory.keeping, "facts", slow)
            await bot.say("What is my account number?")
            async with asyncio.timeout(6):  # well before the store answers
                await until_answered(bot, 2)
            monkeypatch.undo()
            await bot.worker.end()
            await bot.finish()
            seen = bot.replies.seen

    (spoken,) = [frame for frame in seen if isinstance(frame, TTSSpeakFrame)]
    assert (spoken.text, spoken.append_to_context) == (FILLER, False)
    assert [type(f) for f in seen].index(TTSSpeakFrame) < [type(f) for f in seen].index(
        FunctionCallResultFrame
    )
    assert results(requests[1])[0]["status"] == "could not look"
    assert FILLER not in str(context.get_messages())


async def test_an_answer_that_comes_at_once_is_not_filled(memory: Memory):
    call = await ring(memory)
    use = ToolCall("search_memory", {"question": "What is my account number?"})
    context = call.context(tools=tools_of(call, memory, filler=FILLER))

    with llm_server(first=[use], answer=ANSWER) as address:
        async with app(call, llm_address=address, context=context) as bot:
            await bot.say("What is my account number?")
            await until_answered(bot, 2)
            await bot.worker.end()
            await bot.finish()
            seen = bot.replies.seen

    assert not [frame for frame in seen if isinstance(frame, TTSSpeakFrame)]


async def test_a_caller_who_speaks_on_does_not_cancel_what_they_asked_for(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    call = await ring(memory)
    original, may_go_on = memory.keeping.facts, asyncio.Event()

    async def held(*arguments: Any, **options: Any) -> Any:
        await may_go_on.wait()
        return await original(*arguments, **options)

    requests: list[dict[str, Any]] = []
    use = ToolCall("forget_that", {"what": "my account number"})
    context = call.context(tools=tools_of(call, memory))
    with llm_server(first=[use], answer=ANSWER, requests=requests) as address:
        async with app(call, llm_address=address, context=context) as bot:
            monkeypatch.setattr(memory.keeping, "facts", held)
            await bot.say("Please forget my account number.")
            await bot.replies.until(FunctionCallInProgressFrame)
            await bot.start_speaking()  # an interruption
            await bot.hear("Mhm.")
            await bot.stop_speaking()
            await until_answered(bot, 2)
            monkeypatch.undo()
            may_go_on.set()
            await bot.replies.until(FunctionCallResultFrame)
            await until_answered(bot, 3)
            await bot.worker.end()
            await bot.finish()
            seen = bot.replies.seen

    assert not [frame for frame in seen if isinstance(frame, FunctionCallCancelFrame)]
    contents = [str(m.get("content")) for m in requests[-1]["messages"]]
    deferred = [content for content in contents if "async_tool" in content]
    assert ["done" in content for content in deferred] == [False, True]  # it began, it is done
    assert await memory.profile("acme", "dana").facts(with_history=True) == ()


async def direct_lookup(params: FunctionCallParams, order: str) -> None:
    """Look up an order.

    Args:
        order: Its number.
    """
    await params.result_callback({"order": order})


async def own_handler(params: FunctionCallParams) -> None:
    await params.result_callback({"weather": "fine"})


WEATHER = FunctionSchema("weather", "Tell the weather.", {}, [], handler=own_handler)


@pytest.mark.parametrize(
    "own",
    [[direct_lookup, WEATHER], ToolsSchema(standard_tools=[direct_lookup, WEATHER])],
    ids=["a list", "a schema"],
)
@pytest.mark.parametrize(
    ("use", "result"),
    [
        (ToolCall("direct_lookup", {"order": "a-17"}), {"order": "a-17"}),
        (ToolCall("weather", {}), {"weather": "fine"}),
    ],
    ids=["a function", "a schema with a handler"],
)
async def test_an_apps_own_tools_run_as_before(
    memory: Memory, own: Any, use: ToolCall, result: dict[str, str]
):
    call = await ring(memory)

    requests = await one_use(memory, call, "Where is my order?", use, own=own)

    told = [tool["function"]["name"] for tool in requests[0]["tools"]]
    assert told == ["direct_lookup", "weather", *NAMES]
    assert results(requests[1]) == [result]


async def test_an_apps_tool_with_the_same_name_is_refused_at_once(memory: Memory):
    call = await ring(memory)
    own = FunctionSchema("remember", "Mine.", {}, [])

    with pytest.raises(UsageError, match="remember"):
        tools_of(call, memory, own=[own])


async def test_a_call_with_its_own_memory_makes_its_tools_itself(tmp_path: Path):
    store = await Memory.open(f"sqlite:///{tmp_path / 'm.db'}")
    call = PipecatCall(store.ring(tenant="acme"), memory=store)

    made = call.tools(filler=FILLER)

    assert [one.name for one in made.standard_tools] == NAMES
    await store.close()
    with pytest.raises(UsageError, match="memory"):
        PipecatCall(call.call).tools()
