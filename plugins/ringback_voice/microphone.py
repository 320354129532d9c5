"""A Pipecat transport on this machine's microphone and loudspeaker.

Sound comes and goes through miniaudio, whose wheels bring what they need: no PortAudio,
no compiler. One duplex device keeps both directions on one clock.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    InputAudioRawFrame,
    StartFrame,
)
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_transport import BaseTransport, TransportParams

from ringback import UsageError
from ringback_voice.paced_output import PacedOutput
from ringback_voice.playout import Playout

if TYPE_CHECKING:
    import miniaudio

RATE_HZ = 16_000
PERIOD_MS = 20


class MicrophoneTransport(BaseTransport):
    """The default microphone and loudspeaker as one line.

    Lives for one call. Use headphones: there is no echo cancellation, so an open
    loudspeaker makes the bot hear itself.

    Raises:
        UsageError: miniaudio is not installed, or there is no microphone or loudspeaker.
    """

    def __init__(self) -> None:
        super().__init__()
        self._device = _open_device()
        params = TransportParams(
            audio_in_enabled=True,
            audio_in_sample_rate=RATE_HZ,
            audio_out_enabled=True,
            audio_out_sample_rate=RATE_HZ,
            audio_out_10ms_chunks=PERIOD_MS // 10,
        )
        playout = Playout(RATE_HZ)
        self._output = PacedOutput(params, playout)
        self._input = _Microphone(params, playout, self._device)

    def input(self) -> _Microphone:
        """The processor that the caller's sound comes out of."""
        return self._input

    def output(self) -> PacedOutput:
        """The processor that takes the bot's sound."""
        return self._output


class _Microphone(BaseInputTransport):
    """Brings the caller's sound into the pipeline and feeds the loudspeaker's next period.

    The device calls back on a thread of its own, which only hands sound over: captured
    sound to the loop, the period that is ready to the device.
    """

    def __init__(
        self, params: TransportParams, playout: Playout, device: miniaudio.DuplexStream
    ) -> None:
        super().__init__(params)
        self._playout = playout
        self._device = device
        self._ready: deque[bytes] = deque(maxlen=2)  # the loop appends, the device pops

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        periods = self._periods(asyncio.get_running_loop())
        next(periods)
        self._device.start(periods)

    async def stop(self, frame: EndFrame) -> None:
        self._device.stop()
        await super().stop(frame)

    async def cancel(self, frame: CancelFrame) -> None:
        self._device.stop()
        await super().cancel(frame)

    async def cleanup(self) -> None:
        self._device.close()
        await super().cleanup()

    def _periods(self, loop: asyncio.AbstractEventLoop) -> Generator[bytes, Any, None]:
        captured = yield b""
        while True:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._captured, bytes(captured))
            played = self._ready.popleft() if self._ready else b""
            captured = yield played.ljust(len(captured), b"\0")

    def _captured(self, sound: bytes) -> None:
        heard = self._playout.take(len(sound) // 2)
        if heard is not None:
            self._ready.append(heard.tobytes())
        if self._audio_task is not None:
            self._audio_in_queue.put_nowait(InputAudioRawFrame(sound, RATE_HZ, 1))


def find_sound_devices() -> str:
    """Open and close the default microphone and loudspeaker; say how they are reached.

    Raises:
        UsageError: miniaudio is not installed, or there is no microphone or loudspeaker.
    """
    device = _open_device()
    device.close()
    return f"microphone and loudspeaker through {device.backend}"


def _open_device() -> miniaudio.DuplexStream:
    try:
        import miniaudio
    except ImportError as error:
        raise UsageError("no microphone support here: pip install 'ringback[local]'") from error
    # Without a list, miniaudio falls back to a device that is always silent.
    backends = [b for b in miniaudio.Backend if b is not miniaudio.Backend.NULL]
    try:
        with _silenced_stderr():
            return miniaudio.DuplexStream(
                playback_channels=1,
                capture_channels=1,
                sample_rate=RATE_HZ,
                buffersize_msec=PERIOD_MS,
                backends=backends,
                app_name="ringback",
            )
    except miniaudio.MiniaudioError as error:
        raise UsageError(
            "no microphone and loudspeaker found: plug one in, allow this program to use it, "
            "or play a recording instead with `ringback replay`"
        ) from error


@contextmanager
def _silenced_stderr() -> Iterator[None]:
    """Keep a sound library's own complaints, written by C code, off the terminal."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device, not a path
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
