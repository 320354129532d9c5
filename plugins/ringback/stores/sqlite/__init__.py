"""The default back-end: one SQLite file, one thread that writes, a few that read."""

from __future__ import annotations

from ringback.stores.sqlite.settings import SqliteSettings, StoreStatistics
from ringback.stores.sqlite.store import SqliteStore

__all__ = ["SqliteSettings", "SqliteStore", "StoreStatistics"]
