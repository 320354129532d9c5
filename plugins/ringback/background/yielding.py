"""Model work beside a call gives way to the reply that somebody is waiting for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from ringback.errors import InferenceUnavailableError
from ringback.protocols import Hold

T = TypeVar("T")

LONGEST_GIVING_WAY_S = 45.0
"""Then work goes on whoever waits: what every reply breaks off would never end."""
WORKING_S = 120.0
"""How long a model that can be held may work on one request, not counting time in which it was
held: a small one that has only the idle time of a busy machine takes a minute."""


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

    async def beside(self, work: Callable[[], Awaitable[T]], *, hold: Hold | None = None) -> T:
        """Do something beside the calls; for a reply it is held, or broken off and begun again.

        Work that gives way to every reply would never end: after 45 s it goes on.

        Args:
            work: Asks a model; begun again where it was broken off.
            hold: Has the model stand still and go on; None: the work is broken off.

        Raises:
            InferenceUnavailableError: A model that can be held worked for two minutes.
        """
        if hold is not None:
            return await self._held(work, hold)
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

        async def break_off(worker: asyncio.Task[None]) -> None:
            await self._busy.wait()
            worker.cancel()

        return await _watched(work, break_off)

    async def _held(self, work: Callable[[], Awaitable[T]], hold: Hold) -> T:
        """The work's result; its model stands still while somebody waits."""
        await self.quiet()
        holder = object()  # two requests to one model hold it each for itself
        try:
            async with asyncio.timeout(WORKING_S) as limit:
                done = await _watched(work, lambda _: self._hold_for_replies(hold, holder, limit))
        except TimeoutError:
            raise InferenceUnavailableError(f"no answer in {WORKING_S:.0f} s of work") from None
        finally:
            hold.go_on(holder)
        if done is None:
            raise asyncio.CancelledError  # somebody else cancelled the work itself
        return done[0]

    async def _hold_for_replies(self, hold: Hold, holder: object, limit: asyncio.Timeout) -> None:
        """Hold a model whenever a reply is due, for 45 s in all; its time limit waits as well."""
        clock, may_hold_s = asyncio.get_running_loop(), LONGEST_GIVING_WAY_S
        may_hold = True
        while may_hold:
            await self._busy.wait()
            if limit.expired():  # in this very moment: the work is being cancelled
                return
            begun = clock.time()
            work_left_s = (limit.when() or begun) - begun
            limit.reschedule(None)
            hold.hold(holder)
            may_hold = await _in_time(self.quiet(), may_hold_s)
            hold.go_on(holder)
            limit.reschedule(clock.time() + work_left_s)
            may_hold_s -= clock.time() - begun


async def _in_time(waiting: Awaitable[None], limit_s: float) -> bool:
    """Wait for something; False where it did not come in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            await waiting
            return True
    return False


async def _watched(
    work: Callable[[], Awaitable[T]],
    watch: Callable[[asyncio.Task[None]], Coroutine[Any, Any, None]],
) -> tuple[T] | None:
    """The result of work, watched while it lasts; None when it was cancelled by the watch."""
    results: list[T] = []
    failures: list[Exception] = []

    async def working() -> None:
        try:
            results.append(await work())
        except Exception as error:  # noqa: BLE001 - raised below, not in a group of one
            failures.append(error)
        finally:
            watcher.cancel()

    async with asyncio.TaskGroup() as both:
        worker = both.create_task(working())
        watcher = both.create_task(watch(worker))
    if failures:
        raise failures[0]
    return (results[0],) if results else None
