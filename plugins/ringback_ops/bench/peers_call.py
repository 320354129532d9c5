"""One call of the benchmark of peers, in a process of its own: `python -m …peers_call ORDER`.

Its last line of output is the call, as JSON. The same code holds every arm's call, in
whichever environment has what the arm needs.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from ringback import Assurance, Clock, Memory, Role, SystemClock, Turn
from ringback.inference import OnnxEmbedder
from ringback_models import resolve
from ringback_ops.bench.peers_lines import CALLER, EARLIER, LINES, Line
from ringback_ops.bench.prefix_lines import PERSONA
from ringback_pipecat import PipecatCall
from ringback_pipelines import mem0_service
from ringback_pipelines.part_names import DEFAULT_EMBEDDER
from ringback_pipelines.remembering import open_memory
from ringback_pipelines.soundless import Setting, SoundlessCall, soundless_call
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.primer import prime_system

REPLY_TOKENS = 24  # one short sentence
CHARACTERS_PER_S = 15  # of speech, the bot's and the caller's
RING_S = 1.1  # 145 ms of set-up, and the shortest greeting of a caller
TENANT, CALLER_ID, PHONE = "bench", "dana", ("phone", "+15550100199")


class Arm(StrEnum):
    """What remembers."""

    NONE = "none"
    RINGBACK = "ringback"
    """As its bots have it: requests are read ahead."""
    RINGBACK_PLAIN = "ringback_plain"
    """At its worst: nothing is read ahead, and no words come before they are final."""
    MEM0 = "mem0"
    MEM0_BEST = "mem0_best"
    """At its best: blocks stand where a cache holds all before them, and nothing is stored."""

    @property
    def is_mem0(self) -> bool:
        """It needs mem0's environment."""
        return self in (Arm.MEM0, Arm.MEM0_BEST)


@dataclass(frozen=True, slots=True)
class Order:
    """Which call to hold."""

    arm: Arm
    llm: LlmEndpoint
    """The call's language model."""
    reader: LlmEndpoint | None
    """Another one, in idle time, for a memory that reads with a model."""
    folder: str
    """Where a memory keeps what it has."""
    turns: int
    speed: float
    """How much faster than people everybody speaks."""

    def to_json(self) -> str:
        """As a child process is given it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Order:
        """Read it back."""
        given = json.loads(text)
        ends = {name: given[name] and LlmEndpoint(**given[name]) for name in ("llm", "reader")}
        return cls(**{**given, **ends, "arm": Arm(given["arm"])})


@dataclass(frozen=True, slots=True)
class Answered:
    """One turn of the caller and its answer."""

    turn_end_to_llm_ms: float
    first_token_ms: float
    """From the turn's end: what was done before the request left is in it."""
    prompt_tokens: int
    knew: bool | None
    """What was needed stood in the request; None where nothing was."""


@dataclass(frozen=True, slots=True)
class Held:
    """One call."""

    answered: tuple[Answered, ...]
    blocks_in_history: int
    """Messages that nobody said, in the pipeline's context when the call ends."""

    @classmethod
    def from_json(cls, text: str) -> Held:
        """Read what a child process printed."""
        given = json.loads(text)
        return cls(tuple(Answered(**one) for one in given["answered"]), given["blocks_in_history"])


def main() -> None:
    """Hold the call that the command line orders, and print it."""
    asyncio.run(_hold_and_tell(Order.from_json(sys.argv[1])))


async def _hold_and_tell(order: Order) -> None:
    try:
        await prime_system(order.llm, PERSONA)  # at start-up, as bots do
        async with _call(order) as call:
            await asyncio.sleep(RING_S)
            held = await _hold(call, order)
        print(json.dumps(asdict(held)))
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        # Now: the loop does not end while mem0's threads wait for their model.
        sys.stdout.close()


