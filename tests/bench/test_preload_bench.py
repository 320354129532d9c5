"""The preload benchmark: what it fills a store with, and that it prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ringback.clock import SystemClock
from ringback.records import Call, Handle, HandleKind, Status
from ringback.stores import MemoryStore, SqliteStore
from ringback_ops.bench import preload_filling as filling

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]


def asking(number: int) -> Call:
    handle = Handle(HandleKind.PHONE, filling.phone(number)[1])
    return Call("asking", filling.TENANT, SystemClock().now_at(), handles=(handle,))


async def test_callers_written_as_rows_are_known_as_those_written_by_verbs_are(tmp_path: Path):
    path, twin = tmp_path / "memory.db", MemoryStore()
    async with await SqliteStore.open(path):
        pass
    assert sum(filling.fill_rows(path, 7)) == 14  # each calls twice
    await filling.fill_by_verbs(twin, 7)

    async with await SqliteStore.open(path) as store:
        for number in range(7):
            here, there = await store.known(asking(number)), await twin.known(asking(number))
            assert here.caller == there.caller
            assert sorted((one.key, one.value, one.status) for one in here.facts) == sorted(
                (one.key, one.value, one.status) for one in there.facts
            )
            assert 6 <= len(here.facts) <= 10
            assert here.last_interaction is not None
            assert there.last_interaction is not None
            assert here.last_interaction.text == there.last_interaction.text


async def test_a_call_on_another_line_is_left_unsettled(tmp_path: Path):
    path, now_at = tmp_path / "memory.db", SystemClock().now_at()
    async with await SqliteStore.open(path):
        pass
    list(filling.fill_rows(path, 3))

    async with await SqliteStore.open(path) as store:
        await filling.leave_unsettled(store, [1], now_at=now_at)
        known, settled = await store.known(asking(1)), await store.known(asking(2))
        leased = await store.lease(now_at=now_at, lease_ms=1_000)

    assert [len(view.turns) for view in known.unsettled] == [8]
    assert Status.SUPERSEDED in {one.status for one in known.facts}
    assert settled.unsettled == ()
    assert leased is None


def test_a_run_ends_with_one_line_of_json_that_holds_the_keys():
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    given = ["preload", "--quick", "--callers", "200", "--calls", "20"]
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", *given],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    (sqlite,), (memory,) = figures["stores"]["sqlite"], figures["stores"]["memory"]
    assert sqlite["callers"] == 200
    assert 0 < sqlite["p50_ms"] <= sqlite["p99_ms"]
    assert sqlite["cold_p99_ms"] > 0
    assert {"callers", "p50_ms", "p99_ms", "cold_p99_ms"} <= set(memory)
