"""mem0's own files on this machine: what was deleted leaves them; what stands there is counted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ringback.errors import StoreUnavailableError
from ringback.stores.mem0 import local

pytestmark = pytest.mark.server


def keep_and_delete(folder: Path, text: str) -> Path:
    """A file as Qdrant's local mode has it: pickled points, in rows that are deleted plainly."""
    file = folder / "collection" / "ringback" / "storage.sqlite"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")  # as most builds have it; Debian's has not
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        connection.execute("INSERT INTO points VALUES ('1', ?)", (text.encode(),))
        connection.commit()
        connection.execute("DELETE FROM points")
    return file


def test_deleted_words_leave_the_files_when_they_are_cleared(tmp_path):
    keep_and_delete(tmp_path, "The Zebra needs a collar.")

    before = local.count_in_files(tmp_path, ["zebra"])
    local.clear(tmp_path)

    assert (before, local.count_in_files(tmp_path, ["zebra"])) == (1, 0)


def test_a_file_that_is_no_database_is_an_error_of_the_store(tmp_path):
    (tmp_path / "storage.sqlite").write_text("of something else " * 100)

    with pytest.raises(StoreUnavailableError, match=r"storage\.sqlite"):
        local.clear(tmp_path)


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert local.count_in_files(tmp_path / "gone", ["zebra"]) == 0
