"""What was decided and why, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ringback.protocols import Basis
from ringback.records import Decision, DecisionMade, Fact, Job, JobKind
from ringback.stores.checks import require_basis
from ringback.stores.decided import decision_id, decision_made, tombstones_over
from ringback.stores.sqlite import indexing, jobs
from ringback.stores.sqlite.rows import decision_of, decision_row, fact_row
from ringback.stores.sqlite.statements import statements

SQL = statements("decisions")
FACTS = statements("facts")
CALLERS = statements("callers")


def settle(
    connection: sqlite3.Connection,
    job: Job,
    decisions: Sequence[Decision],
    *,
    basis: Basis | None,
    then: JobKind | None,
    now_at: datetime,
) -> None:
    """Write what was decided and finish the job; one that is not held changes nothing."""
    row = jobs.held(connection, job)
    if row is None:
        return
    if basis is not None:
        is_of_now = basis.caller_id == _caller_of_call(connection, job.tenant, job.call_id)
        require_basis(basis, basis_of(connection, job.tenant, basis), is_of_now=is_of_now)
    for decision in decisions:
        caller_id = _caller_of_call(connection, job.tenant, _call_id_of(decision))
        _write(connection, job.tenant, decision, caller_id=caller_id, now_at=now_at)
    jobs.finish(connection, row)
    jobs.follow(connection, row, then)


def write(
    connection: sqlite3.Connection,
    tenant: str,
    decisions: Sequence[Decision],
    *,
    basis: Basis | None,
    now_at: datetime,
) -> None:
    """Write decisions that no job led to; each fact keeps the caller it has."""
    if basis is not None:
        require_basis(basis, basis_of(connection, tenant, basis))
    for decision in decisions:
        caller_id = (
            _own_caller(decision)
            or (basis.caller_id if basis else None)
            or _caller_of_call(connection, tenant, _call_id_of(decision))
        )
        _write(connection, tenant, decision, caller_id=caller_id, now_at=now_at)


def basis_of(connection: sqlite3.Connection, tenant: str, of: Basis) -> Basis:
    """The same basis as it is now."""
    name = "revision_of_call" if of.caller_id is None else "revision_of_caller"
    names = {"tenant": tenant, "caller_id": of.caller_id, "call_id": of.call_id}
    row = connection.execute(SQL[name], names).fetchone()
    return replace(of, revision=0 if row is None else row["revision"])


def was_decided_on(connection: sqlite3.Connection, tenant: str, call_id: str) -> bool:
    """Something was decided about this call."""
    of = Basis(None, call_id, 0)
    return basis_of(connection, tenant, of).revision > 0


def made(
    connection: sqlite3.Connection, tenant: str, *, caller_id: str, limit: int
) -> tuple[DecisionMade, ...]:
    """Decisions about a profile, newest first."""
    names = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    return tuple(decision_of(row) for row in connection.execute(SQL["decisions"], names))


def is_forgotten(connection: sqlite3.Connection, tenant: str, ids: Iterable[str]) -> bool:
    """Any of these tombstones stands."""
    return any(
        connection.execute(SQL["tombstone"], {"tenant": tenant, "id": one}).fetchone()
        for one in ids
    )


def _write(
    connection: sqlite3.Connection,
    tenant: str,
    decision: Decision,
    *,
    caller_id: str | None,
    now_at: datetime,
) -> None:
    if is_forgotten(connection, tenant, tombstones_over(tenant, decision)):
        return
    ended = decision.superseded
    if ended is not None and not _is_there(connection, ended):
        return
    if decision.fact is not None and not _add(connection, decision.fact, caller_id):
        return
    if ended is not None:
        connection.execute(FACTS["end_fact"], fact_row(ended))
    kept = decision_made(tenant, decision, caller_id=caller_id, at=now_at)
    number = decision_id(tenant, decision)
    connection.execute(SQL["add_decision"], {**decision_row(kept), "id": number})


def _add(connection: sqlite3.Connection, fact: Fact, caller_id: str | None) -> bool:
    """Add a fact; False when it is there already."""
    if caller_id is not None:
        names = {"tenant": fact.tenant, "caller_id": caller_id}
        connection.execute(CALLERS["ensure_caller"], names)
    added = connection.execute(
        FACTS["add_fact"], {**fact_row(fact), "caller_id": caller_id}
    ).fetchone()
    if added is None:
        return False
    indexing.put_fact(connection, _row_of(connection, fact))
    return True


def _is_there(connection: sqlite3.Connection, fact: Fact) -> bool:
    return _row_of(connection, fact) is not None


def _row_of(connection: sqlite3.Connection, fact: Fact) -> sqlite3.Row:
    names = {"tenant": fact.tenant, "id": fact.id}
    row: sqlite3.Row = connection.execute(FACTS["fact"], names).fetchone()
    return row


def _call_id_of(decision: Decision) -> str:
    return decision.fact.call_id if decision.fact else decision.candidate.evidence.call_id


def _own_caller(decision: Decision) -> str | None:
    fact = decision.fact or decision.superseded
    return fact.caller_id if fact else None


def _caller_of_call(connection: sqlite3.Connection, tenant: str, call_id: str) -> str | None:
    names = {"tenant": tenant, "call_id": call_id}
    row = connection.execute(SQL["caller_of_call"], names).fetchone()
    return None if row is None else row["caller_id"]
