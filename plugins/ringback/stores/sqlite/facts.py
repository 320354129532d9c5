"""What is known, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from ringback.records import Fact, Job, JobKind, Status, Summary
from ringback.stores.sqlite import jobs
from ringback.stores.sqlite.rows import fact_of, summary_of, summary_row
from ringback.stores.sqlite.statements import statements

SQL = statements("facts")


def put_summary(
    connection: sqlite3.Connection, job: Job, summary: Summary | None, *, then: JobKind | None
) -> None:
    """Write a call's summary and finish its job; one that is not held changes nothing."""
    row = jobs.held(connection, job)
    if row is None:
        return
    if summary is not None:
        connection.execute(SQL["put_summary"], summary_row(summary))
    jobs.finish(connection, row)
    jobs.follow(connection, row, then)


def facts(
    connection: sqlite3.Connection,
    tenant: str,
    *,
    caller_id: str | None,
    call_id: str | None,
    statuses: Sequence[Status],
) -> tuple[Fact, ...]:
    """Facts of a caller or of a call, oldest first."""
    name = "facts_of_call" if caller_id is None else "facts"
    rows = connection.execute(
        SQL[name],
        {
            "tenant": tenant,
            "caller_id": caller_id,
            "call_id": call_id,
            "statuses": json.dumps(statuses),
        },
    )
    return tuple(fact_of(row) for row in rows)


def linked(
    connection: sqlite3.Connection, tenant: str, caller_id: str, *, limit: int
) -> tuple[Fact, ...]:
    """Current facts that give names, or speak of or name others; the newest, oldest first."""
    names = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    rows = connection.execute(SQL["linked"], names).fetchall()
    return tuple(fact_of(row) for row in reversed(rows))


def with_keys(
    connection: sqlite3.Connection, tenant: str, caller_id: str, keys: Sequence[str], *, limit: int
) -> tuple[Fact, ...]:
    """Current facts under these keys; the newest, oldest first."""
    names = {"tenant": tenant, "caller_id": caller_id, "keys": json.dumps(keys), "limit": limit}
    rows = connection.execute(SQL["with_keys"], names).fetchall()
    return tuple(fact_of(row) for row in reversed(rows))


def summaries(
    connection: sqlite3.Connection, tenant: str, *, caller_id: str, limit: int
) -> tuple[Summary, ...]:
    """Summaries of a profile's calls, the newest call's first."""
    names = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    return tuple(summary_of(row) for row in connection.execute(SQL["summaries"], names))
