"""All that a briefing is made of, from verbs of a store in memory: nothing comes between them."""

from __future__ import annotations

from typing import Protocol

from ringback.moves import Movable, MoveKind
from ringback.protocols import Journal, Known, Store
from ringback.records import Call, Caller, Fact, Status


class Shelves(Journal, Store, Movable, Protocol):
    """A store none of whose verbs ever lets another task run."""


async def known(store: Shelves, call: Call) -> Known:
    """What is kept of whoever is on the line; see `Store.known`."""
    is_behind = await store.is_behind()
    led_to = await _callers(store, call)
    caller = led_to[0] if len(led_to) == 1 else None
    caller_id = None if caller is None else caller.id
    unsettled = await store.unsettled(
        call.tenant, caller_id=caller_id, handles=call.handles, besides=call.id
    )
    facts: list[Fact] = []
    if caller_id is not None:
        facts += await store.facts(call.tenant, caller_id=caller_id, statuses=tuple(Status))
    for view in unsettled:
        if view.call.caller_id is None:
            facts += await store.facts(call.tenant, call_id=view.call.id, statuses=tuple(Status))
    last = await store.last_interaction(call.tenant, caller_id) if caller_id else None
    return Known(
        caller,
        unsettled,
        tuple(facts),
        last,
        is_behind,
        is_shared=len(led_to) > 1,
        merged=await _merged(store, call.tenant, caller_id) if caller_id else (),
    )


async def _callers(store: Shelves, call: Call) -> tuple[Caller, ...]:
    if call.caller_id is not None:
        kept_as = await _merged_into(store, call.tenant, call.caller_id)
        named = await store.caller(call.tenant, kept_as)
        return () if named is None else (named,)
    return await store.callers_of(call.tenant, call.handles) if call.handles else ()


async def _merged_into(store: Shelves, tenant: str, caller_id: str) -> str:
    moves = await store.moves.history(tenant)
    merged = {
        move.from_id: move.into_id
        for move in reversed(moves)
        if move.kind is MoveKind.MERGE and move.undone_at is None
    }
    seen: set[str] = set()
    while caller_id in merged and caller_id not in seen:
        seen.add(caller_id)
        caller_id = merged[caller_id]
    return caller_id


async def _merged(store: Shelves, tenant: str, caller_id: str) -> tuple[str, ...]:
    moves = reversed(await store.moves.history(tenant, profile_id=caller_id))
    return tuple(
        call_id
        for move in moves
        if (move.kind, move.into_id) == (MoveKind.MERGE, caller_id) and move.undone_at is None
        for call_id in move.call_ids
    )
