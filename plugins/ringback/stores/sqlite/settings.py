"""What an operator can choose about a SQLite store, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ringback.errors import UsageError

SMALLEST_FILE_BYTES = 256 * 1024  # an empty store and some room


@dataclass(frozen=True, slots=True)
class SqliteSettings:
    """How a store writes, and its bounds.

    Raises:
        UsageError: A value that cannot be; the message names it and its bound.
    """

    sync: Literal["normal", "full"] = "normal"
    """What is forced to the disk's own memory: see docs/durability.md."""
    queue_entries: int = 4_096
    """Entries that wait in memory for the writer; the next one is spilled."""
    wait_ms: int = 5_000
    """How long opening, closing and every verb that writes wait for a locked file."""
    max_bytes: int | None = None
    """The database grows no further; what comes then is spilled."""

    vector_cache_bytes: int = 64 * 1024 * 1024
    """What the vectors of profiles that were asked last may take in memory: some 75 bytes
    each of a profile with very many, 460 where there are at most 32,768 of facts or of turns,
    2,000 where there are few. A profile that does not fit is read anew for every question."""

    def __post_init__(self) -> None:
        if self.vector_cache_bytes < 0:
            raise UsageError(
                f"vector_cache_bytes is {self.vector_cache_bytes}, it has to be at least 0"
            )
        if self.sync not in ("normal", "full"):
            raise UsageError(f"sync is {self.sync!r}, it has to be 'normal' or 'full'")
        if self.queue_entries < 1:
            raise UsageError(f"queue_entries is {self.queue_entries}, it has to be at least 1")
        if self.wait_ms < 1:
            raise UsageError(f"wait_ms is {self.wait_ms}, it has to be at least 1")
        if self.max_bytes is not None and self.max_bytes < SMALLEST_FILE_BYTES:
            raise UsageError(
                f"max_bytes is {self.max_bytes}, it has to be at least {SMALLEST_FILE_BYTES}"
            )


@dataclass(frozen=True, slots=True)
class StoreStatistics:
    """How a store is doing, in numbers since it was opened; see docs/durability.md."""

    queue_depth: int
    """What waits in memory for the writer, roughly."""
    committed: int
    """Entries written to the database by this store, as they came."""
    spilled: int
    """Entries that were written to a spill file instead."""
    spill_pending: int
    """Of those, entries that are not in the database yet."""
    folded: int
    """Entries taken over from spill files, this store's or a dead process's."""
    spill_unreadable: int
    """Lines in the middle of spill files that made no sense; the file is kept."""
    write_failures: int
    """Attempts to write that the database refused."""
    overflowed: int
    """Entries kept in memory beyond the bound, because neither file could be written."""
    forgotten: int
    """Entries of calls that were forgotten: acknowledged, and dropped."""
    last_commit_lag_ms: float
    """From `record_nowait` until on disk, of the last entry that was."""
    is_degraded: bool
    """The database could not be written when last tried."""
    reason: str
    """Why, as the error's class and SQLite's name for it; empty when it could."""
