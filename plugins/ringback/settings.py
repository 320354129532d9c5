"""Every bound that memory works under, with the reason for its default."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from ringback.errors import UsageError
from ringback.records import ModelUse


class ReadingPolicy(StrEnum):
    """When a language model reads a call; the rules read every turn as it comes."""

    EVERY_TURN = "every turn"
    WINDOW = "sliding window"
    """Whenever `reading_turns` have come that it has not read."""
    END = "end of call"


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
    reading_policy: ReadingPolicy = ReadingPolicy.END
    """When a language model reads a call, if there is one."""
    reading_turns: int = 6
    """Of a sliding window."""
    reading_lease_ms: int = 600_000
    """How long a call stays with the worker that reads it: three requests to a model that is held
    as long as it may be, and works as long as it may. Then another worker reads it as well."""
    reading_calls: int = 20
    """Requests to a language model that one call may cost, its summary not counted."""
    reading_tokens: int = 40_000
    """Tokens of both sides that one call may cost: an hour's talk, read once."""
    prompt_price: float | None = None
    """What a million tokens of a question cost, in any currency."""
    completion_price: float | None = None
    """The same for an answer."""
    reading_money: float | None = None
    """What one call may cost in that currency; counts where both prices are given."""
    yield_ms: int = 10_000
    """How long a model waits at most for one reply on the line before it goes on anyway."""
    recent_turns: int = 6
    """Last turns of unsettled calls that a briefing repeats."""
    staging_ms: int = 5_000
    """How long retrieval for a later turn looks; nobody waits for it."""
    staged_tokens: int = 120
    """Of what is retrieved for a turn: a small model on a CPU reads so much in 100 to 300 ms."""
    sweep_ms: int = 60 * 60_000
    """How often facts that have expired are marked so, and old words deleted. What has
    expired is not told from that moment on, whether it is marked or not."""
    words_days: int | None = None
    """How long what was said is kept: turns of settled calls that began earlier are deleted,
    facts and summaries stay. None keeps them."""

    region: str = ""
    """Where phone numbers without a country's code are meant, e.g. `TW`; "" leaves them as they
    are."""
    identify_ms: int = 20_000
    """What an application's own look-up of a caller may take before it is asked again."""
    identify_attempts: int = 3
    """How often it is asked one thing where it fails."""

    def allows(self, use: ModelUse) -> bool:
        """A call that has cost so much may cost another request."""
        money, limit = self.money(use), self.reading_money
        if money is not None and limit is not None and money >= limit:
            return False
        return use.calls < self.reading_calls and use.tokens < self.reading_tokens

    def money(self, use: ModelUse) -> float | None:
        """What that much use of a model costs; None where the prices are not known."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        cost = use.prompt_tokens * self.prompt_price + use.completion_tokens * self.completion_price
        return cost / 1_000_000

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if isinstance(value, int | float) and value <= 0:
                raise UsageError(f"{bound.name} must be positive")
