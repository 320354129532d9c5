"""The benchmark of the prefix cache prints what it promises, from the requests that it is of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from ringback_ops.bench.prefix import figures
from ringback_ops.bench.prefix_call import Answered, Arm
from ringback_ops.bench.prefix_lines import LINES, block_of

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
FIGURES = {
    "stock",
    "primed_without",
    "primed_with",
    "unprimed_with",
    "first_turn_primed",
    "first_turn_cold",
    "later_turns",
}


def answered(arm: Arm, *times_ms: float) -> list[Answered]:
    """A conversation: its first turn, then the others."""
    return [Answered(arm, 0, turn, time_ms, 100, 80) for turn, time_ms in enumerate(times_ms)]


def test_the_ratios_are_of_the_medians_of_later_turns():
    of = figures(
        [
            *answered(Arm.STOCK, 9_000, 200, 400, 300),
            *answered(Arm.PRIMED_WITHOUT, 9_000, 250, 250, 250),
            *answered(Arm.PRIMED_WITH, 330, 150, 900, 300),
            *answered(Arm.UNPRIMED_WITH, 5_000, 1_000, 1_100, 1_200),
        ]
    )

    assert of["first_token_ms"] == {
        "stock": 300,
        "primed_without": 250,
        "primed_with": 300,
        "unprimed_with": 1_100,
        "first_turn_primed": 330,
        "first_turn_cold": 5_000,
        "later_turns": 300,
    }
    assert of["ratios"] == {
        "primed_with/stock": 1.0,
        "primed_with/primed_without": 1.2,
        "first_turn_primed/later_turns": 1.1,
    }
    assert of["cached_tokens"]["stock"] == 80


def test_each_turn_stages_another_block():
    blocks = [block_of(turn) for turn in range(len(LINES))]

    assert all(one != other for one, other in pairwise(blocks))


def test_a_quick_run_ends_with_one_line_of_json_that_holds_the_keys(models):
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", "prefix", "--quick"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert {"machine", "at", "llm"} <= set(figures)
    assert set(figures["first_token_ms"]) == FIGURES
    assert set(figures["cached_tokens"]) == FIGURES
    cached, read = figures["cached_tokens"], figures["read_tokens"]
    assert cached["first_turn_cold"] == 0
    assert cached["primed_with"] > cached["unprimed_with"]
    assert read["primed_with"] < read["unprimed_with"]
