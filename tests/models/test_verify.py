from __future__ import annotations

import os
from pathlib import Path

import pytest

from ringback_models import Model, ModelChecksumError, ModelMissingError, verify
from ringback_models.verify import is_stamped, stamp_of, verify_file
from tests.models.made import MadeModel, NotingReporter, made_model

pytestmark = pytest.mark.unit

RIGHT = b"the right bytes"
WRONG = b"the wrong bytes"
CREATED_NS = 1_700_000_000_000_000_000


@pytest.fixture
def model(tmp_path: Path) -> Model:
    (tmp_path / "a.bin").write_bytes(RIGHT)
    (tmp_path / "b.json").write_bytes(b"{}")
    return made_model(tmp_path, MadeModel("one", {"a.bin": RIGHT, "b.json": b"{}"}))


def write(path: Path, data: bytes, mtime_ns: int) -> None:
    path.write_bytes(data)
    os.utime(path, ns=(mtime_ns, mtime_ns))


def test_right_files_pass_and_are_remembered(model: Model, tmp_path: Path) -> None:
    verify(model, tmp_path)

    assert all(is_stamped(tmp_path / file.path, file) for file in model.files)


def test_only_files_that_are_not_remembered_are_hashed(
    model: Model, tmp_path: Path, reporter: NotingReporter
) -> None:
    verify(model, tmp_path, reporter=reporter)
    stamp_of(tmp_path / "b.json").unlink()
    again = NotingReporter()
    verify(model, tmp_path, reporter=again)
    third = NotingReporter()
    verify(model, tmp_path, reporter=third)

    assert (reporter.done_bytes, again.done_bytes, third.labels) == (17, 2, [])


def test_a_deep_check_hashes_whatever_is_remembered(model: Model, tmp_path: Path) -> None:
    write(tmp_path / "a.bin", RIGHT, CREATED_NS)
    verify(model, tmp_path)
    write(tmp_path / "a.bin", WRONG, CREATED_NS)

    verify(model, tmp_path)
    with pytest.raises(ModelChecksumError):
        verify(model, tmp_path, deep=True)


def test_a_file_that_was_refused_is_no_longer_remembered(model: Model, tmp_path: Path) -> None:
    write(tmp_path / "a.bin", RIGHT, CREATED_NS)
    verify(model, tmp_path)
    write(tmp_path / "a.bin", WRONG, CREATED_NS)
    with pytest.raises(ModelChecksumError):
        verify(model, tmp_path, deep=True)

    with pytest.raises(ModelChecksumError):
        verify(model, tmp_path)


def test_a_changed_time_hashes_again_and_says_how_to_mend_it(model: Model, tmp_path: Path) -> None:
    verify(model, tmp_path)
    write(tmp_path / "a.bin", WRONG, CREATED_NS)

    with pytest.raises(ModelChecksumError) as caught:
        verify(model, tmp_path)

    line = str(caught.value)
    assert f"{tmp_path / 'a.bin'} was refused: its SHA-256 starts with " in line
    assert line.endswith("Run `ringback models fetch one --again`.")


def test_a_file_that_was_only_touched_passes_and_is_remembered_anew(
    model: Model, tmp_path: Path
) -> None:
    verify(model, tmp_path)
    os.utime(tmp_path / "a.bin", ns=(CREATED_NS, CREATED_NS))
    assert not is_stamped(tmp_path / "a.bin", model.files[0])

    verify(model, tmp_path)

    assert is_stamped(tmp_path / "a.bin", model.files[0])


def test_a_changed_size_is_refused_with_both_sizes(model: Model, tmp_path: Path) -> None:
    verify(model, tmp_path)
    (tmp_path / "a.bin").write_bytes(RIGHT * 100)

    with pytest.raises(ModelChecksumError, match="it has 1,500 bytes, not 15"):
        verify(model, tmp_path)


def test_a_manifest_that_asks_for_other_bytes_is_not_satisfied_by_the_memory(
    model: Model, tmp_path: Path
) -> None:
    verify(model, tmp_path)
    newer = made_model(tmp_path, MadeModel("one", {"a.bin": WRONG}))

    with pytest.raises(ModelChecksumError):
        verify(newer, tmp_path)


def test_half_a_stamp_is_no_stamp(model: Model, tmp_path: Path) -> None:
    verify(model, tmp_path)
    stamp_of(tmp_path / "a.bin").write_text('{"bytes": 1')

    assert not is_stamped(tmp_path / "a.bin", model.files[0])


def test_a_file_whose_stamp_cannot_be_written_still_passes(model: Model, tmp_path: Path) -> None:
    stamp_of(tmp_path / "a.bin").mkdir()

    verify(model, tmp_path)

    assert not is_stamped(tmp_path / "a.bin", model.files[0])


def test_a_missing_file_is_missing_and_not_wrong(model: Model, tmp_path: Path) -> None:
    (tmp_path / "b.json").unlink()

    with pytest.raises(ModelMissingError, match=r"b\.json is missing"):
        verify(model, tmp_path)


def test_hashing_one_file_counts_its_bytes(model: Model, tmp_path: Path) -> None:
    counted: list[int] = []

    verify_file(tmp_path / "a.bin", model.files[0], advice="none", on_bytes=counted.append)

    assert sum(counted) == 15
