"""What a context asks memory, and what an adapter reads of it: turns, branches, odd messages."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from pipecat.adapters.llm.services.bedrock_adapter import AWSBedrockLLMAdapter
from pipecat.adapters.llm.services.open_ai_adapter import OpenAILLMAdapter
from pipecat.processors.aggregators.llm_context import LLMContext, LLMSpecificMessage

from ringback import Context
from ringback.core.fitting import WindowSettings
from ringback.core.window import Compress, Digest, Window
from ringback_pipecat import MemoryContext
from ringback_pipecat.context import upcoming

pytestmark = pytest.mark.framework

SMALL = WindowSettings(turns=4, keep=2)
ROWS = [{"order": n} for n in range(3)]


class Asked:
    """A memory that notes what it is asked, and adds the number of the turn it is asked for."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.turns: list[Hashable] = []

    def __call__(self, said: str = "", /, *, turn: Hashable | None = None) -> Context:
        if turn is not None:
            self.words.append(said)
            if turn not in self.turns:
                self.turns.append(turn)
            return Context("BRIEFING", f"BLOCK {self.turns.index(turn) + 1}")
        return Context("BRIEFING", f"BLOCK {len(self.turns) + 1}")


def user(text: str) -> Any:
    return {"role": "user", "content": text}


def agent(text: str) -> Any:
    return {"role": "assistant", "content": text}


def tool_use(name: str) -> list[Any]:
    function = {"name": "look_up", "arguments": "{}"}
    return [
        {
            "role": "assistant",
            "tool_calls": [{"id": name, "type": "function", "function": function}],
        },
        {"role": "tool", "content": "[]", "tool_call_id": name},
    ]


async def test_a_history_that_the_app_begins_anew_has_other_turns():
    asked = Asked()
    context = MemoryContext(asked, [user("Hello."), agent("Is it Dana?"), user("Yes.")])
    context.get_messages("openai")
    context.set_messages([user("Yes.")])
    context.get_messages("openai")
    context.add_message(agent("Cancel it?"))
    context.add_message(user("Yes."))
    context.get_messages("openai")

    assert asked.words == ["Yes.", "Yes.", "Yes."]
    assert len(asked.turns) == 3


async def read(context: LLMContext) -> list[str]:
    parameters = await OpenAILLMAdapter().get_llm_invocation_params(
        context, convert_developer_to_user=False
    )
    return [str(dict(message).get("content")) for message in parameters["messages"]]


def at_once(text: str = "DIGEST") -> Compress:
    return lambda passage, done: done(Digest(text, passage.turns))


async def test_a_request_with_a_tools_result_is_of_the_turn_before_it():
    asked = Asked()
    context = MemoryContext(asked, [user("Where is it?")])

    await read(context)
    context.add_messages(tool_use("a"))
    again = await read(context)
    context.add_messages([agent("In Bath."), user("And now?")])
    await read(context)

    assert asked.words == ["Where is it?", "Where is it?", "And now?"]
    assert len(asked.turns) == 2
    assert again[:3] == ["BRIEFING", "BLOCK 1", "Where is it?"]


async def test_the_same_words_again_are_another_turn():
    asked = Asked()
    context = MemoryContext(asked, [user("Yes.")])

    await read(context)
    context.add_messages([agent("Both?"), user("Yes.")])
    await read(context)

    assert len(asked.turns) == 2


async def test_a_speculative_run_is_of_the_turn_that_it_foresaw():
    asked = Asked()
    context = MemoryContext(asked, [user("Hello."), agent("Hello?")])

    foreseen = LLMContext([*context.get_messages(), user("Where is it?")])
    speculated = await read(context.over(foreseen))
    context.add_message(user("Where is it?"))
    settled = await read(context)

    assert speculated == settled
    assert len(asked.turns) == 1


async def test_words_that_speculation_had_not_heard_are_asked_about():
    asked = Asked()
    context = MemoryContext(asked)

    await read(context.over(LLMContext([user("Where is")])))
    context.add_message(user("Where is it?"))
    await read(context)

    assert asked.words == ["Where is", "Where is it?"]
    assert len(asked.turns) == 2


async def test_two_branches_have_turns_of_their_own():
    asked = Asked()
    one, other = (MemoryContext(asked, [user("Where is it?")]) for _ in range(2))

    await read(one)
    await read(other)
    await read(one)

    assert len(asked.turns) == 2


async def test_one_branch_does_not_move_the_others_window():
    windows = [Window(SMALL, compress=at_once(text)) for text in ("DIGEST 1", "DIGEST 2")]
    asked = Asked()
    one, other = (MemoryContext(asked, window=window) for window in windows)

    for number in range(6):
        one.add_message(user(f"one {number}"))
        told = await read(one)
        one.add_message(agent("Yes."))
    other.add_message(user("other"))

    assert "DIGEST 1" in told
    assert await read(other) == ["BRIEFING", "BLOCK 7", "other"]


async def test_what_is_read_ahead_asks_no_turn_and_moves_nothing():
    asked = Asked()
    context = MemoryContext(asked, window=Window(SMALL, compress=at_once()))

    for number in range(8):
        ahead = await read(upcoming(context, "Yes." if number else ""))
        if number:
            context.add_message(agent("Yes."))
        context.add_message(user(f"Point {number}."))
        assert (await read(context))[:-1] == ahead[:-1]

    assert len(asked.turns) == 8


def thought(service: str, text: str) -> LLMSpecificMessage:
    return LLMSpecificMessage(llm=service, message={"role": "assistant", "content": text})


async def test_messages_of_one_service_are_read_by_it_alone_and_leave_with_their_turn():
    context = MemoryContext(Asked(), window=Window(SMALL, compress=at_once()))

    for number in range(6):
        context.add_message(user(f"Point {number}."))
        told = await read(context)
        context.add_messages([thought("openai", f"mine {number}"), agent(f"Yes {number}.")])
        context.add_messages([thought("google", "other")] * 2)

    assert told == [
        *("BRIEFING", "DIGEST"),
        *("Point 2.", "mine 2", "Yes 2.", "Point 3.", "mine 3", "Yes 3."),
        *("Point 4.", "mine 4", "Yes 4.", "BLOCK 6", "Point 5."),
    ]


async def test_another_services_adapter_reads_the_same_window():
    context = MemoryContext(Asked(), window=Window(SMALL, compress=at_once()))
    for number in range(6):
        context.add_message(user(f"Point {number}."))
        await read(context)
        context.add_message(agent("Yes."))
    context.add_message(user("Last."))

    parameters = await AWSBedrockLLMAdapter().get_llm_invocation_params(context)

    parts = [part["text"] for one in parameters["messages"] for part in one["content"]]
    assert parts == [
        *("BRIEFING", "DIGEST", "Point 4.", "Yes.", "Point 5.", "Yes.", "BLOCK 7", "Last."),
    ]


async def test_a_digest_that_comes_while_a_tool_runs_waits_for_the_next_turn():
    passages: list[Any] = []
    window = Window(SMALL, compress=lambda passage, done: passages.append((passage, done)))
    context = MemoryContext(Asked(), window=window)
    for number in range(4):
        context.add_messages([user(f"Point {number}."), agent("Yes.")])
    context.add_message(user("Where is it?"))
    before = await read(context)

    passages[0][1](Digest("DIGEST"))
    context.add_messages(tool_use("a"))
    again = await read(context)
    context.add_messages([agent("In Bath."), user("And now?")])
    after = await read(context)

    assert again[: len(before)] == before
    assert after[:2] == ["BRIEFING", "DIGEST"]
