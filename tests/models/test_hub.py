from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from ringback_models import (
    Model,
    ModelChecksumError,
    ModelNetworkError,
    ModelSettings,
    fetch_model,
)
from tests.models.hub_server import Fault, HubServer
from tests.models.made import MadeModel, NotingReporter, made_model, some_bytes

pytestmark = pytest.mark.server

DATA = some_bytes(1, 300_000)
MADE = MadeModel("one", {"a.bin": DATA, "b.json": b"{}"})
A_PATH = "/made/up/resolve/0123abcd/a.bin"


@pytest.fixture
def model(tmp_path: Path, hub_server: HubServer) -> Model:
    hub_server.files.update(MADE.on_hub())
    return made_model(tmp_path, MADE)


@pytest.fixture
def part(folder: Path) -> Path:
    part = folder / "one" / "a.bin.part"
    part.parent.mkdir(parents=True)
    return part


def fetched(model: Model, settings: ModelSettings, reporter: NotingReporter) -> bytes:
    return (fetch_model(model, settings, reporter) / "a.bin").read_bytes()


def test_all_files_come_whole_and_leave_nothing_else(
    model: Model, settings: ModelSettings, reporter: NotingReporter
) -> None:
    folder = fetch_model(model, settings, reporter)

    assert (folder / "a.bin").read_bytes() == DATA
    assert (folder / "b.json").read_bytes() == b"{}"
    assert sorted(path.name for path in folder.iterdir()) == [
        ".a.bin.stamp",
        ".b.json.stamp",
        "a.bin",
        "b.json",
    ]
    assert reporter.done_bytes == reporter.total_bytes == 300_002


def test_only_the_rest_of_an_unfinished_file_is_asked_for(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    part.write_bytes(DATA[:123_456])

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[0] == "bytes=123456-"
    assert reporter.done_bytes == reporter.total_bytes


def test_a_hub_that_ignores_ranges_sends_it_all_again(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    part.write_bytes(b"stale" * 1_000)
    hub_server.faults = [Fault(ignores_range=True)]

    assert fetched(model, settings, reporter) == DATA
    assert reporter.done_bytes == reporter.total_bytes


def test_an_unsatisfiable_range_starts_afresh(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    part.write_bytes(DATA[:1_000])
    hub_server.faults = [Fault(status=416)]

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[:2] == ["bytes=1000-", None]
    assert reporter.done_bytes == reporter.total_bytes


def test_a_complete_unfinished_file_is_taken_without_asking(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    part.write_bytes(DATA)

    assert fetched(model, settings, reporter) == DATA
    assert A_PATH not in hub_server.paths


@pytest.mark.parametrize("stale", [bytes(300_000), bytes(300_001)])
def test_an_unfinished_file_that_cannot_become_right_is_dropped(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
    stale: bytes,
) -> None:
    part.write_bytes(stale)

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[0] is None


def test_a_cut_connection_goes_on_where_it_was_cut(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    hub_server.faults = [Fault(cut_after_bytes=100_000), Fault(cut_after_bytes=50_000)]

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[:3] == [None, "bytes=100000-", "bytes=150000-"]
    assert reporter.done_bytes == reporter.total_bytes


def test_a_connection_that_is_cut_every_time_fails_and_keeps_what_came(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    hub_server.faults = [Fault(cut_after_bytes=1_000)] * 3

    with pytest.raises(ModelNetworkError) as caught:
        fetch_model(model, settings, reporter)

    assert part.read_bytes() == DATA[:3_000]
    assert "hub: 127.0.0.1 broke off" in str(caught.value)
    assert "HF_ENDPOINT" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_end_without_a_length_is_noticed_and_mended(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    hub_server.faults = [Fault(hides_length=True, cut_after_bytes=100_000)]

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[1] == "bytes=100000-"


def test_a_stalled_connection_counts_as_broken(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    hub_server.faults = [Fault(stall_after_bytes=100_000)]

    assert fetched(model, replace(settings, stall_timeout_ms=200), reporter) == DATA
    assert hub_server.ranges[1] == "bytes=100000-"


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_hub_in_trouble_is_asked_again(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    status: int,
) -> None:
    hub_server.faults = [Fault(status=status)] * 2

    assert fetched(model, settings, reporter) == DATA


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_hub_that_says_no_is_asked_once(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    hub_server: HubServer,
    status: int,
) -> None:
    hub_server.faults = [Fault(status=status)] * 3

    with pytest.raises(ModelNetworkError, match=rf"127\.0\.0\.1 answers {status} for a\.bin"):
        fetch_model(model, settings, reporter)

    assert len(hub_server.requests) == 1


def test_a_hub_that_cannot_be_reached_is_not_tried_twice(
    model: Model, settings: ModelSettings, reporter: NotingReporter
) -> None:
    # An hour's pause would be noticed.
    away = replace(settings, hub_url="http://127.0.0.1:9", retry_pauses_ms=(3_600_000,))

    with pytest.raises(ModelNetworkError, match=r"127\.0\.0\.1 cannot be reached"):
        fetch_model(model, away, reporter)


def test_other_bytes_of_the_same_size_are_deleted_and_refused(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    wrong = some_bytes(2, 300_000)
    hub_server.files[A_PATH] = wrong

    with pytest.raises(ModelChecksumError) as caught:
        fetch_model(model, settings, reporter)

    assert not part.exists()
    assert not part.with_name("a.bin").exists()
    assert hashlib.sha256(wrong).hexdigest()[:12] in str(caught.value)
    assert hashlib.sha256(DATA).hexdigest()[:12] in str(caught.value)


def test_a_file_of_another_size_is_refused_before_it_comes(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    hub_server.faults = [Fault(body=b"<html>please log in</html>")]

    with pytest.raises(ModelChecksumError, match=r"it has 26 bytes, not 300,000"):
        fetch_model(model, settings, reporter)

    assert not part.exists()


def test_a_stream_that_does_not_end_is_cut_off(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    hub_server.faults = [Fault(body=bytes(900_000), hides_length=True)]

    with pytest.raises(ModelChecksumError):
        fetch_model(model, settings, reporter)

    assert not part.exists()


def test_a_move_to_another_host_keeps_the_range(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    part: Path,
    hub_server: HubServer,
) -> None:
    hub_server.files["/elsewhere"] = DATA
    hub_server.faults = [Fault(moves_to="/elsewhere")]
    part.write_bytes(DATA[:100])

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.requests[1] == ("/elsewhere", "bytes=100-")


def test_a_range_that_leaves_a_gap_is_not_taken(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    hub_server.faults = [Fault(starts_late_by_bytes=10)]

    assert fetched(model, settings, reporter) == DATA
    assert hub_server.ranges[:2] == [None, None]


def test_a_proxy_that_packs_the_answer_does_no_harm(
    model: Model, settings: ModelSettings, reporter: NotingReporter, hub_server: HubServer
) -> None:
    hub_server.faults = [Fault(body=gzip.compress(DATA), encoding="gzip")]

    assert fetched(model, settings, reporter) == DATA


def test_a_certificate_that_is_not_there_is_a_matter_of_the_network(
    model: Model,
    settings: ModelSettings,
    reporter: NotingReporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")

    with pytest.raises(ModelNetworkError, match="no connection to the hub can be set up"):
        fetch_model(model, settings, reporter)
