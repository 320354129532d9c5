"""How late a loop is while something else goes on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import numpy as np

from ringback.clock import SystemClock

TICK_MS = 2.0


@dataclass(slots=True)
class LoopWatch:
    """Sees how late the loop is, while it is entered; a tick every `TICK_MS`."""

    late_ms: list[float] = field(default_factory=list)
    """Of each tick."""
    _ticking: asyncio.Task[None] | None = None

    @property
    def p99_ms(self) -> float:
        """How late it mostly was at worst."""
        return round(float(np.percentile(self.late_ms or [0.0], 99)), 2)

    @property
    def max_ms(self) -> float:
        """How late it was once."""
        return round(max(self.late_ms, default=0.0), 2)

    async def __aenter__(self) -> LoopWatch:
        self._ticking = asyncio.get_running_loop().create_task(self._tick())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._ticking is not None:
            self._ticking.cancel()

    async def _tick(self) -> None:
        clock = SystemClock()
        while True:
            begun_ms = clock.now_ms()
            await asyncio.sleep(TICK_MS / 1000)
            self.late_ms.append(clock.now_ms() - begun_ms - TICK_MS)
