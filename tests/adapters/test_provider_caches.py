"""A provider's prompt cache keeps its worth with memory: how much of a request it has already.

The rules by which providers cache are made after their documents: OpenAI's holds whatever
begins like an earlier request; Anthropic's holds what ends at a marker, and looks twenty
blocks back from each marker of a new request for the longest it has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pytest
from pipecat.adapters.llm.base_llm_adapter import BaseLLMAdapter
from pipecat.adapters.llm.services.anthropic_adapter import AnthropicLLMAdapter
from pipecat.adapters.llm.services.open_ai_adapter import OpenAILLMAdapter

from ringback import Context
from ringback_pipecat import MemoryContext

pytestmark = pytest.mark.framework

SYSTEM, BRIEFING = "You are a test.", "The caller's account number is 4821."
LOOK_BACK = 20

Blocks = list[tuple[str, str, bool]]
"""Each with its role, its text, and whether a cache marker is on it."""


class Recall:
    """Has found something else each time."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, _said: str = "", /, *, turn: Hashable | None = None) -> Context:
        self.times += 1
        return Context(BRIEFING, f"Found {self.times}.")


def conversation(turns: int) -> Iterator[MemoryContext]:
    """A context at each of its requests."""
    context = MemoryContext(Recall(), [])
    for number in range(turns):
        context.add_message({"role": "user", "content": f"Question {number}?"})
        yield context
        context.add_message({"role": "assistant", "content": f"Answer {number}."})


async def requested(adapter: BaseLLMAdapter, context: MemoryContext, **options: Any) -> Blocks:
    given = await adapter.get_llm_invocation_params(context, system_instruction=SYSTEM, **options)
    messages = list(given["messages"])
    if given.get("system"):
        messages.insert(0, {"role": "system", "content": given["system"]})
    return [
        (message["role"], part["text"], "cache_control" in part)
        for message in messages
        for part in parts(message["content"])
    ]


def parts(content: Any) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else content


def texts(blocks: Blocks) -> list[tuple[str, str]]:
    return [(role, text) for role, text, _ in blocks]


async def test_all_but_the_last_exchange_is_in_a_cache_that_goes_by_the_beginning():
    adapter = OpenAILLMAdapter()
    before: list[tuple[str, str]] = []
    for number, context in enumerate(conversation(5)):
        now = texts(await requested(adapter, context, convert_developer_to_user=False))
        same = next(
            (i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(before)
        )
        if number:
            assert [text for _, text in now[same:]] == [
                f"Question {number - 1}?",
                f"Answer {number - 1}.",
                f"Found {number + 1}.",
                f"Question {number}?",
            ]
        before = now


async def test_a_cache_that_goes_by_markers_has_all_up_to_the_question_before_the_last():
    adapter = AnthropicLLMAdapter()
    cached: set[tuple[tuple[str, str], ...]] = set()
    for number, context in enumerate(conversation(8)):
        blocks = await requested(adapter, context, enable_prompt_caching=True)
        now, marked = texts(blocks), [i for i, block in enumerate(blocks) if block[2]]
        ends = {end for at in marked for end in range(max(0, at - LOOK_BACK), at + 1)}
        held = max((end + 1 for end in ends if tuple(now[: end + 1]) in cached), default=0)
        if number >= 2:
            assert [text for _, text in now[held:]] == [
                f"Answer {number - 2}.",
                f"Question {number - 1}?",
                f"Answer {number - 1}.",
                f"Found {number + 1}.",
                f"Question {number}?",
            ]
        cached |= {tuple(now[: at + 1]) for at in marked}
