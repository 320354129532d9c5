"""The same recorded calls, played with memory, with a model reading beside them, and without."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

from ringback import MemorySettings
from ringback.model_ports import hold_of
from ringback.protocols import Completion, Filler, Hold
from ringback.settings import ReadingPolicy
from ringback_ops.bench.voice_hold import HoldUp
from ringback_ops.memory_file import memory_url
from ringback_pipelines.language_model import open_reader
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.remembering import open_memory
from ringback_pipelines.replay import LineSettings, ReplayResult, replay
from ringback_pipelines.wiring import Parts, open_parts
from ringback_voice.call_folder import CallFolder
from ringback_voice.waterfall import TurnLatency

MEMORY_FILE = "memory.db"


class Arm(StrEnum):
    """What stands beside the call."""

    MEMORY = "with memory"
    READ = "with memory and a model reading"
    HELD = "with memory that is held up"
    """Its store, its embedder and its language model sleep for 8 s before they do anything."""
    BARE = "without memory"


@dataclass(frozen=True, slots=True)
class Played:
    """One call, played once."""

    arm: Arm
    round: int
    result: ReplayResult
    requests: int = 0
    """That the reading model was sent while the call went on."""
    answers: int = 0
    """That it gave while the call went on."""
    held: int = 0
    """How often memory asked for something that came late."""


@dataclass(frozen=True, slots=True)
class _Room:
    """What all calls of one run are played with."""

    parts: Parts
    reader: Filler | None
    line: LineSettings | None


class CountedFiller:
    """Passes requests on to a language model and counts those that were begun and answered.

    Args:
        model: Fills in what it is asked.
    """

    def __init__(self, model: Filler) -> None:
        self._model = model
        self.begun = 0
        self.answered = 0

    @property
    def hold(self) -> Hold | None:
        """What holds the model."""
        return hold_of(self._model)

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Count a request, then have it answered; see `Filler`."""
        self.begun += 1
        done = await self._model.fill(instruction, text, shape=shape, max_tokens=max_tokens)
        self.answered += 1
        return done


async def play_arms(
    calls: Sequence[CallFolder],
    names: PartNames,
    *,
    arms: Sequence[Arm],
    rounds: int,
    line: LineSettings | None = None,
) -> list[Played]:
    """Play each call in each arm, in turns, so that whatever else runs here hits all alike."""
    played: list[Played] = []
    total = rounds * len(calls) * len(arms)
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(open_parts(names))
        reads = Arm.READ in arms
        reader = await stack.enter_async_context(open_reader(names)) if reads else None
        room = _Room(parts, reader, line)
        for number in range(rounds):
            for call in calls:
                for arm in order_of(arms, len(played) // len(arms)):
                    what = f"{call.title} ({len(call.caller_turns)} turns), {arm}"
                    print(f"{len(played) + 1}/{total}: {what}", file=sys.stderr, flush=True)
                    played.append(await _play(call, room, arm, number))
    return played


def order_of(arms: Sequence[Arm], pass_number: int) -> tuple[Arm, ...]:
    """Which arm goes first changes from pass to pass: what is cold hits none alone."""
    first = pass_number % len(arms)
    return (*arms[first:], *arms[:first])


async def _play(call: CallFolder, room: _Room, arm: Arm, number: int) -> Played:
    """Play a call once; memory is a file of its own, so that no arm knows another's calls."""
    filler = CountedFiller(room.reader) if room.reader and arm is Arm.READ else None
    hold = HoldUp() if arm is Arm.HELD else None
    begun = answered = 0

    def note(_said: object) -> None:
        nonlocal begun, answered
        if filler is not None:  # what is asked after the last words disturbs nobody
            begun, answered = filler.begun, filler.answered

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        memory = None
        if arm is not Arm.BARE:
            opened = open_memory(
                memory_url(folder / MEMORY_FILE),
                llm=room.parts.llm,
                settings=MemorySettings(reading_policy=ReadingPolicy.EVERY_TURN),
                extractor=hold or filler,
            )
            memory = await stack.enter_async_context(opened)
            if hold is not None:
                hold.over(memory)
        result = await replay(
            call, room.parts, out=folder, line=room.line, on_said=note, memory=memory
        )
    return Played(arm, number, result, begun, answered, hold.held if hold else 0)


def of_arm(played: Iterable[Played], arm: Arm) -> list[Played]:
    """What was played in one arm."""
    return [one for one in played if one.arm is arm]


def reading_figures(played: Sequence[Played]) -> dict[str, Any]:
    """What a model that reads beside the call costs the caller.

    Returns:
        `extraction_on_ratio` is the median with it by the median without, over the turns
        that were answered in both; None where no request was sent meanwhile: then it
        would say nothing.
    """
    on, off = turns_of(of_arm(played, Arm.READ)), turns_of(of_arm(played, Arm.MEMORY))
    both = sorted(set(on) & set(off))
    requests = sum(one.requests for one in played)
    ratio = None
    if both and requests:
        slow, quick = (median(side[turn].total_ms for turn in both) for side in (on, off))
        ratio = round(slow / quick, 3)
    return {
        "extraction_on_ratio": ratio,
        "extraction_on_turns": len(both),
        "extraction_on_requests": requests,
        "extraction_on_answers": sum(one.answers for one in played),
    }


def turns_of(played: Iterable[Played]) -> dict[tuple[int, str, int], TurnLatency]:
    """Answered turns by round, call and position."""
    return {
        (one.round, one.result.call.name, turn.position): turn
        for one in played
        for turn in one.result.latencies
    }
