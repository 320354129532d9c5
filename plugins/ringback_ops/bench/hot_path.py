"""What memory takes between a caller's last word and the request, while it works beside the call.

One caller with 100 to 10,000 facts. Calls go on as an adapter drives them (interim words, the
pause, the request, the turn, a tool's result) while each turn is written, read for facts, looked
up and embedded. Timed is `call.context(said, turn=…)`; a second clock sees how late the loop is.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tqdm import tqdm

from ringback import Assurance, CallHandle, Memory, RingbackError
from ringback.clock import SystemClock
from ringback.inference import OnnxEmbedder
from ringback.protocols import Embedder
from ringback.records import Role, Turn
from ringback.schemas import SUPPORT
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench import hot_path_filling as filling, recall_scale_filling as texts
from ringback_ops.bench.hot_path_filling import CALLER, PHONE, TENANT
from ringback_ops.bench.loop_watch import LoopWatch

MODEL = "minilm-l6-v2-int8"
SIZES = (100, 1_000, 10_000)
TURNS, QUICK_TURNS = 600, 90
TURNS_OF_A_CALL = 30
TOOL_OF = 5  # turns: one in so many has a tool look something up
BREATH_MS = (2.0, 40.0)  # between two things that happen in a call; a second of real talk
EMPTY_S = 2.0  # of a loop with nothing to do
SEED = 23


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of a caller with so many facts."""

    facts: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    ring_p50_ms: float
    """From ring to a briefing in place, beside the same work."""
    observe_p99_ms: float
    """Of `call.observe(turn)`, which the turn's end also pays for."""
    loop_stall_p99_ms: float
    loop_stall_max_ms: float
    staged: int
    """Answers that came from retrieval meanwhile."""
    written: int
    """Facts that were read from turns meanwhile."""


@dataclass(slots=True)
class _Times:
    """What one size's calls took, in milliseconds each."""

    context: list[float] = field(default_factory=list)
    observe: list[float] = field(default_factory=list)
    ring: list[float] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--sizes", type=int, nargs="+", metavar="N", help=f"facts; {SIZES} if not given"
    )
    parser.add_argument("--turns", type=int, metavar="N", help="of callers, of each size")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill a store for each size, play calls, print a table, return the figures."""
    sizes = sorted(arguments.sizes or SIZES)
    turns = arguments.turns or (QUICK_TURNS if arguments.quick else TURNS)
    folder = resolve(MODEL, reporter=TqdmReporter())
    with closing(OnnxEmbedder(folder)) as embedder:
        rows, empty_ms = asyncio.run(_measure(sizes, turns, embedder))
    print_table(rows, empty_ms)
    return {
        "model": MODEL,
        "turns": turns,
        "sizes": [asdict(row) for row in rows],
        "loop_stall_p99_ms": max(row.loop_stall_p99_ms for row in rows),
        "loop_stall_max_ms": max(row.loop_stall_max_ms for row in rows),
        "empty_loop_stall_p99_ms": empty_ms,
    }


async def _measure(sizes: Sequence[int], turns: int, embedder: Embedder) -> tuple[list[Row], float]:
    said = texts.vocabulary()
    real = await texts.real_vectors(said, embedder)
    async with LoopWatch() as watch:
        await asyncio.sleep(EMPTY_S)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.db"
            await filling.fill(path, said, size, embedder, real)
            rows.append(await _row(path, size, turns, embedder))
    return rows, watch.p99_ms


async def _row(path: Path, size: int, turns: int, embedder: Embedder) -> Row:
    times, lines, random = _Times(), filling.lines(), Random(SEED)  # noqa: S311 - reproducible
    opened = Memory.open(f"sqlite:///{path}", schema=SUPPORT, embedder=embedder)
    async with await opened as memory:
        bar = tqdm(total=turns, unit="turn", desc=f"{size:,} facts", disable=None, leave=False)
        async with LoopWatch() as watch:
            for _ in range(0, turns, TURNS_OF_A_CALL):
                call = await _ring(memory, times)
                for number in range(TURNS_OF_A_CALL):
                    await _turn(call, number, lines, times, random)
                    bar.update()
                await call.end()
        bar.close()
        await memory.settle()
        kept = await memory.keeping.facts(TENANT, caller_id=CALLER)
        staged = memory.staging_counts().staged
    written = sum(not fact.evidence.call_id.startswith(filling.FILLED) for fact in kept)
    if not staged or not written:
        raise RingbackError("nothing was retrieved or read meanwhile: the figure would say nothing")
    return Row(
        facts=size,
        p50_ms=_percentile(times.context, 50),
        p95_ms=_percentile(times.context, 95),
        p99_ms=_percentile(times.context, 99),
        max_ms=round(max(times.context), 3),
        ring_p50_ms=_percentile(times.ring, 50),
        observe_p99_ms=_percentile(times.observe, 99),
        loop_stall_p99_ms=watch.p99_ms,
        loop_stall_max_ms=watch.max_ms,
        staged=staged,
        written=written,
    )


async def _ring(memory: Memory, times: _Times) -> CallHandle:
    clock = SystemClock()
    begun_ms = clock.now_ms()
    call = memory.ring(tenant=TENANT, handles=[PHONE])
    await call.briefed()
    times.ring.append(clock.now_ms() - begun_ms)
    # The lines are many people's: nobody who is verified is taken for another one.
    await call.identify(CALLER, Assurance.VERIFIED)
    await call.briefed()
    if call.call.caller_id != CALLER:
        raise RingbackError("the caller was not known: the figure would say nothing")
    return call


async def _turn(
    call: CallHandle, number: int, lines: Iterator[tuple[Role, str]], times: _Times, random: Random
) -> None:
    """One turn, as an adapter hands it over; whoever speaks."""
    clock, (role, words) = SystemClock(), next(lines)
    if role is not Role.CALLER:
        call.reply_is_heard()
        call.observe(Turn(role, words, clock.now_at()))
        return await _breath(random)
    call.hear(filling.first_half(words))
    await _breath(random)
    call.hear(words)
    call.reply_is_due()
    await _breath(random)
    begun_ms = clock.now_ms()
    call.context(words, turn=number)
    times.context.append(clock.now_ms() - begun_ms)
    turn = Turn(role, words, clock.now_at())
    begun_ms = clock.now_ms()
    call.observe(turn)
    times.observe.append(clock.now_ms() - begun_ms)
    await _breath(random)
    if number % TOOL_OF == 0:
        call.observe_tool(filling.orders(number, clock.now_at()))
    return None


async def _breath(random: Random) -> None:
    await asyncio.sleep(random.uniform(*BREATH_MS) / 1000)


def _percentile(times: Sequence[float], share: float) -> float:
    return round(float(np.percentile(times, share)), 3)


def print_table(rows: Sequence[Row], empty_ms: float) -> None:
    """Print one line for each size."""
    heads = ("p50", "p95", "p99", "max", "observe p99", "stall p99", "stall max", "ring p50")
    print(f"{'facts':>9}{''.join(f'{head:>13}' for head in heads)}{'staged':>8}{'written':>9}")
    for row in rows:
        times = (row.p50_ms, row.p95_ms, row.p99_ms, row.max_ms, row.observe_p99_ms)
        rest = (row.loop_stall_p99_ms, row.loop_stall_max_ms, row.ring_p50_ms)
        figures = "".join(f"{ms:>13.3f}" for ms in (*times, *rest))
        print(f"{row.facts:>9,}{figures}{row.staged:>8}{row.written:>9}")
    print(f"\nA loop with nothing to do is late by {empty_ms} ms (p99).")
