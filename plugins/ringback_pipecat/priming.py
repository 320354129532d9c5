"""When the language model's server reads ahead: at the ring, and while the bot still speaks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from openai import NotGiven, Omit
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMContextAssistantTurnFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    StopFrame,
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
from pipecat.services.openai.base_llm import BaseOpenAILLMService
from pipecat.utils.types import assert_given

from ringback import UsageError
from ringback_pipecat.context import upcoming

SETTLE_S = 0.05  # an interruption is followed by what was heard of the reply
PAUSED = (VADUserStoppedSpeakingFrame, UserStoppedSpeakingFrame)
HEARD = (BotStartedSpeakingFrame, VADUserStartedSpeakingFrame, UserStartedSpeakingFrame)
ENDED = (EndFrame, CancelFrame, StopFrame)


class Primed(Protocol):
    """What came of having a prompt read."""

    @property
    def tokens_per_s(self) -> float | None:
        """How fast it was read; None where that could not be told."""
        ...


class Primer(Protocol):
    """Has a language model's server read a prompt; `ringback_voice.primer.Primer` is one."""

    async def prime(self, request: Mapping[str, Any], /) -> Primed | None:
        """Have a request's prompt read, instead of the one under way; None where it was not."""
        ...

    def break_off(self) -> None:
        """End the priming under way at once."""
        ...

    async def close(self) -> None:
        """Break off what is under way and drop the connection."""
        ...


class Moment:
    """Tells from frames when reading ahead is in nobody's way, and what the bot just said.

    One per pipeline. Nothing is read ahead while a reply is generated, nor from the
    caller's pause until the first sound of the answer.
    """

    def __init__(self) -> None:
        self._is_due = False
        self._is_replying = False
        self._calls_tools = False
        self._is_over = False
        self._words: list[str] = []
        self.reply = ""
        """The whole reply whose sound still plays; history does not have it yet."""

    @property
    def is_free(self) -> bool:
        """Nobody waits for the language model, and the call goes on."""
        return not (self._is_due or self._is_replying or self._is_over)

    def note(self, frame: Frame) -> bool:
        """Take a frame in; True where the next request may be another one, or may be read now."""
        if isinstance(frame, LLMTextFrame):
            self._words.append(frame.text)
            return False
        if isinstance(frame, PAUSED):
            self._is_due = True
        elif isinstance(frame, LLMFullResponseStartFrame):
            self._is_due = self._is_replying = True
            self._calls_tools, self._words, self.reply = False, [], ""
        elif isinstance(frame, FunctionCallsStartedFrame):
            self._calls_tools = True  # what comes next is the request with their results
        elif isinstance(frame, LLMFullResponseEndFrame):
            self._is_replying = self._calls_tools
            self.reply = "" if self._calls_tools else _as_history_has_it(self._words)
        elif isinstance(frame, InterruptionFrame):
            self._is_due = self._is_replying = False
            self.reply = ""
        elif isinstance(frame, LLMContextAssistantTurnFrame):
            self.reply = ""
        elif isinstance(frame, HEARD):
            self._is_due = False
        elif isinstance(frame, ENDED):
            self._is_over = True
        else:
            return False
        return True


