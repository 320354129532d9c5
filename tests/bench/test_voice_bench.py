"""The voice benchmark prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]


def test_a_quick_run_ends_with_one_line_of_json_that_holds_the_keys(models):
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", "voice", "--quick"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=150,
    )

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    host = figures["hosts"]["pipecat"]
    assert {"machine", "at", "llm"} <= set(figures)
    assert {"n", "p50_ms", "p95_ms", "p95_complete_ms", "stages"} <= set(host)
    assert {"without_memory", "turn_end_to_llm_p99_diff_ms", "extraction_on_ratio"} <= set(host)
    assert host["extraction_on_ratio"] is None  # nothing was played beside it
    assert {"vad", "stt", "memory", "llm", "tts"} <= set(host["stages"])
    assert {"memory", "with memory", "with memory that is held up"} <= {
        *host["stages"],
        *host["added"],
    }
    assert host["turn_end_to_llm_p99_diff_ms"] is not None
    assert host["n"] >= 1
    stages_ms = [stage["p50_ms"] for stage in host["stages"].values()]
    assert max(stages_ms) < host["p95_ms"] <= 60_000
