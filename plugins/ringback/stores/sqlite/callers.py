"""Who calls, in SQL: inside the transaction of whoever calls this."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ringback.erasure import call_tombstone
from ringback.errors import StoreConflictError
from ringback.records import Assurance, Caller, Handle
from ringback.stores.sqlite import deciding, indexing, journal
from ringback.stores.sqlite.rows import handles_json, handles_of
from ringback.stores.sqlite.statements import statements

SQL = statements("callers")
MOVING = statements("moving")


@dataclass(frozen=True, slots=True)
class Attachment:
    """Whose a call is, and how sure that is."""

    tenant: str
    call_id: str
    caller_id: str
    assurance: Assurance
    handles: tuple[Handle, ...]
    is_first: bool = False
    """Only where the call is nobody's yet."""


def callers_of(
    connection: sqlite3.Connection, tenant: str, handles: Sequence[Handle]
) -> tuple[Caller, ...]:
    """Every caller that one of these handles leads to."""
    names = {"tenant": tenant, "handles": handles_json(handles)}
    rows = connection.execute(SQL["callers_by_handle"], names).fetchall()
    found = (caller(connection, tenant, row["caller_id"]) for row in rows)
    return tuple(one for one in found if one is not None)


def merged_into(connection: sqlite3.Connection, tenant: str, caller_id: str) -> str:
    """Whom a profile's calls are now: another's where it was merged and got none back."""
    seen: set[str] = set()
    while caller_id not in seen:
        seen.add(caller_id)
        names = {"tenant": tenant, "caller_id": caller_id}
        row = connection.execute(MOVING["merged_into"], names).fetchone()
        caller_id = caller_id if row is None else row["into_id"]
    return caller_id


def caller(connection: sqlite3.Connection, tenant: str, caller_id: str) -> Caller | None:
    """A caller by id."""
    names = {"tenant": tenant, "caller_id": caller_id}
    if connection.execute(SQL["caller"], names).fetchone() is None:
        return None
    handles = handles_of(connection.execute(SQL["caller_handles"], names))
    return Caller(caller_id, tenant, handles)


def callers(connection: sqlite3.Connection, tenant: str, *, limit: int) -> tuple[Caller, ...]:
    """Callers, the one with the newest call first."""
    rows = connection.execute(SQL["callers"], {"tenant": tenant, "limit": limit}).fetchall()
    found = (caller(connection, tenant, row["id"]) for row in rows)
    return tuple(one for one in found if one is not None)


def attach(connection: sqlite3.Connection, wanted: Attachment, *, now_at: datetime) -> str:
    """Make a call a caller's, with all that was made of it; not one that was forgotten."""
    tombstone = call_tombstone(wanted.tenant, wanted.call_id)
    caller_id = merged_into(connection, wanted.tenant, wanted.caller_id)
    if deciding.is_forgotten(connection, wanted.tenant, [tombstone]):
        return caller_id
    journal.ensure_call(connection, wanted.tenant, wanted.call_id, now_at)
    names = {
        "tenant": wanted.tenant,
        "call_id": wanted.call_id,
        "caller_id": caller_id,
        "assurance": wanted.assurance,
    }
    if wanted.is_first and connection.execute(SQL["is_somebodys"], names).fetchone():
        raise StoreConflictError("somebody named the caller meanwhile: decide again")
    connection.execute(SQL["ensure_caller"], names)
    connection.executemany(
        SQL["add_caller_handle"],
        [{**names, "kind": handle.kind, "value": handle.value} for handle in wanted.handles],
    )
    is_news = connection.execute(SQL["is_attached"], names).fetchone() is None
    for name in ("attach_call", "attach_facts", "attach_summary", "attach_decisions"):
        connection.execute(SQL[name], names)
    indexing.put_call(connection, wanted.tenant, wanted.call_id)
    if is_news and deciding.was_decided_on(connection, wanted.tenant, wanted.call_id):
        journal.extract_again(connection, wanted.tenant, wanted.call_id, now_at=now_at)
    return caller_id
