"""One caller with 100 to 100,000 memories: how long a recall takes, cold and warm, and where."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from tqdm import tqdm

from ringback import Memory
from ringback.background import retriever
from ringback.clock import SystemClock
from ringback.inference import OnnxEmbedder
from ringback.profile import Profile
from ringback.protocols import Embedder
from ringback.recollection import Cue, Hit, Vector, VectorCue
from ringback.schemas.general import GENERAL
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench import recall_scale_filling as filling
from ringback_ops.bench.loop_watch import TICK_MS, LoopWatch
from ringback_ops.bench.recall_scale_filling import CALLER, TENANT

MODEL = "minilm-l6-v2-int8"
SIZES = (100, 1_000, 10_000, 100_000)
QUICK_SIZES = (100, 1_000, 10_000)
QUESTIONS, QUICK_QUESTIONS = 500, 200
WARM_UP = 20  # questions that are not timed
COLD_STARTS = 5  # files opened freshly, each asked once
STALLED = 100  # recalls during which the loop is watched
DEADLINE_MS = 60_000  # what is measured is how long it takes, so nothing is cut off
LIMIT = 5
STAGES = ("embedding", "full text", "vectors", "facts", "deciding")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured at one size."""

    memories: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu_p50_ms: float
    """Of all threads together: what is left when other work holds up this one."""
    cpu_p95_ms: float
    cold_p50_ms: float
    """The first question after the file was opened; the system may have it in memory."""
    loop_stall_p99_ms: float
    stages_p50_ms: dict[str, float]
    """Times overlap; `deciding` is what the loop's own thread works."""
    answered: float
    """The share of questions that found anything."""
    file_mib: float = 0.0


def _mib(path: Path) -> float:
    return round(path.stat().st_size / (1 << 20), 1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--sizes", type=int, nargs="+", metavar="N", help=f"memories; {SIZES} if not given"
    )
    parser.add_argument("--questions", type=int, metavar="N", help="how many are timed")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill a store for each size, ask, print a table, return the figures."""
    sizes = sorted(arguments.sizes or (QUICK_SIZES if arguments.quick else SIZES))
    count = arguments.questions or (QUICK_QUESTIONS if arguments.quick else QUESTIONS)
    folder = resolve(MODEL, reporter=TqdmReporter())
    with closing(OnnxEmbedder(folder)) as embedder:
        rows, empty_ms = asyncio.run(_measure(sizes, count, embedder))
    print_table(rows, empty_ms)
    first, last = rows[0], rows[-1]
    return {
        "model": MODEL,
        "questions": count,
        "sizes": [asdict(row) for row in rows],
        "growth": round(last.p95_ms / first.p95_ms, 2),
        "growth_cpu": round(last.cpu_p95_ms / first.cpu_p95_ms, 2),
        "empty_loop_stall_p99_ms": empty_ms,
    }


async def _measure(sizes: Sequence[int], count: int, embedder: Embedder) -> tuple[list[Row], float]:
    said = filling.vocabulary()
    real = await filling.real_vectors(said, embedder)
    asked = filling.questions(said, count)
    rows: list[Row] = []
    async with LoopWatch() as watch:
        await asyncio.sleep(STALLED * 5 * TICK_MS / 1000)
    with tempfile.TemporaryDirectory() as folder:
        for size in tqdm(sizes, unit="size", disable=None, leave=False):
            path = Path(folder) / f"{size}.db"
            await filling.fill(path, said, size, embedder, real)
            row = await _row(path, size, asked, embedder)
            rows.append(replace(row, file_mib=_mib(path)))
    return rows, watch.p99_ms


async def _row(path: Path, size: int, asked: Sequence[str], embedder: Embedder) -> Row:
    cold = [await _cold_ms(path, one, embedder) for one in asked[:COLD_STARTS]]
    async with await _opened(path, embedder) as memory:
        profile = memory.profile(TENANT, CALLER)
        for one in asked[:WARM_UP]:
            await _asked(profile, one)
        walls, cpus, found = [], [], 0
        for one in asked:
            wall_ms, cpu_ms, count = await _asked(profile, one)
            walls.append(wall_ms)
            cpus.append(cpu_ms)
            found += count > 0
        async with LoopWatch() as watch:
            for one in asked[:STALLED]:
                await _asked(profile, one)
        stages = await _stages(memory, profile, asked[:STALLED], embedder)
    return Row(
        memories=size,
        p50_ms=_percentile(walls, 50),
        p95_ms=_percentile(walls, 95),
        p99_ms=_percentile(walls, 99),
        cpu_p50_ms=_percentile(cpus, 50),
        cpu_p95_ms=_percentile(cpus, 95),
        cold_p50_ms=_percentile(cold, 50),
        loop_stall_p99_ms=watch.p99_ms,
        stages_p50_ms=stages,
        answered=round(found / len(asked), 3),
    )


async def _opened(path: Path, embedder: Embedder) -> Memory:
    return await Memory.open(f"sqlite:///{path}", schema=GENERAL, embedder=embedder)


async def _asked(profile: Profile, question: str) -> tuple[float, float, int]:
    """Ask once: the wall time, the processor's, and how much was found."""
    clock = SystemClock()
    begun_ms, begun_cpu_s = clock.now_ms(), time.process_time()
    answer = await profile.recall(question, limit=LIMIT, deadline_ms=DEADLINE_MS)
    wall_ms = clock.now_ms() - begun_ms
    return wall_ms, 1000 * (time.process_time() - begun_cpu_s), len(answer.found)