class Priming(FrameProcessor):
    """Has the next request read ahead, up to the words that the caller will say.

    Goes directly behind the language model and forwards every frame; needs no memory. It
    reads the context and never writes to it. What fails is counted, here and by the
    primer, and the call goes on unprimed.

    Args:
        context: The pipeline's own; with memory, `PipecatCall.context()`'s.
        llm: The service that will send the request: its adapter and its settings make it.
        primer: Sends it ahead; closed with the pipeline.
        on_speed: Told how many tokens a second the server reads, each time it was measured.

    Raises:
        UsageError: The service is none of OpenAI's kind.
    """

    def __init__(
        self,
        context: LLMContext,
        llm: BaseOpenAILLMService,
        primer: Primer,
        *,
        on_speed: Callable[[float], None] | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(llm, BaseOpenAILLMService):
            raise UsageError(f"no prompt is read ahead by {type(llm).__name__}: not OpenAI's kind")
        self._context = context
        self._llm = llm
        self._primer = primer
        self._on_speed = on_speed
        self._moment = Moment()
        self._changed, self._quiet = asyncio.Event(), asyncio.Event()
        self._newest: Mapping[str, Any] | None = None  # read, or being read
        self._looking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.counts: Counter[str] = Counter()
        """How often a request was `asked` for ahead, and could not be made (`failed`)."""

    def look(self) -> None:
        """The next request may be another one than before; for `CallHandle.on_change()`."""
        self._quiet.clear()
        self._changed.set()

    async def quiet(self) -> None:
        """Wait until nothing is read ahead and nothing is about to be; for tools and tests."""
        await self._quiet.wait()

    async def setup(self, setup: FrameProcessorSetup) -> None:  # type: ignore[override]  # as Pipecat's
        """Begin at once: the phone still rings, and the system prompt is known."""
        await super().setup(setup)
        self._looking = self.create_task(self._look())
        self.look()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Forward every frame; stop reading ahead before anybody waits."""
        await super().process_frame(frame, direction)
        try:
            if self._moment.note(frame):
                if not self._moment.is_free:
                    self._primer.break_off()
                self.look()
        except Exception:  # noqa: BLE001 - an adapter never raises into a pipeline
            self.counts["failed"] += 1
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """Stop, and have the primer drop its connection."""
        if self._looking is not None:
            await self.cancel_task(self._looking)
        if self._reading is not None:  # no further one is begun
            await self.cancel_task(self._reading)
        self._looking = self._reading = None
        await self._primer.close()
        await super().cleanup()

    async def _look(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(SETTLE_S)
            self._changed.clear()
            try:
                await self._prime_if_new()
            except Exception:  # noqa: BLE001 - an adapter never raises into a pipeline
                self.counts["failed"] += 1
            self._tell_if_quiet()

    async def _prime_if_new(self) -> None:
        if not self._moment.is_free:
            return
        request = await self._request()
        if request == self._newest or not self._moment.is_free:
            return
        if self._reading is not None:
            await self.cancel_task(self._reading)
        self._newest = request
        self.counts["asked"] += 1
        self._reading = self.create_task(self._read(request))

    async def _read(self, request: Mapping[str, Any]) -> None:
        done = None
        try:
            done = await self._primer.prime(request)
        except Exception:  # noqa: BLE001 - an adapter never raises into a pipeline
            self.counts["failed"] += 1
        if done is None:
            self._newest = None  # the next look may try again
        elif self._on_speed is not None and done.tokens_per_s is not None:
            self._on_speed(done.tokens_per_s)
        self._reading = None
        self._tell_if_quiet()

    def _tell_if_quiet(self) -> None:
        if self._reading is None and not self._changed.is_set():
            self._quiet.set()

    async def _request(self) -> dict[str, Any]:
        """The body that the service would send if the caller had said nothing."""
        llm: Any = self._llm  # what a service was set to has no public name
        parameters = await llm.get_llm_adapter().get_llm_invocation_params(
            upcoming(self._context, self._moment.reply),
            system_instruction=assert_given(llm._settings.system_instruction),
            convert_developer_to_user=not llm.supports_developer_role,
        )
        body = llm.build_chat_completion_params(parameters)
        further = body.pop("extra_body", None) or {}
        given = {name: value for name, value in body.items() if not _is_left_out(value)}
        return {**given, **further}


def _as_history_has_it(words: list[str]) -> str:
    """A reply as the assistant aggregator joins its spoken sentences; a guess where TTS cuts else."""
    return " ".join("".join(words).split())


def _is_left_out(value: object) -> bool:
    return isinstance(value, (NotGiven, Omit))
