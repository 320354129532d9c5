from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ringback.inference import OnnxEmbedder


@pytest.fixture
def embedder(embedding_folder: Path) -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(embedding_folder)
    yield embedder
    embedder.close()
