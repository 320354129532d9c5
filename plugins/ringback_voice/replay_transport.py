"""A Pipecat transport with a recorded caller at the other end.

One line carries both directions, 20 ms at a time, on one clock: each tick sends the
caller's frame into the pipeline, takes what the bot plays in the same 20 ms, and records
both side by side. So the recording is aligned by construction, and the bot's sound is
paced as a real line paces it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeAlias

import numpy as np
import soxr
from numpy.typing import NDArray
from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InputAudioRawFrame,
    LLMFullResponseEndFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    StartFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_transport import BaseTransport, TransportParams

from ringback_voice.caller import FRAME_MS, Caller, Event, Step
from ringback_voice.paced_output import PacedOutput
from ringback_voice.playout import Playout
from ringback_voice.waterfall import SpeechEndedFrame, SpeechStartedFrame

Samples: TypeAlias = NDArray[np.int16]

PIPELINE_RATE_HZ = 16_000  # Whisper's, Smart Turn's and Silero's own rate
FAST_PATIENCE_S = 60.0  # wall time for a reply to begin when the line does not pace


class Pace(Enum):
    """How fast the line runs."""

    REAL_TIME = "real-time"
    """20 ms take 20 ms; the pipeline finds the turns itself, and latency means something."""
    FAST = "fast"
    """As fast as the models are; turns are told to the pipeline, latency means nothing."""


class Recorder(Protocol):
    """Takes both sides of the line."""

    def write(self, samples: Samples) -> None:
        """Append int16 [frames, 2]: caller left, bot right."""
        ...


class ReplayTransport(BaseTransport):
    """Both ends of a line: a recorded caller, and the bot's earpiece.

    Lives for one call. `on_step` is called for each 20 ms that carry an event; it must
    not block. When the caller hangs up the transport calls `on_hang_up` once; the owner
    of the pipeline cancels it, as a real disconnect does.

    Args:
        caller: What is said, and when.
        line_rate_hz: 8000 or 16000, the same as the caller's.
        pace: In real time, or as fast as the models go.
        recorder: Takes the stereo recording at the line's rate; None records nothing.
    """

    def __init__(
        self,
        caller: Caller,
        *,
        line_rate_hz: int,
        pace: Pace = Pace.REAL_TIME,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__()
        params = TransportParams(
            audio_in_enabled=True,
            audio_in_sample_rate=PIPELINE_RATE_HZ,
            audio_out_enabled=True,
            audio_out_sample_rate=line_rate_hz,
            audio_out_10ms_chunks=FRAME_MS // 10,
            audio_out_end_silence_secs=0,
        )
        self._playout = Playout(line_rate_hz)
        self._output = _Earpiece(params, self._playout, caller)
        self._input = _Mouthpiece(params, self._playout, _Line(caller, line_rate_hz, recorder))
        self._input.pace = pace

    def input(self) -> _Mouthpiece:
        """The processor that the caller's sound comes out of."""
        return self._input

    def output(self) -> _Earpiece:
        """The processor that takes the bot's sound."""
        return self._output

    def on_step(self, listener: Callable[[Step, int], None]) -> None:
        """Have each step with an event reported, with the call's clock in milliseconds."""
        self._input.listeners.append(listener)

    async def hung_up(self) -> None:
        """Wait until the caller has hung up."""
        await self._input.hang_up.wait()


class _Earpiece(PacedOutput):
    """Plays the bot's sound to the caller, and tells the caller when a reply is complete."""

    def __init__(self, params: TransportParams, playout: Playout, caller: Caller) -> None:
        super().__init__(params, playout)
        self._caller = caller

    async def write_transport_frame(self, frame: Frame) -> None:
        # Comes through the audio queue, so all sound of the reply was written before it.
        if isinstance(frame, LLMFullResponseEndFrame):
            self._caller.reply_completed()
            self._playout.activity.set()


