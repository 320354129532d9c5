"""LoCoMo, two people over months: do the turns that answer a question come back, and first."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from tqdm import tqdm

from ringback import Memory, MemorySettings
from ringback.background.retriever import OF_VECTORS
from ringback.clock import SystemClock
from ringback.core.recall.rendering import line_of, tokens_of
from ringback.inference import OnnxEmbedder
from ringback.profile import Profile
from ringback.protocols import Embedder
from ringback.recollection import Aid, Channel, Recollection
from ringback.records import ProfileKind
from ringback.schemas.general import GENERAL
from ringback.stores.mem0 import Mem0
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench.locomo_baselines import PLAIN, Plain
from ringback_ops.bench.locomo_set import (
    CATEGORIES,
    Conversation,
    Question,
    read_conversations,
)

TENANT = "locomo"
MODEL = "minilm-l6-v2-int8"
LIMIT = 20
DEADLINE_MS = 60_000  # what is measured is the answer; how long it took is said beside it
BUDGET_TOKENS = 430
AT = (5, 10, 20)
MULTI_HOP = 1
BACKENDS = ("sqlite", "mem0", "mem0-alone")
SETTLE_MS = 3_600_000  # nobody waits: all is to be indexed, however slowly a service takes it
QUICK = ("30", "50")
QUICK_QUESTIONS = 60  # of each conversation

Ablations: TypeAlias = Mapping[str, tuple[Collection[Channel], Collection[Aid]]]
ServiceIn: TypeAlias = Callable[[Path, Embedder], Mem0]

ABLATIONS: Ablations = {
    "entity index": ((), (Aid.ENTITIES,)),
    "questions": ((Channel.QUESTIONS,), ()),
    "likely answer": ((Channel.HYPOTHESIS,), ()),
    "persona": ((Channel.PERSONA,), ()),
    "time": ((Channel.TIME,), (Aid.TIME,)),
    "raw turns": ((Channel.TURNS, Channel.EXCHANGES), ()),
    "turns alone": ((Channel.TURNS,), ()),
    "exchanges": ((Channel.EXCHANGES, Channel.EXCHANGE_VECTORS), ()),
    "vectors": ((Channel.VECTORS, Channel.EXCHANGE_VECTORS, Channel.QUESTIONS), ()),
    "relations": ((Channel.RELATIONS,), ()),
    "facts": ((Channel.KEY, Channel.FACTS), ()),
    "neighbours": ((), (Aid.NEIGHBOURS,)),
    "speaker boost": ((), (Aid.SPEAKER,)),
}
"""What is left out in each: ways to look, and what else is gone by."""
OF_A_SERVICE: Ablations = {
    "local search": (tuple(one for one in Channel if one not in OF_VECTORS), ()),
}
"""The same where a service finds by meaning: what it finds alone, in our order."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        help="the folder with LoCoMo's conversations, 26.json and so on (snap-research/locomo, "
        "CC BY-NC 4.0: for evaluation only, so it is not part of this project)",
    )
    parser.add_argument("--corrected", action="store_true", help="use the audited citations")
    parser.add_argument(
        "--part",
        choices=("reporting", "tuning", "all"),
        default="reporting",
        help="which conversations; weights were fitted on the tuning part",
    )
    parser.add_argument(
        "--backend",
        choices=BACKENDS,
        default=BACKENDS[0],
        help="where memories are found by meaning: in the local file, or in a local mem0, "
        "alone and under our layer (wants scripts/install mem0)",
    )
    parser.add_argument("--no-ablations", action="store_true", help="leave the ablations out")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Ingest conversations, ask their questions, compare with the cited turns."""
    conversations = read_conversations(arguments.data, corrected=arguments.corrected)
    chosen = [one for one in conversations if _is_in(one, arguments)]
    print(f"part: {arguments.part}, conversations {', '.join(one.name for one in chosen)}\n")
    if arguments.backend != BACKENDS[0]:
        from ringback_ops.bench import locomo_mem0  # which measures with what stands here

        return locomo_mem0.run(chosen, arguments)
    return asyncio.run(measure(chosen, arguments))


def _is_in(one: Conversation, arguments: argparse.Namespace) -> bool:
    if arguments.quick:
        return one.name in QUICK
    part: str = arguments.part
    return part == "all" or (part == "tuning") == one.is_for_tuning


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back for a question."""

    question: Question
    turn_ids: tuple[str, ...]
    """Of each thing that was returned, best first."""
    tokens: tuple[int, ...] = ()
    """What each costs in a prompt, with its date and speaker."""
    took_ms: float = 0.0

    def any_at(self, places: int) -> bool:
        """One of the cited turns is among the first."""
        return bool(self.question.evidence & set(self.turn_ids[:places]))

    def all_at(self, places: int) -> bool:
        """All of the cited turns are."""
        return self.question.evidence <= set(self.turn_ids[:places])

    def any_within(self, tokens: int) -> bool:
        """One of them is among those that fit into so many tokens."""
        total = np.cumsum(self.tokens)
        fitting = [one for one, sum_ in zip(self.turn_ids, total, strict=True) if sum_ <= tokens]
        return bool(self.question.evidence & set(fitting))


