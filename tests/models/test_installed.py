from __future__ import annotations

import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import Model, ModelSettings
from ringback_models.installed import installed_folder, verified_folder
from tests.models.made import MadeModel, NotingReporter, made_model, write_wheel

pytestmark = pytest.mark.unit

RIGHT = b"the right bytes"
WRONG = b"the wrong bytes"
MADE = MadeModel(
    "one",
    {"a.bin": RIGHT, "b.json": b"{}"},
    package="made-up==1.0",
    members={"a.bin": "made_up/data/a.bin", "b.json": "made_up/data/b.json"},
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    return site


@pytest.fixture
def offline(folder: Path) -> ModelSettings:
    return ModelSettings(folder, sources=())


def install(site: Path, version: str = "1.0", data: bytes = RIGHT, subfolder: str = "data") -> None:
    members = {f"made_up/{subfolder}/a.bin": data, "made_up/data/b.json": b"{}"}
    with zipfile.ZipFile(write_wheel(site, "made-up", version, members)) as archive:
        archive.extractall(site)


def test_the_pinned_package_serves_in_place(
    tmp_path: Path, site: Path, offline: ModelSettings, reporter: NotingReporter
) -> None:
    install(site)

    found = verified_folder(made_model(tmp_path, MADE), offline, reporter)

    assert found == site / "made_up" / "data"


def test_that_it_was_right_is_remembered_in_the_cache_and_not_beside_it(
    tmp_path: Path, site: Path, offline: ModelSettings, reporter: NotingReporter
) -> None:
    install(site)
    model = made_model(tmp_path, MADE)
    file = site / "made_up" / "data" / "a.bin"
    verified_folder(model, offline, reporter)
    kept = file.stat()
    file.write_bytes(WRONG)
    os.utime(file, ns=(kept.st_atime_ns, kept.st_mtime_ns))

    assert verified_folder(model, offline, reporter) is not None
    assert sorted(path.name for path in file.parent.iterdir()) == ["a.bin", "b.json"]


def test_a_package_with_other_bytes_is_said_and_not_used(
    tmp_path: Path, site: Path, offline: ModelSettings, reporter: NotingReporter
) -> None:
    install(site, data=WRONG)

    assert verified_folder(made_model(tmp_path, MADE), offline, reporter) is None
    assert reporter.notes[0].startswith("the installed package of one is not used: ")


def test_another_version_does_not_count(tmp_path: Path, site: Path) -> None:
    install(site, version="1.1")

    assert installed_folder(made_model(tmp_path, MADE)) is None


def test_a_package_that_lacks_a_file_does_not_count(tmp_path: Path, site: Path) -> None:
    install(site, subfolder="elsewhere")

    assert installed_folder(made_model(tmp_path, MADE)) is None


def test_files_in_two_folders_do_not_count(tmp_path: Path, site: Path) -> None:
    install(site, subfolder="elsewhere")
    members = {**MADE.members, "a.bin": "made_up/elsewhere/a.bin"}

    assert installed_folder(made_model(tmp_path, replace(MADE, members=members))) is None


@pytest.mark.parametrize(
    "made",
    [
        MADE,
        MadeModel("one", {"a.bin": RIGHT}),
        replace(
            MADE,
            files={"a.bin": RIGHT},
            package="made-up{n}==1.0",
            count=2,
            members={"a.bin": "made_up/{n}"},
        ),
    ],
    ids=["not installed", "in no package", "in parts"],
)
def test_what_is_not_installed_is_not_found(tmp_path: Path, made: MadeModel) -> None:
    model: Model = made_model(tmp_path, made)

    assert installed_folder(model) is None
