"""The hot-path benchmark: its caller has as many facts as it says, and it prints what it promises."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ringback_ops.bench.loop_watch import LoopWatch

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
HELD_S = 0.05


async def test_a_loop_that_is_held_up_is_seen_as_late_by_as_much():
    async with LoopWatch() as watch:
        await asyncio.sleep(0.01)
        time.sleep(HELD_S)  # noqa: ASYNC251 - this is what is watched for
        await asyncio.sleep(0.01)

    assert watch.max_ms >= 1000 * HELD_S - 10


def test_a_run_ends_with_one_line_of_json_that_holds_the_keys(embedding_folder: Path):
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    given = ["hot-path", "--quick", "--sizes", "100", "--turns", "60"]
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
    (row,) = figures["sizes"]
    assert row["facts"] == 100
    assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"] <= row["max_ms"]
    assert {"loop_stall_p99_ms", "empty_loop_stall_p99_ms"} <= set(figures)
    assert row["staged"] > 0
    assert row["written"] > 0
