"""A memory closes, whatever its workers are about to do at that moment."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from ringback import Memory, Role, Turn
from ringback.settings import MemorySettings

pytestmark = pytest.mark.framework


@pytest.mark.parametrize("steps", range(4))
async def test_a_memory_closes_while_its_worker_is_just_being_woken(steps: int):
    memory = await Memory.open("memory:", settings=MemorySettings(drain_ms=1))
    call = memory.ring(tenant="acme")
    await call.briefed()
    await memory.settle()
    await asyncio.sleep(0.01)  # the worker waits for work

    call.observe(Turn(Role.CALLER, "", at=datetime(2026, 3, 3, tzinfo=UTC)))
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await memory._supervisor.close()

    await memory.close()
