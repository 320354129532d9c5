"""The one thread that writes to a SQLite file.

It takes whatever waits, commits it at once, and takes what came meanwhile: the more comes,
the larger the batches. When the file cannot be written it spills, so that what was
observed is on disk within a moment either way, and folds that back when it can.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from ringback.clock import Clock
from ringback.errors import (
    ClosedError,
    StoreConflictError,
    StoreError,
    StoreUnavailableError,
    UsageError,
)
from ringback.protocols import Entry, TurnAmended
from ringback.stores.checks import checked_entry
from ringback.stores.receipt import CommitReceipt, answer
from ringback.stores.sqlite import journal
from ringback.stores.sqlite.connection import (
    BUSY,
    code_of,
    open_writer,
    store_error,
    transaction,
    truncated,
)
from ringback.stores.sqlite.fold import BATCH, REFUSED, fold_file
from ringback.stores.sqlite.health import WriteHealth
from ringback.stores.sqlite.settings import SqliteSettings, StoreStatistics
from ringback.stores.sqlite.spill import Spill, SpillFile

KEEP_SAFE_MS = 10.0  # that an entry waits while spill files are folded
LOOK_MS = 2_000.0  # between looks for the spill files of processes that died meanwhile

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Recorded:
    entry: Entry
    receipt: CommitReceipt


@dataclass(slots=True)
class _Command:
    work: Callable[[sqlite3.Connection], Any] | None
    """None: a flush, answered when all before it is on disk."""
    waiter: asyncio.Future[Any]
    deadline_ms: float
    folds: bool = False
    """Everything that was spilled is folded in first, as far as it can be."""


@dataclass(slots=True)
class _Stop:
    """Wakes the thread, and is answered when it ends; without a waiter it only wakes."""

    waiter: asyncio.Future[Any] | None = None


_Item: TypeAlias = _Recorded | _Command | _Stop


class Writer:
    """The thread, its queue, its connection and its spill.

    Lives from `start` until `close`; it is closed by its store, and at the interpreter's
    exit if nobody did. `record` may be called from any thread, the rest from a loop.
    Holds at most `settings.queue_entries` entries and as many commands; entries beyond
    that are spilled in the calling thread, commands refused.
    """

    def __init__(self, path: Path, settings: SqliteSettings, clock: Clock) -> None:
        self._path = path
        self._settings = settings
        self._clock = clock
        self._queue: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._spill = Spill(path, is_synced=settings.sync == "full")
        self._thread = threading.Thread(
            target=self._run, name=f"ringback-writer:{path.name}", daemon=True
        )
        self._nap = threading.Event()  # never set
        self._ending = threading.Lock()
        self._pending: deque[_Recorded] = deque()
        self._waiting: deque[_Command] = deque()
        self._stops: list[asyncio.Future[Any]] = []
        self._running: _Command | None = None
        self._opened: asyncio.Future[Any] | None = None
        self._connection: sqlite3.Connection | None = None
        self._is_closed = False
        self._is_over = False
        self._look_due_ms = 0.0  # for files of processes that are gone
        self._stop_by_ms = 0.0
        self._health = WriteHealth(path.name)
        self._committed = self._folded = self._unreadable = 0
        self._owes_truncation = False  # words that were amended stand in the log as they were
        self._overflowed = self._lost = self._forgotten = 0
        self._lag_ms = 0.0

    async def start(self) -> None:
        """Start the thread and wait until it has opened the file.

        Raises:
            StoreError: It could not; the thread has ended.
        """
        self._opened = asyncio.get_running_loop().create_future()
        self._thread.start()
        atexit.register(self._stop_at_exit)
        is_open = False
        try:
            await self._opened
            is_open = True
        except StoreError:
            self._thread.join()  # it has nothing left to do
            raise
        finally:
            if not is_open:
                self._ask_to_stop()
                atexit.unregister(self._stop_at_exit)

    def record(self, entry: Entry) -> CommitReceipt:
        """Hand an entry over and return at once.

        Raises:
            ClosedError: The store was closed.
            UsageError: An entry that no store keeps.
        """
        if self._is_closed:
            raise ClosedError("the store is closed")
        recorded = _Recorded(checked_entry(entry), CommitReceipt(self._clock.now_ms()))
        is_full = self._queue.qsize() >= self._settings.queue_entries
        if is_full and self._spill_all([recorded]):
            self._put(_Stop())  # so that it is folded
        else:
            self._overflowed += is_full
            self._put(recorded)
        return recorded.receipt

    async def run(
        self, work: Callable[[sqlite3.Connection], Any] | None, *, folds: bool = False
    ) -> Any:
        """Run work in a transaction of its own, after all that was recorded before.

        Args:
            work: Is given the connection; None waits for what was recorded before.
            folds: Take spill files over first, also those of processes that are gone.

        Raises:
            ClosedError: The store was closed.
            StoreError: It could not be done, or not within `settings.wait_ms`.
        """
        if self._is_closed:
            raise ClosedError("the store is closed")
        if self._queue.qsize() >= self._settings.queue_entries and work is not None:
            raise StoreUnavailableError(f"{self._path} has too much to write")
        waiter = asyncio.get_running_loop().create_future()
        deadline_ms = self._clock.now_ms() + self._settings.wait_ms
        self._put(_Command(work, waiter, deadline_ms, folds))
        return await waiter

    async def close(self) -> None:
        """Stop taking entries, write what there is, and end the thread; idempotent.

        Raises:
            StoreUnavailableError: Entries could be written neither to the database nor to
                a spill file within `settings.wait_ms`; their receipts say the same.
        """
        waiter = asyncio.get_running_loop().create_future()
        self._ask_to_stop(waiter)
        await waiter
        self._thread.join()  # it has nothing left to do
        atexit.unregister(self._stop_at_exit)
        if self._lost:
            lost, self._lost = self._lost, 0
            raise StoreUnavailableError(f"{self._path}: {lost} entries could not be written")

    def has_spilled(self) -> bool:
        """Entries are in spill files, this process's or another's. Reads the folder.

        Raises:
            OSError: The folder cannot be read.
        """
        return self._spill.has_files()

    def statistics(self) -> StoreStatistics:
        """How it is doing. Any thread may ask; the numbers are not of one instant."""
        return StoreStatistics(
            queue_depth=self._queue.qsize() + len(self._pending),
            committed=self._committed,
            spilled=self._spill.appended,
            spill_pending=self._spill.pending,
            folded=self._folded,
            spill_unreadable=self._unreadable,
            write_failures=self._health.failures,
            overflowed=self._overflowed,
            forgotten=self._forgotten,
            last_commit_lag_ms=self._lag_ms,
            is_degraded=bool(self._health.reason),
            reason=self._health.reason,
        )

    def _put(self, item: _Item) -> None:
        self._queue.put(item)
        if self._is_over:  # the thread may have looked for the last time before this came
            self._drain_late()

    def _ask_to_stop(self, waiter: asyncio.Future[Any] | None = None) -> None:
        if not self._is_closed:
            self._stop_by_ms = self._clock.now_ms() + self._settings.wait_ms
            self._is_closed = True
        self._put(_Stop(waiter))

    def _stop_at_exit(self) -> None:
        self._ask_to_stop()
        self._thread.join(self._settings.wait_ms / 1000)

    # From here on, only the writer's thread.

    def _run(self) -> None:
        if self._open():
            while not self._is_done():
                try:
                    self._step()
                except Exception as error:  # noqa: BLE001 - the outermost guard: it goes on
                    self._survive(error)
        self._finish()

    def _open(self) -> bool:
        outcome: Exception | None = None
        try:
            self._connection = open_writer(self._path, self._settings, self._clock)
            self._write()
        except StoreError as error:
            outcome = error
        except Exception as error:  # noqa: BLE001 - whoever opens must hear of it
            outcome = StoreError(f"{self._path} cannot be opened ({type(error).__name__})")
            outcome.__cause__ = error
        if self._opened is not None:
            answer(self._opened, outcome)
        return outcome is None

    def _is_done(self) -> bool:
        if not self._is_closed:
            return False
        if self._clock.now_ms() >= self._stop_by_ms:
            return True
        return self._queue.empty() and not self._pending and not self._waiting

    def _step(self) -> None:
        if len(self._pending) < BATCH:
            self._sort(self._pause_s())
        else:  # neither file can be written: the queue holds the rest
            self._nap.wait(self._pause_s())
        if self._clock.now_ms() >= self._health.next_try_ms:
            self._write()
        self._spill_pending()
        self._expire()

    def _pause_s(self) -> float:
        due_ms = self._health.next_try_ms
        if not (self._pending or self._waiting or self._spill.pending):
            due_ms = max(due_ms, self._look_due_ms)
        return max(0.0, due_ms - self._clock.now_ms()) / 1000

    def _sort(self, timeout_s: float) -> None:
        """Take what is in the queue, waiting for the first that long."""
        try:
            item = self._queue.get(timeout=timeout_s) if timeout_s else self._queue.get_nowait()
            while True:
                match item:
                    case _Recorded():
                        self._pending.append(item)
                    case _Command():
                        self._waiting.append(item)
                    case _Stop() if item.waiter is not None:
                        self._stops.append(item.waiter)
                    case _Stop():
                        pass  # it came to wake the thread
                if len(self._pending) + len(self._waiting) >= BATCH:
                    return
                item = self._queue.get_nowait()
        except queue.Empty:
            return

    def _write(self) -> None:
        connection = self._connected()
        try:
            self._fold(connection)
            if self._pending:
                with transaction(connection):
                    for recorded in self._pending:
                        self._apply(connection, recorded.entry)
                self._committed += len(self._pending)
                self._owes_truncation |= any(
                    isinstance(recorded.entry, TurnAmended) for recorded in self._pending
                )
                self._acknowledge(len(self._pending))
            self._serve(connection)
            if self._owes_truncation:
                self._owes_truncation = not truncated(connection)
        except (sqlite3.Error, OSError) as error:
            self._health.failed(error, self._clock.now_ms())
        else:
            self._health.succeeded()

    def _apply(self, connection: sqlite3.Connection, entry: Entry) -> None:
        is_kept = journal.apply(connection, entry, now_at=self._clock.now_at())
        self._forgotten += not is_kept

    def _acknowledge(self, count: int) -> None:
        done = [self._pending.popleft() for _ in range(count)]
        self._lag_ms = self._clock.now_ms() - done[-1].receipt.recorded_ms
        for recorded in done:
            recorded.receipt.commit()

    def _serve(self, connection: sqlite3.Connection) -> None:
        """Run the commands that wait, until entries wait again."""
        while self._waiting:
            self._running = command = self._waiting.popleft()
            if not command.waiter.done():
                self._serve_one(connection, command)
            self._running = None
            if not self._queue.empty():
                return

    def _serve_one(self, connection: sqlite3.Connection, command: _Command) -> None:
        if command.work is None:
            answer(command.waiter, None)
            return
        try:
            if command.folds:
                self._look_due_ms = 0.0
                self._fold(connection)
            with transaction(connection):
                result = command.work(connection)
        except (StoreConflictError, UsageError) as error:
            answer(command.waiter, error)
        except sqlite3.Error as error:
            if code_of(error) in BUSY:
                self._waiting.appendleft(command)
                self._running = None
                raise
            answer(command.waiter, store_error(error, self._path))
            if not isinstance(error, REFUSED):
                raise
        else:
            answer(command.waiter, result)

    def _expire(self) -> None:
        """Answer commands that waited for too long; a flush, once nothing is in memory."""
        now_ms = self._clock.now_ms()
        for command in list(self._waiting):
            if command.work is None and not self._pending:
                answer(command.waiter, None)
            elif now_ms >= command.deadline_ms:
                answer(command.waiter, self._unavailable())
            else:
                continue
            self._waiting.remove(command)

    def _unavailable(self) -> StoreUnavailableError:
        return StoreUnavailableError(
            f"{self._path} could not be written for {self._settings.wait_ms} ms ({self._health.reason})"
        )

    def _survive(self, error: Exception) -> None:
        """Go on after what should not have happened: nothing observed may be lost for it."""
        name = type(error).__name__
        _log.error("store_writer_failed", extra={"store": self._path.name, "reason": name})
        if self._running is None:
            self._health.failed(error, self._clock.now_ms())
        else:  # it is the verb that failed, not the database
            answer(self._running.waiter, StoreError(f"{self._path}: a verb failed ({name})"))
            self._running = None
        self._spill_pending()

    def _spill_pending(self) -> None:
        if self._pending and self._spill_all(list(self._pending)):
            self._pending.clear()

    def _spill_all(self, many: list[_Recorded]) -> bool:
        """Spill entries in whichever thread calls; False when that cannot be either."""
        try:
            self._spill.append([recorded.entry for recorded in many])
        except OSError:
            return False
        self._lag_ms = self._clock.now_ms() - many[-1].receipt.recorded_ms
        for recorded in many:
            recorded.receipt.commit()
        return True

    def _fold(self, connection: sqlite3.Connection) -> None:
        for file in self._spill.sealed():
            self._fold_file(connection, file)
            self._spill.forget(file)
        now_ms = self._clock.now_ms()
        if now_ms >= self._look_due_ms:
            with contextlib.closing(self._spill.orphans()) as orphans:
                for file in orphans:
                    with contextlib.closing(file):
                        self._fold_file(connection, file)
            self._look_due_ms = now_ms + LOOK_MS

    def _fold_file(self, connection: sqlite3.Connection, file: SpillFile) -> None:
        try:
            folded = fold_file(
                connection,
                file,
                apply=lambda entry: self._apply(connection, entry),
                between=self._keep_safe,
            )
        except OSError as error:  # one bad file keeps nobody from writing
            reason = type(error).__name__
            _log.warning("spill_left", extra={"file": file.path.name, "reason": reason})
            file.close()
            return
        self._folded += folded.entries
        self._unreadable += folded.unreadable

    def _keep_safe(self) -> None:
        """Spill what came while a file is folded, if that takes long."""
        self._sort(0.0)
        if self._pending and self._clock.now_ms() - self._oldest_ms() > KEEP_SAFE_MS:
            self._spill_pending()

    def _oldest_ms(self) -> float:
        return self._pending[0].receipt.recorded_ms

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreError(f"{self._path} is not open")
        return self._connection

    def _finish(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._is_closed = self._is_over = True
        self._drain_late()

    def _drain_late(self) -> None:
        """Leave nothing unanswered; in the thread as it ends, or in one that came late."""
        with self._ending:
            self._answer_all()

    def _answer_all(self) -> None:
        self._sort_all()
        if self._pending and not self._spill_all(list(self._pending)):
            self._lost += len(self._pending)
            for recorded in self._pending:
                recorded.receipt.fail(self._unavailable())
        self._pending.clear()
        self._spill.close()
        while self._waiting:
            answer(self._waiting.popleft().waiter, ClosedError("the store was closed"))
        while self._stops:
            answer(self._stops.pop(), None)

    def _sort_all(self) -> None:
        while not self._queue.empty():
            self._sort(0.0)
