"""Two language models side by side, each behind its own memory; one memory for the process."""

from __future__ import annotations

from pipecat.frames.frames import LLMContextFrame
from pipecat.pipeline.parallel_pipeline import ParallelPipeline
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.filters.function_filter import FunctionFilter
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_transport import BaseTransport

from ringback import Memory
from ringback_pipecat import PipecatCall


def branch(
    call: PipecatCall, pair: LLMContextAggregatorPair, llm: FrameProcessor, *, is_open: bool
) -> list[FrameProcessor]:
    """A language model that answers only if its branch is open."""

    async def is_let_through(frame: object) -> bool:
        return is_open or not isinstance(frame, LLMContextFrame)

    return [FunctionFilter(is_let_through), call.processor(pair), llm]


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
    memory = await Memory.open("sqlite:///memory.db")
    ringing = memory.ring(tenant="acme", handles=[("phone", number)])
    call = PipecatCall(ringing, memory=memory)
    pair = LLMContextAggregatorPair(
        call.context(), user_params=turn_taking or LLMUserAggregatorParams()
    )
    hearing = [transport.input(), stt, call.ears(), pair.user()]
    thinking = ParallelPipeline(branch(call, pair, llm, is_open=True), [FunctionFilter(shut)])
    speaking = [tts, transport.output()]
    processors = hearing + [thinking, *speaking] + [pair.assistant()]  # noqa: RUF005 - as apps do
    return PipelineWorker(Pipeline(processors))


async def shut(frame: object) -> bool:
    return not isinstance(frame, LLMContextFrame)
