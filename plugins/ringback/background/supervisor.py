"""The one owner of long-lived tasks: restarts what fails, and ends everything at close."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.1  # before a failed worker starts again; it doubles with each failure
LONGEST_PAUSE_S = 30.0

Work = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Failure:
    """How often a worker failed, and how last."""

    count: int = 0
    reason: str = ""
    """The error's class."""


class Supervisor:
    """Runs workers until it is closed.

    Lives as long as its memory, on one loop. A worker that raises, or that returns though
    it should not, is started again after growing pauses, and the failure is kept in
    `failures`. `close()` cancels all of them; starting one after that is refused quietly,
    because a call may end while its memory closes.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.failures: dict[str, Failure] = {}

    def start(self, work: Work, *, name: str) -> None:
        """Keep a worker running for as long as the supervisor lives."""
        self._spawn(self._keep(work, name), name)

    def start_once(self, work: Work, *, name: str) -> None:
        """Run something to its end once; a failure is kept, not repeated."""
        self._spawn(self._once(work, name), name)

    def note(self, name: str, error: Exception) -> None:
        """Keep a failure that a worker got over by itself."""
        failure = self.failures.setdefault(name, Failure())
        failure.count += 1
        failure.reason = type(error).__name__
        log.warning("worker failed", extra={"worker": name, "error": failure.reason})

    async def close(self) -> None:
        """Cancel everything and wait for it. Idempotent."""
        self._is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        if self._is_closed:
            work.close()
            return
        task = asyncio.create_task(work, name=name)  # noqa: TID251 - this is the owner
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, work: Work, name: str) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            await self._once(work, name)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    async def _once(self, work: Work, name: str) -> None:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - the one place that outlives any failure
            self.note(name, error)
