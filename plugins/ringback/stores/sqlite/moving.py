"""Moving what is kept between profiles, in SQL; `SqliteMoves` runs each verb in a transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from ringback.errors import StoreConflictError, UsageError
from ringback.moves import FactState, Move, MoveKind, Parting
from ringback.protocols import Basis
from ringback.records import Fact, Handle, HandleKind, Status, content_id
from ringback.stores.checks import checked_handles, in_utc, require_ids, storable
from ringback.stores.sqlite import callers, deciding, indexing, journal
from ringback.stores.sqlite.rows import (
    fact_row,
    handles_json,
    micros,
    micros_or_none,
    time_at,
    time_or_none,
)
from ringback.stores.sqlite.statements import statements

SQL = statements("moving")
CALLERS = statements("callers")
REMOVING = statements("removing")
OF_A_CALL = ("move_call", "move_facts", "move_summary", "move_decisions")

Run: TypeAlias = Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]
"""Runs one piece of work in a transaction of its own."""


class SqliteMoves:
    """`Moves` over one SQLite file. Lives as long as its store."""

    def __init__(self, read: Run, write: Run) -> None:
        self._read = read
        self._write = write

    async def merge(
        self, tenant: str, from_id: str, into_id: str, *, at: datetime, by: str = ""
    ) -> Move:
        """Make all that is kept of one profile another's; see `Moves`."""
        wanted = _wanted(tenant, MoveKind.MERGE, from_id, into_id, at, by)
        move: Move = await self._write(partial(_merge, wanted=wanted))
        return move

    async def split(self, parting: Parting, *, at: datetime, by: str = "") -> Move:
        """Make some calls of one profile another's; see `Moves`."""
        for call_id in parting.call_ids:
            require_ids(call_id=call_id)
        whose = (parting.tenant, MoveKind.SPLIT, parting.from_id, parting.into_id)
        wanted = replace(
            _wanted(*whose, at, by),
            call_ids=tuple(sorted(set(parting.call_ids))),
            added=checked_handles(parting.handles),
        )
        move: Move = await self._write(partial(_split, wanted=wanted, parting=parting))
        return move

    async def undo(
        self,
        tenant: str,
        move_id: str,
        *,
        restored: Sequence[Fact] = (),
        revision: int | None = None,
        at: datetime,
        by: str = "",
    ) -> Move:
        """Put back what a move moved; see `Moves`."""
        require_ids(tenant=tenant, move_id=move_id)
        undone = {"tenant": tenant, "id": move_id, "at": micros(in_utc("at", at)), "by": by}
        undo = partial(_undo, undone=undone, restored=tuple(restored), revision=revision)
        move: Move = await self._write(undo)
        return move

    async def history(self, tenant: str, *, profile_id: str | None = None) -> tuple[Move, ...]:
        """Moves, newest first; see `Moves`."""
        require_ids(tenant=tenant, profile_id=profile_id)
        names = {"tenant": tenant, "profile_id": profile_id}
        rows = await self._read(lambda db: db.execute(SQL["history"], names).fetchall())
        return tuple(_move_of(row) for row in rows)


def merged(connection: sqlite3.Connection, tenant: str, caller_id: str) -> tuple[str, ...]:
    """Calls that were merged into a profile, and not put back."""
    names = {"tenant": tenant, "caller_id": caller_id}
    rows = connection.execute(SQL["merged"], names)
    return tuple(call_id for row in rows for call_id in json.loads(row["call_ids"]))


def _wanted(tenant: str, kind: MoveKind, from_id: str, into_id: str, at: datetime, by: str) -> Move:
    require_ids(tenant=tenant, from_id=from_id, into_id=into_id)
    if from_id == into_id:
        raise UsageError("one profile cannot be moved into itself")
    return Move("", tenant, kind, from_id, into_id, in_utc("at", at), storable(by))