@dataclass(slots=True)
class _Stage:
    """Conversations as profiles of one memory."""

    memory: Memory
    clock: _SetClock
    profiles: dict[str, Profile] = field(default_factory=dict)
    turn_ids: dict[tuple[str, int], str] = field(default_factory=dict)
    """The set's ids, by call and position."""

    async def ingest(self, conversation: Conversation) -> None:
        profile = self.memory.profile(TENANT, conversation.name, ProfileKind.TEAM)
        for session, turns in conversation.sessions:
            ingested = await profile.ingest(turns, conversation=session)
            for position, turn in enumerate(turns):
                self.turn_ids[ingested.call_id, position] = turn.id
        await self.memory.settle()
        await self.memory.indexed()
        self.profiles[conversation.name] = profile

    async def ask(
        self,
        profile: Profile,
        question: Question,
        *,
        channels: Collection[Channel] = tuple(Channel),
        aids: Collection[Aid] = tuple(Aid),
    ) -> Answered:
        began_ms = self.clock.now_ms()
        answer = await profile.recall(
            question.text, limit=LIMIT, deadline_ms=DEADLINE_MS, channels=channels, aids=aids
        )
        took_ms = self.clock.now_ms() - began_ms
        now_at = self.clock.now_at()
        places = [_place(one) for one in answer.found]
        return Answered(
            question,
            tuple(self.turn_ids.get(place, "") for place in places),
            tuple(tokens_of(line_of(one, now_at=now_at)) for one in answer.found),
            took_ms,
        )


def _place(one: Recollection) -> tuple[str, int]:
    """Which turn it is, or which one it was read from."""
    if one.fact is not None:
        return one.call_id, one.fact.evidence.position
    return one.call_id, one.turn.position if one.turn is not None else -1


class _SetClock(SystemClock):
    """A wall clock whose date is set: questions are asked the day after the last session."""

    at = datetime(2024, 1, 1, tzinfo=UTC)

    def now_at(self) -> datetime:
        return self.at


async def measure(
    conversations: Sequence[Conversation],
    arguments: argparse.Namespace,
    service_in: ServiceIn | None = None,
) -> dict[str, Any]:
    """Ingest and ask through `Memory`; with a service, by it in the local index's place."""
    embedder = OnnxEmbedder(resolve(MODEL, reporter=TqdmReporter()))
    clock = _SetClock()
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'memory.db'}"
            service = service_in(Path(folder), embedder) if service_in is not None else None
            async with await Memory.open(
                url,
                schema=GENERAL,
                clock=clock,
                settings=MemorySettings(settle_ms=SETTLE_MS),
                embedder=embedder,
                service=service,
            ) as memory:
                stage = _Stage(memory, clock)
                for one in tqdm(conversations, desc="ingested", unit="conversation"):
                    clock.at = one.last_at + timedelta(days=1)
                    await stage.ingest(one)
                return await _ask_all(stage, conversations, embedder, arguments)
    finally:
        embedder.close()


