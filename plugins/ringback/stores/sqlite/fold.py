"""Taking spill files over into the database."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ringback.protocols import Entry
from ringback.stores.sqlite.connection import transaction
from ringback.stores.sqlite.spill import SpillFile

BATCH = 256  # entries in one transaction: about 20 ms of work
REFUSED = (  # by the database, for what the entry is: trying again is no use
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    ValueError,
)

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Folded:
    """What became of a file's entries."""

    entries: int = 0
    unreadable: int = 0


def fold_file(
    connection: sqlite3.Connection,
    file: SpillFile,
    *,
    apply: Callable[[Entry], None],
    between: Callable[[], None],
) -> Folded:
    """Write a file's entries to the database, in batches, then delete it.

    A file with lines that make no sense, or that the database refuses for what they are,
    is kept under another name instead.

    Args:
        connection: Not in a transaction.
        file: Locked by this process.
        apply: Writes one entry; one that is there changes nothing.
        between: Called after each batch, so that what comes meanwhile is kept safe.

    Raises:
        sqlite3.Error: The database cannot be written. The file stays; begin again later.
        OSError: The file cannot be read or deleted.
    """
    done = Folded()
    with contextlib.closing(file.read()) as entries:
        while batch := list(islice(entries, BATCH)):
            refused = _write(connection, iter(batch), apply)
            done.entries += len(batch) - refused
            done.unreadable += refused
            between()
    if done.unreadable:
        _log.error("spill_unreadable", extra={"file": file.path.name, "lines": done.unreadable})
        file.set_aside()
    else:
        file.delete()
    return done


def _write(
    connection: sqlite3.Connection,
    batch: Iterator[Entry | None],
    apply: Callable[[Entry], None],
) -> int:
    refused = 0
    with transaction(connection):
        for entry in batch:
            try:
                if entry is None:
                    refused += 1
                else:
                    apply(entry)
            except REFUSED:
                refused += 1
    return refused
