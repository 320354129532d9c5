"""Threads that read a SQLite file, each with a connection of its own.

Not an executor of the standard library: that one refuses work as soon as the interpreter
begins to shut down, when calls are still to be drained.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ringback.errors import ClosedError, StoreError, StoreUnavailableError
from ringback.stores.receipt import answer
from ringback.stores.sqlite.connection import open_reader, store_error, transaction

READERS = 2  # threads; a read takes well under a millisecond
READS = 1_000  # that wait; the next one is refused

T = TypeVar("T")


@dataclass(slots=True)
class _Read:
    work: Callable[[sqlite3.Connection], Any]
    waiter: asyncio.Future[Any]


class Readers:
    """A few reading threads and their queue.

    Live as long as their store, which closes them. Each read sees one state of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: queue.SimpleQueue[_Read | asyncio.Future[None]] = queue.SimpleQueue()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._run, name=f"ringback-reader:{path.name}", daemon=True)
            for _ in range(READERS)
        ]

    def start(self) -> None:
        """Start the threads; each opens its connection when it is first needed."""
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a read in a thread.

        Raises:
            ClosedError: The store was closed.
            StoreError: It could not be read.
        """
        if self._is_closed:
            raise ClosedError("the store is closed")
        if self._queue.qsize() >= READS:
            raise StoreUnavailableError(f"{self._path} has too much to read")
        waiter: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Read(work, waiter))
        return await waiter

    async def close(self) -> None:
        """Do the reads that wait, then end the threads; idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        loop = asyncio.get_running_loop()
        ends: list[asyncio.Future[None]] = [loop.create_future() for _ in self._threads]
        for end in ends:
            self._queue.put(end)
        for end in ends:
            await end
        for thread in self._threads:
            thread.join()  # it has nothing left to do

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while isinstance(item := self._queue.get(), _Read):
            if item.waiter.done():
                continue  # whoever asked was cancelled
            try:
                connection = connection or open_reader(self._path)
                with transaction(connection, "DEFERRED"):
                    result = item.work(connection)
            except sqlite3.Error as error:
                answer(item.waiter, store_error(error, self._path))
            except Exception as error:  # noqa: BLE001 - the outermost guard: the next read runs
                answer(item.waiter, _unreadable(self._path, error))
            else:
                answer(item.waiter, result)
        if connection is not None:
            connection.close()
        answer(item, None)


def _unreadable(path: Path, error: Exception) -> StoreError:
    failure = StoreError(f"{path} holds something unknown ({type(error).__name__})")
    failure.__cause__ = error
    return failure
