"""A call without sound: the caller's words are given as text, replies are played by a clock.

Real aggregators, the real service and the real server; only speech recognition, turn
detection and speech synthesis are left out. For benchmarks of what lies between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    Frame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMTextFrame,
    MetricsFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.metrics.metrics import LLMTokenUsage, LLMUsageMetricsData
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

from ringback_pipecat import MemoryContext
from ringback_pipecat.context import Recall
from ringback_pipecat.priming import Priming
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.primer import Primer

LONGEST_TURN_S = 60


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request brought."""

    text: str
    first_token_ms: float
    """From the request, as the user aggregator makes it, to the first words."""
    prompt_tokens: int
    cached_tokens: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What a call is held with."""

    llm: LlmEndpoint
    persona: str
    reply_tokens: int
    recall: Recall | None = None
    """Memory; None holds the call without it."""
    primes: bool = False
    """Requests are read ahead."""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of each request."""


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


class SoundlessCall:
    """One conversation; made by `soundless_call()`, ends with it."""

    def __init__(self, setting: Setting) -> None:
        recall = setting.recall
        self.context = MemoryContext(recall) if recall is not None else LLMContext()
        pair = LLMContextAggregatorPair(
            self.context,
            user_params=LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies()),
        )
        llm = _service(setting)
        self._priming = Priming(self.context, llm, Primer(setting.llm)) if setting.primes else None
        self._requests = Watch(LLMContextFrame)
        self._words = Watch(LLMTextFrame, LLMFullResponseEndFrame, MetricsFrame)
        self._loudspeaker = Loudspeaker()
        reading_ahead = [self._priming] if self._priming is not None else []
        parts = [llm, self._words, *reading_ahead, self._loudspeaker]
        self.worker = PipelineWorker(
            Pipeline([pair.user(), self._requests, *parts, pair.assistant()]),
            params=PipelineParams(enable_metrics=True, enable_usage_metrics=True),
            enable_rtvi=False,
            enable_turn_tracking=False,
            cancel_on_idle_timeout=False,
        )

    async def say(self, line: str) -> Reply:
        """A turn of the caller, and its answer to the last word; the sound of it plays on."""
        self._requests.reset()
        self._words.reset()
        await self.worker.queue_frames(
            [
                UserStartedSpeakingFrame(),
                TranscriptionFrame(line, "", time_now_iso8601()),
                UserStoppedSpeakingFrame(),
            ]
        )
        asked_s = await self._requests.until(LLMContextFrame)
        words_s = await self._words.until(LLMTextFrame)
        text, usage = await self._loudspeaker.whole(), await self._words.used()
        return Reply(
            text,
            (words_s - asked_s) * 1000,
            usage.prompt_tokens,
            usage.cache_read_input_tokens or 0,
        )

    async def hear_out(self) -> None:
        """The sound of the reply is over: history has it."""
        await self._loudspeaker.finish()

    def look(self) -> None:
        """Memory has changed."""
        if self._priming is not None:
            self._priming.look()

    async def read_ahead(self, limit_s: float) -> None:
        """Let the server read, while somebody speaks; no longer than it needs."""
        if self._priming is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(limit_s):
                    await self._priming.quiet()


@asynccontextmanager
async def soundless_call(setting: Setting) -> AsyncIterator[SoundlessCall]:
    """Run one conversation's pipeline; it ends with this block."""
    call = SoundlessCall(setting)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(call.worker)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run())
        try:
            yield call
        finally:
            await call.worker.cancel()


def _service(setting: Setting) -> OpenAILLMService:
    return OpenAILLMService(
        base_url=setting.llm.base_url,
        api_key=setting.llm.api_key,
        settings=OpenAILLMService.Settings(
            model=setting.llm.model,
            system_instruction=setting.persona,
            temperature=0.0,
            max_tokens=setting.reply_tokens,
            extra={"extra_body": dict(setting.extra_body)},
        ),
    )
