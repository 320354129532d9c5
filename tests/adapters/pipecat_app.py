"""A Pipecat app for tests: real aggregators and a real LLM service, turns driven by frames."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from pipecat.frames.frames import (
    Frame,
    InterimTranscriptionFrame,
    LLMFullResponseEndFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMAssistantAggregatorParams,
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.turns.user_stop import ExternalUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies, UserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

from ringback_pipecat import PipecatCall

SYSTEM = "You are a test."

Behind: TypeAlias = Callable[[LLMContext, OpenAILLMService], list[FrameProcessor]]


def nothing_behind(_context: LLMContext, _llm: OpenAILLMService) -> list[FrameProcessor]:
    """What stands between the language model and the assistant aggregator: nothing."""
    return []


class Tap(FrameProcessor):
    """Lets a test wait for a frame at one place."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Frame] = []
        self._came = asyncio.Event()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        self.seen.append(frame)
        self._came.set()

    async def until(self, kind: type[Frame], count: int = 1) -> None:
        while sum(isinstance(frame, kind) for frame in self.seen) < count:
            self._came.clear()
            async with asyncio.timeout(10):
                await self._came.wait()


@dataclass
class App:
    """One running call."""

    worker: PipelineWorker
    context: LLMContext
    replies: Tap
    inputs: Tap
    pair: LLMContextAggregatorPair
    turns: int = 0
    running: asyncio.Task[None] | None = field(default=None)

    async def start_speaking(self) -> None:
        await self.worker.queue_frame(UserStartedSpeakingFrame())

    async def hear(self, text: str) -> None:
        await self.worker.queue_frame(TranscriptionFrame(text, "", time_now_iso8601()))

    async def hear_interim(self, text: str) -> None:
        await self.worker.queue_frame(InterimTranscriptionFrame(text, "", time_now_iso8601()))
        await self.inputs.until(InterimTranscriptionFrame)

    async def stop_speaking(self) -> None:
        await self.worker.queue_frame(UserStoppedSpeakingFrame())

    async def say(self, text: str, *, responses: int = 1) -> None:
        """A whole turn of the caller, answered; with a tool, in several responses."""
        self.turns += responses
        await self.start_speaking()
        await self.hear(text)
        await self.stop_speaking()
        await self.replies.until(LLMFullResponseEndFrame, self.turns)

    async def finish(self) -> None:
        if self.running is not None:
            async with asyncio.timeout(20):
                await self.running


def driven_by_frames() -> UserTurnStrategies:
    """Turns begin and end with frames; words that come behind the end are not waited for long."""
    strategies = ExternalUserTurnStrategies()
    strategies.stop = [ExternalUserTurnStopStrategy(timeout=0.01)]
    return strategies


@asynccontextmanager
async def app(
    memory: PipecatCall | None,
    *,
    llm_address: str,
    ears: bool = True,
    context: LLMContext | None = None,
    behind: Behind = nothing_behind,
    assistant: LLMAssistantAggregatorParams | None = None,
) -> AsyncIterator[App]:
    """Run an app; the test ends it by `worker.end()` or `worker.cancel()`."""
    context = context or (memory.context() if memory else LLMContext())
    pair = LLMContextAggregatorPair(
        context,
        user_params=LLMUserAggregatorParams(user_turn_strategies=driven_by_frames()),
        assistant_params=assistant,
    )
    llm = OpenAILLMService(
        base_url=llm_address,
        api_key="none",
        settings=OpenAILLMService.Settings(model="scripted", system_instruction=SYSTEM),
    )
    inputs, replies = Tap(), Tap()
    hearing = [memory.ears()] if memory and ears else []
    remembering = [memory.processor(pair)] if memory else []
    pipeline = Pipeline(
        [
            *(inputs, *hearing, pair.user(), *remembering, llm, replies),
            *(*behind(context, llm), pair.assistant()),
        ]
    )
    worker = PipelineWorker(
        pipeline,
        params=PipelineParams(enable_usage_metrics=True),
        enable_rtvi=False,
        cancel_on_idle_timeout=False,
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    bot = App(worker, context, replies, inputs, pair, running=running)
    try:
        yield bot
    finally:
        if not running.done():
            await worker.cancel()
        async with asyncio.timeout(20):
            await running
