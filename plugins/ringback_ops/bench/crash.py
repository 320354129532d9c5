"""A recording process killed with kill -9 at random moments: what is lost, what is doubled."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ringback.clock import SystemClock
from ringback.errors import StoreError
from ringback.protocols import CallEnded, CallOpened, Entry, Receipt, TurnObserved
from ringback.records import (
    Action,
    Call,
    Candidate,
    Decision,
    Evidence,
    Fact,
    JobKind,
    Role,
    Source,
    Summary,
    Turn,
    fact_id,
)
from ringback.stores.sqlite import SqliteStore

QUICK_POINTS = 20
POINTS_PER_FILE = 10  # then the next point begins with a fresh one
LOCKED_EVERY = 4  # at one point of so many, another process holds the write lock
RUN_MS = (5, 400)  # how long after its first turn the process is killed
START_TIMEOUT_S = 30
CALLS_AT_ONCE = 4
TURNS_OF_A_CALL = 12
LEASE_MS = 1_000
TENANT = "bench"
OPENED, ENDED = -1, -2  # places of a call's opening and end, in the log


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--points", type=int, default=200, help="how often it is killed")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and of the calls")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Kill a process at each point, reopen, compare, return the figures."""
    points = QUICK_POINTS if arguments.quick else max(1, arguments.points)
    dice = random.Random(arguments.seed)  # noqa: S311 - reproducible, not secret
    print(f"seed {arguments.seed}")
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        expected: dict[str, dict[int, str]] = {}
        for point in tqdm(range(points), unit="kill", mininterval=1, disable=None):
            path = Path(folder) / f"memory{point // POINTS_PER_FILE}.db"
            if point % POINTS_PER_FILE == 0:
                expected = {}
            is_locked = point % LOCKED_EVERY == LOCKED_EVERY - 1
            log = killed_at_random(path, dice, is_locked=is_locked)
            figures.points += 1
            asyncio.run(compare(path, log, expected, figures))
    return figures.as_json()


@dataclass(slots=True)
class Log:
    """What a process said that it did, until it was killed."""

    killed_ms: float = 0.0
    observed: dict[tuple[str, int], float] = field(default_factory=dict)
    """When, by call and place."""
    acknowledged: dict[tuple[str, int], float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, killed_ms: float) -> Log:
        """Read the lines that are whole."""
        log = cls(killed_ms)
        for line in path.read_text().splitlines(keepends=True):
            if not line.endswith("\n"):
                break
            sign, at_ms, call_id, place = line.split()
            kept = log.observed if sign == "o" else log.acknowledged
            kept[call_id, int(place)] = float(at_ms)
        return log


@dataclass(slots=True)
class Figures:
    """What has been counted over all points."""

    points: int = 0
    observed: int = 0
    acknowledged: int = 0
    lost: int = 0
    duplicated: int = 0
    unsettled: int = 0
    oldest_observed_lost_ms: float = 0.0
    durable_ms: list[float] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The figures under their names."""
        durable_ms = sorted(self.durable_ms) or [0.0]
        return {
            "points": self.points,
            "observed": self.observed,
            "acknowledged": self.acknowledged,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "unsettled": self.unsettled,
            "oldest_observed_lost_ms": round(self.oldest_observed_lost_ms, 1),
            "durable_p50_ms": round(durable_ms[len(durable_ms) // 2], 2),
            "durable_p99_ms": round(durable_ms[len(durable_ms) * 99 // 100], 2),
        }


def killed_at_random(path: Path, dice: random.Random, *, is_locked: bool) -> Log:
    """Start a process that records, and kill it at a random moment."""
    clock = SystemClock()
    log_path = path.with_suffix(".log")
    log_path.write_text("")
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", __name__, str(path), str(log_path), str(dice.getrandbits(32))],
        stdout=subprocess.PIPE,
    )
    try:
        if process.stdout is None or process.stdout.readline() != b"recording\n":
            raise StoreError(f"the recording process ended with status {process.wait()}")
        run_s = dice.randint(*RUN_MS) / 1000
        with _locked(path, is_locked):
            threading.Event().wait(run_s)
            killed_ms = clock.now_ms()
            os.kill(process.pid, signal.SIGKILL)
            process.wait(START_TIMEOUT_S)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return Log.read(log_path, killed_ms)


@contextmanager
def _locked(path: Path, is_locked: bool) -> Iterator[None]:
    if not is_locked:
        yield
        return
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


async def compare(
    path: Path, log: Log, expected: dict[str, dict[int, str]], figures: Figures
) -> None:
    """Reopen, count what is missing or doubled, and settle all that is open.

    Args:
        path: The file, as the killed process left it.
        log: What the process said.
        expected: Texts by call and place of the whole file; grows by what is there now.
        figures: Counts go here.
    """
    figures.observed += len(log.observed)
    figures.acknowledged += len(log.acknowledged)
    figures.durable_ms.extend(
        at_ms - log.observed[key] for key, at_ms in log.acknowledged.items() if key in log.observed
    )
    async with await SqliteStore.open(path) as store:
        places = await _places(store, {call_id for call_id, _ in log.observed})
        for key, at_ms in log.observed.items():
            if key not in places:
                figures.lost += key in log.acknowledged
                age_ms = log.killed_ms - at_ms
                figures.oldest_observed_lost_ms = max(figures.oldest_observed_lost_ms, age_ms)
        for (call_id, place), text in places.items():
            expected.setdefault(call_id, {})[place] = text
        await _settle_all(store, figures)
        figures.duplicated += await _doubled(store, expected)
        earlier = await _places(store, set(expected))
        figures.lost += sum(len(texts) for texts in expected.values()) - len(earlier)


async def _places(store: SqliteStore, call_ids: set[str]) -> dict[tuple[str, int], str]:
    """What is kept of these calls: texts by place, openings and ends."""
    places = {}
    for call_id in sorted(call_ids):
        view = await store.call(TENANT, call_id)
        if view is None:
            continue
        places.update({(call_id, turn.position): turn.text for turn in view.turns})
        if view.call.zone != "UTC":
            places[call_id, OPENED] = "opened"
        if view.call.ended_at is not None:
            places[call_id, ENDED] = "ended"
    return places


async def _settle_all(store: SqliteStore, figures: Figures) -> None:
    later_at = SystemClock().now_at() + timedelta(hours=1)  # any lease of the dead has ended
    while job := await store.lease(now_at=later_at, lease_ms=LEASE_MS):
        if job.kind is JobKind.SUMMARISE:
            await store.put_summary(job, made_summary(job.call_id))
            continue
        view = await store.call(TENANT, job.call_id)
        await store.settle(job, made_decisions(job.call_id, view.turns if view else ()))
    figures.unsettled += await store.open_count() + len(await store.dead())


async def _doubled(store: SqliteStore, expected: dict[str, dict[int, str]]) -> int:
    """Turns or facts that are there more than once; each has a text of its own."""
    doubled = 0
    for call_id in expected:
        view = await store.call(TENANT, call_id)
        texts = [turn.text for turn in view.turns] if view else []
        values = [fact.value for fact in await store.facts(TENANT, call_id=call_id)]
        doubled += len(texts) - len(set(texts)) + len(values) - len(set(values))
        doubled += len(set(values) - set(texts))  # a fact of a turn that is not there
    return doubled


def made_decisions(call_id: str, turns: tuple[Turn, ...]) -> list[Decision]:
    """A fact per turn, with the turn's text as its value."""
    decisions = []
    for turn in turns:
        candidate = Candidate(
            key="said",
            value=turn.text,
            source=Source.CALLER,
            confidence=1.0,
            observed_at=turn.at,
            evidence=Evidence(call_id, turn.position, turn.text, 0, len(turn.text)),
        )
        fact = Fact(
            id=fact_id(TENANT, candidate),
            tenant=TENANT,
            call_id=call_id,
            caller_id=None,
            key=candidate.key,
            value=candidate.value,
            source=candidate.source,
            confidence=candidate.confidence,
            observed_at=turn.at,
            recorded_at=turn.at,
            evidence=candidate.evidence,
        )
        decisions.append(Decision(Action.ADD, "made", candidate, fact))
    return decisions


