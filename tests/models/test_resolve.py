from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import (
    Manifest,
    ModelChecksumError,
    ModelMissingError,
    ModelSettings,
    ModelUnknownError,
    resolve,
    resolve_file,
)
from tests.models.hub_server import HubServer
from tests.models.made import MadeModel, NotingReporter, made_manifest, some_bytes, write_wheel

pytestmark = pytest.mark.server

DATA = some_bytes(6, 50_000)
MADE = MadeModel(
    "one",
    {"a.bin": DATA, "b.json": b"{}"},
    package="made-up==1.0",
    members={"a.bin": "made_up/a.bin", "b.json": "made_up/b.json"},
)


@pytest.fixture
def manifest(tmp_path: Path, hub_server: HubServer) -> Manifest:
    hub_server.files.update(MADE.on_hub())
    return made_manifest(tmp_path / "manifest.toml", MADE)


def test_a_name_gives_the_models_folder_and_fetches_it_once(
    manifest: Manifest, settings: ModelSettings, hub_server: HubServer
) -> None:
    first = resolve("one", settings=settings, manifest=manifest)
    second = resolve("one", settings=settings, manifest=manifest)

    assert first == second == settings.folder / "one"
    assert (first / "a.bin").read_bytes() == DATA
    assert len(hub_server.requests) == 2  # one for each file


def test_a_name_gives_the_file_that_a_loader_opens(
    manifest: Manifest, settings: ModelSettings
) -> None:
    path = resolve_file("one", settings=settings, manifest=manifest)

    assert path == settings.folder / "one" / "a.bin"


def test_settings_come_from_the_environment(
    manifest: Manifest,
    hub_server: HubServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(folder))
    monkeypatch.setenv("HF_ENDPOINT", hub_server.url)

    assert resolve("one", manifest=manifest) == folder / "one"


def test_an_own_file_is_taken_as_it_is(
    manifest: Manifest, settings: ModelSettings, tmp_path: Path
) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"anything")

    assert resolve(str(own), settings=settings, manifest=manifest) == own
    assert resolve_file(own, settings=settings, manifest=manifest) == own


def test_an_own_folder_does_not_say_which_file_is_meant(
    manifest: Manifest, settings: ModelSettings, tmp_path: Path
) -> None:
    assert resolve(tmp_path, settings=settings, manifest=manifest) == tmp_path
    with pytest.raises(ModelMissingError, match="is a folder"):
        resolve_file(tmp_path, settings=settings, manifest=manifest)


def test_a_folder_that_happens_to_be_called_like_a_model_is_not_taken_for_it(
    manifest: Manifest, settings: ModelSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").mkdir()
    monkeypatch.chdir(tmp_path)

    assert resolve("one", settings=settings, manifest=manifest) == settings.folder / "one"
    assert resolve("./one", settings=settings, manifest=manifest) == Path("one")


def test_a_path_to_nothing_is_missing_and_a_word_is_unknown(
    manifest: Manifest, settings: ModelSettings
) -> None:
    with pytest.raises(ModelMissingError, match="there is no file or folder"):
        resolve("models/own.gguf", settings=settings, manifest=manifest)
    with pytest.raises(ModelUnknownError, match=r"no model is called 'own\.gguf'"):
        resolve("own.gguf", settings=settings, manifest=manifest)
    with pytest.raises(ModelUnknownError, match="no model is called ''"):
        resolve("", settings=settings, manifest=manifest)


def test_a_changed_file_is_refused_with_the_command_that_mends_it(
    manifest: Manifest, settings: ModelSettings
) -> None:
    folder = resolve("one", settings=settings, manifest=manifest)
    (folder / "a.bin").write_bytes(bytes(50_000))

    with pytest.raises(ModelChecksumError) as caught:
        resolve("one", settings=settings, manifest=manifest)

    line = str(caught.value)
    assert line.endswith("Run `ringback models fetch one --again`.")
    assert "\n" not in line


def test_what_must_not_be_fetched_is_missing(
    manifest: Manifest, settings: ModelSettings, hub_server: HubServer
) -> None:
    with pytest.raises(ModelMissingError, match="Run `ringback models fetch one`"):
        resolve("one", settings=settings, fetch=False, manifest=manifest)

    assert hub_server.requests == []


def test_offline_the_setting_is_named(manifest: Manifest, settings: ModelSettings) -> None:
    with pytest.raises(ModelMissingError, match="RINGBACK_MODEL_SOURCES allows no source"):
        resolve("one", settings=replace(settings, sources=()), manifest=manifest)


def test_offline_a_cached_model_still_serves(manifest: Manifest, settings: ModelSettings) -> None:
    folder = resolve("one", settings=settings, manifest=manifest)

    assert resolve("one", settings=replace(settings, sources=()), manifest=manifest) == folder


def test_an_installed_package_serves_before_any_source_is_asked(
    manifest: Manifest,
    settings: ModelSettings,
    hub_server: HubServer,
    reporter: NotingReporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    members = {"made_up/a.bin": DATA, "made_up/b.json": b"{}"}
    with zipfile.ZipFile(write_wheel(tmp_path, "made-up", "1.0", members)) as archive:
        archive.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")

    folder = resolve("one", settings=settings, reporter=reporter, manifest=manifest)

    assert folder == tmp_path / "site" / "made_up"
    assert hub_server.requests == []
    assert reporter.notes == []
