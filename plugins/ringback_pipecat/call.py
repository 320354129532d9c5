"""One call of a Pipecat app: its memory, and the places where it touches the pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import Frame, StopFrame
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.openai.base_llm import BaseOpenAILLMService

from ringback import CallHandle, Memory, UsageError
from ringback.call_tools import CallTools
from ringback.clock import Clock, SystemClock
from ringback.core.budget import Count, rough_count
from ringback.core.fitting import WindowSettings
from ringback.core.window import Window
from ringback_pipecat.capture import Capture
from ringback_pipecat.context import MemoryContext
from ringback_pipecat.priming import Primer, Priming
from ringback_pipecat.processor import Ears, MemoryProcessor
from ringback_pipecat.tools import OwnTools, memory_tools
from ringback_pipecat.window import follow_summaries

WINDOW = WindowSettings()


class PipecatCall:
    """Binds a call's memory to one pipeline.

    Lives as long as its pipeline: the processor that it makes ends the call, bounded,
    when the pipeline cleans up, however it ended.

    Args:
        call: From `Memory.ring()`.
        memory: Closed with the call, where the process has no other use for it.
        clock: Stamps what is said.
    """

    def __init__(
        self, call: CallHandle, *, memory: Memory | None = None, clock: Clock | None = None
    ) -> None:
        self.call = call
        self._memory = memory
        self._clock = clock or SystemClock()
        self._capture = Capture(call, self._clock)

    def context(
        self,
        *arguments: Any,
        window: WindowSettings | None = WINDOW,
        count: Count = rough_count,
        **options: Any,
    ) -> MemoryContext:
        """Make the context; takes what `LLMContext` takes.

        Args:
            arguments: As for `LLMContext`.
            window: How much of a long call the language model reads, and how much it can
                read; None has it read everything.
            count: Counts tokens, in this process; roughly where there is no tokenizer.
            options: As for `LLMContext`.
        """
        seen = Window(window, count=count, compress=self.call.compress) if window else None
        return MemoryContext(self.call.context, *arguments, window=seen, **options)

    def tools(self, own: OwnTools = (), *, filler: str = "") -> ToolsSchema:
        """Make the tools by which the model asks memory and tells it, for `context(tools=…)`.

        Args:
            own: The app's own tools, to go with them.
            filler: See `ringback_pipecat.tools.memory_tools`.

        Raises:
            UsageError: This call was made without its memory: give `CallTools(call, memory)`
                to `memory_tools` instead. Or a tool of the app has one of the names.
        """
        if self._memory is None:
            raise UsageError("tools() needs a memory: memory_tools(CallTools(call, memory))")
        return memory_tools(CallTools(self.call, self._memory), own, filler=filler)

    def ears(self) -> Ears:
        """Make the processor that hears words nobody has finalised; goes before `pair.user()`.

        Optional: with it, the last words of a caller whose line goes dead are kept even
        if they are only an interim transcript, words that come late stand where they were
        spoken, and what is known is looked up while the caller still speaks.
        """
        return Ears(self._capture, self._clock)

    def processor(self, pair: LLMContextAggregatorPair) -> MemoryProcessor:
        """Make the processor that goes between `pair.user()` and the language model.

        One for each language model, where a pipeline has branches.
        """
        self._capture.follow(pair)
        pair.assistant().add_event_handler("on_before_process_frame", self._passes_last)
        context = pair.user().context
        if not isinstance(context, MemoryContext):
            context = self.context()  # the app's plain one is laid under it at each request
        if context.window is not None:
            follow_summaries(pair, context.window, context.reader)
        return MemoryProcessor(
            self.call,
            self._clock,
            context,
            set_up=self._capture.find_mouth,
            hang_up=self._hang_up,
        )

    def priming(self, context: MemoryContext, llm: BaseOpenAILLMService, primer: Primer) -> Priming:
        """Make the processor that has the next request read ahead; goes directly behind `llm`.

        Optional: with it, memory costs no time to the first token. It is told when memory
        changes, and needs a primer, e.g. `ringback_voice.primer.Primer`. How fast the model
        reads bounds what memory may still add once the caller has stopped.
        """
        priming = Priming(context, llm, primer, on_speed=self.call.prompt_speed)
        self.call.on_change(priming.look)
        if context.window is not None:
            context.window.on_change(priming.look)
        return priming

    def statistics(self) -> dict[str, int]:
        """Count what was told apart: `echoes`, `late` transcripts, `backchannels`.

        Turns that could not be kept, because the memory was closed, are `unkept`.
        """
        return dict(self._capture.counts)

    async def _passes_last(self, _assistant: object, frame: Frame) -> None:
        """A pipeline that stops cleans nothing up: end its call when all of it has stopped."""
        if isinstance(frame, StopFrame):
            await self._end_call()

    async def _hang_up(self) -> None:
        try:
            await self._end_call()
        finally:
            if self._memory is not None:
                await self._memory.close()

    async def _end_call(self) -> None:
        try:
            self._capture.close()
        finally:
            await self.call.end()


async def open_call(
    url: str,
    *,
    tenant: str,
    handles: Iterable[tuple[str, str]] = (),
    call_id: str | None = None,
    zone: str = "UTC",
) -> PipecatCall:
    """Open a memory for one call and ring; both end with the pipeline.

    A server with many calls opens one `Memory` and makes a `PipecatCall` for each
    `memory.ring()` instead.

    Args:
        url: As for `Memory.open()`.
        tenant: Whose callers these are.
        handles: Claims of who is calling, e.g. `("phone", "+15551234567")`.
        call_id: The host's id of the call.
        zone: The caller's time zone, an IANA name.

    Raises:
        RingbackError: The memory cannot be opened; its subclasses say why.
    """
    memory = await Memory.open(url)
    try:
        call = memory.ring(tenant=tenant, handles=handles, call_id=call_id, zone=zone)
    except UsageError:
        await memory.close()
        raise
    return PipecatCall(call, memory=memory)