def made_summary(call_id: str) -> Summary:
    """A summary of few words."""
    return Summary(call_id, TENANT, None, datetime(2026, 1, 1, tzinfo=UTC), "A call.")


class Recorder:
    """The process that is killed: several calls at once, and a worker that settles them."""

    def __init__(self, store: SqliteStore, log: int, seed: int) -> None:
        self._store = store
        self._log = log
        self._seed = seed
        self._clock = SystemClock()

    async def run(self) -> None:
        """Record and settle until somebody kills this process."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._settle())
            for line in range(CALLS_AT_ONCE):
                group.create_task(self._line(line, group))

    async def _line(self, line: int, group: asyncio.TaskGroup) -> None:
        dice = random.Random(f"{self._seed}/{line}")  # noqa: S311 - reproducible, not secret
        number = 0
        while True:
            call_id = f"{self._seed:x}-{line}-{number}"
            number += 1
            for place, entry in self._entries(call_id):
                self._write("o", call_id, place)
                receipt = self._store.record_nowait(entry)
                group.create_task(self._acknowledge(receipt, call_id, place))
                await asyncio.sleep(dice.random() * 0.01)

    def _entries(self, call_id: str) -> Iterator[tuple[int, Entry]]:
        at = self._clock.now_at()
        yield OPENED, CallOpened(Call(call_id, TENANT, at, zone="Asia/Taipei"))
        for place in range(TURNS_OF_A_CALL):
            role = Role.AGENT if place % 2 else Role.CALLER
            turn = Turn(role, f"{call_id} turn {place}", self._clock.now_at(), place)
            yield place, TurnObserved(TENANT, call_id, turn)
        yield ENDED, CallEnded(TENANT, call_id, self._clock.now_at())

    async def _acknowledge(self, receipt: Receipt, call_id: str, place: int) -> None:
        await receipt.committed()
        self._write("a", call_id, place)

    async def _settle(self) -> None:
        while True:
            try:
                await self._settle_one()
            except StoreError:
                await asyncio.sleep(0.01)

    async def _settle_one(self) -> None:
        job = await self._store.lease(now_at=self._clock.now_at(), lease_ms=LEASE_MS)
        if job is None:
            await asyncio.sleep(0.005)
            return
        view = await self._store.call(TENANT, job.call_id)
        if job.kind is JobKind.EXTRACT:
            await self._store.settle(job, made_decisions(job.call_id, view.turns if view else ()))
        else:
            await self._store.put_summary(job, made_summary(job.call_id))

    def _write(self, sign: str, call_id: str, place: int) -> None:
        os.write(self._log, f"{sign} {self._clock.now_ms():.3f} {call_id} {place}\n".encode())


async def _record(path: Path, log_path: Path, seed: int) -> None:
    log = os.open(log_path, os.O_WRONLY | os.O_APPEND)
    store = await SqliteStore.open(path)
    print("recording", flush=True)
    await Recorder(store, log, seed).run()


if __name__ == "__main__":
    asyncio.run(_record(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
