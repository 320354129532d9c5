"""Every bound that memory works under, with the reason for its default."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ringback.errors import UsageError


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How patient memory is, in milliseconds unless a name says otherwise.

    Raises:
        UsageError: A bound is not positive.
    """

    drain_ms: int = 3_000
    """What a hang-up waits for: longer, and telephony stacks kill the worker."""
    settle_ms: int = 30_000
    """What a tool that wants everything settled waits for at most."""
    lease_ms: int = 10_000
    """How long a job stays with a worker that may have died."""
    poll_ms: int = 1_000
    """How often jobs of other processes are looked for."""
    attempts: int = 5
    """Failures of one job before it goes to the dead letters."""
    first_pause_ms: int = 250
    """Before a failed job is tried again; it doubles with each failure."""
    prose_ms: int = 20_000
    """What a language model may take for a summary before the plain one is kept."""
    abandoned_ms: int = 15 * 60_000
    """How long a call without an end may be quiet before another process ends it. Longer than
    people are kept on hold; a call that goes on after all loses nothing."""
    recent_turns: int = 6
    """Last turns of unsettled calls that a briefing repeats."""
    sweep_ms: int = 60 * 60_000
    """How often facts that have expired are marked so, and old words deleted. What has
    expired is not told from that moment on, whether it is marked or not."""
    words_days: int | None = None
    """How long what was said is kept: turns of settled calls that began earlier are deleted,
    facts and summaries stay. None keeps them."""

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if value is not None and value <= 0:
                raise UsageError(f"{bound.name} must be positive")
