"""The two places where memory stands in a pipeline; both forward every frame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    CancelFrame,
    EagerTranscriptionFrame,
    EndFrame,
    Frame,
    FunctionCallResultFrame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    LLMContextFrame,
    TranscriptionFrame,
    UserBackchannelFrame,
    UserMuteStartedFrame,
    UserMuteStoppedFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import (
    FrameDirection,
    FrameProcessor,
    FrameProcessorSetup,
)
from pipecat.services.llm_service import LLMService
from pipecat.utils.errors import ErrorCategory

from ringback import CallHandle
from ringback.clock import Clock
from ringback.records import ToolUse
from ringback_pipecat.capture import Capture
from ringback_pipecat.context import MemoryContext
from ringback_pipecat.window import UsageObserver

ANSWERED = (BotStartedSpeakingFrame, VADUserStartedSpeakingFrame, InterruptionFrame)
"""From here on nobody waits for a reply: it is heard, or the caller speaks on."""


class MemoryProcessor(FrameProcessor):
    """Makes each request to the language model carry memory, and ends the call at clean-up.

    Goes between the user aggregator and the language model. Nothing on its path waits;
    whatever fails is reported and the frame goes on untouched.

    Args:
        call: Whose memory it is.
        clock: Stamps what tools did.
        context: The pipeline's, or the one that is laid under a pipeline's plain one.
        set_up: Called when the pipeline is linked, before its first frame.
        hang_up: Called once when the pipeline cleans up; bounded by the call's drain.
    """

    def __init__(
        self,
        call: CallHandle,
        clock: Clock,
        context: MemoryContext,
        *,
        set_up: Callable[[], None],
        hang_up: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self._call = call
        self._clock = clock
        self._set_up = set_up
        self._hang_up = hang_up
        self._context = context
        self._has_hung_up = False

    async def setup(self, setup: FrameProcessorSetup) -> None:  # type: ignore[override]  # as Pipecat's
        """What every processor does; then find the places to listen at."""
        await super().setup(setup)
        self._set_up()
        watch = getattr(setup.observer, "add_observer", None)
        model = _model_behind(self)
        if watch is not None and model is not None and self._context.window is not None:
            watch(UsageObserver(self._context.window, model.name))

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; a context without memory gets a copy that has it."""
        await super().process_frame(frame, direction)
        passed = frame
        try:
            passed = self._taken_up(frame, direction)
        except Exception as error:  # noqa: BLE001 - an adapter never raises into a pipeline
            await report(self, "memory missed a frame", error)
        await self.push_frame(passed, direction)

    async def cleanup(self) -> None:
        """End the call; then what every processor does."""
        if not self._has_hung_up:
            self._has_hung_up = True
            try:
                await self._hang_up()
            except Exception as error:  # noqa: BLE001 - an adapter never raises into a pipeline
                await report(self, "memory could not be closed", error)
        await super().cleanup()

    def _taken_up(self, frame: Frame, direction: FrameDirection) -> Frame:
        if isinstance(frame, LLMContextFrame) and direction is FrameDirection.DOWNSTREAM:
            self._call.reply_is_due()
            return self._with_memory(frame)
        if isinstance(frame, VADUserStoppedSpeakingFrame):
            self._call.reply_is_due()
            self._context.hold()
        elif isinstance(frame, ANSWERED):
            self._call.reply_is_heard()
            self._context.go_on()
        elif isinstance(frame, FunctionCallResultFrame) and direction is FrameDirection.UPSTREAM:
            self._tool_used(frame)
        return frame

    def _tool_used(self, frame: FunctionCallResultFrame) -> None:
        """Results are broadcast; the copy that goes up passes here once, also in a branch."""
        is_final = frame.properties is None or frame.properties.is_final
        if is_final and frame.error is None:
            given = frame.arguments if isinstance(frame.arguments, Mapping) else {}
            at = self._clock.now_at()
            self._call.observe_tool(ToolUse(frame.function_name, given, frame.result, at))
        runs = frame.properties.run_llm if frame.properties is not None else frame.run_llm
        if is_final and runs is not False:
            self._call.reply_is_due()  # the request after a tool goes to the model from below
            self._context.hold()

    def _with_memory(self, frame: LLMContextFrame) -> LLMContextFrame:
        """Speculative runs come with a plain copy of the context: lay memory over it too."""
        context: LLMContext = frame.context
        if isinstance(context, MemoryContext):
            return frame
        copy = self._context.over(context)
        return LLMContextFrame(context=copy, speculation=frame.speculation)


class Ears(FrameProcessor):
    """Hears when the caller speaks, and words before the user aggregator has them.

    Goes between the speech recognition and the user aggregator, which keeps transcripts
    to itself and tells upstream of the edges of speech.

    Args:
        capture: Takes what is heard.
        clock: Says when it was.
    """

    def __init__(self, capture: Capture, clock: Clock) -> None:
        super().__init__()
        self._capture = capture
        self._clock = clock
        self._has_vad = False

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame, and note it."""
        await super().process_frame(frame, direction)
        try:
            self._note(frame)
        except Exception as error:  # noqa: BLE001 - an adapter never raises into a pipeline
            await report(self, "memory missed a frame", error)
        await self.push_frame(frame, direction)

    def _note(self, frame: Frame) -> None:
        if isinstance(frame, InterimTranscriptionFrame | EagerTranscriptionFrame):
            self._capture.interim(frame.text)
        elif isinstance(frame, TranscriptionFrame):
            self._capture.final(frame.text)
        elif isinstance(frame, UserBackchannelFrame):
            self._capture.backchannel()
        elif isinstance(frame, UserMuteStartedFrame | UserMuteStoppedFrame):
            self._capture.speech.is_muted = isinstance(frame, UserMuteStartedFrame)
        elif isinstance(frame, EndFrame | CancelFrame):
            self._capture.line_ends(is_cut=isinstance(frame, CancelFrame))
        else:
            self._note_edges(frame)

    def _note_edges(self, frame: Frame) -> None:
        """Note who begins and stops; a detector knows it better than who decides on turns."""
        speech, now = self._capture.speech, self._clock.now_at()
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self._has_vad = True
            speech.speech_began(now - timedelta(seconds=frame.start_secs))
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            speech.speech_ended(now - timedelta(seconds=frame.stop_secs))
        elif isinstance(frame, BotStartedSpeakingFrame):
            speech.bot_began(now)
        elif isinstance(frame, UserStartedSpeakingFrame) and not self._has_vad:
            speech.speech_began(now)
        elif isinstance(frame, UserStoppedSpeakingFrame) and not self._has_vad:
            speech.speech_ended(now)


async def report(processor: FrameProcessor, what: str, error: Exception) -> None:
    """Tell the host of what failed; the processor goes on, whatever sort of error it was."""
    await processor.push_error(what, exception=error, category=ErrorCategory.UNKNOWN)


def _model_behind(processor: FrameProcessor) -> LLMService | None:
    """The next language model behind a place in a pipeline, also inside what has parts."""
    place = processor.next
    while place is not None:
        if found := _model_in(place):
            return found
        place = place.next
    return None


def _model_in(processor: FrameProcessor) -> LLMService | None:
    if isinstance(processor, LLMService):
        return processor
    return next(filter(None, map(_model_in, processor.processors)), None)
