"""A long call through the real aggregators: a flat prompt, a stable prefix, whole pairs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.frames.frames import LLMSummarizeContextFrame, MetricsFrame
from pipecat.metrics.metrics import LLMTokenUsage, LLMUsageMetricsData
from pipecat.observers.base_observer import FramePushed
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMAssistantAggregatorParams
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.llm_service import FunctionCallParams
from pipecat.utils.context.llm_context_summarization import (
    LLMAutoContextSummarizationConfig,
    LLMContextSummaryConfig,
)

from ringback import Memory
from ringback.core.budget import rough_count
from ringback.core.digest import HEAD
from ringback.core.window import Window
from ringback_pipecat import PipecatCall, WindowSettings
from ringback_pipecat.window import UsageObserver
from tests.adapters.pipecat_app import App, app
from tests.made import ToolCall, llm_server

pytestmark = pytest.mark.framework

TOOL_EVERY = 7
ROWS = [{"order": 4_000 + n, "status": "shipped", "carrier": "Royal Mail"} for n in range(40)]
ANSWER = "I have looked at that for you, and it is all in order on our side."


async def look_up(params: FunctionCallParams) -> None:
    await params.result_callback(ROWS)


def tools() -> list[FunctionSchema]:
    return [
        FunctionSchema(
            name="look_up",
            description="Look up orders.",
            properties={},
            required=[],
            handler=look_up,
        )
    ]


def line(turn: int) -> str:
    """What the caller says; every seventh turn is about orders, which a tool has."""
    if turn % TOOL_EVERY == 0:
        return f"And what about my orders of day {turn}, where are they now?"
    return f"Point {turn} is that the router in the hall drops out in the evening."


def answer(request: dict) -> str | ToolCall:
    """Calls the tool for a question about orders; else one sentence."""
    newest = request["messages"][-1]
    if newest["role"] == "user" and "my orders" in newest["content"]:
        return ToolCall("look_up", {})
    return ANSWER


async def talk(bot: App, turns: int, call: PipecatCall | None, *, first: int = 1) -> None:
    """So many turns, with time between them for what the background does."""
    for turn in range(first, first + turns):
        if call is not None:
            await call.call.briefed()
        await bot.say(line(turn), responses=1 if turn % TOOL_EVERY else 2)


async def called(
    turns: int,
    *,
    context: Callable[[PipecatCall], LLMContext] | None = None,
    assistant: LLMAssistantAggregatorParams | None = None,
    has_memory: bool = True,
    answer: Callable[[dict], str | ToolCall] = answer,
    prompt_tokens: Callable[[dict], int] | None = None,
) -> tuple[list[dict], list]:
    """A call of so many turns; the requests that the model got, and the history left."""
    requests: list[dict] = []
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme")) if has_memory else None
        made = LLMContext(tools=tools())
        if call is not None:
            made = context(call) if context else call.context(tools=tools())
        with llm_server(answer=answer, requests=requests, prompt_tokens=prompt_tokens) as address:
            async with app(call, llm_address=address, context=made, assistant=assistant) as bot:
                await talk(bot, turns, call)
                await bot.worker.end()
                await bot.finish()
                history = list(bot.context.get_messages())
    return requests, history


def size(request: dict) -> int:
    return sum(rough_count(json.dumps(message)) for message in request["messages"])


def pairs_are_whole(request: dict) -> bool:
    calls = [c["id"] for m in request["messages"] for c in m.get("tool_calls") or ()]
    results = [m["tool_call_id"] for m in request["messages"] if m["role"] == "tool"]
    return calls == results


async def test_history_is_the_same_with_and_without_memory_after_the_window_moved():
    requests, history = await called(45)
    _, plain = await called(45, has_memory=False)

    def without_ids(messages: list) -> str:
        return json.dumps(
            [
                {k: v for k, v in m.items() if k not in ("tool_calls", "tool_call_id")}
                for m in messages
            ]
        )

    assert HEAD in json.dumps(requests[-1])
    assert without_ids(history) == without_ids(plain)


async def test_without_a_window_the_whole_call_is_read():
    requests, _ = await called(30, context=lambda call: call.context(tools=tools(), window=None))

    assert requests[-1]["messages"][2]["content"] == line(1)


async def test_what_the_model_reports_as_read_bounds_the_next_requests():
    settings = WindowSettings(turns=90, keep=80, context_tokens=4_000)

    def read(request: dict) -> int:
        return 2_000 + 2 * size(request)  # long instructions, and a tokenizer unlike the count

    requests, _ = await called(
        60,
        context=lambda call: call.context(tools=tools(), window=settings),
        prompt_tokens=read,
    )

    assert max(map(read, requests[10:])) <= 3_000 * 1.1
    assert all(map(pairs_are_whole, requests))


async def test_what_another_model_of_the_pipeline_has_read_teaches_a_window_nothing():
    window = Window(WindowSettings(), count=rough_count)
    window.counted = 1_000
    observer = UsageObserver(window, "its own")
    usage = LLMTokenUsage(prompt_tokens=200, completion_tokens=10, total_tokens=210)

    async def reported(processor: str) -> tuple[int, float]:
        frame = MetricsFrame([LLMUsageMetricsData(processor=processor, value=usage)])
        place = FrameProcessor()
        pushed = FramePushed(place, place, frame, FrameDirection.DOWNSTREAM, 0)
        await observer.on_push_frame(pushed)
        return window.gauge.counted(500), window.gauge.ratio

    before = (window.gauge.counted(500), window.gauge.ratio)
    assert await reported("another") == before
    window.counted = 100
    assert await reported("its own") != before


SUMMARY = "Dana reported a router that drops out."


def summarised(request: dict) -> str | ToolCall:
    """As `answer`; asked for a summary, the summary."""
    is_asked = str(request["messages"][-1]["content"]).startswith("Conversation history:")
    return SUMMARY if is_asked else answer(request)


def digest_in(request: dict) -> str:
    told = [str(message.get("content")) for message in request["messages"]]
    return next(text for text in told if text.startswith(HEAD))


def summaries_asked(requests: list[dict]) -> list[dict]:
    return [r for r in requests if "Conversation history:" in str(r["messages"][-1]["content"])]


async def test_pipecats_own_summariser_reads_no_memory_and_its_summary_stays():
    auto = LLMAssistantAggregatorParams(
        enable_auto_context_summarization=True,
        auto_context_summarization_config=LLMAutoContextSummarizationConfig(
            max_context_tokens=None,
            max_unsummarized_messages=24,
            summary_config=LLMContextSummaryConfig(min_messages_after_summary=4),
        ),
    )

    requests, history = await called(40, assistant=auto, answer=summarised)

    asked = summaries_asked(requests)
    assert len(asked) >= 2
    assert not any("notes about this caller" in json.dumps(request) for request in asked)
    replies = [request for request in requests if request not in asked]
    assert not any(HEAD in json.dumps(request) for request in replies)
    assert history[0]["content"] == f"Conversation summary: {SUMMARY}"
    assert history[0] in replies[-1]["messages"]
    assert all(map(pairs_are_whole, replies))


async def test_a_summary_that_the_app_asks_for_stays_and_the_turns_after_it_become_a_digest():
    requests: list[dict] = []
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme"))
        context = call.context(tools=tools())
        with llm_server(answer=summarised, requests=requests) as address:
            async with app(call, llm_address=address, context=context) as bot:
                applied = asyncio.Event()
                bot.pair.assistant().add_event_handler(
                    "on_summary_applied", lambda *_: applied.set()
                )
                await talk(bot, 25, call)
                digested = json.dumps(requests[-1])
                await bot.worker.queue_frame(LLMSummarizeContextFrame())
                async with asyncio.timeout(10):
                    await applied.wait()
                await talk(bot, 30, call, first=26)
                await bot.worker.end()
                await bot.finish()

    assert HEAD in digested
    asked = summaries_asked(requests)
    later = requests[requests.index(asked[0]) + 1 :]
    assert all(SUMMARY in json.dumps(request) for request in later)
    assert not any(HEAD in json.dumps(request) for request in later[:10])
    digest = digest_in(later[-1])
    assert line(24) in digest  # the summariser keeps the newest four messages
    assert SUMMARY not in digest
