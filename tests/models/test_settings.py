from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from ringback_models import ModelSettings, ModelSettingsError

pytestmark = pytest.mark.unit


def test_an_empty_environment_means_the_platforms_cache_and_the_hub_alone() -> None:
    settings = ModelSettings.from_environment({})

    assert settings.folder == platformdirs.user_cache_path("ringback") / "models"
    assert settings.sources == ("hub",)
    assert settings.hub_url == "https://huggingface.co"


def test_without_an_argument_the_processs_own_environment_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(tmp_path))

    assert ModelSettings.from_environment().folder == tmp_path


def test_a_home_folder_is_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere")

    settings = ModelSettings.from_environment({"RINGBACK_MODELS_DIR": "~/models"})

    assert settings.folder == Path("/somewhere/models")


@pytest.mark.parametrize(
    ("value", "sources"),
    [
        ("hub", ("hub",)),
        ("registry, hub", ("registry", "hub")),
        (" HUB,Registry,", ("hub", "registry")),
        ("", ()),
        ("none", ()),
    ],
)
def test_sources_are_asked_in_the_order_given(value: str, sources: tuple[str, ...]) -> None:
    settings = ModelSettings.from_environment({"RINGBACK_MODEL_SOURCES": value})

    assert settings.sources == sources


@pytest.mark.parametrize("value", ["ftp", "hub,none", "hub,hub", "hub registry"])
def test_a_source_that_is_none_is_refused_with_those_that_are(value: str) -> None:
    with pytest.raises(ModelSettingsError) as caught:
        ModelSettings.from_environment({"RINGBACK_MODEL_SOURCES": value})

    assert f"RINGBACK_MODEL_SOURCES is {value!r}" in str(caught.value)
    assert "hub, registry" in str(caught.value)


def test_a_mirror_is_taken_without_its_final_slash() -> None:
    settings = ModelSettings.from_environment({"HF_ENDPOINT": "https://mirror.example/hf/"})

    assert settings.hub_url == "https://mirror.example/hf"


def test_a_mirror_that_is_no_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(ModelSettingsError) as caught:
        ModelSettings.from_environment({"HF_ENDPOINT": "user:hunter2@mirror.example"})

    assert "HF_ENDPOINT" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_hub_that_does_not_answer_is_given_up_in_ten_seconds_and_a_stall_in_thirty() -> None:
    settings = ModelSettings.from_environment({})

    assert settings.connect_timeout_ms == 10_000
    assert settings.stall_timeout_ms == 30_000
    assert len(settings.retry_pauses_ms) == 2