class _Line:
    """One clock for both directions: what is said, what is heard, what is recorded."""

    def __init__(self, caller: Caller, rate_hz: int, recorder: Recorder | None) -> None:
        self.caller = caller
        self.rate_hz = rate_hz
        self._recorder = recorder
        self._playing: Samples | None = None
        self._upsample = (
            soxr.ResampleStream(rate_hz, PIPELINE_RATE_HZ, 1, dtype="int16")
            if rate_hz != PIPELINE_RATE_HZ
            else None
        )

    def tick(self, playout: Playout) -> Step:
        """End one frame and begin the next: what was said in it, and what plays from here on.

        A microphone delivers a frame when it is over, a loudspeaker begins one when it is
        taken; so what is taken now is heard beside the caller's next frame.
        """
        heard = self._playing
        step = self.caller.step(bot_is_audible=heard is not None)
        self._playing = playout.take(self.caller.frame_samples)
        if self._recorder is not None:
            silent = np.zeros_like(step.samples)
            bot = heard if heard is not None else silent
            self._recorder.write(np.stack([step.samples, bot], axis=1))
        return step

    def pipeline_samples(self, step: Step) -> Samples:
        """The step's sound at the pipeline's rate; int16 [frames], may be empty at first."""
        if self._upsample is None:
            return step.samples
        resampled: Samples = self._upsample.resample_chunk(step.samples)
        return resampled


class _Mouthpiece(BaseInputTransport):
    """Sends the caller's sound into the pipeline."""

    def __init__(self, params: TransportParams, playout: Playout, line: _Line) -> None:
        super().__init__(params)
        self._playout = playout
        self._line = line
        self._task: asyncio.Task[None] | None = None
        self.pace = Pace.REAL_TIME
        self.listeners: list[Callable[[Step, int], None]] = []
        self.hang_up = asyncio.Event()

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        run = self._run_real_time if self.pace is Pace.REAL_TIME else self._run_fast
        self._task = self.create_task(run())

    async def stop(self, frame: EndFrame) -> None:
        await self._close()
        await super().stop(frame)

    async def cancel(self, frame: CancelFrame) -> None:
        await self._close()
        await super().cancel(frame)

    async def cleanup(self) -> None:
        await self._close()
        await super().cleanup()

    async def _close(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            await self.cancel_task(task)

    async def _run_real_time(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while not self.hang_up.is_set():
            due += FRAME_MS / 1000
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self._pass(self._line.tick(self._playout))

    async def _run_fast(self) -> None:
        while not self.hang_up.is_set():
            if self._is_idle():
                await self._wait_for_bot()
            else:
                await self._pass(self._line.tick(self._playout))
                await asyncio.sleep(0)

    def _is_idle(self) -> bool:
        """Whether ticking on would only put gaps between the bot's sounds, or before them."""
        return self._playout.is_empty and self._line.caller.is_waiting_for_bot

    async def _wait_for_bot(self) -> None:
        self._playout.activity.clear()
        try:
            async with asyncio.timeout(FAST_PATIENCE_S):
                await self._playout.activity.wait()
        except TimeoutError:
            await self._pass(self._line.caller.give_up_waiting())

    async def _pass(self, step: Step) -> None:
        """Push one step: the turn's edges around its sound, then tell who listens."""
        position = step.position if step.position is not None else -1
        if Event.SPEECH_STARTED in step.events:
            await self.push_frame(SpeechStartedFrame(position=position))
            if self.pace is Pace.FAST:
                await self.push_frame(VADUserStartedSpeakingFrame())
                await self.push_frame(ProposedUserStartedSpeakingFrame())
        samples = self._line.pipeline_samples(step)
        if len(samples):
            audio = InputAudioRawFrame(samples.tobytes(), PIPELINE_RATE_HZ, 1)
            await self.push_audio_frame(audio)
        if Event.SPEECH_ENDED in step.events:
            await self.push_frame(SpeechEndedFrame(position=position))
            if self.pace is Pace.FAST:
                await self._audio_in_queue.join()  # the sound goes before the turn's end
                await self.push_frame(VADUserStoppedSpeakingFrame())
                await self.push_frame(ProposedUserStoppedSpeakingFrame())
        if step.events:
            for listener in self.listeners:
                listener(step, self._line.caller.now_ms)
        if Event.HUNG_UP in step.events:
            self.hang_up.set()
