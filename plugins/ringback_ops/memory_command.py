"""`ringback memory CALLER`: what is kept about a caller, and from which words."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from ringback import Memory, RingbackError, UsageError
from ringback.core.identity import normalise_handle
from ringback.records import HandleKind, Status
from ringback_ops.memory_file import add_memory_argument, memory_url
from ringback_ops.told import fact_line, summary_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("caller", nargs="?", help="an id or a number; without it, all callers")
    parser.add_argument("--tenant", default="local", help="whose callers")
    parser.add_argument("--history", action="store_true", help="also what was superseded")
    add_memory_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List callers, or what is kept about one."""
    file: Path = arguments.memory
    if not file.exists():
        raise UsageError(f"nothing is remembered yet: no file {file}")
    return asyncio.run(_show(arguments))


async def _show(arguments: argparse.Namespace) -> int:
    async with await Memory.open(memory_url(arguments.memory)) as memory:
        keeping, tenant = memory.keeping, arguments.tenant
        if arguments.caller is None:
            for caller in await keeping.callers(tenant):
                handles = ", ".join(f"{h.kind} {h.value}" for h in caller.handles)
                print(f"{caller.id}  {handles}")
            return 0
        caller_id = await _caller_id(memory, tenant, arguments.caller)
        statuses = tuple(Status) if arguments.history else (Status.ACTIVE, Status.PROVISIONAL)
        facts = await keeping.facts(tenant, caller_id=caller_id, statuses=statuses)
        calls = await keeping.calls(tenant, caller_id=caller_id)
        zone = calls[0].zone if calls else "UTC"
        print(f"caller {caller_id}: {len(facts)} facts from {len(calls)} calls")
        for fact in facts:
            print(fact_line(fact, zone))
        last = await keeping.last_interaction(tenant, caller_id)
        if last is not None:
            print("last interaction")
            print("\n".join(summary_lines(last, zone)))
    return 0


async def _caller_id(memory: Memory, tenant: str, words: str) -> str:
    caller = await memory.keeping.caller(tenant, words)
    if caller is None:
        handle = normalise_handle(HandleKind.PHONE, words)
        caller = await memory.keeping.caller_of(tenant, [handle]) if handle else None
    if caller is None:
        raise RingbackError(f"no caller {words!r}: `ringback memory` lists them")
    return caller.id
