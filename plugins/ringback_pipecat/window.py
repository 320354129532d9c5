"""A Pipecat history as a window reads it, and what the window shows of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pipecat.frames.frames import MetricsFrame
from pipecat.metrics.metrics import LLMTokenUsage, LLMUsageMetricsData
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.processors.aggregators import async_tool_messages
from pipecat.processors.aggregators.llm_context import standard_message_text
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair

from ringback.core.fitting import Message
from ringback.core.window import Window

PART_TOKENS = 500  # of an image or a sound in a message, as Pipecat counts it
IN_PROGRESS = "IN_PROGRESS"  # what Pipecat writes as the result of a call that still runs


class HistoryReader:
    """Reads a history's messages for a window, each once as long as it stays the same.

    One per call; holds as many messages as the history.

    Args:
        count: Counts tokens of what cannot be cut.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: list[tuple[Any, object, Message]] = []
        self._kept: object = None

    def read(self, history: Sequence[Any]) -> list[Message]:
        """Each message as far as a window looks at it, in place."""
        del self._known[len(history) :]
        for place, message in enumerate(history):
            content = message.get("content") if isinstance(message, dict) else None
            if place < len(self._known):
                known, known_content, _ = self._known[place]
                if known is message and known_content is content:  # results are written in place
                    continue
                self._known[place] = (message, content, self._message(message))
            else:
                self._known.append((message, content, self._message(message)))
        return [message for _, _, message in self._known]

    def keep(self, summary: object) -> None:
        """Never leave out this message: it stands for those that Pipecat left out itself."""
        self._kept = summary
        self._known.clear()

    def _message(self, message: Any) -> Message:
        if not isinstance(message, dict):
            return Message("", _words(getattr(message, "message", None)), of=message)
        standard: Any = message  # one of OpenAI's many kinds
        role, content = str(message.get("role", "")), message.get("content")
        payload = async_tool_messages.parse_message(standard)
        calls = [call for call in message.get("tool_calls") or () if isinstance(call, dict)]
        told = [call.get("function") or {} for call in calls]
        text = standard_message_text(standard)
        text += "".join(f"{one.get('name', '')}{one.get('arguments', '')}" for one in told)
        extra = 0
        if isinstance(content, list):
            parts = [part for part in content if not isinstance(part, dict) or "text" not in part]
            extra = PART_TOKENS * len(parts)
            if role == "tool":  # only a text can be cut
                text, extra = "", extra + self._count(text)
        return Message(
            role,
            text,
            calls=tuple(str(call.get("id", "")) for call in calls),
            answers=payload.tool_call_id if payload else str(message.get("tool_call_id") or ""),
            is_open=content == IN_PROGRESS or bool(payload and payload.kind != "final"),
            is_kept=message is self._kept,
            extra_tokens=extra,
            of=message,
        )


class UsageObserver(BaseObserver):
    """Tells a window how many tokens the language model has read.

    Only where the app has `enable_usage_metrics`; without, the window's own count stands.

    Args:
        window: Told.
        model: The name of the service that reads it; a pipeline may have others.
    """

    def __init__(self, window: Window, model: str) -> None:
        super().__init__()
        self._window = window
        self._model = model

    async def on_push_frame(self, data: FramePushed) -> None:
        """Compare each reported request with what was counted for it."""
        if isinstance(data.frame, MetricsFrame):
            for one in data.frame.data:
                if not isinstance(one, LLMUsageMetricsData) or one.processor != self._model:
                    continue
                if self._window.counted:
                    self._window.gauge.learn(self._window.counted, prompt_tokens(one.value))


def prompt_tokens(usage: LLMTokenUsage) -> int:
    """What a model has read, from its cache or not; services differ in what they call prompt."""
    return usage.total_tokens - usage.completion_tokens


def follow_summaries(pair: LLMContextAggregatorPair, window: Window, reader: HistoryReader) -> None:
    """Have a window stand back where Pipecat's own summariser replaces old messages.

    What it wrote is read as it is. Where it works by itself, no digest is made; where the
    app asks for a summary now and then, digests are made of what was said after it.
    """
    window.stands_back = _is_summarised(pair)

    def keep(*_told: object) -> None:
        reader.keep(_summary_in(pair.assistant().context.get_messages()))

    pair.assistant().add_event_handler("on_summary_applied", keep)


def _is_summarised(pair: LLMContextAggregatorPair) -> bool:
    """Pipecat's own summariser will replace old messages of this history."""
    # Pipecat says it nowhere in public.
    parameters = getattr(pair.assistant(), "_params", None)
    return bool(getattr(parameters, "enable_auto_context_summarization", False))


def _summary_in(history: Sequence[Any]) -> object:
    """The message that Pipecat's summariser has just put in place of those before."""
    behind = bool(history) and isinstance(history[0], dict) and history[0].get("role") == "system"
    return history[int(behind)] if len(history) > int(behind) else None


def tool_text(tools: object) -> str:
    """What a request says about its tools."""
    known = getattr(tools, "standard_tools", None) or ()
    return "".join(json.dumps(one.to_default_dict()) for one in known)


def _words(value: Any) -> str:
    """The texts in a message that only one service understands."""
    if isinstance(value, dict):
        return " ".join(
            text if name == "text" and isinstance(text, str) else _words(text)
            for name, text in value.items()
        ).strip()
    if isinstance(value, list | tuple):
        return " ".join(_words(one) for one in value).strip()
    return ""
