"""The one reader of the machine's clock.

Everything else is given a `Clock` or the time itself, so that tests and replays decide
what time it is.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time. Any thread may ask."""

    def now_ms(self) -> float:
        """Milliseconds since an arbitrary start; never goes back."""
        ...

    def now_at(self) -> datetime:
        """The wall clock, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> float:
        """Milliseconds since an arbitrary start, to the microsecond; never goes back."""
        return time.perf_counter() * 1000.0

    def now_at(self) -> datetime:
        """The wall clock, aware, in UTC."""
        return datetime.now(UTC)
