"""Decides once more where somebody else wrote meanwhile: no decision rests on old facts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from ringback.errors import StoreConflictError

TRIES = 8  # each time somebody else has written; a job is then put back

T = TypeVar("T")


async def decided_again(decide: Callable[[], Awaitable[T]]) -> T:
    """Read, decide and write; from the start when what was read has changed.

    Args:
        decide: Does all three, with the basis of what it read.

    Raises:
        StoreConflictError: It changed `TRIES` times.
    """
    for _ in range(TRIES - 1):
        try:
            return await decide()
        except StoreConflictError:
            continue
    return await decide()
