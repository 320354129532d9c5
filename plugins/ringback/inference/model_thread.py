"""One thread for one model: what is urgent goes first, and what waits is bounded."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ringback.errors import ClosedError, InferenceUnavailableError

WAITING = 1_000  # pieces of work; the next one is refused

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Piece:
    work: Callable[[], Any]
    answer: Future[Any]

    def run(self) -> None:
        """Do it, unless whoever asked was cancelled meanwhile."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except Exception as error:  # noqa: BLE001 - the outermost guard: the next piece runs
            self._settle(error, None)
        else:
            self._settle(None, result)

    def _settle(self, error: Exception | None, result: Any) -> None:
        with suppress(RuntimeError):  # the loop that asked was closed: nobody waits
            if error is None:
                self.answer.set_result(result)
            else:
                self.answer.set_exception(error)


class ModelThread:
    """Runs pieces of work one after another in a thread of its own.

    Lives as long as its model, which closes it; tasks of any loop may use it. Urgent
    pieces overtake all others; one that runs is never broken off, so callers hand over
    small pieces. A cancelled caller's piece is not run if it has not begun.
    """

    def __init__(self, name: str) -> None:
        self._urgent: deque[_Piece] = deque()
        self._patient: deque[_Piece] = deque()
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        atexit.register(self.close)  # a model that computes while Python ends aborts the process

    async def run(self, work: Callable[[], T], *, is_urgent: bool = False) -> T:
        """Run one piece of work in the thread.

        Raises:
            ClosedError: The thread was closed before the piece began.
            InferenceUnavailableError: Too many pieces wait already.
        """
        piece = _Piece(work, Future())
        with self._changed:
            if self._is_closed:
                raise ClosedError("the model was closed")
            if len(self._urgent) + len(self._patient) >= WAITING:
                raise InferenceUnavailableError(f"{WAITING:,} pieces of work wait for the model")
            (self._urgent if is_urgent else self._patient).append(piece)
            self._changed.notify()
        result: T = await asyncio.wrap_future(piece.answer)
        return result

    def close(self) -> None:
        """Refuse what waits, and wait until the present piece is done. Idempotent."""
        with self._changed:
            self._is_closed = True
            waiting = [*self._urgent, *self._patient]
            self._urgent.clear()
            self._patient.clear()
            self._changed.notify()
        for piece in waiting:
            if piece.answer.set_running_or_notify_cancel():
                piece._settle(ClosedError("the model was closed"), None)
        atexit.unregister(self.close)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while (piece := self._next()) is not None:
            piece.run()
            del piece  # or an idle thread would keep the last texts and their vectors

    def _next(self) -> _Piece | None:
        with self._changed:
            while not (self._urgent or self._patient or self._is_closed):
                self._changed.wait()
            if self._is_closed:
                return None
            return (self._urgent or self._patient).popleft()
