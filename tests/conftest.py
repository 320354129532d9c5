"""What holds for every test: one category per module, no speech on the terminal."""

from __future__ import annotations

import os

os.environ.setdefault("LOGURU_AUTOINIT", "False")  # before Pipecat is imported

import asyncio
from pathlib import Path

import pytest

from ringback_models import ModelError, resolve
from ringback_pipelines.part_names import DEFAULT_MODELS
from tests.vtime import VirtualTimeLoop

CATEGORIES = {"unit", "framework", "server", "replay", "bench"}
STRICT = bool(os.environ.get("RINGBACK_TESTS_STRICT"))  # set by CI: a missing tool is a failure


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        declared = CATEGORIES & {mark.name for mark in item.iter_markers()}
        if len(declared) != 1:
            raise pytest.UsageError(f"{item.nodeid} must have one category of {CATEGORIES}")


def pytest_asyncio_loop_factories(config: pytest.Config, item: pytest.Item):
    """Tests marked `virtual_time` never wait; all others run on the wall clock."""
    if item.get_closest_marker("virtual_time"):
        return {"virtual": VirtualTimeLoop}
    return {"real": asyncio.SelectorEventLoop}


def missing_tool(reason: str) -> None:
    """Skip for want of a tool or model on a developer's machine; in CI, fail."""
    if STRICT:
        pytest.fail(reason)
    pytest.skip(f"{reason}; scripts/test sets it up")


@pytest.fixture(scope="session")
def models() -> dict[str, str]:
    """The default models, verified; fetched if the environment allows it."""
    try:
        return {name: str(resolve(name)) for name in DEFAULT_MODELS}
    except ModelError as error:
        missing_tool(str(error))
        raise


@pytest.fixture(scope="session")
def embedding_folder() -> Path:
    """The default embedding model, verified; fetched if the environment allows it."""
    try:
        return resolve("minilm-l6-v2-int8")
    except ModelError as error:
        missing_tool(str(error))
        raise
