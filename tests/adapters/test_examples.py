"""The example app before and after memory: at most six lines differ, and both run."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.adapters.example_call import load, one_call

pytestmark = pytest.mark.framework

EXAMPLES = Path(__file__).parents[2] / "pipelines" / "examples"
DIFFERENT_LINES = 6


def test_at_most_six_lines_differ():
    before, after = (
        (EXAMPLES / name).read_text().split('"""', 2)[2].splitlines()
        for name in ("before.py", "after.py")
    )
    changed = [
        line
        for line in difflib.ndiff(before, after)
        if line[:2] in ("+ ", "- ") and line[2:].strip()
    ]
    replaced = {line[2:].strip() for line in changed if line.startswith("- ")}

    added = [line for line in changed if line.startswith("+ ")]
    assert len(added) + max(0, len(replaced) - len(added)) <= DIFFERENT_LINES, changed


async def test_both_run_and_only_the_second_remembers(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = "This is Dana Whitfield speaking. My account number is 4821."

    for name in ("before", "after"):
        await one_call(load(EXAMPLES / f"{name}.py"), said)
    before, after = [
        await one_call(load(EXAMPLES / f"{name}.py"), "Hello.") for name in ("before", "after")
    ]

    assert "4821" not in str(before)
    assert "4821" in str(after)
