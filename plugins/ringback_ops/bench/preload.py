"""From ring to a briefing that is ready, from each store, warm and cold.

Warm: the process has answered some calls before, and the system holds the parts of the file
that they read. Cold: a process that has just opened the store, with the file's pages dropped
from the system's cache (`posix_fadvise`) after that; a disk that keeps a cache of its own keeps
it. One caller in ten is on another line as well, in a call of eight turns that nobody has read:
their figures stand apart, for those turns are read first.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tqdm import tqdm

from ringback import Memory, RingbackError
from ringback.clock import SystemClock
from ringback.schemas.support import SUPPORT
from ringback.stores import SqliteStore
from ringback_ops.bench import preload_filling as filling
from ringback_ops.bench.preload_filling import TENANT, phone

CALLERS, QUICK_CALLERS = 1_000_000, 100_000
MEMORY_CALLERS = 1_000  # the store in memory is for trials: it looks through all of them
CALLS, QUICK_CALLS = 1_000, 300
COLD_CALLS, QUICK_COLD_CALLS = 200, 100
WARM_UP = 50  # calls that are not timed
UNSETTLED_OF = 10  # every tenth caller who is timed is on another line as well
SEED = 5


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one store with so many callers."""

    callers: int
    p50_ms: float
    p99_ms: float
    cold_p50_ms: float | None = None
    cold_p99_ms: float | None = None
    """None where nothing is read from a file."""
    unsettled_p50_ms: float | None = None
    """Of callers who are on another line as well; they are not among the rest."""
    unsettled_p99_ms: float | None = None
    file_mib: float | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--callers", type=int, nargs="+", metavar="N", help=f"in SQLite; {CALLERS} if not given"
    )
    parser.add_argument("--calls", type=int, metavar="N", help="how many are timed")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill each store, ring, print a table, return the figures."""
    callers = sorted(arguments.callers or [QUICK_CALLERS if arguments.quick else CALLERS])
    calls = arguments.calls or (QUICK_CALLS if arguments.quick else CALLS)
    cold_calls = min(calls, QUICK_COLD_CALLS if arguments.quick else COLD_CALLS)
    with tempfile.TemporaryDirectory() as folder:
        sqlite = [
            asyncio.run(sqlite_row(Path(folder) / f"{count}.db", count, calls, cold_calls))
            for count in callers
        ]
    memory = [asyncio.run(memory_row(min(MEMORY_CALLERS, callers[0]), calls))]
    stores = {"sqlite": sqlite, "memory": memory}
    print_table(stores)
    return {
        "calls": calls,
        "stores": {name: [asdict(row) for row in rows] for name, rows in stores.items()},
    }


async def sqlite_row(path: Path, callers: int, calls: int, cold_calls: int) -> Row:
    """Fill a file, and time calls."""
    async with await SqliteStore.open(path):
        pass  # it makes the schema
    with tqdm(total=2 * callers, unit="call", desc="filled", disable=None, leave=False) as bar:
        for count in filling.fill_rows(path, callers):
            bar.update(count)
    numbers = _numbers(callers, WARM_UP + calls + cold_calls)
    warm, cold = numbers[: WARM_UP + calls], numbers[WARM_UP + calls :]
    async with await SqliteStore.open(path) as store:
        now_at = SystemClock().now_at()
        await filling.leave_unsettled(store, filter(_is_on_another_line, numbers), now_at=now_at)
    cold_ms = [
        await _cold_ms(path, n)
        for n in tqdm(cold, unit="call", desc="cold", disable=None, leave=False)
        if not _is_on_another_line(n)
    ]
    async with await Memory.open(f"sqlite:///{path}", schema=SUPPORT) as memory:
        row = await _warm_row(memory, callers, warm)
    return replace(
        row,
        cold_p50_ms=_percentile(cold_ms, 50),
        cold_p99_ms=_percentile(cold_ms, 99),
        file_mib=_mib(path),
    )


async def memory_row(callers: int, calls: int) -> Row:
    """The same from this process's memory, where nothing is cold."""
    async with await Memory.open("memory:", schema=SUPPORT) as memory:
        store: Any = memory.keeping
        await filling.fill_by_verbs(store, callers)
        numbers = _numbers(callers, min(callers, WARM_UP + calls))
        now_at = SystemClock().now_at()
        await filling.leave_unsettled(store, filter(_is_on_another_line, numbers), now_at=now_at)
        return await _warm_row(memory, callers, numbers)


