"""An hour on the line, through Pipecat's own context and adapter: a flat prompt, read ahead."""

from __future__ import annotations

import asyncio
import itertools
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from pipecat.adapters.llm.services.open_ai_adapter import OpenAILLMAdapter
from pipecat.processors.aggregators.llm_context import LLMContext

from ringback import Assurance, Memory, Role, Turn
from ringback.core.budget import rough_count
from ringback.core.digest import HEAD
from ringback.core.fitting import MESSAGE_TOKENS, WindowSettings
from ringback_pipecat import PipecatCall
from ringback_pipecat.context import MemoryContext, upcoming

pytestmark = pytest.mark.framework

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
TURN_S = 12
HOUR_TURNS = 3600 // TURN_S
SETTINGS = WindowSettings()
SYSTEM = "You are the support agent of a broadband company. Be brief."
ANSWER = "I have looked at that for you, and it is all in order on our side."
ROWS = json.dumps([{"order": 4_000 + n, "carrier": "Royal Mail"} for n in range(40)])
LONGEST_MESSAGE = 40  # tokens of what the caller or the agent says here
CALLS = {
    "an hour": (HOUR_TURNS, "Point {} is that the router in the hall drops out in the evening."),
    "in Chinese": (64, "第{}点是走廊里的路由器晚上老是断线,请帮我看一下。"),
    "in Japanese": (64, "{}点目は、夜になると廊下のルーターが切れることです。"),
}


@dataclass
class Request:
    """What the model was read ahead, and what it was sent then."""

    ahead: list[dict]
    sent: list[dict]
    again: list[dict] = field(default_factory=list)
    """What it was sent with a tool's result, in the same turn."""


class LongCall:
    """A call in which a turn takes no time; the background keeps up, as it does with people."""

    def __init__(self, call: PipecatCall, line: str) -> None:
        self.call = call
        self.context = call.context(window=SETTINGS)
        self.requests: list[Request] = []
        self._line = line

    async def turn(self, number: int) -> None:
        ahead = await read(upcoming(self.context, ""))
        words = self._line.format(number)
        self.context.add_message({"role": "user", "content": words})
        request = Request(ahead, await read(self.context))
        self._tell(Role.CALLER, words, number)
        if number % 7 == 0:
            self._uses_tool(f"call-{number}")
            request.again = await read(self.context)
        self.requests.append(request)
        self.context.add_message({"role": "assistant", "content": ANSWER})
        self._tell(Role.AGENT, ANSWER, number)
        await self.call.call.briefed()

    def _tell(self, role: Role, text: str, number: int) -> None:
        self.call.call.observe(Turn(role, text, at=BEGUN + timedelta(seconds=TURN_S * number)))

    def _uses_tool(self, name: str) -> None:
        function = {"name": "look_up", "arguments": "{}"}
        asked = {"id": name, "type": "function", "function": function}
        self.context.add_message({"role": "assistant", "tool_calls": [asked]})
        self.context.add_message({"role": "tool", "content": ROWS, "tool_call_id": name})


async def read(context: LLMContext) -> list[dict]:
    """What Pipecat's adapter makes of a context for the service."""
    parameters = await OpenAILLMAdapter().get_llm_invocation_params(
        context, system_instruction=SYSTEM, convert_developer_to_user=False
    )
    return [dict(message) for message in parameters["messages"]]


def size(messages: list[dict]) -> int:
    return sum(
        rough_count(str(m.get("content") or "") + json.dumps(m.get("tool_calls", ""))) + 5
        for m in messages
    )


def as_bytes(messages: list[dict]) -> bytes:
    return "".join(json.dumps(m, ensure_ascii=False) for m in messages).encode()


async def long_call(turns: int, line: str) -> tuple[list[Request], MemoryContext]:
    async with await Memory.open("memory:") as memory:
        handle = memory.ring(tenant="acme", at=BEGUN)
        await handle.identify("dana", Assurance.VERIFIED)
        made = LongCall(PipecatCall(handle), line)
        for number in range(1, turns + 1):
            await made.turn(number)
    return made.requests, made.context


@pytest.fixture(scope="module", params=CALLS)
def call(request: pytest.FixtureRequest) -> tuple[list[Request], MemoryContext]:
    return asyncio.run(long_call(*CALLS[request.param]))


def test_the_prompt_of_the_second_half_is_within_what_the_settings_say(call):
    requests, _ = call

    # A turn is two messages and, here, at most one tool's call and result.
    in_turns = SETTINGS.turns * 2 * (LONGEST_MESSAGE + MESSAGE_TOKENS)
    in_results = (SETTINGS.turns // 7 + 1) * (SETTINGS.result_tokens + 2 * MESSAGE_TOKENS + 40)
    in_memory = SETTINGS.briefing_tokens + SETTINGS.digest_tokens + SETTINGS.recall_tokens
    newest_results = rough_count(ROWS) * 3  # of before the window has moved: they are read whole
    bound = rough_count(SYSTEM) + in_turns + in_results + in_memory + newest_results
    sizes = [max(size(one.sent), size(one.again)) for one in requests]
    half = len(sizes) // 2
    assert max(sizes[half:]) <= bound
    assert max(sizes[half:]) <= 1.05 * max(sizes[:half])


def test_between_two_strides_each_request_begins_with_the_one_before(call):
    requests, _ = call

    stays = [
        as_bytes(later.ahead[:-1]).startswith(as_bytes(without_block(earlier.ahead)))
        for earlier, later in itertools.pairwise(requests)
    ]

    strides = len(requests) // (SETTINGS.turns - SETTINGS.keep)
    assert strides - 2 <= stays.count(False) <= strides


def without_block(messages: list[dict]) -> list[dict]:
    """What comes before the block and the question: those move with each turn."""
    before = messages[:-1]
    has_block = bool(before) and before[-1]["role"] == "developer" and len(before) > 3
    return before[: len(before) - has_block]


def test_what_is_read_ahead_is_what_is_sent_up_to_the_callers_words(call):
    requests, _ = call

    assert [as_bytes(one.ahead[:-1]) for one in requests] == [
        as_bytes(one.sent[:-1]) for one in requests
    ]


def test_a_request_with_a_tools_result_begins_with_the_one_before_it(call):
    requests, _ = call

    again = [one for one in requests if one.again]
    assert len(again) == len(requests) // 7
    assert all(as_bytes(one.again).startswith(as_bytes(one.sent)) for one in again)


def test_a_digest_stands_for_the_turns_left_out_and_history_has_all_of_them(call):
    requests, context = call

    newest = requests[-1].sent
    assert sum(str(m.get("content")).startswith(HEAD) for m in newest) == 1
    said = [m for m in newest if m["role"] == "user"]
    assert SETTINGS.keep <= len(said) <= SETTINGS.turns + 1
    assert len([m for m in context.get_messages() if m["role"] == "user"]) == len(requests)
