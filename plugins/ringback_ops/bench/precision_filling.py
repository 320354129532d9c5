"""Plays a labelled scenario on a store of its own: fills it, asks, and says what came back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from ringback import Memory, OfferedTurn
from ringback.clock import SystemClock
from ringback.errors import UsageError
from ringback.profile import Profile
from ringback.protocols import Embedder
from ringback.recollection import Recollection
from ringback.records import Decision
from ringback_ops.bench.precision_set import (
    Asked,
    Corrected,
    Remembered,
    Retired,
    Said,
    Scenario,
    Step,
)

LIMIT = 5  # of a recall
DEADLINE_MS = 20_000  # of a recall; what is measured is the answer, not the machine


@dataclass(frozen=True, slots=True)
class Answer:
    """What a recall answered a question with."""

    asked: Asked
    returned: tuple[str, ...]
    """Labels, best first, each once; what no label stands for is its id behind a `?`."""
    texts: Mapping[str, str]
    """What was returned, in words."""
    doubled: int = 0
    """How often a memory came back again: a turn beside the fact that was read from it."""
    could_not_look: bool = False


class SetClock(SystemClock):
    """A wall clock that the scenario sets."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now_at(self) -> datetime:
        """When the present step happens, in UTC."""
        return self.at.astimezone(UTC)


async def play(scenario: Scenario, embedder: Embedder | None = None) -> tuple[Answer, ...]:
    """Do all steps of a scenario in a temporary store, and return the answers.

    Args:
        scenario: What is remembered, said and asked.
        embedder: By whose vectors recall looks; None leaves it at full text.

    Raises:
        UsageError: A memory of the set was not kept; the message names it.
    """
    clock = SetClock(scenario.steps[0].at)
    with tempfile.TemporaryDirectory() as folder:
        memory = await Memory.open(
            f"sqlite:///{Path(folder) / 'memory.db'}",
            schema=scenario.schema,
            clock=clock,
            embedder=embedder,
        )
        async with memory:
            stage = _Stage(scenario, memory, clock)
            for steps in _in_turn(scenario.steps):
                await stage.do(steps)
    return tuple(stage.answers)


def _in_turn(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps one by one, but what was said in one go together: it is read as a whole."""
    for said_in, group in groupby(enumerate(steps), key=_place):
        together = [step for _, step in group]
        yield from [together] if said_in[0] else ([step] for step in together)


def _place(numbered: tuple[int, Step]) -> tuple[str, str]:
    _, step = numbered
    return (step.profile, step.conversation) if isinstance(step, Said) else ("", "")


class _Stage:
    """One scenario while it is played: which memory is whose, and what was answered."""

    def __init__(self, scenario: Scenario, memory: Memory, clock: SetClock) -> None:
        self._scenario = scenario
        self._memory = memory
        self._clock = clock
        self._facts: dict[str, str] = {}
        """Labels by a stated fact's id."""
        self._fact_ids: dict[str, str] = {}
        self._turns: dict[tuple[str, int], str] = {}
        """Labels by a turn's call and position."""
        self.answers: list[Answer] = []

    async def do(self, steps: Sequence[Step]) -> None:
        """One step, or the turns that were said in one go."""
        self._clock.at = steps[-1].at
        profile = self._profile(steps[0].profile)
        said = [step for step in steps if isinstance(step, Said)]
        if said:
            return await self._say(profile, said)
        (step,) = steps
        match step:
            case Remembered():
                decision = await profile.remember(step.value, key=step.key, subject=step.subject)
                self._take(step.id, decision)
            case Corrected():
                self._take(step.id, await profile.correct(self._fact_ids[step.of], step.value))
            case Retired():
                await profile.retire(self._fact_ids[step.of])
            case Asked():
                self.answers.append(await self._ask(profile, step))

    def _profile(self, label: str) -> Profile:
        owner = self._scenario.owners[label]
        return self._memory.profile(owner.tenant, owner.name, owner.kind)

    def _take(self, label: str, decision: Decision) -> None:
        if decision.fact is None:
            where = f"{self._scenario.name}: {label}"
            raise UsageError(f"{where} was not kept ({decision.reason}): put the set right")
        self._facts[decision.fact.id] = label
        self._fact_ids[label] = decision.fact.id

    async def _say(self, profile: Profile, said: Sequence[Said]) -> None:
        ingested = await profile.ingest(
            [OfferedTurn(step.role, step.text, at=step.at) for step in said],
            conversation=said[0].conversation,
            zone=self._scenario.zone,
        )
        if ingested.stored != len(said):
            where = f"{self._scenario.name}: {said[0].id}"
            raise UsageError(f"{where} and what follows were not all stored: put the set right")
        first = sum(call_id == ingested.call_id for call_id, _ in self._turns)
        for position, step in enumerate(said, start=first):
            self._turns[ingested.call_id, position] = step.id
        await self._memory.settle()

    async def _ask(self, profile: Profile, asked: Asked) -> Answer:
        await self._memory.indexed()
        answer = await profile.recall(
            asked.question, limit=LIMIT, deadline_ms=DEADLINE_MS, zone=self._scenario.zone
        )
        labelled = [(self._label(one), one.text) for one in answer.found]
        returned = tuple(dict.fromkeys(label for label, _ in labelled))
        return Answer(
            asked,
            returned,
            texts=dict(reversed(labelled)),
            doubled=len(labelled) - len(returned),
            could_not_look=bool(answer.missed),
        )

    def _label(self, one: Recollection) -> str:
        """The memory that something returned is: a fact from a turn is that turn's."""
        unknown = f"?{one.id}"
        if one.turn is not None:
            return self._turns.get((one.call_id, one.turn.position), unknown)
        if one.fact is None:
            return unknown
        evidence = one.fact.evidence
        of_turn = self._turns.get((evidence.call_id, evidence.position), unknown)
        return self._facts.get(one.fact.id, of_turn)
