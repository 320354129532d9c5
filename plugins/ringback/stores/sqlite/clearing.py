"""Forgetting in threads of its own: the deletion, then its traces in logs and pages.

Not in the writer's thread: a deletion may take a second where a profile is large, and
what is observed meanwhile has to be on disk within a moment. The writer finds the file
locked and spills; what it has spilled meets the tombstones when it is folded in.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from ringback.clock import Clock
from ringback.erasure import ErasureReceipt
from ringback.errors import ClosedError, StoreError
from ringback.stores.receipt import answer
from ringback.stores.sqlite import erasing
from ringback.stores.sqlite.connection import (
    BUSY,
    code_of,
    open_clearing,
    store_error,
    transaction,
    truncated,
)
from ringback.stores.sqlite.contents import drop_lines, stands_loose

CLEAR_MS = 30_000  # in all; most of it only reads
VACUUM_MS = 4_000  # of that, in which nobody else writes; verbs that write wait for 5 s
PAUSE_S = 0.02  # between attempts while readers or writers hold the file
STEPS = 10_000  # of SQLite's machine between looks at the clock: about a millisecond

Deletion: TypeAlias = Callable[[sqlite3.Connection], erasing.Gone]

_log = logging.getLogger(__name__)


class Clearing:
    """Forgets, and clears a store's files, one at a time.

    Lives as long as its store, which closes it. What cannot be cleared in time is left to
    the next erasure, or to whoever opens the store next.
    """

    def __init__(self, path: Path, clock: Clock, wait_ms: int) -> None:
        self._path = path
        self._clock = clock
        self._wait_ms = wait_ms
        self._turn = threading.Lock()
        self._is_closed = threading.Event()
        self._threads: list[threading.Thread] = []
        self._ends: set[asyncio.Future[Any]] = set()

    async def forget(self, delete: Deletion) -> ErasureReceipt:
        """Delete in one transaction, then clear the files of it.

        Raises:
            ClosedError: The store was closed before anything was deleted.
            StoreError: Nothing was deleted.
        """
        waiter: asyncio.Future[ErasureReceipt] = asyncio.get_running_loop().create_future()
        self._start(lambda: self._forget(delete, waiter))
        return await waiter

    def clear(self) -> None:
        """Begin to clear what an earlier erasure could not; nobody waits for it."""
        self._start(lambda: self._cleared(()))

    async def close(self) -> None:
        """Stop clearing, and wait for the threads; idempotent."""
        self._is_closed.set()
        for end in list(self._ends):
            await end
        for thread in self._threads:
            thread.join()  # it has nothing left to do
        self._threads.clear()
        self._ends.clear()

    def _start(self, work: Callable[[], object]) -> None:
        end: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        name = f"ringback-clearing:{self._path.name}"
        thread = threading.Thread(target=self._run, args=(work, end), name=name, daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        self._ends = {one for one in self._ends if not one.done()} | {end}
        thread.start()

    # From here on, only a thread of its own.

    def _run(self, work: Callable[[], object], end: asyncio.Future[Any]) -> None:
        try:
            with self._turn:
                work()
        finally:
            answer(end, None)

    def _forget(self, delete: Deletion, waiter: asyncio.Future[ErasureReceipt]) -> None:
        try:
            gone = self._deleted(delete)
        except sqlite3.Error as error:
            answer(waiter, store_error(error, self._path))
        except StoreError as error:
            answer(waiter, error)
        except Exception as error:  # noqa: BLE001 - the outermost guard: whoever asked must hear
            failure = StoreError(f"{self._path}: a verb failed ({type(error).__name__})")
            failure.__cause__ = error
            answer(waiter, failure)
        else:
            answer(waiter, replace(gone.receipt, scrub_ms=self._cleared(gone.words, gone.call_ids)))

    def _deleted(self, delete: Deletion) -> erasing.Gone:
        begun_ms = self._clock.now_ms()
        with closing(open_clearing(self._path)) as connection:
            while True:
                if self._is_closed.is_set():
                    raise ClosedError("the store was closed")
                try:
                    with transaction(connection):
                        return delete(connection)
                except sqlite3.OperationalError as error:
                    is_late = self._clock.now_ms() - begun_ms > self._wait_ms
                    if code_of(error) not in BUSY or is_late:
                        raise
                self._is_closed.wait(PAUSE_S)

    def _cleared(self, words: Collection[str], call_ids: Collection[str] = ()) -> int:
        """Clear the files; how many ms it took, -1 when it could not be done."""
        try:
            drop_lines(self._path, call_ids)
            return self._clear(words)
        except Exception as error:  # noqa: BLE001 - it is deleted: whoever asked must hear of it
            name = type(error).__name__
            _log.warning("store_not_cleared", extra={"store": self._path.name, "reason": name})
            return erasing.NOT_SCRUBBED

    def _clear(self, words: Collection[str]) -> int:
        begun_ms = self._clock.now_ms()

        def has_time() -> bool:
            is_late = self._clock.now_ms() - begun_ms > CLEAR_MS
            return not is_late and not self._is_closed.is_set()

        with closing(open_clearing(self._path)) as connection:
            number = erasing.unscrubbed(connection)
            while not self._is_clear(connection, words, has_time):
                if not has_time():
                    return erasing.NOT_SCRUBBED
                self._is_closed.wait(PAUSE_S)
            took_ms = round(self._clock.now_ms() - begun_ms)
            if number is not None:
                self._note(connection, number, took_ms, has_time)
        return took_ms

    def _is_clear(
        self, connection: sqlite3.Connection, words: Collection[str], has_time: Callable[[], bool]
    ) -> bool:
        """Put the log into the file and cut it off, then see what lies loose there."""
        try:
            if not truncated(connection):
                return False
            if not stands_loose(self._path, words, has_time):
                return True
            self._vacuum(connection, has_time)
            return truncated(connection)
        except sqlite3.OperationalError as error:
            if code_of(error) not in BUSY:  # no room, or it took too long: not now
                raise
            return False

    def _vacuum(self, connection: sqlite3.Connection, has_time: Callable[[], bool]) -> None:
        begun_ms = self._clock.now_ms()

        def is_late() -> bool:
            return self._clock.now_ms() - begun_ms > VACUUM_MS or not has_time()

        connection.set_progress_handler(is_late, STEPS)
        try:
            connection.execute("VACUUM")
        finally:
            connection.set_progress_handler(None, 0)

    def _note(
        self,
        connection: sqlite3.Connection,
        number: int,
        took_ms: int,
        has_time: Callable[[], bool],
    ) -> None:
        while has_time():
            try:
                with transaction(connection):
                    erasing.scrubbed(connection, number, took_ms)
            except sqlite3.OperationalError:
                self._is_closed.wait(PAUSE_S)
            else:
                return
