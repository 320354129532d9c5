"""`ringback calls`: the calls that are on record; with an id, what was said in one."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from ringback import Memory, UsageError
from ringback.records import CallView
from ringback_ops.memory_file import TENANT, add_memory_argument, memory_url
from ringback_ops.schema_option import add_schema_argument, schema_named
from ringback_ops.short_id import full_id
from ringback_ops.told import call_line, fact_lines, local, use_line

ALL = 1_000_000  # calls of a tenant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("call", nargs="?", help="an id, or its beginning; without it, the newest")
    parser.add_argument("--tenant", default=TENANT, help="whose calls")
    parser.add_argument("--limit", type=int, default=20, help="how many")
    add_schema_argument(parser)
    add_memory_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List calls, or show one with its turns and facts."""
    file: Path = arguments.memory
    if not file.exists():
        raise UsageError(f"no call is on record yet: no file {file}")
    return asyncio.run(_show(arguments))


async def _show(arguments: argparse.Namespace) -> int:
    url, schema = memory_url(arguments.memory), schema_named(arguments.schema)
    async with await Memory.open(url, schema=schema) as memory:
        keeping, tenant = memory.keeping, arguments.tenant
        if arguments.call is None:
            for call in await keeping.calls(tenant, limit=arguments.limit):
                print(call_line(call))
            return 0
        ids = [call.id for call in await keeping.calls(tenant, limit=ALL)]
        call_id = full_id(arguments.call, ids, what="call", listing="ringback calls")
        view = await keeping.call(tenant, call_id)
        if view is None:
            raise UsageError(f"call {call_id} was forgotten just now")
        _print_turns(view)
        use = await keeping.model_use(tenant, call_id)
        if use.calls:
            print(use_line(use))
        facts = await keeping.facts(tenant, call_id=call_id)
        for line in fact_lines(facts, view.call.zone):
            print(line)
    return 0


def _print_turns(view: CallView) -> None:
    print(call_line(view.call))
    for turn in view.turns:
        marks = [m for m in ("interrupted", "partial") if getattr(turn, m)]
        mark = f" [{', '.join(marks)}]" if marks else ""
        at = local(turn.at, view.call.zone)
        print(f"  {turn.position:3}  {at}  {turn.role:7}{turn.text}{mark}")
