"""Holds a process where it stands: it takes no CPU until it goes on, and loses no work."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable

CAN_HOLD = sys.platform == "linux"
"""Elsewhere a held process could not be made to end with a parent that is killed."""


class ProcessHold:
    """Stops a process while anybody holds it; it goes on when the last has let go.

    Lives as long as the process; whoever owns the process releases it before ending it.
    One loop uses it. Neither verb waits. On a process that has ended both do nothing.

    Args:
        send_signal: Of the process, as its owner has it: that knows when the process has
            ended, and its number may be another's.
    """

    def __init__(self, send_signal: Callable[[int], None]) -> None:
        self._send_signal = send_signal
        self._holders: set[object] = set()
        self._is_released = False

    @property
    def is_held(self) -> bool:
        """Whether it stands still now."""
        return bool(self._holders)

    def hold(self, holder: object) -> None:
        """Have it stand still at once, for one holder more; holding twice is holding once."""
        if self._is_released:
            return
        if not self._holders:
            self._send(signal.SIGSTOP)
        self._holders.add(holder)

    def go_on(self, holder: object) -> None:
        """Let go; harmless for one who does not hold it."""
        if holder not in self._holders:
            return
        self._holders.discard(holder)
        if not self._holders:
            self._send(signal.SIGCONT)

    def release(self) -> None:
        """Have it go on whoever holds it, and hold it no more. Idempotent."""
        if not self._is_released:
            self._is_released = True
            self._holders.clear()
            self._send(signal.SIGCONT)  # also one that was stopped from elsewhere is to end

    def _send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._send_signal(number)
