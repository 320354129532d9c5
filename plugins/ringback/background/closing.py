"""Ends calls that nobody else will end: the process that had them is gone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ringback.protocols import CallEnded, Journal

BATCH = 100  # calls that one look ends; each is read whole


async def close_abandoned(
    journal: Journal, *, quiet_since: datetime, open_here: Collection[tuple[str, str]]
) -> int:
    """End calls that have been quiet for long, as of the last word in them.

    Their summaries follow as after any end. A call that goes on in another process after
    all loses nothing by it: its later turns and its real end count.

    Args:
        journal: Where calls are kept, of all tenants.
        quiet_since: A call is left alone if anything was said in it since.
        open_here: Calls that this process has, by tenant and id: on hold, but not abandoned.

    Returns:
        How many were ended; there may be more when it is not 0.

    Raises:
        StoreError: They could not be read or ended; the next look finds them again.
    """
    found = await journal.abandoned(quiet_since=quiet_since, limit=BATCH + len(open_here))
    receipts = []
    for call in found:
        view = await journal.call(call.tenant, call.id)
        if view is None or (call.tenant, call.id) in open_here:
            continue
        last_at = max([call.started_at, *(turn.at for turn in view.turns)])
        receipts.append(journal.record_nowait(CallEnded(call.tenant, call.id, last_at)))
    for receipt in receipts:
        await receipt.committed()
    return len(receipts)
