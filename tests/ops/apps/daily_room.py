"""A bot in a Daily room, with the names of older Pipecats; it rings when somebody is there."""

from __future__ import annotations

import os

from pipecat.frames.frames import EndFrame, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.elevenlabs.tts import ElevenLabsTTSService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.whisper.stt import WhisperSTTService
from pipecat.transports.daily.transport import DailyParams, DailyTransport

from ringback import Memory
from ringback_pipecat import PipecatCall


async def main(room_url: str, token: str) -> None:
    transport = DailyTransport(room_url, token, "bot", DailyParams(audio_out_enabled=True))
    llm = OpenAILLMService(api_key=os.environ["OPENAI_API_KEY"])
    tts = ElevenLabsTTSService(api_key=os.environ["ELEVENLABS_API_KEY"])

    async with await Memory.open("sqlite:///memory.db") as opened:

        @transport.event_handler("on_first_participant_joined")
        async def on_first_participant_joined(_transport, participant) -> None:
            handles = [("web", participant["info"]["userId"])]
            memory = PipecatCall(opened.ring(tenant="acme", handles=handles))
            context = memory.context()
            pair = LLMContextAggregatorPair(context)
            pipeline = Pipeline(
                [
                    transport.input(),
                    WhisperSTTService(),
                    memory.ears(),
                    pair.user(),
                    memory.processor(pair),
                    llm,
                    tts,
                    transport.output(),
                    pair.assistant(),
                ]
            )
            task = PipelineTask(pipeline, params=PipelineParams(), idle_timeout_secs=None)
            await task.queue_frames([LLMRunFrame()])

            @transport.event_handler("on_participant_left")
            async def on_participant_left(_transport, _participant, _reason) -> None:
                await task.queue_frame(EndFrame())

            await PipelineRunner(handle_sigint=False).run(task)
