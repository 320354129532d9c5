"""Says something when the language model does not."""

from __future__ import annotations

import asyncio

from pipecat.frames.frames import (
    Frame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSSpeakFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

DEADLINE_S = 8.0  # callers start to say "hello?" after about this long
APOLOGY = "Sorry, I cannot answer that right now. Could you say it again?"


class ReplyGuard(FrameProcessor):
    """Speaks an apology when a reply stays empty, fails, or does not begin in time.

    Place it between the language model and the speech synthesis. It lives as long as its
    pipeline and holds at most one timer. A reply that begins after the deadline was
    cancelled by then. `apologies` counts how often it had to speak.

    Args:
        deadline_s: From the request to the first word.
        apology: What is said instead.
    """

    def __init__(self, *, deadline_s: float = DEADLINE_S, apology: str = APOLOGY) -> None:
        super().__init__()
        self._deadline_s = deadline_s
        self._apology = apology
        self._timer: asyncio.Task[None] | None = None
        self._awaits_words = False
        self.apologies = 0

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; watch for replies that do not come."""
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMFullResponseStartFrame):
            await self._stop_timer()
            self._awaits_words = True
            self._timer = self.create_task(self._apologise_late())
        elif isinstance(frame, (LLMTextFrame, FunctionCallsStartedFrame, InterruptionFrame)):
            self._awaits_words = False
            await self._stop_timer()
        await self.push_frame(frame, direction)
        if isinstance(frame, LLMFullResponseEndFrame):
            await self._stop_timer()
            if self._awaits_words:
                await self._apologise()

    async def cleanup(self) -> None:
        """Stop the timer."""
        await self._stop_timer()
        await super().cleanup()

    async def _apologise_late(self) -> None:
        await asyncio.sleep(self._deadline_s)
        self._timer = None  # this task: from here on nobody cancels it
        await self.broadcast_interruption()  # ends the request that hangs
        await self._apologise()

    async def _apologise(self) -> None:
        self._awaits_words = False
        self.apologies += 1
        await self.push_frame(LLMFullResponseStartFrame())
        await self.push_frame(TTSSpeakFrame(self._apology))
        await self.push_frame(LLMFullResponseEndFrame())

    async def _stop_timer(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            await self.cancel_task(timer)
