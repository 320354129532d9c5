"""What a call left behind, read back by another opening of the same file."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringback import Memory, Turn
from ringback.clock import Clock
from ringback.records import Fact, Status
from ringback.schemas import SUPPORT, Schema
from ringback_pipecat import PipecatCall

NUMBER = [("phone", "+15550100199")]


@dataclass(frozen=True)
class OnRecord:
    """One call."""

    turns: tuple[Turn, ...]
    facts: tuple[Fact, ...]
    summary: str
    summaries: int
    open_jobs: int

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(str(turn.role), turn.text) for turn in self.turns]

    @property
    def values(self) -> list[tuple[str, str]]:
        return sorted((fact.key, fact.value) for fact in self.facts)


async def rung(file: Path, clock: Clock | None = None, **options: Any) -> PipecatCall:
    """A call into a file's memory, which it closes at its end."""
    memory = await Memory.open(f"sqlite:///{file}", **options)
    return PipecatCall(memory.ring(tenant="acme", handles=NUMBER), memory=memory, clock=clock)


async def on_record(file: Path, schema: Schema = SUPPORT) -> OnRecord:
    """Settle the calls of a file and read the newest back."""
    async with await Memory.open(f"sqlite:///{file}", schema=schema) as memory:
        await memory.settle()
        call = max(await memory.keeping.calls("acme"), key=lambda one: one.started_at)
        view = await memory.keeping.call("acme", call.id)
        assert view is not None
        facts: tuple[Fact, ...] = ()
        last = None
        if call.caller_id is not None:
            facts = await memory.keeping.facts(
                "acme",
                caller_id=call.caller_id,
                statuses=(Status.ACTIVE, Status.PROVISIONAL),
            )
            last = await memory.keeping.last_interaction("acme", call.caller_id)
        jobs = await memory.keeping.open_count()
    with sqlite3.connect(file) as rows:
        (count,) = rows.execute("SELECT count(*) FROM summary").fetchone()
    rows.close()
    return OnRecord(view.turns, facts, last.text if last else "", count, jobs)
