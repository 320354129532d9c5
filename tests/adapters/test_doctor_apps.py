"""Apps that `doctor --app` calls right, and apps with the lines written that it asked for, run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.adapters.example_call import load, one_call
from tests.ops.mended import faults, mend

pytestmark = pytest.mark.framework

ROOT = Path(__file__).parents[2]
BEFORE = ROOT / "pipelines" / "examples" / "before.py"
APPS = ROOT / "tests" / "ops" / "apps"
HALVES = "user, assistant = LLMContextAggregatorPair("
SAID = "This is Dana Whitfield speaking. My account number is 4821."


async def is_known_again(file: Path) -> bool:
    await one_call(load(file), SAID)
    return "4821" in str(await one_call(load(file), "Hello."))


@pytest.mark.parametrize("name", ["class_bot", "branches"])
async def test_an_app_that_is_called_right_remembers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)

    assert faults(APPS / f"{name}.py") == []
    assert await is_known_again(APPS / f"{name}.py")


async def test_an_app_without_memory_remembers_once_the_lines_are_written_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bot.py"
    shutil.copy(BEFORE, file)
    assert not await is_known_again(file)

    mend(file)

    assert faults(file) == []
    assert await is_known_again(file)


async def test_an_app_that_names_only_the_halves_of_its_pair_gets_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bot.py"
    text = BEFORE.read_text().replace("pair = LLMContextAggregatorPair(", HALVES)
    file.write_text(text.replace("pair.user()", "user").replace("pair.assistant()", "assistant"))

    mend(file)

    assert faults(file) == []
    assert await is_known_again(file)
