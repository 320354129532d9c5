"""Where memory is kept: each back-end is a `Journal`, a `Store` and `Jobs` over one place.

Stores keep and find; they decide nothing. `SqliteStore` is the default, one file and no
server; `MemoryStore` is its twin in memory, for tests and for trying things out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ringback.clock import Clock
from ringback.errors import UsageError
from ringback.stores.memory import MemoryStore
from ringback.stores.sqlite import SqliteSettings, SqliteStore, StoreStatistics

__all__ = ["MemoryStore", "SqliteSettings", "SqliteStore", "StoreStatistics", "open_store"]

SQLITE = "sqlite:///"
IN_MEMORY = "memory:"


async def open_store(url: str, clock: Clock) -> Any:
    """Open the back-end that a URL names.

    Raises:
        UsageError: The URL is of another kind.
        StoreError: See `SqliteStore.open`.
    """
    if url == IN_MEMORY:
        return MemoryStore(clock=clock)
    if url.startswith(SQLITE) and len(url) > len(SQLITE):
        return await SqliteStore.open(Path(url.removeprefix(SQLITE)), clock=clock)
    raise UsageError(f"{url!r} is no memory: give sqlite:///PATH, or memory:")
