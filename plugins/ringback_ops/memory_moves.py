"""`ringback memory merge`, `split`, `moves` and `undo`: one person, or two, and that put back."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from ringback import Memory, RingbackError
from ringback.moves import Move, MoveKind
from ringback.profile import Profile
from ringback_ops.short_id import full_id, short
from ringback_ops.told import call_line, counted, fact_lines, is_from_a_call

ALL = 1_000_000  # calls of one caller
PLANNED = "this would be done; nothing was changed"


def add_arguments(action: argparse.ArgumentParser, name: str) -> None:
    """Add what one of the four needs besides its caller."""
    if name == "merge":
        action.add_argument("into", help="whose it becomes: an id or a number")
    if name == "split":
        action.add_argument(
            "--call",
            action="append",
            required=True,
            help="a call to take out: its id or the beginning of it; may be given several times",
        )
        action.add_argument(
            "--into", required=True, metavar="ID", help="whose it becomes; made if need be"
        )
        action.add_argument(
            "--keep-number",
            action="store_true",
            help="what the calls came with leads to both from now on: a family's phone",
        )
    if name == "undo":
        action.add_argument("move", help="the move's id, or its beginning")
    if name != "moves":
        action.add_argument(
            "--dry-run", action="store_true", help="say what would be moved, and move nothing"
        )
        action.add_argument("--by", default="operator", help="who does it, for the history")


async def merge(memory: Memory, profile: Profile, into: str, arguments: argparse.Namespace) -> int:
    """Make all that is kept of one caller another's."""
    caller = await memory.keeping.caller(profile.tenant, profile.id)
    handles = caller.handles if caller is not None else ()
    calls = await memory.keeping.calls(profile.tenant, caller_id=profile.id, limit=ALL)
    facts = await profile.facts(with_history=True)
    what = f"{counted(len(calls), 'call')}, {counted(len(facts), 'fact')}"
    print(f"{profile.id} into {into}: {what}")
    for handle in handles:
        print(f"  {handle.kind} {handle.value} leads to {into}")
    if arguments.dry_run:
        print(PLANNED)
        return 0
    move = await memory.moves.merge(profile.tenant, profile.id, into, by=arguments.by)
    await memory.settle()
    _print_undo(move)
    return 0


async def split(memory: Memory, profile: Profile, arguments: argparse.Namespace) -> int:
    """Make some calls of one caller another's."""
    tenant = profile.tenant
    calls = await memory.keeping.calls(tenant, caller_id=profile.id, limit=ALL)
    by_id = {call.id: call for call in calls}
    ids = [full_id(one, by_id, what="call", listing="ringback calls") for one in arguments.call]
    back = await memory.moves.current_without(tenant, profile.id, ids)
    print(f"out of {profile.id} into {arguments.into}: {counted(len(set(ids)), 'call')}")
    for one in dict.fromkeys(ids):
        print(f"  {call_line(by_id[one])}")
    for line in fact_lines(back):
        print(f"  current again: {line.strip()}")
    if arguments.dry_run:
        print(PLANNED)
        return 0
    handles = [one for call_id in ids for one in by_id[call_id].handles]
    move = await memory.moves.split(
        tenant,
        profile.id,
        ids,
        into_id=arguments.into,
        handles=handles if arguments.keep_number else (),
        by=arguments.by,
    )
    await memory.settle()
    _print_undo(move)
    return 0


async def moves(memory: Memory, profile: Profile) -> int:
    """List what was moved into or out of a profile."""
    for line in _move_lines(await memory.moves.history(profile.tenant, profile_id=profile.id)):
        print(line)
    return 0


async def undo(memory: Memory, profile: Profile, arguments: argparse.Namespace) -> int:
    """Put back what a move moved."""
    tenant = profile.tenant
    known = {one.id: one for one in await memory.moves.history(tenant, profile_id=profile.id)}
    listing = f"ringback memory moves {profile.id}"
    move = known[full_id(arguments.move, known, what="move", listing=listing)]
    if move.undone_at is not None:
        raise RingbackError(f"move {short(move.id)} was undone already")
    print(*_move_lines([move]), sep="\n")
    if arguments.dry_run:
        print(PLANNED)
        return 0
    await memory.moves.undo(tenant, move.id, by=arguments.by)
    await memory.settle()
    print(f"put back: {move.from_id} has them again")
    return 0


def _move_lines(made: Iterable[Move]) -> list[str]:
    return [_move_line(one) for one in made]


def _move_line(move: Move) -> str:
    calls = sum(is_from_a_call(one) for one in move.call_ids)
    at = move.at.strftime("%Y-%m-%d %H:%M")
    what = "all" if move.kind is MoveKind.MERGE else "some"
    line = (
        f"{short(move.id)}  {at}  {move.kind}: {what} of {move.from_id} into {move.into_id}, "
        f"{counted(calls, 'call')}, by {move.by or 'nobody named'}"
    )
    if move.undone_at is None:
        return line
    return f"{line}; undone {move.undone_at:%Y-%m-%d %H:%M} by {move.undone_by or 'nobody named'}"


def _print_undo(move: Move) -> None:
    print(f"moved; `ringback memory undo {move.into_id} {short(move.id)}` puts it back")
