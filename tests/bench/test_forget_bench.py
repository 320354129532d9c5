"""The forget benchmark prints what it promises, and nothing of the caller is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
KEYS = {"rows_left", "plaintext_left", "answers_left", "neighbours_lost", "seconds"}


@pytest.fixture(scope="module")
def done() -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    return subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", "forget", "--quick"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=150,
    )


def test_nothing_is_left_of_a_forgotten_caller_and_their_neighbours_keep_all(done):
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])

    assert set(figures) >= KEYS
    assert figures["facts"] >= 250
    assert figures["turns"] == 130
    assert figures["answers_before"] > figures["facts"]  # every path did answer
    assert {
        name: value for name, value in figures.items() if name.endswith(("_left", "_lost"))
    } == {"rows_left": 0, "plaintext_left": 0, "answers_left": 0, "neighbours_lost": 0}
    assert figures["scrub_ms"] >= 0


def test_the_table_has_each_figure_on_a_line_of_its_own_and_no_bar_between_them(done):
    figures = json.loads(done.stdout.splitlines()[-1])
    table = [line.split() for line in done.stdout.splitlines()[2:-1]]

    assert {name for name, _ in table} == figures.keys() - {"bench", "quick", "machine", "at"}
    assert "\r" not in done.stdout + done.stderr
    assert done.stderr == ""
