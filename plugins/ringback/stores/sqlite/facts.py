"""What is known, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from ringback.records import Fact, Job, JobKind, Status, Summary
from ringback.stores.sqlite import jobs
from ringback.stores.sqlite.rows import (
    FACT_COLUMNS,
    fact_from,
    only,
    summary_of,
    summary_row,
)
from ringback.stores.sqlite.statements import statements

SQL = statements("facts")
FACTS, OF_CALL, LINKED, LINKED_EACH, WITH_KEYS = (
    only(SQL[name], FACT_COLUMNS)
    for name in ("facts", "facts_of_call", "linked", "linked_each", "with_keys")
)


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
    keys: Sequence[str] | None = None,
) -> tuple[Fact, ...]:
    """Facts of a caller or of a call, oldest first."""
    rows = connection.execute(
        OF_CALL if caller_id is None else FACTS,
        {
            "tenant": tenant,
            "caller_id": caller_id,
            "call_id": call_id,
            "statuses": json.dumps(statuses),
            "keys": None if keys is None else json.dumps(list(keys)),
        },
    )
    return tuple(map(fact_from, rows))


def linked(
    connection: sqlite3.Connection, tenant: str, caller_id: str, *, limit: int
) -> tuple[Fact, ...]:
    """Current facts that give names, or speak of or name others; the newest, oldest first."""
    names: dict[str, str | int] = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    return _newest(connection, LINKED, names)


def linked_each(
    connection: sqlite3.Connection, tenant: str, caller_id: str, *, limit: int
) -> tuple[Fact, ...]:
    """Of these the ones that give or hold a name, and of each other thing one; oldest first."""
    names: dict[str, str | int] = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    return _newest(connection, LINKED_EACH, names)


def with_keys(
    connection: sqlite3.Connection, tenant: str, caller_id: str, keys: Sequence[str], *, limit: int
) -> tuple[Fact, ...]:
    """Current facts under these keys; the newest, oldest first."""
    names: dict[str, str | int] = {
        "tenant": tenant,
        "caller_id": caller_id,
        "keys": json.dumps(keys),
        "limit": limit,
    }
    return _newest(connection, WITH_KEYS, names)


def _newest(
    connection: sqlite3.Connection, statement: str, names: dict[str, str | int]
) -> tuple[Fact, ...]:
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: there may be many
    rows = cursor.execute(statement, names).fetchall()
    return tuple(fact_from(row) for row in reversed(rows))


def summaries(
    connection: sqlite3.Connection, tenant: str, *, caller_id: str, limit: int
) -> tuple[Summary, ...]:
    """Summaries of a profile's calls, the newest call's first."""
    names = {"tenant": tenant, "caller_id": caller_id, "limit": limit}
    return tuple(summary_of(row) for row in connection.execute(SQL["summaries"], names))
