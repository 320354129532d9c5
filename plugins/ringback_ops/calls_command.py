"""`ringback calls`: the calls that are on record; with an id, what was said in one."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from ringback import Memory, RingbackError, UsageError
from ringback_ops.memory_file import add_memory_argument, memory_url
from ringback_ops.told import call_line, fact_line, local


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("call", nargs="?", help="an id; without it, the newest calls")
    parser.add_argument("--tenant", default="local", help="whose calls")
    parser.add_argument("--limit", type=int, default=20, help="how many")
    add_memory_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List calls, or show one with its turns and facts."""
    file: Path = arguments.memory
    if not file.exists():
        raise UsageError(f"no call is on record yet: no file {file}")
    return asyncio.run(_show(arguments))


async def _show(arguments: argparse.Namespace) -> int:
    async with await Memory.open(memory_url(arguments.memory)) as memory:
        keeping, tenant = memory.keeping, arguments.tenant
        if arguments.call is None:
            for call in await keeping.calls(tenant, limit=arguments.limit):
                print(call_line(call))
            return 0
        view = await keeping.call(tenant, arguments.call)
        if view is None:
            raise RingbackError(f"no call {arguments.call!r}: `ringback calls` lists them")
        print(call_line(view.call))
        for turn in view.turns:
            marks = [m for m in ("interrupted", "partial") if getattr(turn, m)]
            mark = f" [{', '.join(marks)}]" if marks else ""
            at = local(turn.at, view.call.zone)
            print(f"  {turn.position:3}  {at}  {turn.role:7}{turn.text}{mark}")
        for fact in await keeping.facts(tenant, call_id=view.call.id):
            print(fact_line(fact, view.call.zone))
    return 0
