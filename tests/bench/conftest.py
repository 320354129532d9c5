"""What benchmarks with vectors need."""

from __future__ import annotations

import pytest

from ringback_models import ModelError, resolve
from tests.conftest import missing_tool


@pytest.fixture
def embedding_model() -> None:
    """The small embedding model is on this machine."""
    try:
        resolve("minilm-l6-v2-int8")
    except ModelError as error:
        missing_tool(str(error))
