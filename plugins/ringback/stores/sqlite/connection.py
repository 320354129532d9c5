"""Opening a SQLite file: its checks, its schema, and its errors as ours."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from ringback.clock import Clock
from ringback.errors import (
    SchemaVersionError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
)
from ringback.stores.sqlite import indexing
from ringback.stores.sqlite.settings import SqliteSettings
from ringback.stores.sqlite.statements import migrations, split

APPLICATION_ID = 0x52_42_4B_31  # "RBK1" in the file's header: whose file it is
FULL_TEXT_VERSION = 5  # of the schema: what an older file holds is indexed once
WRITER_BUSY_MS = 25  # a lock held longer spills: on disk well within 50 ms
READER_BUSY_MS = 1_000  # readers wait only while a log is recovered
PAUSE_S = 0.01  # between attempts while the file is locked
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
REASONS = {
    sqlite3.SQLITE_BUSY: "is locked",
    sqlite3.SQLITE_LOCKED: "is locked",
    sqlite3.SQLITE_READONLY: "is read-only",
    sqlite3.SQLITE_FULL: "is full",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_PERM: "may not be opened",
    sqlite3.SQLITE_IOERR: "cannot be read or written",
    sqlite3.SQLITE_NOMEM: "does not fit into memory",
}

T = TypeVar("T")


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 when the driver itself refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def name_of(error: sqlite3.Error) -> str:
    """SQLite's name for what happened, for operators."""
    return str(getattr(error, "sqlite_errorname", type(error).__name__))


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """A driver's error as one of ours, in one line, without anything that was said."""
    code = code_of(error)
    if code in CORRUPT:
        return StoreCorruptError(f"{path} is not a Ringback store, or is damaged")
    if code in REASONS:
        return StoreUnavailableError(f"{path} {REASONS[code]} ({name_of(error)})")
    return StoreError(f"{path} refused a statement ({name_of(error)})")


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Everything inside, or nothing."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # it failed: SQLite may have rolled back by itself
            connection.execute("ROLLBACK")


def truncated(connection: sqlite3.Connection) -> bool:
    """Put the log into the file and cut it off; False when a reader is in the way."""
    (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def open_writer(path: Path, settings: SqliteSettings, clock: Clock) -> sqlite3.Connection:
    """Open the one connection that writes; make the file, or bring it up to date.

    Several processes may do so at once: each waits for the others, up to
    `settings.wait_ms`. Call it in the thread that is to use the connection.

    Raises:
        StoreUnavailableError: No folder, not writable, or locked for too long.
        StoreCorruptError: Not a store, or a damaged one. Nothing is written to it.
        SchemaVersionError: Made by a newer Ringback. Nothing is written to it.
    """
    _require_writable(path)
    deadline_ms = clock.now_ms() + settings.wait_ms
    try:
        connection = _connect(path, "rwc", WRITER_BUSY_MS)
        try:
            _prepare(connection, path, settings, lambda: clock.now_ms() < deadline_ms)
        except (sqlite3.Error, StoreError):
            connection.close()
            raise
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that never writes. Call it in the thread that is to use it."""
    connection = _connect(path, "rw", READER_BUSY_MS)
    connection.execute("PRAGMA query_only = ON")
    return connection


def open_clearing(path: Path) -> sqlite3.Connection:
    """Open a connection that clears the file. Call it in the thread that is to use it."""
    return _connect(path, "rw", WRITER_BUSY_MS)


def _connect(path: Path, mode: str, busy_ms: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
    )
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _require_writable(path: Path) -> None:
    if not path.parent.is_dir():
        raise StoreUnavailableError(f"{path.parent} is not a folder: make it first")
    if path.is_dir():
        raise StoreUnavailableError(f"{path} is a folder: name a file")
    for place in (path.parent, path):
        if place.exists() and not os.access(place, os.W_OK):
            raise StoreUnavailableError(f"{place} is read-only")


def _prepare(
    connection: sqlite3.Connection,
    path: Path,
    settings: SqliteSettings,
    has_time: Callable[[], bool],
) -> None:
    scripts = migrations()
    version = _patiently(lambda: _checked_version(connection, path, len(scripts)), has_time)
    # SQLite's own busy handler does not cover the switch to WAL: another process that
    # opens the file at this moment makes it fail at once.
    _patiently(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone(), has_time)
    connection.execute(f"PRAGMA synchronous = {settings.sync.upper()}")
    if version < len(scripts):
        _patiently(lambda: _migrate(connection, scripts), has_time)
    if settings.max_bytes is not None:
        page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {settings.max_bytes // page_bytes}")


def _checked_version(connection: sqlite3.Connection, path: Path, wanted: int) -> int:
    with transaction(connection, "DEFERRED"):
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if tables and owner != APPLICATION_ID:
        raise StoreCorruptError(f"{path} is another program's database, not a Ringback store")
    if version > wanted:
        raise SchemaVersionError(version, wanted)
    return version


def _migrate(connection: sqlite3.Connection, scripts: list[str]) -> None:
    with transaction(connection):
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > len(scripts):
            raise SchemaVersionError(version, len(scripts))
        for script in scripts[version:]:
            for statement in split(script):
                connection.execute(statement)
        if 0 < version < FULL_TEXT_VERSION:
            indexing.put_all(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(scripts)}")


def _patiently(attempt: Callable[[], T], has_time: Callable[[], bool]) -> T:
    """Try until it is not locked any more, or there is no time left."""
    pause = threading.Event()
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if code_of(error) not in BUSY or not has_time():
                raise
        pause.wait(PAUSE_S)
