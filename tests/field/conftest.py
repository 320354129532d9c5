"""Each case runs on every back-end."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["memory:", "sqlite:///"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty memory."""
    return request.param if request.param == "memory:" else f"{request.param}{tmp_path / 'm.db'}"
