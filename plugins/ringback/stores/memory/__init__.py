"""The back-end in this process's memory: the twin of the SQLite one, for tests and trials."""

from __future__ import annotations

from ringback.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
