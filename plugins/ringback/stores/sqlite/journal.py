"""What happened in calls, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from ringback.erasure import call_tombstone
from ringback.protocols import (
    CallEnded,
    CallOpened,
    Entry,
    FactsUsed,
    TurnAmended,
    TurnObserved,
)
from ringback.records import OF_RULES, Call, CallView, Handle, JobKind
from ringback.stores.checks import amended_text, call_id_of, no_longer_said, tenant_of
from ringback.stores.sqlite import deciding, indexing, jobs, removing
from ringback.stores.sqlite.rows import (
    call_of,
    fact_of,
    handles_json,
    handles_of,
    micros,
    time_at,
    turn_of,
    turn_row,
)
from ringback.stores.sqlite.statements import statements

SQL = statements("journal")
CALLERS = statements("callers")
FACTS = statements("facts")


def apply(connection: sqlite3.Connection, entry: Entry, *, now_at: datetime) -> bool:
    """Write an entry and the job that follows from it; an entry that is there changes nothing.

    Returns:
        False when it is about a call that was forgotten: then nothing is written.
    """
    call_id, tenant = call_id_of(entry), tenant_of(entry)
    if call_id is not None:
        tombstone = call_tombstone(tenant, call_id)
        if deciding.is_forgotten(connection, tenant, [tombstone]):
            return False
    match entry:
        case CallOpened():
            _open(connection, entry.call, now_at=now_at)
        case TurnObserved():
            _observe(connection, entry, now_at=now_at)
        case TurnAmended():
            _amend(connection, entry, now_at=now_at)
        case FactsUsed():
            _use(connection, entry)
        case CallEnded():
            _end(connection, entry, now_at=now_at)
    return True


def ensure_call(connection: sqlite3.Connection, tenant: str, call_id: str, at: datetime) -> None:
    """Make the row of a call whose opening has not come yet."""
    connection.execute(SQL["ensure_call"], {"tenant": tenant, "call_id": call_id, "at": micros(at)})


def call(connection: sqlite3.Connection, tenant: str, call_id: str) -> CallView | None:
    """One call with its turns."""
    row = connection.execute(SQL["call"], {"tenant": tenant, "call_id": call_id}).fetchone()
    return None if row is None else _view(connection, row)


def calls(
    connection: sqlite3.Connection, tenant: str, *, caller_id: str | None, limit: int
) -> tuple[Call, ...]:
    """Calls, newest first."""
    name = "calls" if caller_id is None else "calls_of_caller"
    rows = connection.execute(
        SQL[name], {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    ).fetchall()
    return tuple(call_of(row, _handles(connection, tenant, row["id"])) for row in rows)


def unsettled(
    connection: sqlite3.Connection,
    tenant: str,
    *,
    caller_id: str | None,
    handles: Sequence[Handle],
    besides: str | None,
) -> tuple[CallView, ...]:
    """Calls with an open job or without an end, oldest first."""
    rows = connection.execute(
        SQL["unsettled"],
        {
            "tenant": tenant,
            "caller_id": caller_id,
            "handles": handles_json(handles),
            "besides": besides,
        },
    ).fetchall()
    return tuple(_view(connection, row) for row in rows)


def abandoned(
    connection: sqlite3.Connection, *, quiet_since: datetime, limit: int
) -> tuple[Call, ...]:
    """Calls of all tenants without an end that have been quiet since then, oldest first."""
    rows = connection.execute(
        SQL["abandoned"], {"quiet_since": micros(quiet_since), "limit": limit}
    ).fetchall()
    return tuple(call_of(row, _handles(connection, row["tenant"], row["id"])) for row in rows)


def _open(connection: sqlite3.Connection, call: Call, *, now_at: datetime) -> None:
    ensure_call(connection, call.tenant, call.id, call.started_at)
    names = {"tenant": call.tenant, "call_id": call.id}
    opened = connection.execute(
        SQL["open_call"],
        {
            **names,
            "started_at": micros(call.started_at),
            "zone": call.zone,
            "assurance": call.assurance,
            "caller_id": call.caller_id,
        },
    )
    if not opened.rowcount:
        return
    connection.executemany(
        SQL["add_call_handle"],
        [{**names, "kind": handle.kind, "value": handle.value} for handle in call.handles],
    )
    if call.caller_id is not None:
        connection.execute(
            CALLERS["ensure_caller"], {"tenant": call.tenant, "caller_id": call.caller_id}
        )
        indexing.put_call(connection, call.tenant, call.id)  # turns that came before
    if call.ended_at is not None:
        _end(connection, CallEnded(call.tenant, call.id, call.ended_at), now_at=now_at)


def _observe(
    connection: sqlite3.Connection, entry: TurnObserved | TurnAmended, *, now_at: datetime
) -> None:
    ensure_call(connection, entry.tenant, entry.call_id, entry.turn.at)
    names = {"tenant": entry.tenant, "call_id": entry.call_id}
    columns = {**names, **turn_row(entry.turn)}
    added = connection.execute(SQL["add_turn"], columns).fetchone()
    if added is None:
        return
    row = connection.execute(SQL["count_turn"], {**names, "at": columns["at"]}).fetchone()
    if row["caller_id"] is not None:
        indexing.put_turn(connection, added["number"])
    due_at = min(entry.turn.at, now_at)
    jobs.open_job(connection, JobKind.EXTRACT, entry, row["generation"], due_at=due_at)
    if row["ended_at"] is not None:  # a late turn: what was summarised is not all there is
        jobs.open_job(connection, JobKind.SUMMARISE, entry, row["generation"], due_at=due_at)


def _amend(connection: sqlite3.Connection, entry: TurnAmended, *, now_at: datetime) -> None:
    """Replace a turn's text, and have everything read again; before its turn, it is the turn."""
    names = {"tenant": entry.tenant, "call_id": entry.call_id}
    place = {**names, "position": entry.turn.position, "role": entry.turn.role}
    row = connection.execute(SQL["turn"], place).fetchone()
    if row is None:
        _observe(connection, entry, now_at=now_at)
        return
    text = amended_text(row["text"], entry.turn.text)
    if text == row["text"]:
        return
    put_text(connection, row, text)
    for fact in connection.execute(FACTS["facts_of_place"], place).fetchall():
        if no_longer_said(fact_of(fact), before=row["text"], after=text):
            removing.remove_fact(connection, fact, removing.Removed())
    read_anew(connection, entry.tenant, entry.call_id, due_at=min(entry.turn.at, now_at))


