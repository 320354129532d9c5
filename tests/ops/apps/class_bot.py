"""A bot as a class: its parts in `self`, its processors in a list that grows."""

from __future__ import annotations

from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.audio.audio_buffer_processor import AudioBufferProcessor
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_transport import BaseTransport

from ringback_pipecat import PipecatCall, open_call


class SupportBot:
    """One call's bot."""

    def __init__(self, transport: BaseTransport, memory: PipecatCall) -> None:
        self.transport = transport
        self.memory = memory
        self.context = memory.context()
        self.recorder = AudioBufferProcessor(num_channels=2, auto_start_recording=True)

    def take_turns(self, params: LLMUserAggregatorParams) -> None:
        self.pair = LLMContextAggregatorPair(self.context, user_params=params)
        self.user, self.assistant = self.pair

    def hearing(self, stt: FrameProcessor) -> list[FrameProcessor]:
        return [self.transport.input(), stt, self.memory.ears(), self.user]

    def pipeline(
        self, stt: FrameProcessor, llm: FrameProcessor, tts: FrameProcessor, *, record: bool
    ) -> Pipeline:
        processors = self.hearing(stt)
        processors.append(self.memory.processor(self.pair))
        processors.extend([llm, tts])
        processors += [self.transport.output()]
        if record:
            processors.append(self.recorder)
        return Pipeline([*processors, self.assistant])


async def make_bot(
    transport: BaseTransport,
    stt: FrameProcessor,
    llm: FrameProcessor,
    tts: FrameProcessor,
    *,
    number: str,
    turn_taking: LLMUserAggregatorParams | None = None,
) -> PipelineWorker:
    """Make the bot for one call."""
    memory = await open_call("sqlite:///memory.db", tenant="acme", handles=[("phone", number)])
    bot = SupportBot(transport, memory)
    bot.take_turns(turn_taking or LLMUserAggregatorParams())
    return PipelineWorker(bot.pipeline(stt, llm, tts, record=True))
