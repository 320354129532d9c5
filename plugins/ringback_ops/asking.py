"""What memory answers to a question, how it found it, and why it left the rest out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from ringback import Memory, UsageError
from ringback.background.retriever import Looked, Question, looked
from ringback.clock import SystemClock
from ringback.core.recall.explaining import BESIDE, why_left_out
from ringback.core.recall.fusion import Candidate
from ringback.core.recall.likeness import likeness
from ringback.core.wording import sentence
from ringback.inference import OnnxEmbedder
from ringback.profile import Profile
from ringback.protocols import Embedder
from ringback.recollection import Channel, Hit
from ringback.schemas import Schema
from ringback_models import ModelMissingError, resolve
from ringback_ops.reindexing import embedder_named
from ringback_ops.short_id import short
from ringback_ops.told import VALUE_SHOWN, local, shortened
from ringback_pipelines.part_names import DEFAULT_EMBEDDER

MODEL = DEFAULT_EMBEDDER
DEADLINE_MS = 10_000  # a person waits at a terminal
SHOWN = 40  # with --all


def add_ask_arguments(action: argparse.ArgumentParser) -> None:
    """Add the question and how to ask it."""
    action.add_argument("question", nargs="+", help="in words; in quotes if it has a ? in it")
    action.add_argument("--limit", type=int, default=5, help="how many answers at most")
    action.add_argument(
        "--channels",
        metavar="NAME,…",
        help=f"look by these ways only: {', '.join(map(_spelled, Channel))}",
    )
    action.add_argument(
        "--all",
        action="store_true",
        help="also what was found and left out: by which ways at which place, with which score",
    )
    action.add_argument(
        "--embedder",
        metavar="MODULE:NAME",
        help=f"what makes your application's embedder; {MODEL} without it, where it is here",
    )


async def ask(
    memory: Memory, profile: Profile, arguments: argparse.Namespace, *, schema: Schema, zone: str
) -> int:
    """Ask, print; 1 where some way could not be looked by.

    It counts as no use of what it finds, and embeds nothing but the question.
    """
    question = Question(
        " ".join(arguments.question),
        profile.tenant,
        profile.id,
        SystemClock().now_at(),
        max(1, arguments.limit),
        DEADLINE_MS,
        zone=zone,
        channels=_channels(arguments.channels),
        has_written_questions=True,
    )
    async with _embedder(memory, arguments.embedder) as embedder:
        look = await looked(memory.keeping, question, schema, embedder)
    for line in _lines(look, schema, zone):
        print(line)
    if arguments.all:
        for line in _left_out(look, schema):
            print(line)
    if look.missed:
        print(f"could not look by: {', '.join(map(_spelled, look.missed))}", file=sys.stderr)
    return 1 if look.missed else 0


def _channels(named: str | None) -> tuple[Channel, ...]:
    if named is None:
        return tuple(Channel)
    by_name = {_spelled(channel): channel for channel in Channel}
    wanted = [name.strip().lower().replace(" ", "-") for name in named.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in by_name]
    if unknown or not wanted:
        raise UsageError(f"no channel {', '.join(unknown)!r}: there are {', '.join(by_name)}")
    return tuple(by_name[name] for name in wanted)


def _spelled(channel: Channel) -> str:
    return channel.value.replace(" ", "-")


@asynccontextmanager
async def _embedder(memory: Memory, named: str | None) -> AsyncIterator[Embedder | None]:
    """Whose vectors the question is compared with; None, and a line why, where there are none."""
    embedder, own = (embedder_named(named), None) if named else (None, _local())
    used = embedder or own
    try:
        if used is None:
            get = f"`ringback models fetch {MODEL}` gets it"
            _say(f"not looked by meaning: the model {MODEL} is not here; {get}")
        elif used.name not in (has := await memory.keeping.indexed_with()):
            others = f", only by {', '.join(sorted(has))}" if has else ""
            _say(f"not looked by meaning: nothing here is embedded by {used.name}{others}")
            used = None
        yield used
    finally:
        if own is not None:
            own.close()


def _local() -> OnnxEmbedder | None:
    try:
        return OnnxEmbedder(resolve(MODEL, fetch=False))
    except ModelMissingError:
        return None


def _say(line: str) -> None:
    print(f"ringback: {line}", file=sys.stderr)


def _lines(look: Looked, schema: Schema, zone: str) -> Iterator[str]:
    if not look.kept:
        yield "nothing is known that answers this" if not look.missed else "nothing found"
    for place, one in enumerate(look.kept, start=1):
        ways = ", ".join(map(_spelled, one.channels))
        yield f"{place:3}  {likeness(one):.2f}  {local(one.at, zone)}  {_text(one.hit, schema)}"
        yield f"     {_where(one.hit)}, by {ways}"


def _left_out(look: Looked, schema: Schema) -> Iterator[str]:
    yield ""
    yield f"found: {len(look.candidates)}, * answers (rank, score, likeness, ways with their places)"
    for rank, one in enumerate(look.candidates[:SHOWN], start=1):
        why = why_left_out(one, look.kept, look.sought)
        sign = " " if why else "*"
        text = f"“{shortened(_text(one.hit, schema), VALUE_SHOWN)}”"
        yield f"{sign}{rank:3}  {one.score:5.2f}  {likeness(one):.2f}  {text}"
        yield f"      {_ways(one)}{f': {why}' if why else ''}"
    for text in dict.fromkeys(_text(hit, schema) for hit in look.beside):
        yield f"   -  “{shortened(text, VALUE_SHOWN)}”: {BESIDE}"


def _ways(one: Candidate) -> str:
    return ", ".join(
        f"{_spelled(channel)} {rank} ({one.scores.get(channel, 0.0):.2f})"
        for channel, rank in one.channels.items()
    )


def _text(hit: Hit, schema: Schema) -> str:
    if hit.fact is not None:
        return sentence(hit.fact, schema=schema)
    return hit.turn.text if hit.turn is not None else ""


def _where(hit: Hit) -> str:
    if hit.fact is not None:
        return f"fact {short(hit.fact.id)}"
    position = hit.turn.position if hit.turn is not None else 0
    return f"call {short(hit.call_id)} turn {position}"
