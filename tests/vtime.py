"""A loop whose clock jumps to the next timer instead of waiting for it.

On it a thread's reply loses to any deadline (the clock jumps while the thread works), so
tests with threads, sockets or servers run on the real loop.
"""

from __future__ import annotations

import asyncio
import selectors


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None):
        ready = super().select(0)
        if ready or timeout is None:
            return ready or super().select(timeout)
        self.now += max(timeout, 0)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)
        self._clock_resolution = 1e-9

    def time(self) -> float:
        return self._jumping.now
