"""One call of a Pipecat app: its memory, and the places where it touches the pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.processors.aggregators.llm_response_universal import (
    AssistantTurnStoppedMessage,
    LLMContextAggregatorPair,
    UserTurnMessageAddedMessage,
)
from pipecat.services.openai.base_llm import BaseOpenAILLMService

from ringback import CallHandle, Memory, Role, Turn, UsageError
from ringback.call_tools import CallTools
from ringback.clock import Clock, SystemClock
from ringback_pipecat.context import MemoryContext
from ringback_pipecat.priming import Primer, Priming
from ringback_pipecat.processor import Ears, MemoryProcessor
from ringback_pipecat.tools import OwnTools, memory_tools


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
        self._ears: Ears | None = None

    def context(self, *arguments: Any, **options: Any) -> MemoryContext:
        """Make the context; takes what `LLMContext` takes."""
        return MemoryContext(self.call.context, *arguments, **options)

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
        if they are only an interim transcript.
        """
        self._ears = Ears()
        return self._ears

    def processor(self, pair: LLMContextAggregatorPair) -> MemoryProcessor:
        """Make the processor that goes between `pair.user()` and the language model."""
        # Capture by the aggregators' events: they hold what was settled as said, for the
        # agent only sentences whose sound was sent, and fire on End and on Cancel too.
        pair.user().add_event_handler("on_user_turn_message_added", self._caller_said)
        pair.assistant().add_event_handler("on_assistant_turn_stopped", self._agent_said)
        return MemoryProcessor(self.call, self._hang_up)

    def priming(self, context: MemoryContext, llm: BaseOpenAILLMService, primer: Primer) -> Priming:
        """Make the processor that has the next request read ahead; goes directly behind `llm`.

        Optional: with it, memory costs no time to the first token. It is told when memory
        changes, and needs a primer, e.g. `ringback_voice.primer.Primer`.
        """
        priming = Priming(context, llm, primer)
        self.call.on_change(priming.look)
        return priming

    def _caller_said(self, _aggregator: object, message: UserTurnMessageAddedMessage) -> None:
        if message.content.strip():
            self._observe(Role.CALLER, message.content)

    def _agent_said(self, _aggregator: object, message: AssistantTurnStoppedMessage) -> None:
        if message.content.strip():
            self._observe(Role.AGENT, message.content, interrupted=message.interrupted)

    def _observe(
        self, role: Role, text: str, *, interrupted: bool = False, partial: bool = False
    ) -> None:
        turn = Turn(
            role,
            text.strip(),
            at=self._clock.now_at(),
            interrupted=interrupted,
            partial=partial,
        )
        self.call.observe(turn)

    async def _hang_up(self) -> None:
        words = self._ears.take_unfinished() if self._ears is not None else ""
        if words:
            self._observe(Role.CALLER, words, partial=True)
        await self.call.end()
        if self._memory is not None:
            await self._memory.close()


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
    call = memory.ring(tenant=tenant, handles=handles, call_id=call_id, zone=zone)
    return PipecatCall(call, memory=memory)
