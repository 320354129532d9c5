"""A caller with 250 facts and 130 turns is forgotten: what is left, what still answers."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ringback import Assurance, Memory, Role
from ringback.clock import SystemClock
from ringback.core.alignment import OfferedTurn
from ringback.profile import Profile
from ringback.records import Turn
from ringback.schemas.general import GENERAL

TENANT = "bench"
FACTS = 250
CALLS = 13
TURNS_OF_A_CALL = 10
NEIGHBOURS = 500
QUICK_NEIGHBOURS = 20
FACTS_OF_A_NEIGHBOUR = 10
BEGIN_AT = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
MARKER = "zanzibarite"  # a word that nobody else says
QUESTIONS = (
    "Which drawer is item 17 in?",
    "zanzibarite item 17",
    "What is wrong with the router?",
    "the lamp that flickers in the evening",
    "What did you promise me?",
)
NAMES_ONLY = ("erasure",)  # receipts name whom they are about


@dataclass(slots=True)
class Figures:
    """What is left of a forgotten caller."""

    facts: int = 0
    turns: int = 0
    neighbours: int = 0
    answers_before: int = 0
    rows_left: int = 0
    plaintext_left: int = 0
    answers_left: int = 0
    neighbours_lost: int = 0
    seconds: float = 0.0
    scrub_ms: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--neighbours", type=int, default=NEIGHBOURS, help="callers that stay")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill a store, forget one caller, ask again; return the figures."""
    neighbours = QUICK_NEIGHBOURS if arguments.quick else max(1, arguments.neighbours)
    # What is said while an erasure has the file locked is spilled; the store warns of that.
    logging.getLogger("ringback.stores").addHandler(logging.NullHandler())
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_measure(Path(folder) / "memory.db", neighbours))
    for name, value in asdict(figures).items():
        print(f"{name:16} {value}")
    return asdict(figures)


async def _measure(path: Path, neighbours: int) -> Figures:
    figures = Figures(neighbours=neighbours)
    async with await Memory.open(f"sqlite:///{path}", schema=GENERAL) as memory:
        everyone = [
            await _filled(memory, f"neighbour-{n}", f"word{n}", FACTS_OF_A_NEIGHBOUR, 1)
            for n in tqdm(range(neighbours), unit="neighbour", mininterval=1, disable=None)
        ]
        target = await _filled(memory, "caller-1", MARKER, FACTS, CALLS)
        await memory.settle()
        figures.facts = len(await target.facts())
        figures.turns = CALLS * TURNS_OF_A_CALL
        figures.answers_before = await _answers(target)
        before = [await _answers(one) for one in everyone]

        await _forget(memory, target, figures)

        after = [await _answers(one) for one in everyone]
        figures.neighbours_lost = sum(now < then for now, then in zip(after, before, strict=True))
    figures.rows_left = _rows_with(path, MARKER)
    figures.plaintext_left = _files_with(path.parent, MARKER.encode())
    return figures


async def _forget(memory: Memory, target: Profile, figures: Figures) -> None:
    """Forget while a call of theirs goes on and its work is under way; then offer it again."""
    clock = SystemClock()
    call = memory.ring(tenant=TENANT, call_id="under-way")
    await call.identify(target.id, Assurance.VERIFIED)
    call.observe(Turn(Role.CALLER, f"My {MARKER} gate is stuck again.", at=BEGIN_AT))
    begun_ms = clock.now_ms()
    erased = await target.forget(everything=True, questions=QUESTIONS)
    figures.seconds = round((clock.now_ms() - begun_ms) / 1000, 3)
    figures.scrub_ms = erased.receipt.scrub_ms
    call.observe(Turn(Role.CALLER, f"And my {MARKER} lamp is broken.", at=BEGIN_AT))
    await call.end()
    await _fill(target, MARKER, FACTS, CALLS)
    await memory.settle()
    unclean = sum(not look.is_clean for look in erased.looks)
    figures.answers_left = await _answers(target) + unclean


async def _filled(memory: Memory, name: str, word: str, facts: int, calls: int) -> Profile:
    profile = memory.profile(TENANT, name)
    await _fill(profile, word, facts, calls)
    return profile


async def _fill(profile: Profile, word: str, facts: int, calls: int) -> None:
    """Say the same things in the same calls, and have the same records; again: the same."""
    for n in range(facts):
        value = f"{word} item {n} is in drawer {n % 40}"
        await profile.remember(value, key="note", record=f"{word}-{n}")
    for call in range(calls):
        await profile.ingest(_call(word, call), conversation=str(call))


def _call(word: str, call: int) -> list[OfferedTurn]:
    at = BEGIN_AT + timedelta(days=call)
    said = [
        (Role.CALLER, f"This is {word.title()} Holt, my {word} router number {call} is broken."),
        (Role.AGENT, "I am sorry to hear that. I will send you a text on Friday morning."),
    ]
    said += [
        (Role.CALLER, f"And the {word} lamp number {n} flickers in the evening.")
        for n in range(TURNS_OF_A_CALL - len(said))
    ]
    return [
        OfferedTurn(role, text, at=at + timedelta(seconds=10 * place))
        for place, (role, text) in enumerate(said)
    ]


async def _answers(profile: Profile) -> int:
    """How many things every path answers: recall, facts, history, calls' words."""
    found = [await profile.recall(question, limit=20) for question in QUESTIONS]
    export = await profile.export()
    return (
        sum(len(answer.found) for answer in found)
        + len(await profile.facts(with_history=True))
        + len(export["calls"])
        + len(export["summaries"])
    )


def _rows_with(path: Path, word: str) -> int:
    """Rows of any table that hold the word: of ids, names and text alike."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in tables if name not in NAMES_ONLY]
        return sum(
            word in str(row).casefold()
            for name in names
            for row in connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - own names
        )


def _files_with(folder: Path, word: bytes) -> int:
    """How often any file beside the store holds the word as plain text."""
    return sum(file.read_bytes().lower().count(word) for file in folder.iterdir())
