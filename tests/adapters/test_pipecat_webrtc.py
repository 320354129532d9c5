"""A browser's call over real WebRTC: memory is rung when the offer comes, and ready first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaPlayer
from pipecat.frames.frames import Frame, InputAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.transports.base_transport import TransportParams
from pipecat.transports.smallwebrtc.connection import SmallWebRTCConnection
from pipecat.transports.smallwebrtc.transport import SmallWebRTCTransport
from pipecat.workers.runner import WorkerRunner

from ringback import Assurance, CallHandle, Memory
from ringback_pipecat import PipecatCall

pytestmark = pytest.mark.framework

CALLER = Path("recordings/made-second-call/audio.wav")
NUMBER = ("phone", "+1 555 010 0199")
LONGEST_S = 20


class FirstSound(FrameProcessor):
    """Notes what memory has when the first sound of the caller reaches the pipeline."""

    def __init__(self, call: CallHandle) -> None:
        super().__init__()
        self._call = call
        self.came = asyncio.Event()
        self.briefing = ""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InputAudioRawFrame) and not self.came.is_set():
            self.briefing = self._call.context().briefing
            self.came.set()
        await self.push_frame(frame, direction)


@dataclass
class Answered:
    """What an app's handler of an offer made."""

    answer: RTCSessionDescription
    worker: PipelineWorker
    first: FirstSound


async def answered(memory: Memory, offer: RTCSessionDescription) -> Answered:
    """An app's handler of an offer: it rings first, and builds its pipeline meanwhile."""
    call = PipecatCall(memory.ring(tenant="acme", handles=[NUMBER]))
    connection = SmallWebRTCConnection()
    await connection.initialize(offer.sdp, offer.type)
    parameters = TransportParams(audio_in_enabled=True, audio_out_enabled=True)
    transport = SmallWebRTCTransport(webrtc_connection=connection, params=parameters)
    pair = LLMContextAggregatorPair(call.context())
    first = FirstSound(call.call)
    pipeline = Pipeline(
        [
            transport.input(),
            first,
            call.ears(),
            pair.user(),
            call.processor(pair),
            transport.output(),
            pair.assistant(),
        ]
    )
    worker = PipelineWorker(pipeline, enable_rtvi=False)
    description = connection.get_answer()
    assert description is not None
    return Answered(RTCSessionDescription(description["sdp"], "answer"), worker, first)


@asynccontextmanager
async def browser_calls(memory: Memory) -> AsyncIterator[Answered]:
    """A peer that speaks a recorded caller's words, connected to an app; it hangs up at the end."""
    peer, voice = RTCPeerConnection(), MediaPlayer(str(CALLER))
    peer.addTrack(voice.audio)
    peer.addTransceiver("audio", direction="recvonly")
    await peer.setLocalDescription(await peer.createOffer())
    call = await answered(memory, peer.localDescription)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(call.worker)
    running = asyncio.create_task(runner.run())
    await peer.setRemoteDescription(call.answer)
    try:
        async with asyncio.timeout(LONGEST_S):
            await call.first.came.wait()
            yield call
    finally:
        await peer.close()
        await call.worker.cancel()
        await running


async def test_the_briefing_is_there_before_the_first_sound_of_a_real_call(tmp_path: Path):
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        before = memory.ring(tenant="acme", handles=[NUMBER])
        await before.identify("dana", Assurance.VERIFIED, handles=[NUMBER])
        await before.end()
        await memory.profile("acme", "dana").remember("4821", key="account_number")
        async with browser_calls(memory) as call:
            assert "4821" in call.first.briefing
