"""A call without sound: the caller's words are given as text, replies are played by a clock.

Real aggregators, the real service and the real server; only speech recognition, turn
detection and speech synthesis are left out. For benchmarks of what lies between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from pipecat.frames.frames import (
    Frame,
    InterimTranscriptionFrame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMTextFrame,
    MetricsFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

from ringback_pipecat import MemoryContext
from ringback_pipecat.context import Recall
from ringback_pipecat.priming import Priming
from ringback_pipelines.soundless_parts import Departures, Loudspeaker, Watch
from ringback_voice.closing_llm import ClosingLLMService
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.primer import Primer

PAUSE_S = 0.2  # Pipecat's detector of speech waits so long for more


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request brought."""

    text: str
    first_token_ms: float
    """From the request, as the user aggregator makes it, to the first words."""
    prompt_tokens: int
    cached_tokens: int
    turn_end_to_llm_ms: float
    """From the end of the caller's turn to the request's leaving this process."""
    turn_end_to_words_ms: float
    """From there to the first words: whatever is done in between is in it."""
    request: str
    """What was sent, as it was sent."""


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
    ears: FrameProcessor | None = None
    """Stands before the user aggregator."""
    memory: Callable[[LLMContextAggregatorPair], FrameProcessor] | None = None
    """Makes what stands between the user aggregator and the language model."""


class SoundlessCall:
    """One conversation; made by `soundless_call()`, ends with it."""

    def __init__(self, setting: Setting) -> None:
        recall = setting.recall
        self.context = MemoryContext(recall) if recall is not None else LLMContext()
        pair = LLMContextAggregatorPair(
            self.context,
            user_params=LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies()),
        )
        self._is_heard = asyncio.Event()
        pair.user().add_event_handler("on_after_process_frame", self._note_heard)
        llm = _service(setting)
        self._departures = Departures(llm)
        self._priming = Priming(self.context, llm, Primer(setting.llm)) if setting.primes else None
        self._turn_ends = Watch(UserStoppedSpeakingFrame)
        self._requests = Watch(LLMContextFrame)
        self._words = Watch(LLMTextFrame, LLMFullResponseEndFrame, MetricsFrame)
        self._loudspeaker = Loudspeaker()
        memory = [setting.memory(pair)] if setting.memory is not None else []
        hearing = [setting.ears] if setting.ears is not None else []
        reading_ahead = [self._priming] if self._priming is not None else []
        before = [self._turn_ends, *hearing, pair.user(), self._requests, *memory]
        after = [self._words, *reading_ahead, self._loudspeaker, pair.assistant()]
        self.worker = PipelineWorker(
            Pipeline([*before, llm, *after]),
            params=PipelineParams(enable_metrics=True, enable_usage_metrics=True),
            enable_rtvi=False,
            enable_turn_tracking=False,
            cancel_on_idle_timeout=False,
        )

    async def speak(self, line: str, spoken_s: float, *, streams: bool) -> None:
        """Let the caller speak, and pause, for `say()`.

        Args:
            line: The words.
            spoken_s: How long they are spoken; then comes the pause that ends a turn.
            streams: The recogniser tells the words so far, word by word.
        """
        await self.worker.queue_frame(UserStartedSpeakingFrame())
        words = line.split()
        for heard in range(1, len(words) + 1):
            await asyncio.sleep(spoken_s / len(words))
            if streams:
                so_far = " ".join(words[:heard])
                await self.worker.queue_frame(
                    InterimTranscriptionFrame(so_far, "", time_now_iso8601())
                )
        await asyncio.sleep(PAUSE_S)

    async def say(self, line: str) -> Reply:
        """A turn of the caller, and its answer to the last word; the sound of it plays on."""
        for watch in (self._turn_ends, self._requests, self._words):
            watch.reset()
        self._is_heard.clear()
        words = TranscriptionFrame(line, "", time_now_iso8601())
        await self.worker.queue_frames([UserStartedSpeakingFrame(), words])
        await self._is_heard.wait()  # a stop overtakes words, and then costs half a second
        await self.worker.queue_frame(UserStoppedSpeakingFrame())
        ended_s = await self._turn_ends.until(UserStoppedSpeakingFrame)
        asked_s = await self._requests.until(LLMContextFrame)
        words_s = await self._words.until(LLMTextFrame)
        text, usage = await self._loudspeaker.whole(), await self._words.used()
        return Reply(
            text,
            (words_s - asked_s) * 1000,
            usage.prompt_tokens,
            usage.cache_read_input_tokens or 0,
            (self._departures.last_s - ended_s) * 1000,
            (words_s - ended_s) * 1000,
            self._departures.last,
        )

    def _note_heard(self, _aggregator: object, frame: Frame) -> None:
        if isinstance(frame, TranscriptionFrame):
            self._is_heard.set()

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
    return ClosingLLMService(
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
