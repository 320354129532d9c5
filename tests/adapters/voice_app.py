"""A Pipecat app with a voice: real aggregators, real services and a real output transport.

The model and the speech are scripted. The line takes the bot's sound when a test says so,
so a test knows to the word what was heard. Each word's sound takes WORD_MS.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pipecat.frames.frames import (
    Frame,
    FunctionCallFromLLM,
    InterimTranscriptionFrame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    OutputAudioRawFrame,
    OutputTransportReadyFrame,
    StartFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    TTSTextFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.llm_service import LLMService
from pipecat.services.settings import LLMSettings, TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

from ringback_pipecat import PipecatCall
from tests.adapters.pipecat_app import Tap

RATE_HZ = 16_000
WORD_MS = 100
WORD_BYTES = RATE_HZ * 2 * WORD_MS // 1000
CHUNK_MS = 20


@dataclass(frozen=True)
class ToolCall:
    """What the scripted model calls at the end of a reply."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


Reply = str | tuple[str, ToolCall]


class ScriptedLLM(LLMService):
    """Pipecat's own language model service, but for what the model says."""

    def __init__(self, *replies: Reply) -> None:
        settings = LLMSettings(model="scripted")
        unset = {one.name: None for one in fields(settings) if one.name != "model"}
        super().__init__(settings=replace(settings, **{**unset, "extra": {}}))
        self._replies = list(replies)
        self.requests: list[list[dict]] = []
        self.was_asked = asyncio.Event()

    def can_generate_metrics(self) -> bool:
        return False

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMContextFrame):
            await self._answer(frame.context)
        else:
            await self.push_frame(frame, direction)

    async def _answer(self, context: LLMContext) -> None:
        params = await self.get_llm_adapter().get_llm_invocation_params(
            context, convert_developer_to_user=False
        )
        self.requests.append(params["messages"])
        self.was_asked.set()
        reply = self._replies.pop(0) if self._replies else ""
        text, call = reply if isinstance(reply, tuple) else (reply, None)
        await self.push_frame(LLMFullResponseStartFrame())
        for word in text.split(" ") if text else ():
            await self.push_frame(LLMTextFrame(word + " "))
        if call is not None:
            one = FunctionCallFromLLM(
                call.name, f"call-{len(self.requests)}", call.arguments, context
            )
            await self.run_function_calls([one])
        await self.push_frame(LLMFullResponseEndFrame())


