"""A bot as they were written for Pipecat 0.0.x, with Mem0."""

from __future__ import annotations

import os

from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineTask
from pipecat.processors.aggregators.openai_llm_context import OpenAILLMContext
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.mem0.memory import Mem0MemoryService
from pipecat.services.openai.llm import OpenAILLMService


async def run_bot(transport, user_id: str, handle_sigint: bool) -> None:
    stt = DeepgramSTTService(api_key=os.environ["DEEPGRAM_API_KEY"])
    llm = OpenAILLMService(api_key=os.environ["OPENAI_API_KEY"], model="gpt-4o")
    tts = CartesiaTTSService(api_key=os.environ["CARTESIA_API_KEY"])
    mem0 = Mem0MemoryService(api_key=os.environ["MEM0_API_KEY"], user_id=user_id)
    context = OpenAILLMContext([{"role": "system", "content": "You are a kind assistant."}])
    context_aggregator = llm.create_context_aggregator(context)
    pipeline = Pipeline(
        [
            transport.input(),
            stt,
            context_aggregator.user(),
            mem0,
            llm,
            tts,
            transport.output(),
            context_aggregator.assistant(),
        ]
    )
    task = PipelineTask(pipeline)
    await PipelineRunner(handle_sigint=handle_sigint).run(task)