def put_text(connection: sqlite3.Connection, row: sqlite3.Row, text: str) -> None:
    """Replace a turn's text, in its row and in the index."""
    connection.execute(SQL["amend_turn"], {"text": text, "number": row["number"]})
    indexing.put_turn(connection, row["number"])


def read_anew(
    connection: sqlite3.Connection, tenant: str, call_id: str, *, due_at: datetime
) -> None:
    """Extract and summarise a call again; what is under way for it writes nothing."""
    names = {"tenant": tenant, "call_id": call_id}
    row = connection.execute(SQL["count_change"], names).fetchone()
    if row is None:
        return
    connection.execute(FACTS["drop_summary"], names)
    jobs.drop(connection, JobKind.DEEPEN, tenant, call_id)  # the next summary opens it anew
    kinds = [JobKind.EXTRACT] if row["ended_at"] is None else OF_RULES
    for kind in kinds:
        jobs.open_anew(connection, kind, tenant, call_id, row["generation"], due_at=due_at)


def extract_again(
    connection: sqlite3.Connection, tenant: str, call_id: str, *, now_at: datetime
) -> None:
    """Extract a call again: more is known about whose it is."""
    row = connection.execute(SQL["count_change"], {"tenant": tenant, "call_id": call_id}).fetchone()
    due_at = min(time_at(row["started_at"]), now_at)
    jobs.open_anew(connection, JobKind.EXTRACT, tenant, call_id, row["generation"], due_at=due_at)


def _use(connection: sqlite3.Connection, entry: FactsUsed) -> None:
    at = micros(entry.at)
    connection.executemany(
        FACTS["use_fact"], [{"tenant": entry.tenant, "id": one, "at": at} for one in entry.fact_ids]
    )


def _end(connection: sqlite3.Connection, entry: CallEnded, *, now_at: datetime) -> None:
    ensure_call(connection, entry.tenant, entry.call_id, entry.at)
    row = connection.execute(
        SQL["end_call"],
        {"tenant": entry.tenant, "call_id": entry.call_id, "at": micros(entry.at)},
    ).fetchone()
    if row is None:
        return
    due_at = min(entry.at, now_at)
    jobs.open_job(connection, JobKind.SUMMARISE, entry, row["generation"], due_at=due_at)


def _view(connection: sqlite3.Connection, row: sqlite3.Row) -> CallView:
    names = {"tenant": row["tenant"], "call_id": row["id"]}
    turns = tuple(turn_of(one) for one in connection.execute(SQL["turns"], names))
    return CallView(call_of(row, _handles(connection, row["tenant"], row["id"])), turns)


def _handles(connection: sqlite3.Connection, tenant: str, call_id: str) -> tuple[Handle, ...]:
    return handles_of(
        connection.execute(SQL["call_handles"], {"tenant": tenant, "call_id": call_id})
    )
