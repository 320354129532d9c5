"""The same Pipecat bot with memory; see before.py."""

from __future__ import annotations

from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_transport import BaseTransport

from ringback_pipecat import open_call


async def make_bot(
    transport: BaseTransport,
    stt: FrameProcessor,
    llm: FrameProcessor,
    tts: FrameProcessor,
    *,
    number: str,  # the caller's
    turn_taking: LLMUserAggregatorParams | None = None,
) -> PipelineWorker:
    """Make the bot for one call."""
    memory = await open_call("sqlite:///memory.db", tenant="acme", handles=[("phone", number)])
    context = memory.context()
    pair = LLMContextAggregatorPair(context, user_params=turn_taking or LLMUserAggregatorParams())
    pipeline = Pipeline(
        [
            transport.input(),
            stt,
            memory.ears(),
            pair.user(),
            memory.processor(pair),
            llm,
            tts,
            transport.output(),
            pair.assistant(),
        ]
    )
    return PipelineWorker(pipeline)
