"""The receipt for an entry, and how a thread answers a loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from ringback.errors import StoreError

_settling = threading.Lock()  # one for all receipts: held for a few instructions


class CommitReceipt:
    """Says when an entry is on disk.

    Lives as long as somebody holds it. Any thread settles it, once; any task may wait.
    """

    __slots__ = ("_error", "_is_committed", "_waiters", "recorded_ms")

    def __init__(self, recorded_ms: float = 0.0) -> None:
        self.recorded_ms = recorded_ms
        self._is_committed = False
        self._error: StoreError | None = None
        self._waiters: list[asyncio.Future[None]] | None = None

    @property
    def is_committed(self) -> bool:
        """It is on disk: a process that dies now loses nothing of it."""
        return self._is_committed

    async def committed(self) -> None:
        """Wait until it is on disk.

        Raises:
            StoreError: It could not be written before the store was closed.
        """
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with _settling:
            is_settled = self._is_committed or self._error is not None
            if not is_settled:
                self._waiters = [*(self._waiters or ()), waiter]
        if not is_settled:
            await waiter
        if self._error is not None:
            raise self._error

    def commit(self) -> None:
        """Say that it is on disk."""
        self._settle(None)

    def fail(self, error: StoreError) -> None:
        """Say that it will never be."""
        self._settle(error)

    def _settle(self, error: StoreError | None) -> None:
        with _settling:
            if self._is_committed or self._error is not None:
                return
            self._is_committed, self._error = error is None, error
            waiters, self._waiters = self._waiters or [], None
        for waiter in waiters:
            answer(waiter, None)


def answer(waiter: asyncio.Future[Any], result: Any) -> None:
    """Hand a result or an error to a future of any loop, from any thread.

    A future that is done, because its task was cancelled, and a loop that is closed are
    nobody waiting: nothing happens.
    """
    try:
        waiter.get_loop().call_soon_threadsafe(_set, waiter, result)
    except RuntimeError:
        if not waiter.get_loop().is_closed():
            raise


def _set(waiter: asyncio.Future[Any], result: Any) -> None:
    if waiter.done():
        return
    if isinstance(result, BaseException):
        waiter.set_exception(result)
    else:
        waiter.set_result(result)
