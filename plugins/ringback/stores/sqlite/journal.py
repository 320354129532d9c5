"""What happened in calls, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from ringback.protocols import CallEnded, CallOpened, Entry, TurnObserved
from ringback.records import Call, CallView, Handle, JobKind
from ringback.stores.sqlite import jobs
from ringback.stores.sqlite.rows import call_of, handles_json, handles_of, micros, turn_of, turn_row
from ringback.stores.sqlite.statements import statements

SQL = statements("journal")
CALLERS = statements("callers")


def apply(connection: sqlite3.Connection, entry: Entry, *, now_at: datetime) -> None:
    """Write an entry and the job that follows from it; an entry that is there changes nothing."""
    match entry:
        case CallOpened():
            _open(connection, entry.call, now_at=now_at)
        case TurnObserved():
            _observe(connection, entry, now_at=now_at)
        case CallEnded():
            _end(connection, entry, now_at=now_at)


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
    if call.ended_at is not None:
        _end(connection, CallEnded(call.tenant, call.id, call.ended_at), now_at=now_at)


def _observe(connection: sqlite3.Connection, entry: TurnObserved, *, now_at: datetime) -> None:
    ensure_call(connection, entry.tenant, entry.call_id, entry.turn.at)
    names = {"tenant": entry.tenant, "call_id": entry.call_id}
    columns = {**names, **turn_row(entry.turn)}
    if not connection.execute(SQL["add_turn"], columns).rowcount:
        return
    row = connection.execute(SQL["count_turn"], {**names, "at": columns["at"]}).fetchone()
    due_at = min(entry.turn.at, now_at)
    jobs.open_job(connection, JobKind.EXTRACT, entry, row["generation"], due_at=due_at)
    if row["ended_at"] is not None:  # a late turn: what was summarised is not all there is
        jobs.open_job(connection, JobKind.SUMMARISE, entry, row["generation"], due_at=due_at)


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
