"""All that a briefing is made of, in SQL: inside one transaction, so as of one moment."""

from __future__ import annotations

import sqlite3

from ringback.protocols import Known
from ringback.records import Call, Caller, Status
from ringback.stores.sqlite import callers, facts, journal, moving

EVERY = tuple(Status)


def known(connection: sqlite3.Connection, call: Call, *, is_behind: bool) -> Known:
    """What is kept of whoever is on the line.

    Args:
        connection: In a transaction that has read nothing yet: what is folded in after
            `is_behind` was asked is seen by the reads here.
        call: The call that asks; its handles are checked.
        is_behind: Spill files waited just now.
    """
    led_to = _callers(connection, call)
    caller = led_to[0] if len(led_to) == 1 else None
    caller_id = None if caller is None else caller.id
    unsettled = journal.unsettled(
        connection, call.tenant, caller_id=caller_id, handles=call.handles, besides=call.id
    )
    found = [
        fact
        for view in unsettled
        if view.call.caller_id is None
        for fact in facts.facts(
            connection, call.tenant, caller_id=None, call_id=view.call.id, statuses=EVERY
        )
    ]
    if caller_id is None:
        is_shared = len(led_to) > 1
        return Known(None, unsettled, tuple(found), None, is_behind, is_shared=is_shared)
    mine = facts.facts(connection, call.tenant, caller_id=caller_id, call_id=None, statuses=EVERY)
    last = facts.summaries(connection, call.tenant, caller_id=caller_id, limit=1)
    return Known(
        caller,
        unsettled,
        (*mine, *found),
        last[0] if last else None,
        is_behind,
        merged=moving.merged(connection, call.tenant, caller_id),
    )


def _callers(connection: sqlite3.Connection, call: Call) -> tuple[Caller, ...]:
    """The one that the call names, and nobody else; without one, whom its handles lead to."""
    if call.caller_id is not None:
        kept_as = callers.merged_into(connection, call.tenant, call.caller_id)
        named = callers.caller(connection, call.tenant, kept_as)
        return () if named is None else (named,)
    return callers.callers_of(connection, call.tenant, call.handles) if call.handles else ()
