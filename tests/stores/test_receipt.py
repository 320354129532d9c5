"""Receipts are settled by threads and awaited by loops that may be gone."""

from __future__ import annotations

import asyncio

import pytest

from ringback.errors import StoreUnavailableError
from ringback.stores.receipt import CommitReceipt

pytestmark = pytest.mark.unit


async def test_all_who_wait_are_told():
    receipt = CommitReceipt()
    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(receipt.committed())
        await asyncio.sleep(0)
        await asyncio.to_thread(receipt.commit)

    assert receipt.is_committed


async def test_a_failure_is_told_to_whoever_asks():
    receipt = CommitReceipt()
    receipt.fail(StoreUnavailableError("full"))
    receipt.commit()

    with pytest.raises(StoreUnavailableError):
        await receipt.committed()
    assert not receipt.is_committed


async def test_whoever_was_cancelled_is_not_told():
    receipt = CommitReceipt()
    waiting = asyncio.create_task(receipt.committed())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])

    receipt.commit()
    await asyncio.sleep(0)

    assert waiting.cancelled()


def test_a_loop_that_is_closed_is_nobody_waiting():
    receipt = CommitReceipt()
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(receipt.committed())
    loop.run_until_complete(asyncio.sleep(0))
    waiting.cancel()
    loop.run_until_complete(asyncio.wait([waiting]))
    loop.close()

    receipt.commit()

    assert receipt.is_committed
