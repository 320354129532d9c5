"""The bot's side of a line that takes sound no faster than it is heard."""

from __future__ import annotations

import numpy as np
from pipecat.frames.frames import Frame, InterruptionFrame, OutputAudioRawFrame, StartFrame
from pipecat.processors.frame_processor import FrameDirection
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams

from ringback_voice.playout import Playout


class PacedOutput(BaseOutputTransport):
    """Writes the bot's sound into a playout, which makes it wait while the line is full.

    Lives as long as its pipeline. An interruption empties the playout, so what was not
    heard yet is never heard.

    Args:
        params: As for any Pipecat output.
        playout: What the line takes the sound from.
    """

    def __init__(self, params: TransportParams, playout: Playout) -> None:
        super().__init__(params)
        self._playout = playout

    async def start(self, frame: StartFrame) -> None:
        """Begin to take sound."""
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; an interruption empties the line."""
        if isinstance(frame, InterruptionFrame):
            self._playout.clear()
        await super().process_frame(frame, direction)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Queue one frame; waits while the line is full."""
        await self._playout.write(np.frombuffer(frame.audio, dtype=np.int16))
        return True
