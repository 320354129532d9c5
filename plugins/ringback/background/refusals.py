"""Which passages a model refused by themselves, so that they keep no others waiting."""

from __future__ import annotations

from ringback.recollection import Passage

LEFT_ALONE = 1_000  # passages that were refused; the first of them are tried again


class Refusals:
    """Counts how often a model refused each passage, by its ids; until the next start.

    Lives as long as its worker, on one loop.

    Args:
        attempts: After so many a passage is left alone.
    """

    def __init__(self, attempts: int) -> None:
        self._attempts = attempts
        self._counts: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        """How many are left alone."""
        return sum(count >= self._attempts for count in self._counts.values())

    def note(self, passage: Passage) -> None:
        """It was refused once more."""
        key = (passage.tenant, passage.id)
        self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > LEFT_ALONE:
            self._counts.pop(next(iter(self._counts)))

    def has_left(self, passage: Passage) -> bool:
        """It is not tried any more."""
        return self._counts.get((passage.tenant, passage.id), 0) >= self._attempts

    def clear(self) -> None:
        """Try all of them again."""
        self._counts.clear()
