"""How a download tells a person what it is doing."""

from __future__ import annotations

import sys
from typing import Any, Protocol, TextIO

from tqdm import tqdm

STEP_PERCENT = 10  # between two lines where no bar can be drawn


class Reporter(Protocol):
    """Who is told how a piece of work with a known number of bytes goes on.

    Calls come from the thread that fetches; one piece of work is open at a time.
    """

    def start(self, label: str, total_bytes: int, done_bytes: int) -> None:
        """Open a piece of work, part of which may be done already."""

    def advance(self, n_bytes: int) -> None:
        """Count bytes; fewer than 0 where some have to come once more."""

    def finish(self) -> None:
        """Close the piece of work, complete or not; without an open one, do nothing."""

    def note(self, line: str) -> None:
        """Say one line, also in the middle of a piece of work."""


class SilentReporter:
    """A reporter that says nothing."""

    def start(self, label: str, total_bytes: int, done_bytes: int) -> None:
        """Say nothing."""

    def advance(self, n_bytes: int) -> None:
        """Say nothing."""

    def finish(self) -> None:
        """Say nothing."""

    def note(self, line: str) -> None:
        """Say nothing."""


class TqdmReporter:
    """A reporter that draws a bar on a terminal, and elsewhere writes a line each 10 %.

    Args:
        stream: Where to write; standard error where it is None.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._bar: Any = None
        self._label = ""
        self._total_bytes = 0
        self._done_bytes = 0
        self._said_percent = 0

    def start(self, label: str, total_bytes: int, done_bytes: int) -> None:
        """Draw the bar, or remember what the lines are about."""
        self.finish()
        self._label = label
        self._total_bytes = total_bytes
        self._done_bytes = done_bytes
        self._said_percent = self._percent()
        if self._stream.isatty():
            self._bar = tqdm(
                desc=label,
                total=total_bytes,
                initial=done_bytes,
                file=self._stream,
                unit="B",
                unit_scale=True,
                leave=False,
            )

    def advance(self, n_bytes: int) -> None:
        """Move the bar, or write a line if another 10 % are done."""
        if self._bar is not None:
            self._bar.update(n_bytes)
            return
        self._done_bytes += n_bytes
        percent = self._percent()
        if percent >= self._said_percent + STEP_PERCENT:
            self._said_percent = percent - percent % STEP_PERCENT
            self.note(f"{self._label}: {percent} % of {self._total_bytes / 1e6:,.1f} MB")

    def finish(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def note(self, line: str) -> None:
        """Write the line, above the bar if there is one."""
        if self._bar is not None:
            self._bar.write(line, file=self._stream)
        else:
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def _percent(self) -> int:
        return 100 * self._done_bytes // max(self._total_bytes, 1)
