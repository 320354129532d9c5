"""Every bound is refused when it cannot be, and is in the documents with its default."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from ringback import MemorySettings, UsageError

pytestmark = pytest.mark.unit

DURABILITY = Path(__file__).parents[2] / "docs" / "durability.md"
NAMES = [field.name for field in fields(MemorySettings)]


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_is_in_the_document_with_its_default(name: str):
    default = getattr(MemorySettings(), name)
    shown = f"{default:,}" if isinstance(default, int) else str(default)

    assert f"| `{name}` | {shown} |" in DURABILITY.read_text()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "reading_policy"])
@pytest.mark.parametrize("wrong", [0, -1])
def test_a_bound_that_is_not_positive_is_refused(name: str, wrong: int):
    with pytest.raises(UsageError, match=name):
        MemorySettings(**{name: wrong})


def test_a_call_may_be_quiet_for_a_quarter_of_an_hour():
    assert MemorySettings().abandoned_ms == 900_000
