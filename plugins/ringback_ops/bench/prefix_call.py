"""One arm of the benchmark of the prefix cache: what its caller says, and what memory adds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum

from ringback import Context
from ringback_ops.bench.prefix_lines import BRIEFING, PERSONA, block_of
from ringback_pipelines.soundless import Setting, SoundlessCall, soundless_call
from ringback_pipelines.soundless_parts import LONGEST_TURN_S
from ringback_voice.llm_endpoint import LlmEndpoint

REPLY_TOKENS = 24  # one short sentence
CHARACTERS_PER_S = 15  # of speech, the bot's and the caller's
RING_S = 1.1  # 145 ms of set-up, and the shortest greeting of a caller


class Arm(StrEnum):
    """What stands beside the pipeline."""

    STOCK = "stock"
    """Neither memory nor priming: Pipecat as it is, with the server's own prefix cache."""
    PRIMED_WITHOUT = "primed_without"
    PRIMED_WITH = "primed_with"
    UNPRIMED_WITH = "unprimed_with"

    @property
    def has_memory(self) -> bool:
        """A briefing, and a block that changes from turn to turn."""
        return self in (Arm.PRIMED_WITH, Arm.UNPRIMED_WITH)

    @property
    def is_primed(self) -> bool:
        """Requests are read ahead."""
        return self in (Arm.PRIMED_WITH, Arm.PRIMED_WITHOUT)


@dataclass(frozen=True, slots=True)
class Answered:
    """One request of one conversation."""

    arm: Arm
    round: int
    turn: int
    first_token_ms: float
    """From the request, as the user aggregator makes it, to the first words of the reply."""
    prompt_tokens: int
    cached_tokens: int


class Memory:
    """What memory adds to a conversation now."""

    def __init__(self) -> None:
        self.now = Context("", "")

    def recall(self, _said: str = "", *, turn: Hashable | None = None) -> Context:  # noqa: ARG002 - as `Recall`
        """What it adds."""
        return self.now


class Talk:
    """One conversation of one arm; made by `talk()`, ends with it."""

    def __init__(self, arm: Arm, round_number: int, call: SoundlessCall, memory: Memory) -> None:
        self._arm, self._round, self._turn = arm, round_number, 0
        self._call, self._memory = call, memory

    async def ring(self) -> None:
        """The system prompt has been read at start-up; now the briefing comes, and a caller."""
        await self._call.read_ahead(LONGEST_TURN_S)
        self._stage()
        await self._call.read_ahead(RING_S)

    async def say(self, line: str) -> Answered:
        """A turn of the caller and its answer; then as long as the bot and the caller speak."""
        reply = await self._call.say(line)
        turn, self._turn = self._turn, self._turn + 1
        self._stage()
        await self._call.read_ahead(len(reply.text) / CHARACTERS_PER_S)
        await self._call.hear_out()
        await self._call.read_ahead(len(line) / CHARACTERS_PER_S)
        return Answered(
            self._arm,
            self._round,
            turn,
            reply.first_token_ms,
            reply.prompt_tokens,
            reply.cached_tokens,
        )

    def _stage(self) -> None:
        """Recall has found something for the coming turn."""
        if self._arm.has_memory:
            self._memory.now = Context(BRIEFING, block_of(self._turn))
            self._call.look()


@asynccontextmanager
async def talk(
    arm: Arm, round_number: int, endpoint: LlmEndpoint, slot: int
) -> AsyncIterator[Talk]:
    """Run one conversation's pipeline; it ends with this block."""
    memory = Memory()
    setting = Setting(
        endpoint,
        # No slot has read this line's beginning before: without priming it is cold.
        persona=f"Line {round_number}-{slot}. {PERSONA}",
        reply_tokens=REPLY_TOKENS,
        recall=memory.recall if arm.has_memory else None,
        primes=arm.is_primed,
        extra_body={"id_slot": slot},  # no arm drives another one out
    )
    async with soundless_call(setting) as call:
        yield Talk(arm, round_number, call, memory)