async def _ask_all(
    stage: _Stage,
    conversations: Sequence[Conversation],
    embedder: OnnxEmbedder,
    arguments: argparse.Namespace,
) -> dict[str, Any]:
    questions = QUICK_QUESTIONS if arguments.quick else None
    answered: list[Answered] = []
    plain: dict[str, list[Answered]] = {name: [] for name in PLAIN}
    for one in tqdm(conversations, desc="asked", unit="conversation"):
        stage.clock.at = one.last_at + timedelta(days=1)
        pipelines = Plain(one, embedder)
        await pipelines.prepare()
        for question in some(one, questions):
            answered.append(await stage.ask(stage.profiles[one.name], question))
            for name, ids in (await pipelines.ranked(question.text)).items():
                plain[name].append(Answered(question, tuple(ids)))
    empty = [
        not (await stage.ask(stage.profiles[other.name], question)).turn_ids
        for one, other in zip(conversations, [*conversations[1:], conversations[0]], strict=True)
        for question in some(one, questions)
    ]
    figures = {
        "part": "quick" if arguments.quick else arguments.part,
        "backend": arguments.backend,
        "conversations": [one.name for one in conversations],
        "corrected": arguments.corrected,
        **_figures(answered),
        "empty_on_other_profile": _percent(empty),
        "baselines": {name: ranks(found) for name, found in plain.items()},
        "ablations": {},
    }
    _print_all(figures)
    wanted = OF_A_SERVICE if arguments.backend != BACKENDS[0] else ABLATIONS
    is_quick = arguments.quick and wanted is ABLATIONS
    if not (arguments.no_ablations or is_quick):
        figures["ablations"] = await _ablations(stage, conversations, wanted, questions)
        for name, left in figures["ablations"].items():
            print(row(f"without {name}", left))
    return figures


def some(conversation: Conversation, wanted: int | None) -> Sequence[Question]:
    """All questions, or so many spread over them: they are ordered by category."""
    asked = conversation.questions
    return asked[:: max(1, len(asked) // wanted)] if wanted else asked


async def _ablations(
    stage: _Stage, conversations: Sequence[Conversation], wanted: Ablations, questions: int | None
) -> dict[str, Any]:
    found = {}
    for name, (channels, aids) in tqdm(wanted.items(), desc="ablations"):
        answered = []
        for one in conversations:
            stage.clock.at = one.last_at + timedelta(days=1)
            answered += [
                await stage.ask(
                    stage.profiles[one.name],
                    question,
                    channels=[channel for channel in Channel if channel not in channels],
                    aids=[aid for aid in Aid if aid not in aids],
                )
                for question in some(one, questions)
            ]
        found[name] = ranks(answered)
    return found


def _figures(answered: Sequence[Answered]) -> dict[str, Any]:
    took = [one.took_ms for one in answered]
    p50, p95, p99 = np.percentile(took, [50, 95, 99])
    return {
        "n": len(answered),
        **ranks(answered),
        "any_within_430_tokens": _percent(one.any_within(BUDGET_TOKENS) for one in answered),
        "tokens_at_5": round(float(np.mean([sum(one.tokens[:5]) for one in answered])), 1),
        "by_category": {
            name: ranks([one for one in answered if one.question.category == category])
            for category, name in CATEGORIES.items()
        },
        "p50_ms": round(float(p50), 2),
        "p95_ms": round(float(p95), 2),
        "p99_ms": round(float(p99), 2),
    }


def ranks(answered: Sequence[Answered]) -> dict[str, Any]:
    """How often a cited turn, or all of them, are among the first."""
    hops = [one for one in answered if one.question.category == MULTI_HOP]
    return {
        "any_at": {places: _percent(one.any_at(places) for one in answered) for places in AT},
        "all_at": {places: _percent(one.all_at(places) for one in answered) for places in (5, 20)},
        "multi_hop_all_at_5": _percent(one.all_at(5) for one in hops),
    }


def _percent(are: Iterable[bool]) -> float | None:
    counted = list(are)
    return round(100 * sum(counted) / len(counted), 1) if counted else None


def _print_all(figures: Mapping[str, Any]) -> None:
    head = ("", "any@5", "any@10", "any@20", "all@5", "all@20", "multi-hop all@5")
    print(f"\n{head[0]:<24}" + "".join(f"{name:>8}" for name in head[1:]))
    for name, found in figures["baselines"].items():
        print(row(f"plain: {name}", found))
    print(row("Ringback", figures))
    for name, found in figures["by_category"].items():
        print(row(f"  {name}", found))
    print(f"\nany within {BUDGET_TOKENS} tokens: {figures['any_within_430_tokens']}")
    print(f"tokens of the first five: {figures['tokens_at_5']}")
    print(f"empty on another's profile: {figures['empty_on_other_profile']}")
    print(f"ms: p50 {figures['p50_ms']}, p95 {figures['p95_ms']}, p99 {figures['p99_ms']}\n")


def row(name: str, found: Mapping[str, Any]) -> str:
    """One line of the table."""
    cells = [*found["any_at"].values(), *found["all_at"].values(), found["multi_hop_all_at_5"]]
    return f"{name:<24}" + "".join(f"{'-' if cell is None else cell:>8}" for cell in cells)
