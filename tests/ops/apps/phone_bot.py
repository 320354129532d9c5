"""A telephone bot in which memory stands right: priming, recording, tools, hang-up."""

from __future__ import annotations

import os

from pipecat.frames.frames import LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.audio.audio_buffer_processor import AudioBufferProcessor
from pipecat.runner.utils import parse_telephony_websocket
from pipecat.serializers.telnyx import TelnyxFrameSerializer
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport
from pipecat.workers.runner import WorkerRunner

from ringback import Memory
from ringback_pipecat import PipecatCall
from ringback_voice.llm_endpoint import find_endpoint
from ringback_voice.primer import Primer


async def run_bot(websocket, opened: Memory) -> None:
    _, call_data = await parse_telephony_websocket(websocket)
    handles = [("phone", call_data.from_number)]
    memory = PipecatCall(opened.ring(tenant="acme", handles=handles))
    endpoint = await find_endpoint(os.environ["LLM_URL"])
    stt = DeepgramSTTService(api_key=os.environ["DEEPGRAM_API_KEY"])
    llm = OpenAILLMService(base_url=endpoint.base_url)
    tts = CartesiaTTSService(api_key=os.environ["CARTESIA_API_KEY"])
    serializer = TelnyxFrameSerializer(call_data.stream_id, call_data.outbound_encoding, "PCMU")
    transport = FastAPIWebsocketTransport(
        websocket, FastAPIWebsocketParams(audio_out_enabled=True, serializer=serializer)
    )
    context = memory.context()
    pair = LLMContextAggregatorPair(context)
    recorder = AudioBufferProcessor(num_channels=2, auto_start_recording=True)
    pipeline = Pipeline(
        [
            transport.input(),
            stt,
            memory.ears(),
            pair.user(),
            memory.processor(pair),
            llm,
            memory.priming(context, llm, Primer(endpoint)),
            tts,
            transport.output(),
            recorder,
            pair.assistant(),
        ]
    )
    worker = PipelineWorker(pipeline, params=PipelineParams(audio_in_sample_rate=8000))

    @transport.event_handler("on_client_connected")
    async def on_client_connected(_transport, _client) -> None:
        await worker.queue_frames([LLMRunFrame()])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client) -> None:
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()
