"""The page about long calls: its Pipecat example runs, and its table has each setting."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from ringback_pipecat import MemoryContext, WindowSettings
from tests.memory.test_documented import NEEDS_A_PIPELINE, blocks, compiled

pytestmark = pytest.mark.framework

PAGE = Path(__file__).parents[2] / "docs" / "window.md"
NAMES = [field.name for field in fields(WindowSettings)]


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_is_on_the_page_with_its_default(name: str):
    assert f"| `{name}` | {getattr(WindowSettings(), name):,} |" in PAGE.read_text()


async def test_the_example_for_pipecat_makes_a_context_with_that_window():
    (block,) = [one for one in blocks(PAGE, "python") if NEEDS_A_PIPELINE in one]
    names: dict[str, Any] = {}

    await eval(compiled(block, PAGE.name), names)  # noqa: S307 - our own page

    context = names["context"]
    assert isinstance(context, MemoryContext)
    assert context.window is not None
    assert context.window.settings == WindowSettings(context_tokens=8_192)
    assert context.window.sizes.count("four") == 1
