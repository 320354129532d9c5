from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import ModelSettings
from tests.models.hub_server import HubServer
from tests.models.made import NotingReporter


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.upper().endswith("_PROXY") or name.startswith(("RINGBACK_", "HF_")):
            monkeypatch.delenv(name)


@pytest.fixture
def hub_server() -> Iterator[HubServer]:
    with HubServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def settings(folder: Path, hub_server: HubServer) -> ModelSettings:
    given = {"RINGBACK_MODELS_DIR": str(folder), "HF_ENDPOINT": hub_server.url}
    return replace(
        ModelSettings.from_environment(given), retry_pauses_ms=(0, 0), stall_timeout_ms=5_000
    )


@pytest.fixture
def reporter() -> NotingReporter:
    return NotingReporter()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that is all that pip knows."""
    links = tmp_path / "index"
    links.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    return links