async def _cold_ms(path: Path, question: str, embedder: Embedder) -> float:
    async with await _opened(path, embedder) as memory:
        wall_ms, *_ = await _asked(memory.profile(TENANT, CALLER), question)
    return wall_ms


async def _stages(
    memory: Memory, profile: Profile, asked: Sequence[str], embedder: Embedder
) -> dict[str, float]:
    """Ask with a clock in each place where a recall waits; medians."""
    laps: dict[str, list[float]] = {stage: [] for stage in STAGES}
    watched: Any = _TimedShelves(memory.keeping, laps)
    timed: Any = _TimedEmbedder(embedder, laps)
    for one in asked:
        now_at = SystemClock().now_at()
        question = retriever.Question(one, TENANT, profile.id, now_at, LIMIT, DEADLINE_MS)
        begun_s = time.thread_time()
        await retriever.recall(watched, question, GENERAL, timed)
        laps["deciding"].append(1000 * (time.thread_time() - begun_s))
    return {stage: _percentile(times, 50) for stage, times in laps.items() if times}


async def _lap(times: list[float], work: Awaitable[T]) -> T:
    clock = SystemClock()
    begun_ms = clock.now_ms()
    result = await work
    times.append(clock.now_ms() - begun_ms)
    return result


class _TimedShelves:
    """A back-end with a clock around what recall asks of it."""

    def __init__(self, shelves: Any, laps: dict[str, list[float]]) -> None:
        self._shelves = shelves
        self._laps = laps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shelves, name)

    async def find(self, cue: Cue) -> tuple[Hit, ...]:
        """Full text."""
        return await _lap(self._laps["full text"], self._shelves.find(cue))

    async def nearest(self, cue: VectorCue) -> tuple[Hit, ...]:
        """Vectors."""
        return await _lap(self._laps["vectors"], self._shelves.nearest(cue))

    async def linked(self, *names: Any, **limits: Any) -> Any:
        """Whom and what the profile knows."""
        return await _lap(self._laps["facts"], self._shelves.linked(*names, **limits))


class _TimedEmbedder:
    """An embedder with a clock around questions."""

    def __init__(self, embedder: Embedder, laps: dict[str, list[float]]) -> None:
        self._embedder = embedder
        self._laps = laps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    async def embed_query(self, texts: Sequence[str]) -> Vector:
        """Embed questions."""
        return await _lap(self._laps["embedding"], self._embedder.embed_query(texts))


def _percentile(times: Sequence[float], share: float) -> float:
    return round(float(np.percentile(times, share)), 2)


def print_table(rows: Sequence[Row], empty_ms: float) -> None:
    """Print one line for each size, then where the time goes."""
    heads = ("p50", "p95", "p99", "CPU p50", "CPU p95", "cold p50", "stall p99")
    print(f"{'memories':>9}{''.join(f'{head:>11}' for head in heads)}{'answered':>10}{'MiB':>8}")
    for row in rows:
        times = (row.p50_ms, row.p95_ms, row.p99_ms, row.cpu_p50_ms, row.cpu_p95_ms)
        rest = (row.cold_p50_ms, row.loop_stall_p99_ms)
        figures = "".join(f"{ms:>11.2f}" for ms in (*times, *rest))
        print(f"{row.memories:>9,}{figures}{row.answered:>10.0%}{row.file_mib:>8.1f}")
    print(
        f"\nA loop with nothing to do is late by {empty_ms} ms (p99).\nWhere the time goes, p50 ms:"
    )
    for row in rows:
        stages = ", ".join(f"{stage} {ms:.2f}" for stage, ms in row.stages_p50_ms.items())
        print(f"{row.memories:>9,}  {stages}")
