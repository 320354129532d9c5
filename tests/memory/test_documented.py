"""The pages about memory: what they tell people to paste runs, in the order it stands there."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from ringback_ops.memory_command import ACTIONS

pytestmark = pytest.mark.framework

ROOT = Path(__file__).parents[2]
PAGES = (
    "durability.md",
    "forgetting.md",
    "identity.md",
    "live-path.md",
    "memory.md",
    "model-reading.md",
    "recall.md",
    "vectors.md",
    "window.md",
)
NEEDS_A_PIPELINE = "ringback_pipecat"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def compiled(block: str, page: str) -> CodeType:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | compile("", "", "exec").co_flags
    return compile(block, page, "exec", flags=flags, dont_inherit=True)


@pytest.mark.usefixtures("embedding_folder")
@pytest.mark.parametrize("page", PAGES)
async def test_code_on_a_page_runs_as_it_stands(page: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = [one for one in blocks(ROOT / "docs" / page, "python") if NEEDS_A_PIPELINE not in one]
    assert found

    for block in found:
        result = eval(compiled(block, page), names)  # noqa: S307 - our own pages
        if inspect.isawaitable(result):
            await result

    if "store" in names:
        await names["store"].close()
    for erased in [one for name, one in names.items() if name == "erased"]:
        assert erased.is_clean


async def test_history_on_the_page_about_forgetting_is_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}

    await eval(compiled(blocks(ROOT / "docs/forgetting.md", "python")[0], "forgetting"), names)  # noqa: S307

    assert ("4821", "superseded") in names["history"]
    assert ("4822", "active") in names["history"]
    assert ("Dana Whitfield", "retired") in names["history"]


@pytest.mark.parametrize("readme", ["README.md", "README.zh-TW.md"])
async def test_the_readmes_snippet_prints_an_answer_and_then_none(
    readme: str, tmp_path: Path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (block,) = [one for one in blocks(ROOT / readme, "python") if NEEDS_A_PIPELINE not in one]
    assert len(block.splitlines()) <= 15

    await eval(compiled(block, readme), {})  # noqa: S307

    assert capsys.readouterr().out.splitlines() == [
        "The caller's account number is 4822",
        "True ()",
    ]


async def test_the_examples_of_who_is_calling_print_what_the_page_says(
    tmp_path: Path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks(ROOT / "docs/identity.md", "python"):
        await eval(compiled(block, "identity"), names)  # noqa: S307

    found, merged, undone = capsys.readouterr().out.splitlines()
    assert found == "found customer-17"
    assert {"4821", "dana@example.org"} == set(ast.literal_eval(merged))
    assert undone == "['rosa']"


@pytest.mark.parametrize(
    "page", ["README.md", "docs/forgetting.md", "docs/identity.md", "docs/memory.md"]
)
def test_actions_that_a_page_types_are_there(page: str):
    lines = [line for block in blocks(ROOT / page, "sh") for line in block.splitlines()]
    typed = [line.split() for line in lines if line.startswith("ringback memory ")]

    assert typed
    for words in typed:
        assert words[2] in {*ACTIONS, "#"} or words[2].startswith("+"), words
