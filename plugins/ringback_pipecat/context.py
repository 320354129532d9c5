"""A context whose memory only a language model's adapter sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipecat.processors.aggregators.llm_context import LLMContext

from ringback import Context

LEADING_ROLES = ("system", "developer")


class MemoryContext(LLMContext):
    """An `LLMContext` that lays memory over what an adapter reads, and nothing else.

    Adapters name themselves when they read (`llm_specific_filter`); aggregators, the
    summariser and observers do not, so they never see memory and history stays as it is.
    The briefing goes behind the leading system messages, where it does not change during
    a call and the model's prefix cache holds it; the block goes directly before the
    newest user message.

    Args:
        recall: Gives what memory has now; called at each read, so it must not wait.
        arguments: As for `LLMContext`.
    """

    def __init__(self, recall: Callable[[], Context], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.recall = recall

    def get_messages(
        self, llm_specific_filter: str | None = None, *, truncate_large_values: bool = False
    ) -> list[Any]:
        """The messages; with memory only for an adapter."""
        messages = super().get_messages(
            llm_specific_filter, truncate_large_values=truncate_large_values
        )
        if llm_specific_filter is None:
            return messages
        return with_memory(messages, self.recall())


def upcoming(context: LLMContext, reply: str) -> LLMContext:
    """The context of the next request, as far as it is known before the caller speaks.

    Args:
        context: The pipeline's; it stays as it is.
        reply: What the bot says now and history has not got yet; empty for nothing.

    Returns:
        A copy that ends with a message of the caller's without words: memory lies in it
        where it will lie.
    """
    spoken = [{"role": "assistant", "content": reply}] if reply else []
    nothing_yet = {"role": "user", "content": ""}
    messages: list[Any] = [*context.get_messages(), *spoken, nothing_yet]
    if isinstance(context, MemoryContext):
        return MemoryContext(context.recall, messages, context.tools, context.tool_choice)
    return LLMContext(messages, context.tools, context.tool_choice)


def with_memory(messages: list[Any], memory: Context) -> list[Any]:
    """Lay memory over a list of messages; the list given stays as it is."""
    laid = list(messages)
    # Before the block is in: in the first turn it would be taken for a leading message.
    behind = next((i for i, m in enumerate(laid) if _role(m) not in LEADING_ROLES), len(laid))
    if memory.block:
        newest = [i for i, message in enumerate(laid) if _role(message) == "user"]
        laid.insert(newest[-1] if newest else len(laid), _developer(memory.block))
    if memory.briefing:
        laid.insert(behind, _developer(memory.briefing))
    return laid


def _role(message: object) -> str | None:
    """A message's role; None for messages that only one service understands."""
    return message.get("role") if isinstance(message, dict) else None


def _developer(text: str) -> dict[str, str]:
    return {"role": "developer", "content": text}
