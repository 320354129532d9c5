"""All that a briefing is made of, from verbs of a store in memory: nothing comes between them."""

from __future__ import annotations

from typing import Protocol

from ringback.protocols import Journal, Known, Store
from ringback.records import Call, Caller, Fact, Status


class Shelves(Journal, Store, Protocol):
    """A store none of whose verbs ever lets another task run."""


async def known(store: Shelves, call: Call) -> Known:
    """What is kept of whoever is on the line; see `Store.known`."""
    is_behind = await store.is_behind()
    caller = await _caller(store, call)
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
    return Known(caller, unsettled, tuple(facts), last, is_behind)


async def _caller(store: Shelves, call: Call) -> Caller | None:
    named = None
    if call.caller_id is not None:
        named = await store.caller(call.tenant, call.caller_id)
    if named is not None or not call.handles:
        return named
    return await store.caller_of(call.tenant, call.handles)