def _merge(connection: sqlite3.Connection, wanted: Move) -> Move:
    for one in (wanted.from_id, wanted.into_id):
        if callers.caller(connection, wanted.tenant, one) is None:
            raise UsageError(f"no profile {one}: there is nothing to move")
    names = {"tenant": wanted.tenant, "caller_id": wanted.from_id}
    own = callers.caller(connection, wanted.tenant, wanted.from_id)
    handles = own.handles if own else ()
    move = replace(
        wanted,
        call_ids=tuple(row["call_id"] for row in connection.execute(SQL["calls_of"], names)),
        handles=handles,
        added=_not_yet(connection, wanted, handles),
        before=_states(connection, wanted),
    )
    move = _kept(connection, move)
    for call_id in move.call_ids:
        _rekey(connection, call_id, move.tenant, move.from_id, move.into_id)
        _extract_again(connection, move.tenant, call_id, move.at)
    _give(connection, move.tenant, move.into_id, move.added)
    _take(connection, move.tenant, move.from_id, move.handles)
    connection.execute(SQL["drop_empty"], names)
    return move


def _split(connection: sqlite3.Connection, wanted: Move, parting: Parting) -> Move:
    tenant, from_id = wanted.tenant, wanted.from_id
    _require_revision(connection, tenant, from_id, parting.revision)
    for call_id in wanted.call_ids:
        names = {"tenant": tenant, "call_id": call_id, "from_id": from_id}
        if parting.is_of_claims and connection.execute(SQL["is_claimed"], names).fetchone() is None:
            raise StoreConflictError("somebody named the caller meanwhile: decide again")
        if connection.execute(SQL["is_of"], names).fetchone() is None:
            raise UsageError(f"call {call_id} is not {from_id}'s: it cannot be taken out there")
    connection.execute(CALLERS["ensure_caller"], {"tenant": tenant, "caller_id": wanted.into_id})
    states = {one.fact_id: one for one in _states(connection, wanted)}
    for fact in parting.restored:
        row = connection.execute(SQL["state"], {"tenant": tenant, "id": fact.id}).fetchone()
        states |= {row["id"]: _state_of(row)} if row is not None else {}
    move = replace(
        wanted,
        added=_not_yet(connection, wanted, wanted.added),
        before=tuple(states.values()),
    )
    move = _kept(connection, move)
    for call_id in move.call_ids:
        _rekey(connection, call_id, tenant, from_id, move.into_id)
        connection.execute(SQL["claim_call"], {"tenant": tenant, "call_id": call_id})
        # The settler parts it while it reads it: what it has leased must come due again.
        _extract_again(connection, tenant, call_id, move.at, is_read=parting.is_of_claims)
    _give(connection, tenant, move.into_id, move.added)
    _restore(connection, parting.restored)
    return move


def _undo(
    connection: sqlite3.Connection,
    undone: dict[str, Any],
    restored: Sequence[Fact],
    revision: int | None,
) -> Move:
    row = connection.execute(SQL["move"], undone).fetchone()
    if row is None:
        raise UsageError(f"no move {undone['id']} of this tenant: it may have been forgotten")
    move = _move_of(row)
    if move.undone_at is not None:
        raise UsageError(f"move {move.id} was undone already")
    later = connection.execute(SQL["moved_on"], undone).fetchone()
    if later is not None:
        raise UsageError(f"undo the later move {later['id']} first")
    _require_revision(connection, move.tenant, move.into_id, revision)
    connection.execute(CALLERS["ensure_caller"], {"tenant": move.tenant, "caller_id": move.from_id})
    for call_id in move.call_ids:
        _rekey(connection, call_id, move.tenant, move.into_id, move.from_id)
    _give(connection, move.tenant, move.from_id, move.handles)
    _take(connection, move.tenant, move.into_id, move.added)
    _restore(connection, restored)
    connection.execute(SQL["drop_empty"], {"tenant": move.tenant, "caller_id": move.into_id})
    connection.execute(SQL["undone"], undone)
    return replace(move, undone_at=time_at(undone["at"]), undone_by=undone["by"])


def _require_revision(
    connection: sqlite3.Connection, tenant: str, caller_id: str, revision: int | None
) -> None:
    now = deciding.basis_of(connection, tenant, Basis(caller_id, None, 0)).revision
    if revision is not None and revision != now:
        raise StoreConflictError("the profile was changed meanwhile: decide again")


