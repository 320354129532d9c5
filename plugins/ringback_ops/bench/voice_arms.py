"""The same recorded calls, played with memory, with a model reading beside them, and without."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

from ringback import Memory, MemorySettings
from ringback.inference.openai import OpenAiGenerator
from ringback.protocols import Completion, Filler
from ringback.settings import ReadingPolicy
from ringback_ops.memory_file import memory_url
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.replay import LineSettings, ReplayResult, replay
from ringback_pipelines.wiring import Parts, open_parts
from ringback_voice.call_folder import CallFolder
from ringback_voice.waterfall import TurnLatency

MEMORY_FILE = "memory.db"


class Arm(StrEnum):
    """What stands beside the call."""

    MEMORY = "with memory"
    READ = "with memory and a model reading"
    BARE = "without memory"


@dataclass(frozen=True, slots=True)
class Played:
    """One call, played once."""

    arm: Arm
    round: int
    result: ReplayResult
    requests: int = 0
    """That the reading model was sent while the call went on."""


class CountedFiller:
    """Passes requests on to a language model and counts those that were begun.

    Args:
        model: Fills in what it is asked.
    """

    def __init__(self, model: Filler) -> None:
        self._model = model
        self.begun = 0

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Count a request, then have it answered; see `Filler`."""
        self.begun += 1
        return await self._model.fill(instruction, text, shape=shape, max_tokens=max_tokens)


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
    async with open_parts(names) as parts:
        for number in range(rounds):
            for call in calls:
                for arm in order_of(arms, len(played) // len(arms)):
                    print(f"{call.title} ({len(call.caller_turns)} turns), {arm}", flush=True)
                    played.append(await _play(call, parts, arm, number, line))
    return played


def order_of(arms: Sequence[Arm], pass_number: int) -> tuple[Arm, ...]:
    """Which arm goes first changes from pass to pass: what is cold hits none alone."""
    first = pass_number % len(arms)
    return (*arms[first:], *arms[:first])


async def _play(
    call: CallFolder, parts: Parts, arm: Arm, number: int, line: LineSettings | None
) -> Played:
    """Play a call once; memory is a file of its own, so that no arm knows another's calls."""
    llm = parts.llm
    filler = CountedFiller(OpenAiGenerator(llm.base_url, llm.model, api_key=llm.api_key))
    begun = 0

    def note(_said: object) -> None:
        nonlocal begun
        begun = filler.begun  # what is asked after the last words disturbs nobody

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        memory = None
        if arm is not Arm.BARE:
            opened = Memory.open(
                memory_url(folder / MEMORY_FILE),
                settings=MemorySettings(reading_policy=ReadingPolicy.EVERY_TURN),
                extractor=filler if arm is Arm.READ else None,
            )
            memory = await stack.enter_async_context(await opened)
        result = await replay(call, parts, out=folder, line=line, on_said=note, memory=memory)
    return Played(arm, number, result, begun)


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
    on, off = _turns(of_arm(played, Arm.READ)), _turns(of_arm(played, Arm.MEMORY))
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
    }


def _turns(played: Iterable[Played]) -> dict[tuple[int, str, int], TurnLatency]:
    return {
        (one.round, one.result.call.name, turn.position): turn
        for one in played
        for turn in one.result.latencies
    }
