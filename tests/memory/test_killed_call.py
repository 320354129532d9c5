"""A process is killed in mid-call; the caller rings again and is known."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from ringback import Memory, MemorySettings

pytestmark = pytest.mark.server

CODE = """
import asyncio, os, sys
from datetime import UTC, datetime
from ringback import Memory, Role, Turn

SAID = ["This is Dana Whitfield speaking.", "My account number is 4821.",
        "Please send me a text, do not call me."]

async def main():
    memory = await Memory.open("sqlite:///" + sys.argv[1])
    call = memory.ring(tenant="acme", handles=[("phone", "+15550100199")], call_id="call-1")
    for text in SAID:
        await call.observe(Turn(Role.CALLER, text, at=datetime.now(UTC))).committed()
    print("said", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_call_2_knows_what_the_turns_before_the_kill_said(tmp_path: Path):
    file = tmp_path / "m.db"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CODE, str(file), stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"said\n"
    process.kill()
    await process.wait()

    settings = MemorySettings(lease_ms=1)
    async with await Memory.open(f"sqlite:///{file}", settings=settings) as memory:
        call = memory.ring(tenant="acme", handles=[("phone", "+15550100199")], call_id="call-2")
        await call.briefed()
        briefing = call.context().briefing
        await memory.settle()
        view = await memory.keeping.call("acme", "call-1")
        again = memory.ring(tenant="acme", handles=[("phone", "+15550100199")], call_id="call-3")
        await again.briefed()
        later = again.context().briefing

    assert view is not None
    assert [turn.position for turn in view.turns] == [0, 1, 2]
    for known in (briefing, later):
        assert "4821" in known
        assert "Dana Whitfield" in known
        assert "text" in known
