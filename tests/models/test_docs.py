from __future__ import annotations

from pathlib import Path

import pytest

import ringback_models
from ringback_models import ModelError, load_manifest, settings

pytestmark = pytest.mark.unit

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_page_has_every_model_with_its_size_and_licence() -> None:
    for model in load_manifest().models:
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{model.name}`")]

        assert f"| {model.size_bytes / 1e6:,.0f} MB | {model.licence} |" in row


@pytest.mark.parametrize(
    "variable", [settings.FOLDER_VARIABLE, settings.SOURCES_VARIABLE, settings.HUB_VARIABLE]
)
def test_the_page_has_every_setting(variable: str) -> None:
    assert f"| `{variable}` |" in PAGE


def test_the_page_has_every_error() -> None:
    kinds = [getattr(ringback_models, name) for name in ringback_models.__all__]
    errors = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, ModelError)]

    assert all(f"`{kind.__name__}`" in PAGE or f"`{kind.__name__}`s" in PAGE for kind in errors)
