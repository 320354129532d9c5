"""Where memory is kept: each back-end is a `Journal`, a `Store` and `Jobs` over one place.

Stores keep and find; they decide nothing. `SqliteStore` is the default, one file and no
server; `MemoryStore` is its twin in memory, for tests and for trying things out.
"""

from __future__ import annotations

from ringback.stores.memory import MemoryStore
from ringback.stores.sqlite import SqliteSettings, SqliteStore, StoreStatistics

__all__ = ["MemoryStore", "SqliteSettings", "SqliteStore", "StoreStatistics"]
