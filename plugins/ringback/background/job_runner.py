"""Takes jobs one at a time, from this process or left by another, and has them done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TypeAlias

from ringback.clock import Clock
from ringback.errors import InferenceError, StoreError
from ringback.protocols import Jobs
from ringback.records import Decision, Job, JobKind
from ringback.settings import MemorySettings

Do: TypeAlias = Callable[[Job], Awaitable[tuple[Decision, ...]]]


class JobRunner:
    """Leases jobs of some kinds and does them.

    Lives as long as its memory; `run` is its supervised worker. `on_done` is told of each
    job that was done, on the loop. A job that fails is put back with growing pauses, and
    after `attempts` failures goes to the dead letters.

    Args:
        jobs: Where they wait.
        clock: Tells the time.
        settings: Pauses, attempts.
        kinds: Which jobs to take.
        lease_ms: How long one may take before another worker gets it.
        do: Does a job, and finishes it.
    """

    def __init__(
        self,
        jobs: Jobs,
        clock: Clock,
        settings: MemorySettings,
        *,
        kinds: Sequence[JobKind],
        lease_ms: int,
        do: Do,
    ) -> None:
        self._jobs = jobs
        self._clock = clock
        self._settings = settings
        self._kinds = kinds
        self._lease_ms = lease_ms
        self._do = do
        self.on_done: Callable[[Job, tuple[Decision, ...]], None] | None = None
        self.when_idle: Callable[[], Awaitable[int]] | None = None
        """Looks for more to do when no job is due; how much it did."""
        self._has_work = asyncio.Event()
        self._held: dict[str, Job] = {}  # by id; tools work beside the worker

    def wake(self) -> None:
        """Look for work now."""
        self._has_work.set()

    async def run(self) -> None:
        """Do jobs as they come, for ever."""
        while True:
            self._has_work.clear()
            if await self.do_one() or (self.when_idle is not None and await self.when_idle()):
                await asyncio.sleep(0)  # a back-end in memory never yields by itself
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.poll_ms / 1000):
                    await self._has_work.wait()

    async def do_one(self) -> bool:
        """Do the job that is due longest; False when none is."""
        job = await self._jobs.lease(
            now_at=self._clock.now_at(), lease_ms=self._lease_ms, kinds=self._kinds
        )
        if job is None:
            return False
        self._held[job.id] = job
        try:
            decisions = await self._do(job)
        except (StoreError, InferenceError, ValueError, LookupError) as error:
            self._held.pop(job.id, None)
            await self._put_back(job, type(error).__name__)
            return True
        self._held.pop(job.id, None)
        if self.on_done is not None:
            self.on_done(job, decisions)
        return True

    async def release(self) -> None:
        """Give back jobs whose work was cancelled, so that the next worker need not wait."""
        while self._held:
            _, job = self._held.popitem()
            await self._jobs.retry(job, due_at=self._clock.now_at(), reason="closed")

    async def _put_back(self, job: Job, reason: str) -> None:
        if job.attempts + 1 >= self._settings.attempts:
            await self._jobs.give_up(job, reason=reason)
            return
        pause_ms = self._settings.first_pause_ms * 2**job.attempts
        due_at = self._clock.now_at() + timedelta(milliseconds=pause_ms)
        await self._jobs.retry(job, due_at=due_at, reason=reason)
