"""One arm of the benchmark of the prefix cache: a real pipeline that talks to the real model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum

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

from ringback import Context
from ringback_ops.bench.prefix_lines import BRIEFING, PERSONA, block_of
from ringback_pipecat import MemoryContext
from ringback_pipecat.priming import Priming
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.primer import Primer

REPLY_TOKENS = 24  # one short sentence
CHARACTERS_PER_S = 15  # of speech, the bot's and the caller's
RING_S = 1.1  # 145 ms of set-up, and the shortest greeting of a caller
LONGEST_TURN_S = 60


class Arm(StrEnum):
    """What stands beside the pipeline."""

    STOCK = "stock"
    """Neither memory nor priming: Pipecat as it is, with the server's own prefix cache."""
    PRIMED_WITHOUT = "primed_without"
    PRIMED_WITH = "primed_with"
    UNPRIMED_WITH = "unprimed_with"

    @property
    def has_memory(self) -> bool:
        """A briefing, and a block that changes from turn to turn."""
        return self in (Arm.PRIMED_WITH, Arm.UNPRIMED_WITH)

    @property
    def is_primed(self) -> bool:
        """Requests are read ahead."""
        return self in (Arm.PRIMED_WITH, Arm.PRIMED_WITHOUT)


@dataclass(frozen=True, slots=True)
class Answered:
    """One request of one conversation."""

    arm: Arm
    round: int
    turn: int
    first_token_ms: float
    """From the request, as the user aggregator makes it, to the first words of the reply."""
    prompt_tokens: int
    cached_tokens: int


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


class Talk:
    """One conversation of one arm; made by `talk()`, ends with it."""

    def __init__(self, arm: Arm, round_number: int, endpoint: LlmEndpoint, slot: int) -> None:
        self.arm, self._round, self._turn = arm, round_number, 0
        self._memory = Context("", "")
        self.context = LLMContext()
        if arm.has_memory:
            self.context = MemoryContext(lambda: self._memory)
        pair = LLMContextAggregatorPair(
            self.context,
            user_params=LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies()),
        )
        llm = OpenAILLMService(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key,
            settings=OpenAILLMService.Settings(
                model=endpoint.model,
                # No slot has read this line's beginning before: without priming it is cold.
                system_instruction=f"Line {round_number}-{slot}. {PERSONA}",
                temperature=0.0,
                max_tokens=REPLY_TOKENS,
                extra={"extra_body": {"id_slot": slot}},  # no arm drives another one out
            ),
        )
        self.primer = Primer(endpoint)
        self._priming = Priming(self.context, llm, self.primer) if arm.is_primed else None
        self._requests = Watch(LLMContextFrame)
        self._words = Watch(LLMTextFrame, LLMFullResponseEndFrame, MetricsFrame)
        self._loudspeaker = Loudspeaker()
        self.worker = PipelineWorker(
            Pipeline(
                [
                    pair.user(),
                    self._requests,
                    llm,
                    self._words,
                    *([self._priming] if self._priming else []),
                    self._loudspeaker,
                    pair.assistant(),
                ]
            ),
            params=PipelineParams(enable_metrics=True, enable_usage_metrics=True),
            enable_rtvi=False,
            enable_turn_tracking=False,
            cancel_on_idle_timeout=False,
        )

    async def ring(self) -> None:
        """The system prompt has been read at start-up; now the briefing comes, and a caller."""
        await self._read_ahead(LONGEST_TURN_S)
        if self.arm.has_memory:
            self._stage(Context(BRIEFING, block_of(0)))
            await self._read_ahead(RING_S)

    async def say(self, line: str) -> Answered:
        """A turn of the caller and its answer; then as long as the bot and the caller speak."""
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
        usage = await self._usage()
        answered = Answered(
            self.arm,
            self._round,
            self._turn,
            (words_s - asked_s) * 1000,
            usage.prompt_tokens,
            usage.cache_read_input_tokens or 0,
        )
        self._turn += 1
        if self.arm.has_memory:  # recall has staged what is for the next turn
            self._stage(Context(BRIEFING, block_of(self._turn)))
        await self._read_ahead(len(await self._loudspeaker.whole()) / CHARACTERS_PER_S)
        await self._loudspeaker.finish()
        await self._read_ahead(len(line) / CHARACTERS_PER_S)
        return answered

    async def _usage(self) -> LLMTokenUsage:
        await self._words.until(LLMFullResponseEndFrame)
        while self._words.usage is None:  # it comes just before or after the end
            self._words.first_s.pop(MetricsFrame, None)
            await self._words.until(MetricsFrame)
        return self._words.usage

    def _stage(self, memory: Context) -> None:
        self._memory = memory
        if self._priming is not None:
            self._priming.look()

    async def _read_ahead(self, limit_s: float) -> None:
        """Let the server read, while somebody speaks; no longer than it needs."""
        if self._priming is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(limit_s):
                    await self._priming.quiet()


@asynccontextmanager
async def talk(
    arm: Arm, round_number: int, endpoint: LlmEndpoint, slot: int
) -> AsyncIterator[Talk]:
    """Run one conversation's pipeline; it ends with this block."""
    one = Talk(arm, round_number, endpoint, slot)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(one.worker)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run())
        try:
            yield one
        finally:
            await one.worker.cancel()
