"""Whether a database can be written, and when to try again."""

from __future__ import annotations

import logging
import sqlite3

from ringback.stores.sqlite.connection import BUSY, code_of, name_of

FIRST_PAUSE_MS = 10.0  # before the second attempt on a file that cannot be written
LOCKED_PAUSE_MS = 100.0  # the longest pause while it is locked
BROKEN_PAUSE_MS = 1_000.0  # the longest pause while it is full, read-only or damaged

_log = logging.getLogger(__name__)


class WriteHealth:
    """Growing pauses after failures, and why the last attempt failed.

    Lives as long as its writer. Only the writer's thread changes it; any thread reads.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._pause_ms = 0.0
        self.next_try_ms = 0.0
        self.failures = 0
        self.reason = ""
        """SQLite's name for it, or the error's class; empty when it could be written."""

    def failed(self, error: Exception, now_ms: float) -> None:
        """Count a failure; the next attempt is due after a longer pause."""
        is_locked = isinstance(error, sqlite3.Error) and code_of(error) in BUSY
        longest_ms = LOCKED_PAUSE_MS if is_locked else BROKEN_PAUSE_MS
        self._pause_ms = min(max(self._pause_ms * 2, FIRST_PAUSE_MS), longest_ms)
        self.next_try_ms = now_ms + self._pause_ms
        self.failures += 1
        name = name_of(error) if isinstance(error, sqlite3.Error) else type(error).__name__
        if not self.reason:
            _log.warning("store_not_writable", extra={"store": self._name, "reason": name})
        self.reason = name

    def succeeded(self) -> None:
        """It can be written."""
        if self.reason:
            self._pause_ms = self.next_try_ms = 0.0
            self.reason = ""