async def _warm_row(memory: Memory, callers: int, numbers: Sequence[int]) -> Row:
    calls = tqdm(numbers, unit="call", desc="warm", disable=None, leave=False)
    times = [await _ready_ms(memory, n) for n in calls]
    timed = list(zip(numbers, times, strict=True))[WARM_UP:]
    settled = [ms for n, ms in timed if not _is_on_another_line(n)]
    unsettled = [ms for n, ms in timed if _is_on_another_line(n)]
    return Row(
        callers,
        _percentile(settled, 50),
        _percentile(settled, 99),
        unsettled_p50_ms=_percentile(unsettled, 50) if unsettled else None,
        unsettled_p99_ms=_percentile(unsettled, 99) if unsettled else None,
    )


async def _cold_ms(path: Path, number: int) -> float:
    async with await Memory.open(f"sqlite:///{path}", schema=SUPPORT) as memory:
        await memory.sweep()  # as its worker does at once: what follows is the call's alone
        _drop_pages(path)
        return await _ready_ms(memory, number)


async def _ready_ms(memory: Memory, number: int) -> float:
    """Let it ring, and say when the briefing was there."""
    clock = SystemClock()
    begun_ms = clock.now_ms()
    call = memory.ring(tenant=TENANT, handles=[phone(number)])
    await call.briefed()
    ready_ms = clock.now_ms() - begun_ms
    if not call.has_briefing or call.call.caller_id != f"caller-{number}":
        raise RingbackError(f"caller {number} was not known: the figure would say nothing")
    await call.end()
    return ready_ms


def _drop_pages(path: Path) -> None:
    """Have the system forget what it holds of a file; pages not yet written stay."""
    for name in (path.name, f"{path.name}-wal"):
        descriptor = os.open(path.with_name(name), os.O_RDONLY)
        try:
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


def _mib(path: Path) -> float:
    return round(path.stat().st_size / (1 << 20), 1)


def _numbers(callers: int, wanted: int) -> list[int]:
    """Who calls: anybody, in no order, each once."""
    return Random(SEED).sample(range(callers), wanted)  # noqa: S311 - reproducible, not secret


def _is_on_another_line(number: int) -> bool:
    return number % UNSETTLED_OF == 0


def _percentile(times: Sequence[float], share: float) -> float:
    return round(float(np.percentile(times, share)), 2)


def print_table(stores: Mapping[str, Sequence[Row]]) -> None:
    """Print one line for each store and size."""
    heads = ("p50", "p99", "cold p50", "cold p99", "unread p50", "unread p99")
    print(f"{'ms':8}{'callers':>11}{''.join(f'{head:>11}' for head in heads)}{'MiB':>9}")
    for name, rows in stores.items():
        for row in rows:
            times = (row.p50_ms, row.p99_ms, row.cold_p50_ms, row.cold_p99_ms)
            unsettled = (row.unsettled_p50_ms, row.unsettled_p99_ms)
            figures = "".join(_cell(ms, 11) for ms in (*times, *unsettled))
            print(f"{name:8}{row.callers:>11,}{figures}{_cell(row.file_mib, 9, 0)}")
    print()


def _cell(figure: float | None, width: int, digits: int = 2) -> str:
    return f"{'-':>{width}}" if figure is None else f"{figure:>{width}.{digits}f}"
