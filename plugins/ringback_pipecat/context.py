"""A context whose memory only a language model's adapter sees."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

from pipecat.processors.aggregators.llm_context import (
    LLMContext,
    LLMSpecificMessage,
    standard_message_text,
)

from ringback import Context
from ringback.core.fitting import LEADING_ROLES, View
from ringback.core.window import Window
from ringback_pipecat.window import HistoryReader, tool_text

log = logging.getLogger(__name__)


class Recall(Protocol):
    """Gives what memory has for a request; called at each read, so it must not wait."""

    def __call__(self, said: str = "", /, *, turn: Hashable | None = None) -> Context:
        """For what the caller has said in a turn; for the coming one without either."""
        ...


class MemoryContext(LLMContext):
    """An `LLMContext` that lays memory over what an adapter reads, and nothing else.

    Adapters name themselves when they read (`llm_specific_filter`); aggregators, the
    summariser and observers do not, so they never see memory and history stays as it is.
    The briefing goes behind the leading system messages, where it does not change during
    a call and the model's prefix cache holds it; the block goes directly before the
    newest user message. Of a long call a digest is read in place of the older turns.

    Args:
        recall: Gives what memory has.
        arguments: As for `LLMContext`.
        window: Says how much of the call is read; all of it where it is None.
        options: As for `LLMContext`.
    """

    def __init__(
        self, recall: Recall, *arguments: Any, window: Window | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.recall = recall
        self.window = window
        self.reader = HistoryReader(window.sizes.count if window else len)
        self._branch = object()  # each has its own turns
        self._newest = 0
        self._is_coming = False
        self._tools_told: tuple[object, str] = (None, "")

    def get_messages(
        self, llm_specific_filter: str | None = None, *, truncate_large_values: bool = False
    ) -> list[Any]:
        """The messages; with memory only for an adapter."""
        messages = super().get_messages(
            llm_specific_filter, truncate_large_values=truncate_large_values
        )
        if llm_specific_filter is None:
            return messages
        try:
            return self._with_memory(messages, llm_specific_filter)
        except Exception as error:  # noqa: BLE001 - an adapter never raises into a pipeline
            log.warning("request without memory", extra={"error": type(error).__name__})
            return messages

    def _with_memory(self, messages: list[Any], reads: str) -> list[Any]:
        said = [message for message in self._messages if _role(message) == "user"]
        if self._is_coming:
            return self._laid(messages, self.recall(), reads, turn=None)
        words = standard_message_text(said[-1]) if said else ""
        if len(said) < self._newest:
            self._branch = object()  # the app has begun a new history: its turns are others
        self._newest = len(said)
        # By words and count: a speculative run has another message with the same words.
        memory = self.recall(words, turn=(self._branch, len(said), words))
        return self._laid(messages, memory, reads, turn=len(said))

    def hold(self) -> None:
        """The caller has paused: the request that comes sees the window as it is."""
        if self.window is not None:
            self.window.hold()

    def go_on(self) -> None:
        """Nobody waits any more: the window may move for the next turn."""
        if self.window is not None:
            self.window.go_on()

    def over(self, other: LLMContext, *, is_coming: bool = False) -> MemoryContext:
        """This memory over another context's messages, which are this one's and some more.

        Args:
            other: E.g. a speculative run's; it stays as it is.
            is_coming: Its newest message is one that the caller has not said yet.
        """
        history = list(other.get_messages())
        copy = MemoryContext(
            self.recall, history, other.tools, other.tool_choice, window=self.window
        )
        copy.reader, copy._branch, copy._is_coming = self.reader, self._branch, is_coming
        return copy

    def _laid(
        self, messages: list[Any], memory: Context, reads: str, *, turn: int | None
    ) -> list[Any]:
        """Memory over as much of the history as the window shows."""
        if self.window is None:
            return with_memory(messages, memory)
        view = self.window.look(
            self.reader.read(self._messages),
            memory,
            turn=turn,
            other_tokens=self.window.sizes.count(self._tool_text()),
        )
        return with_window(self._in_place(messages, reads), view)

    def _in_place(self, messages: list[Any], reads: str) -> list[Any]:
        """What an adapter reads, each at its place in the history; None where it reads nothing."""
        if len(messages) == len(self._messages):
            return messages
        shown = iter(messages)
        return [
            next(shown) if not isinstance(one, LLMSpecificMessage) or one.llm == reads else None
            for one in self._messages
        ]

    def _tool_text(self) -> str:
        if self._tools_told[0] is not self.tools:
            self._tools_told = (self.tools, tool_text(self.tools))
        return self._tools_told[1]


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
    ahead = LLMContext(messages, context.tools, context.tool_choice)
    return context.over(ahead, is_coming=True) if isinstance(context, MemoryContext) else ahead


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


def with_window(messages: Sequence[Any], view: View) -> list[Any]:
    """What a window shows of a history, under memory; the history stays as it is.

    Args:
        messages: The history; None for what is not read.
        view: What the window shows.
    """

    def shown(places: Iterable[int]) -> list[Any]:
        found = ((place, messages[place]) for place in places)
        return [
            {**one, "content": view.texts[place]} if place in view.texts else one
            for place, one in found
            if one is not None
        ]

    recent = shown([*range(view.head), *range(view.start, len(messages))])
    laid = with_memory(recent, view.memory)
    behind = view.head + bool(view.memory.briefing)
    laid[behind:behind] = [*([_developer(view.note)] if view.note else []), *shown(view.kept)]
    return laid


def _role(message: object) -> str | None:
    """A message's role; None for messages that only one service understands."""
    return message.get("role") if isinstance(message, dict) else None


def _developer(text: str) -> dict[str, str]:
    return {"role": "developer", "content": text}
