"""The crash benchmark prints what it promises, and nothing is lost."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from ringback_ops.bench import crash

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
KEYS = {
    "points",
    "observed",
    "acknowledged",
    "lost",
    "duplicated",
    "unsettled",
    "oldest_observed_lost_ms",
    "durable_p50_ms",
    "durable_p99_ms",
}


def test_a_process_killed_at_random_points_loses_and_doubles_nothing(monkeypatch, capsys):
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    monkeypatch.setenv("PYTHONPATH", paths)
    parser = argparse.ArgumentParser()
    crash.add_arguments(parser)
    arguments = parser.parse_args(["--points", "6"], argparse.Namespace(quick=False))

    figures = crash.run(arguments)

    assert set(figures) == KEYS
    assert figures["points"] == 6
    assert (figures["lost"], figures["duplicated"], figures["unsettled"]) == (0, 0, 0)
    assert 0 < figures["acknowledged"] <= figures["observed"]
    assert "seed 1" in capsys.readouterr().out
