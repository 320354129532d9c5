"""An ordinary Pipecat bot, as it stands before memory is added; see after.py."""

from __future__ import annotations

from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_transport import BaseTransport


async def make_bot(
    transport: BaseTransport,
    stt: FrameProcessor,
    llm: FrameProcessor,
    tts: FrameProcessor,
    *,
    number: str,  # noqa: ARG001 - until there is a memory to tell it to
    turn_taking: LLMUserAggregatorParams | None = None,
) -> PipelineWorker:
    """Make the bot for one call."""
    context = LLMContext()
    pair = LLMContextAggregatorPair(context, user_params=turn_taking or LLMUserAggregatorParams())
    pipeline = Pipeline(
        [
            transport.input(),
            stt,
            pair.user(),
            llm,
            tts,
            transport.output(),
            pair.assistant(),
        ]
    )
    return PipelineWorker(pipeline)
