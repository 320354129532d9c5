"""Model work beside a call gives way to the reply that somebody is waiting for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

LONGEST_GIVING_WAY_S = 45.0
"""Then work goes on whoever waits: what every reply breaks off would never end. Two requests that
wait so long are done within the lease of a reading."""


class GiveWay:
    """Holds model work back from a caller's pause until the first sound of the answer.

    One per process; on one loop. A reply that never comes holds nothing back for longer
    than its bound.

    Args:
        longest_ms: How long to wait for a reply at most.
    """

    def __init__(self, longest_ms: int) -> None:
        self._longest_s = longest_ms / 1000
        self._due: set[object] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._busy = asyncio.Event()

    def reply_is_due(self, line: object) -> None:
        """Somebody has stopped speaking and waits for an answer."""
        self._due.add(line)
        self._quiet.clear()
        self._busy.set()

    def reply_is_heard(self, line: object) -> None:
        """The answer has begun, or there will be none."""
        self._due.discard(line)
        if not self._due:
            self._busy.clear()
            self._quiet.set()

    async def quiet(self) -> None:
        """Wait until nobody waits for a reply, or for as long as one may take.

        Whoever has waited that long gets no reply any more: they hold up nothing else.
        """
        waiting = set(self._due)
        try:
            async with asyncio.timeout(self._longest_s):
                await self._quiet.wait()
        except TimeoutError:
            for line in waiting:
                self.reply_is_heard(line)

    async def beside(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something beside the calls; it is broken off for a reply, and begun again.

        Work that was broken off by every reply would never end: after 45 s it goes on.
        """
        clock = asyncio.get_running_loop()
        until = clock.time() + LONGEST_GIVING_WAY_S
        while clock.time() < until:
            await self.quiet()
            done = await self._unless_busy(work)
            if done is not None:
                return done[0]
        await self.quiet()
        return await work()

    async def _unless_busy(self, work: Callable[[], Awaitable[T]]) -> tuple[T] | None:
        """The work's result; None when a reply became due meanwhile."""
        if self._busy.is_set():  # the wait for quiet ran out
            return (await work(),)
        results: list[T] = []
        failures: list[Exception] = []

        async def working() -> None:
            try:
                results.append(await work())
            except Exception as error:  # noqa: BLE001 - raised below, not in a group of one
                failures.append(error)
            watcher.cancel()

        async def watching() -> None:
            await self._busy.wait()
            worker.cancel()

        async with asyncio.TaskGroup() as both:
            watcher = both.create_task(watching())
            worker = both.create_task(working())
        if failures:
            raise failures[0]
        return (results[0],) if results else None