async def _hold(call: SoundlessCall, order: Order) -> Held:
    answered = []
    for line in LINES[: order.turns]:
        spoken_s = _spoken_s(line.text) / order.speed
        await call.speak(line.text, spoken_s, streams=order.arm is not Arm.RINGBACK_PLAIN)
        reply = await call.say(line.text)
        await asyncio.sleep(_spoken_s(reply.text) / order.speed)
        await call.hear_out()
        answered.append(
            Answered(
                round(reply.turn_end_to_llm_ms, 3),
                round(reply.turn_end_to_words_ms, 1),
                reply.prompt_tokens,
                knew(line, reply.request),
            )
        )
    return Held(tuple(answered), len(nobodys(call.context.get_messages())))


def knew(line: Line, request: str) -> bool | None:
    """Whether what a line needs stood in what memory put into the request."""
    added = nobodys(json.loads(request)["messages"])
    return any(line.needs in one["content"] for one in added) if line.needs else None


def nobodys(messages: list[Any]) -> list[Any]:
    """Messages that no speaker said, and that are not the persona."""
    said = {line.text for line in LINES}
    return [
        one
        for one in messages
        if one["role"] not in ("assistant", "system")
        and not (one["role"] == "user" and one["content"] in said)
    ]


def _spoken_s(text: str) -> float:
    return len(text) / CHARACTERS_PER_S


@asynccontextmanager
async def _call(order: Order) -> AsyncIterator[SoundlessCall]:
    hold = _with_mem0 if order.arm.is_mem0 else _with_ringback
    if order.arm is Arm.NONE:
        hold = _bare
    async with hold(order) as call:
        yield call


@asynccontextmanager
async def _bare(order: Order) -> AsyncIterator[SoundlessCall]:
    async with soundless_call(Setting(order.llm, PERSONA, REPLY_TOKENS)) as call:
        yield call


@asynccontextmanager
async def _with_ringback(order: Order) -> AsyncIterator[SoundlessCall]:
    async with open_memory(f"sqlite:///{Path(order.folder) / 'memory.db'}") as memory:
        await _fill(memory, SystemClock())
        handle = memory.ring(tenant=TENANT, handles=[PHONE])
        await handle.identify(CALLER_ID, Assurance.VERIFIED)  # the other one is told it as well
        there = PipecatCall(handle)
        setting = Setting(
            order.llm,
            PERSONA,
            REPLY_TOKENS,
            recall=handle.context,
            primes=order.arm is Arm.RINGBACK,
            ears=there.ears(),
            memory=there.processor,
        )
        async with soundless_call(setting) as call:
            handle.on_change(call.look)
            yield call


async def _fill(memory: Memory, clock: Clock) -> None:
    for number, earlier in enumerate(EARLIER):
        began_at = clock.now_at() - timedelta(days=earlier.days_ago)
        call = memory.ring(tenant=TENANT, handles=[PHONE], call_id=f"e{number}", at=began_at)
        await call.identify(CALLER_ID, Assurance.VERIFIED, handles=[PHONE])
        for place, (role, text) in enumerate(earlier.said):
            spoken_by = Role.CALLER if role == CALLER else Role.AGENT
            call.observe(Turn(spoken_by, text, at=began_at + timedelta(seconds=8 * place)))
        await call.end()
    await memory.settle()
    await memory.indexed()


@asynccontextmanager
async def _with_mem0(order: Order) -> AsyncIterator[SoundlessCall]:
    with _embedder() as embedder:
        service = mem0_service.mem0_service(
            Path(order.folder),
            embedder,
            order.reader or order.llm,
            user_id=CALLER_ID,
            position=mem0_service.BEHIND_ALL if order.arm is Arm.MEM0_BEST else None,
        )
        for earlier in EARLIER:
            await mem0_service.fill_mem0(service, earlier.said)
        if order.arm is Arm.MEM0_BEST:
            mem0_service.store_nothing(service)
        setting = Setting(order.llm, PERSONA, REPLY_TOKENS, memory=lambda _: service)
        async with soundless_call(setting) as call:
            yield call


@contextmanager
def _embedder() -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(resolve(DEFAULT_EMBEDDER, fetch=False))
    try:
        yield embedder
    finally:
        embedder.close()


if __name__ == "__main__":
    main()