class ScriptedTTS(TTSService):
    """Speaks a tone of WORD_MS for each word, much faster than it is heard."""

    def __init__(self, *, is_timed: bool = False) -> None:
        super().__init__(
            settings=TTSSettings(model=None, voice="scripted", language=None),
            push_text_frames=not is_timed,
            push_start_frame=True,
            push_stop_frames=True,
            stop_frame_timeout_s=0.2,
            sample_rate=RATE_HZ,
        )
        self._is_timed = is_timed
        self._said: dict[str, int] = {}  # words of each context: their times go on
        self.is_silent = False

    async def run_tts(self, text: str, context_id: str) -> AsyncIterator[Frame | None]:
        words = text.split() if text.isascii() else list(text)
        if self._is_timed:
            said = self._said.setdefault(context_id, 0)
            times = [(word, (said + i) * WORD_MS / 1000) for i, word in enumerate(words)]
            self._said[context_id] += len(words)
            await self.add_word_timestamps(times, context_id)
        for _ in () if self.is_silent else words:
            sound = b"\x10\x10" * (WORD_BYTES // 2)
            yield TTSAudioRawFrame(sound, RATE_HZ, 1, context_id=context_id)


class Line(BaseOutputTransport):
    """A transport whose peer takes so much sound as a test allows."""

    def __init__(self, *, is_open: bool) -> None:
        super().__init__(
            TransportParams(
                audio_out_enabled=True,
                audio_out_sample_rate=RATE_HZ,
                audio_out_10ms_chunks=CHUNK_MS // 10,
                audio_out_end_silence_secs=0,
            )
        )
        self._allowed_ms = float("inf") if is_open else 0.0
        self._changed = asyncio.Event()
        self._heard_ms = 0
        self._is_waiting = asyncio.Event()

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        while self._heard_ms >= self._allowed_ms:
            self._is_waiting.set()
            self._changed.clear()
            await self._changed.wait()
        self._heard_ms += CHUNK_MS
        return True

    async def play(self, words: float) -> None:
        """Let so many more words be heard, and wait until they were."""
        self._allowed_ms = self._heard_ms + words * WORD_MS
        self._is_waiting.clear()
        self._changed.set()
        async with asyncio.timeout(10):
            await self._is_waiting.wait()

    def open(self) -> None:
        """Let everything be heard from now on."""
        self._allowed_ms = float("inf")
        self._changed.set()


@dataclass
class VoiceApp:
    """One running call."""

    worker: PipelineWorker
    context: LLMContext
    llm: ScriptedLLM
    tts: ScriptedTTS
    line: Line
    ears: Tap
    spoken: Tap
    running: asyncio.Task[None]

    async def queue(self, *frames: Frame) -> None:
        for frame in frames:
            await self.worker.queue_frame(frame)

    async def begin(self) -> None:
        """The caller begins to speak."""
        await self.queue(VADUserStartedSpeakingFrame(), UserStartedSpeakingFrame())

    async def stop(self) -> None:
        """The caller stops."""
        await self.queue(VADUserStoppedSpeakingFrame(), UserStoppedSpeakingFrame())

    async def hear(self, text: str) -> None:
        await self._arrives(TranscriptionFrame(text, "", time_now_iso8601()))

    async def hear_interim(self, text: str) -> None:
        await self._arrives(InterimTranscriptionFrame(text, "", time_now_iso8601()))

    async def _arrives(self, frame: Frame) -> None:
        before = sum(isinstance(one, type(frame)) for one in self.ears.seen)
        await self.queue(frame)
        await self.ears.until(type(frame), before + 1)

    async def say(self, text: str) -> None:
        """A whole turn of the caller."""
        await self.begin()
        await self.hear(text)
        await self.stop()

    async def interrupt(self) -> None:
        """The caller speaks into the bot's words."""
        before = sum(isinstance(frame, InterruptionFrame) for frame in self.spoken.seen)
        await self.queue(VADUserStartedSpeakingFrame(), UserStartedSpeakingFrame())
        await self.queue(InterruptionFrame())
        await self.spoken.until(InterruptionFrame, before + 1)

    async def passed(self, kind: type[Frame], count: int = 1) -> None:
        """Wait until so many frames of a kind left the output."""
        await self.spoken.until(kind, count)

    async def asked(self, times: int) -> None:
        """Wait until the model was asked so many times."""
        async with asyncio.timeout(10):
            while len(self.llm.requests) < times:
                self.llm.was_asked.clear()
                await self.llm.was_asked.wait()

    async def seen_by_aggregator(self) -> None:
        """Wait until the user aggregator has what came so far: a frame behind it came through."""
        before = sum(isinstance(frame, OutputTransportReadyFrame) for frame in self.spoken.seen)
        await self.queue(OutputTransportReadyFrame())
        await self.passed(OutputTransportReadyFrame, before + 1)

    def spoken_texts(self) -> list[str]:
        """What left the output as text of the bot."""
        return [frame.text for frame in self.spoken.seen if isinstance(frame, TTSTextFrame)]

    async def over(self) -> None:
        async with asyncio.timeout(20):
            await self.running


@dataclass
class Parts:
    """What a pipeline is made of."""

    memory: PipecatCall
    context: LLMContext
    pair: LLMContextAggregatorPair
    llm: ScriptedLLM
    tts: ScriptedTTS
    line: Line
    ears: Tap = field(default_factory=Tap)
    spoken: Tap = field(default_factory=Tap)

    def usual(self) -> list[FrameProcessor]:
        """Everything in its place."""
        return [
            self.memory.ears(),
            self.ears,
            self.pair.user(),
            self.memory.processor(self.pair),
            self.llm,
            self.tts,
            self.line,
            self.spoken,
            self.pair.assistant(),
        ]


Layout = Callable[[Parts], Sequence[FrameProcessor]]


@asynccontextmanager
async def voice_app(
    memory: PipecatCall,
    *replies: Reply,
    is_open: bool = True,
    is_timed: bool = False,
    layout: Layout = Parts.usual,
    prepare: Callable[[ScriptedLLM], None] = lambda _: None,
    user: dict[str, Any] | None = None,
    **worker_options: Any,
) -> AsyncIterator[VoiceApp]:
    """Run an app; the line hears everything (`is_open`) or what `line.play()` allows.

    `user` are parameters of the user aggregator, `worker_options` of the worker.
    """
    context = memory.context()
    params = {"user_turn_strategies": ExternalUserTurnStrategies(), **(user or {})}
    pair = LLMContextAggregatorPair(context, user_params=LLMUserAggregatorParams(**params))
    tts, line = ScriptedTTS(is_timed=is_timed), Line(is_open=is_open)
    parts = Parts(memory, context, pair, ScriptedLLM(*replies), tts, line)
    prepare(parts.llm)
    options = {"enable_rtvi": False, "cancel_on_idle_timeout": False, **worker_options}
    worker = PipelineWorker(Pipeline(list(layout(parts))), **options)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    try:
        yield VoiceApp(worker, context, parts.llm, tts, line, parts.ears, parts.spoken, running)
    finally:
        line.open()
        if not running.done():
            await worker.cancel()
        async with asyncio.timeout(20):
            await running
