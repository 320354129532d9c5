"""Learns what other processes forgot, so that no cache of this one goes on knowing it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ringback.erasure import ErasureReceipt
from ringback.protocols import Journal
from ringback.settings import MemorySettings


class Invalidation:
    """Reads the receipts of erasures as they come.

    Lives as long as its memory; `run` is its supervised worker. What this process forgot
    itself comes by here as well: dropping it twice changes nothing.

    Args:
        journal: Keeps the receipts, of all tenants.
        settings: How often to look.
        erased: Is told of each.
    """

    def __init__(
        self, journal: Journal, settings: MemorySettings, erased: Callable[[ErasureReceipt], None]
    ) -> None:
        self._journal = journal
        self._settings = settings
        self._erased = erased
        self._seen: int | None = None

    async def run(self) -> None:
        """Look for erasures, for ever; those from before it started touch no cache here."""
        while True:
            await self.look()
            await asyncio.sleep(self._settings.poll_ms / 1000)

    async def look(self) -> None:
        """Tell of each erasure since the last look."""
        is_first = self._seen is None
        while batch := await self._journal.erasures(after=self._seen or 0):
            self._seen = batch[-1][0]
            for _, receipt in batch:
                if not is_first:
                    self._erased(receipt)
        self._seen = self._seen or 0
