"""Work of several transactions, so that entries are written in between."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Set as AbstractSet
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from ringback.protocols import Swept
from ringback.recollection import Passage
from ringback.stores.sqlite import erasing, vectors

CALLS_SWEPT = 200  # calls in one transaction of a sweep: about 50 ms of work

Run: TypeAlias = Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]
"""Runs one piece of work in a transaction of its own."""


async def unindexed(read: Run, write: Run, embedder: str, *, limit: int) -> tuple[Passage, ...]:
    """Passages without vectors; what was never looked at is looked through until there are some."""
    while True:
        found: tuple[Passage, ...]
        found, is_all = await read(lambda db: vectors.unindexed(db, embedder, limit=limit))
        if is_all:
            return found
        await write(lambda db: vectors.look_through(db, embedder))


async def drop_index(write: Run, *, besides: AbstractSet[str]) -> None:
    """Drop the vectors of all embedders but these: out of use at once, then row by row."""
    await write(lambda db: vectors.drop_embedders(db, besides=besides))
    await _finish_dropping(write)


async def sweep(read: Run, write: Run, *, now_at: datetime, words_before: datetime | None) -> Swept:
    """End what has expired, let the words of old settled calls go, and finish dropping vectors."""
    expired = await write(lambda db: erasing.expire(db, now_at=now_at))
    deleted = 0
    if words_before is not None:
        some = partial(erasing.settled_calls, words_before=words_before, limit=CALLS_SWEPT)
        while calls := await read(some):
            swept = await write(partial(erasing.let_words_go, calls=calls))
            deleted += swept
            if not swept:
                break  # they have gone on meanwhile
    await _finish_dropping(write)  # a process that was to do it may have ended
    return Swept(expired, deleted)


async def _finish_dropping(write: Run) -> None:
    while await write(vectors.drop_dropped):
        pass
