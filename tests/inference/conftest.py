from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ringback.inference import OnnxEmbedder
from ringback_models import ModelError, resolve
from tests.conftest import missing_tool


@pytest.fixture(scope="session")
def embedding_folder() -> Path:
    """The default embedding model, verified; fetched if the environment allows it."""
    try:
        return resolve("minilm-l6-v2-int8")
    except ModelError as error:
        missing_tool(str(error))
        raise


@pytest.fixture
def embedder(embedding_folder: Path) -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(embedding_folder)
    yield embedder
    embedder.close()
