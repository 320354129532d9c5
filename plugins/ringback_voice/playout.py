"""The bot's sound on its way to a caller, paced by what the line takes."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Samples: TypeAlias = NDArray[np.int16]

PLAYOUT_MS = 40  # what a line holds of the bot's sound before its writer waits


class Playout:
    """The bot's sound on its way to the caller: at most 40 ms, then the writer waits.

    One task writes, one takes; an interruption empties it.
    """

    def __init__(self, sample_rate_hz: int) -> None:
        self._capacity = sample_rate_hz * PLAYOUT_MS // 1000
        self._chunks: deque[Samples] = deque()
        self._held = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self.activity = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        """Nothing is on its way."""
        return self._held == 0

    async def write(self, samples: Samples) -> None:
        """Queue int16 [frames] behind what is there; waits while the line is full."""
        await self._has_room.wait()
        self._chunks.append(samples)
        self._held += len(samples)
        self.activity.set()
        if self._held >= self._capacity:
            self._has_room.clear()

    def take(self, frames: int) -> Samples | None:
        """Take what is heard now: int16 [frames], padded with zeros; None when silent."""
        if self.is_empty:
            return None
        heard = np.zeros(frames, dtype=np.int16)
        filled = 0
        while self._chunks and filled < frames:
            chunk = self._chunks.popleft()
            part = chunk[: frames - filled]
            heard[filled : filled + len(part)] = part
            filled += len(part)
            if len(part) < len(chunk):
                self._chunks.appendleft(chunk[len(part) :])
        self._held -= filled
        if self._held < self._capacity:
            self._has_room.set()
        return heard

    def clear(self) -> None:
        """Forget what was not heard yet."""
        self._chunks.clear()
        self._held = 0
        self._has_room.set()
