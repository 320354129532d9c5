"""What stands in the pipeline of a call without sound: watches, and a mouth that a clock moves."""

from __future__ import annotations

import asyncio
from typing import Any

from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    Frame,
    LLMFullResponseEndFrame,
    LLMTextFrame,
    MetricsFrame,
)
from pipecat.metrics.metrics import LLMTokenUsage, LLMUsageMetricsData
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService

LONGEST_TURN_S = 180  # on two cores that have much else to do


class Watch(FrameProcessor):
    """Notes when frames of some kinds first pass since the last `reset()`; forwards all."""

    def __init__(self, *kinds: type[Frame]) -> None:
        super().__init__()
        self._kinds = kinds
        self._came = asyncio.Event()
        self.first_s: dict[type[Frame], float] = {}
        self.usage: LLMTokenUsage | None = None

    def reset(self) -> None:
        """Forget what has passed."""
        self.first_s, self.usage = {}, None

    async def until(self, kind: type[Frame]) -> float:
        """Wait for a kind; the loop's time of its first frame."""
        async with asyncio.timeout(LONGEST_TURN_S):
            while kind not in self.first_s:
                self._came.clear()
                await self._came.wait()
        return self.first_s[kind]

    async def used(self) -> LLMTokenUsage:
        """Wait for what the request cost: it is told just before or after the reply's end."""
        while self.usage is None:
            self.first_s.pop(MetricsFrame, None)
            await self.until(MetricsFrame)
        return self.usage

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; note the first of each kind, and what a request cost."""
        await super().process_frame(frame, direction)
        for kind in self._kinds:
            if isinstance(frame, kind):
                self.first_s.setdefault(kind, asyncio.get_running_loop().time())
        if isinstance(frame, MetricsFrame):
            for data in frame.data:
                if isinstance(data, LLMUsageMetricsData):
                    self.usage = data.value
        self._came.set()
        await self.push_frame(frame, direction)


class Departures:
    """Notes requests of a service as they leave this process, with all that was put into them."""

    def __init__(self, llm: OpenAILLMService) -> None:
        self.last_s = 0.0
        self.last = ""
        client: Any = llm  # Pipecat and openai have no public way to it
        client._client._client.event_hooks["request"].append(self._note)

    async def _note(self, request: Any) -> None:
        self.last_s = asyncio.get_running_loop().time()
        self.last = request.content.decode()


class Loudspeaker(FrameProcessor):
    """Speaks without sound: a reply reaches history when `finish()` says that it was played."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[Frame] = []
        self._is_whole = asyncio.Event()
        self.text = ""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame, a reply's words and end only when they were played."""
        await super().process_frame(frame, direction)
        if not isinstance(frame, (LLMTextFrame, LLMFullResponseEndFrame)):
            await self.push_frame(frame, direction)
            return
        if not self._held:
            self.text = ""
            await self.broadcast_frame(BotStartedSpeakingFrame)
        self._held.append(frame)
        if isinstance(frame, LLMTextFrame):
            self.text += frame.text
        else:
            self._is_whole.set()

    async def whole(self) -> str:
        """Wait for a reply's end; all its words."""
        await self._is_whole.wait()
        return self.text

    async def finish(self) -> None:
        """The sound is over."""
        self._is_whole.clear()
        held, self._held = self._held, []
        for frame in held:
            await self.push_frame(frame)
        await self.broadcast_frame(BotStoppedSpeakingFrame)
