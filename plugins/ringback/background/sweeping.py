"""Ends what has expired, and lets old words go, beside the calls."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from ringback.clock import Clock
from ringback.protocols import Jobs, Swept
from ringback.settings import MemorySettings


class Sweeper:
    """Sweeps a store now and then.

    Lives as long as its memory; `run` is its supervised worker. Two processes that sweep
    one store at once change nothing twice.

    Args:
        jobs: The back-end.
        clock: Says what has expired.
        settings: How often, and how long words are kept.
    """

    def __init__(self, jobs: Jobs, clock: Clock, settings: MemorySettings) -> None:
        self._jobs = jobs
        self._clock = clock
        self._settings = settings

    async def run(self) -> None:
        """Sweep, for ever."""
        while True:
            await self.sweep()
            await asyncio.sleep(self._settings.sweep_ms / 1000)

    async def sweep(self) -> Swept:
        """Sweep once; what it ended."""
        now_at, days = self._clock.now_at(), self._settings.words_days
        words_before = None if days is None else now_at - timedelta(days=days)
        return await self._jobs.sweep(now_at=now_at, words_before=words_before)
