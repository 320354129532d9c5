"""The two places where memory stands in a pipeline; both forward every frame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    Frame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    LLMContextFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from ringback import CallHandle
from ringback_pipecat.context import MemoryContext

ANSWERED = (BotStartedSpeakingFrame, VADUserStartedSpeakingFrame, InterruptionFrame)
"""From here on nobody waits for a reply: it is heard, or the caller speaks on."""


class MemoryProcessor(FrameProcessor):
    """Makes each request to the language model carry memory, and ends the call at clean-up.

    Goes between the user aggregator and the language model. Nothing on its path waits;
    whatever fails is reported and the frame goes on untouched.

    Args:
        call: Whose memory it is.
        hang_up: Called once when the pipeline cleans up; bounded by the call's drain.
    """

    def __init__(self, call: CallHandle, hang_up: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._call = call
        self._hang_up = hang_up
        self._has_hung_up = False

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; a context without memory gets a copy that has it."""
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMContextFrame) and direction is FrameDirection.DOWNSTREAM:
            self._call.reply_is_due()
            frame = self._with_memory(frame)
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            self._call.reply_is_due()
        elif isinstance(frame, ANSWERED):
            self._call.reply_is_heard()
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """End the call; then what every processor does."""
        if not self._has_hung_up:
            self._has_hung_up = True
            try:
                await self._hang_up()
            except Exception as error:  # noqa: BLE001 - an adapter never raises into a pipeline
                await self.push_error("memory could not be closed", exception=error)
        await super().cleanup()

    def _with_memory(self, frame: LLMContextFrame) -> LLMContextFrame:
        """Speculative runs come with a plain copy of the context: lay memory over it too."""
        context: LLMContext = frame.context
        if isinstance(context, MemoryContext):
            return frame
        copy = MemoryContext(
            self._call.context, list(context.get_messages()), context.tools, context.tool_choice
        )
        return LLMContextFrame(context=copy, speculation=frame.speculation)


class Ears(FrameProcessor):
    """Remembers words that the speech recognition has not made final yet.

    Goes between the speech recognition and the user aggregator; holds one text.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unfinished = ""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; note interim words, drop them when they become final."""
        await super().process_frame(frame, direction)
        if isinstance(frame, InterimTranscriptionFrame):
            self._unfinished = frame.text
        elif isinstance(frame, TranscriptionFrame):
            self._unfinished = ""
        await self.push_frame(frame, direction)

    def take_unfinished(self) -> str:
        """Give the words that never became final, once."""
        words, self._unfinished = self._unfinished.strip(), ""
        return words
