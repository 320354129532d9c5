"""The one composition root: every bot's parts are made and joined here.

Read top to bottom: which parts (`PartNames`), loading them (`open_parts`), and the
pipeline that joins them to a transport (`build_bot`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pipecat.audio.turn.smart_turn.local_smart_turn_v3 import LocalSmartTurnAnalyzerV3
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    AssistantTurnStoppedMessage,
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
    UserTurnMessageAddedMessage,
)
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.base_transport import BaseTransport
from pipecat.turns.user_stop import TurnAnalyzerUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies, UserTurnStrategies

from ringback_models import resolve, resolve_file
from ringback_pipecat import MemoryContext, PipecatCall
from ringback_pipecat.priming import Priming
from ringback_pipelines.language_model import open_llm, window_of
from ringback_pipelines.part_names import PartNames
from ringback_voice.clauses import first_clause_first
from ringback_voice.closing_llm import ClosingLLMService
from ringback_voice.llm_endpoint import LlmEndpoint, load_client
from ringback_voice.piper_tts import piper_tts
from ringback_voice.primer import Primer, prime_system
from ringback_voice.reply_guard import ReplyGuard
from ringback_voice.waterfall import Stopwatch
from ringback_voice.whisper_stt import WhisperSTT, first_silence, load_whisper

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

PERSONA = (
    "You are a kind support agent on the phone. You can help with everything. "
    "Answer in one short spoken sentence about what the caller just said."
)
REPLY_TOKENS = 60  # two spoken sentences; a small model that rambles is cut here


@dataclass(frozen=True, slots=True)
class Parts:
    """Loaded models; shared by all calls of a process."""

    whisper: WhisperModel
    voice: Path
    llm: LlmEndpoint
    language: str


class TranscriptListener(Protocol):
    """Hears what was said, in the order the pipeline settles it."""

    def caller_said(self, text: str) -> None:
        """A caller's turn is complete, as the speech recognition heard it."""
        ...

    def bot_said(self, text: str, *, interrupted: bool) -> None:
        """The bot's turn is over.

        Args:
            text: The sentences whose sound was sent to the caller whole; empty when the
                caller broke into the first one.
            interrupted: The caller broke in.
        """
        ...


@dataclass(frozen=True, slots=True)
class Bot:
    """One call's pipeline, ready to run."""

    worker: PipelineWorker
    stopwatch: Stopwatch
    guard: ReplyGuard
    context: LLMContext


@asynccontextmanager
async def open_parts(names: PartNames) -> AsyncIterator[Parts]:
    """Load what a bot speaks with; the language model's server ends with this block.

    Raises:
        ModelError: A model is not here and cannot be had.
        UsageError: A part is not installed, or a path holds no such model.
        InferenceUnavailableError: The language model's server does not answer or start.
    """
    async with open_llm(names) as llm:
        await asyncio.to_thread(load_client, llm)
        await prime_system(llm, PERSONA)
        whisper = load_whisper(resolve(names.stt))
        voice = resolve_file(names.tts)
        yield Parts(whisper, voice, llm, names.language)


def build_bot(
    transport: BaseTransport,
    parts: Parts,
    *,
    persona: str = PERSONA,
    listener: TranscriptListener | None = None,
    turns_are_told: bool = False,
    memory: PipecatCall | None = None,
) -> Bot:
    """Join speech parts to a transport: VAD and turns, STT, LLM, TTS, back to the line.

    Args:
        transport: Where sound comes from and goes to.
        parts: Loaded models.
        persona: The system instruction.
        listener: Is told each settled turn.
        turns_are_told: The transport marks turns itself; no detector runs.
        memory: What is known about the caller; None talks without memory.
    """
    context = LLMContext() if memory is None else memory.context(window=window_of(parts.llm))
    pair = LLMContextAggregatorPair(context, user_params=_turn_taking(told=turns_are_told))
    llm = _llm_service(parts.llm, persona)
    stopwatch, guard = Stopwatch(llm), ReplyGuard()
    ears = [memory.ears()] if memory is not None else []
    remembering = [memory.processor(pair)] if memory is not None else []
    reading_ahead = _priming(context, llm, parts.llm, memory)
    pauses = None if turns_are_told else first_silence()
    pipeline = Pipeline(
        [
            transport.input(),
            WhisperSTT(parts.whisper, language=parts.language, pauses=pauses),
            *ears,
            pair.user(),
            *remembering,
            llm,
            *reading_ahead,
            guard,
            first_clause_first(),
            piper_tts(parts.voice),
            transport.output(),
            pair.assistant(),
        ]
    )
    if listener is not None:
        _listen(pair, listener)
    worker = PipelineWorker(
        pipeline,
        params=PipelineParams(audio_in_sample_rate=16_000, enable_usage_metrics=True),
        observers=[stopwatch],
        enable_rtvi=False,
        enable_turn_tracking=False,
    )
    return Bot(worker, stopwatch, guard, context)


def _llm_service(at: LlmEndpoint, persona: str) -> OpenAILLMService:
    return ClosingLLMService(
        base_url=at.base_url,
        api_key=at.api_key,
        settings=OpenAILLMService.Settings(
            model=at.model,
            system_instruction=persona,
            temperature=0.0,
            max_tokens=REPLY_TOKENS,
        ),
    )


def _priming(
    context: LLMContext, llm: OpenAILLMService, at: LlmEndpoint, memory: PipecatCall | None
) -> list[Priming]:
    if at.priming is None:
        return []
    primer = Primer(at)
    if memory is not None and isinstance(context, MemoryContext):
        return [memory.priming(context, llm, primer)]
    return [Priming(context, llm, primer)]


def _turn_taking(*, told: bool) -> LLMUserAggregatorParams:
    if told:
        return LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies())
    smart_turn = TurnAnalyzerUserTurnStopStrategy(turn_analyzer=LocalSmartTurnAnalyzerV3())
    return LLMUserAggregatorParams(
        vad_analyzer=SileroVADAnalyzer(),
        user_turn_strategies=UserTurnStrategies(stop=[smart_turn]),
    )


def _listen(pair: LLMContextAggregatorPair, listener: TranscriptListener) -> None:
    async def caller_said(_aggregator: object, message: UserTurnMessageAddedMessage) -> None:
        listener.caller_said(message.content)

    async def bot_said(_aggregator: object, message: AssistantTurnStoppedMessage) -> None:
        if message.content or message.interrupted:
            listener.bot_said(message.content, interrupted=message.interrupted)

    pair.user().add_event_handler("on_user_turn_message_added", caller_said)
    pair.assistant().add_event_handler("on_assistant_turn_stopped", bot_said)