def _rekey(
    connection: sqlite3.Connection, call_id: str, tenant: str, from_id: str, into_id: str
) -> None:
    names = {"tenant": tenant, "call_id": call_id, "from_id": from_id, "into_id": into_id}
    for name in OF_A_CALL:
        connection.execute(SQL[name], names)
    indexing.put_call(connection, tenant, call_id)


def _extract_again(
    connection: sqlite3.Connection,
    tenant: str,
    call_id: str,
    now_at: datetime,
    *,
    is_read: bool = False,
) -> None:
    is_call = journal.call(connection, tenant, call_id) is not None  # else an application spoke
    if is_call and (is_read or deciding.was_decided_on(connection, tenant, call_id)):
        journal.extract_again(connection, tenant, call_id, now_at=now_at)


def _not_yet(
    connection: sqlite3.Connection, move: Move, handles: Iterable[Handle]
) -> tuple[Handle, ...]:
    known = callers.caller(connection, move.tenant, move.into_id)
    return tuple(one for one in handles if known is None or one not in known.handles)


def _give(
    connection: sqlite3.Connection, tenant: str, caller_id: str, handles: Iterable[Handle]
) -> None:
    connection.executemany(CALLERS["add_caller_handle"], _rows(tenant, caller_id, handles))


def _take(
    connection: sqlite3.Connection, tenant: str, caller_id: str, handles: Iterable[Handle]
) -> None:
    connection.executemany(SQL["drop_handle"], _rows(tenant, caller_id, handles))


def _rows(tenant: str, caller_id: str, handles: Iterable[Handle]) -> list[dict[str, str]]:
    return [
        {"tenant": tenant, "caller_id": caller_id, "kind": one.kind, "value": one.value}
        for one in handles
    ]


def _restore(connection: sqlite3.Connection, facts: Iterable[Fact]) -> None:
    connection.executemany(REMOVING["restore"], [fact_row(fact) for fact in facts])


def _states(connection: sqlite3.Connection, move: Move) -> tuple[FactState, ...]:
    names = {"tenant": move.tenant, "from_id": move.from_id, "into_id": move.into_id}
    return tuple(_state_of(row) for row in connection.execute(SQL["states"], names))


def _state_of(row: sqlite3.Row) -> FactState:
    return FactState(row["id"], Status(row["status"]), time_or_none(row["valid_to"]))


def _kept(connection: sqlite3.Connection, move: Move) -> Move:
    """Write a move into the history; gives it its id."""
    count = connection.execute(SQL["count"], {"tenant": move.tenant}).fetchone()["moves"]
    kept = replace(
        move, id=content_id(move.tenant, move.from_id, move.into_id, move.at.isoformat(), count)
    )
    before = [[one.fact_id, one.status, micros_or_none(one.valid_to)] for one in kept.before]
    connection.execute(
        SQL["add"],
        {
            "tenant": kept.tenant,
            "id": kept.id,
            "kind": kept.kind,
            "from_id": kept.from_id,
            "into_id": kept.into_id,
            "at": micros(kept.at),
            "by": kept.by,
            "call_ids": json.dumps(kept.call_ids),
            "handles": handles_json(kept.handles),
            "added": handles_json(kept.added),
            "before": json.dumps(before),
        },
    )
    return kept


def _move_of(row: sqlite3.Row) -> Move:
    return Move(
        id=row["id"],
        tenant=row["tenant"],
        kind=MoveKind(row["kind"]),
        from_id=row["from_id"],
        into_id=row["into_id"],
        at=time_at(row["at"]),
        by=row["by"],
        call_ids=tuple(json.loads(row["call_ids"])),
        handles=_handles_of(row["handles"]),
        added=_handles_of(row["added"]),
        before=tuple(
            FactState(fact_id, Status(status), time_or_none(valid_to))
            for fact_id, status, valid_to in json.loads(row["before"])
        ),
        undone_at=time_or_none(row["undone_at"]),
        undone_by=row["undone_by"],
    )


def _handles_of(text: str) -> tuple[Handle, ...]:
    return tuple(Handle(HandleKind(kind), value) for kind, value in json.loads(text))
