"""Work that waits, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta

from ringback.protocols import CallEnded, TurnAmended, TurnObserved
from ringback.records import Job, JobKind, ModelUse
from ringback.stores.checks import LEASE_EXPIRED
from ringback.stores.sqlite.rows import dead_job_of, leased_job_of, micros
from ringback.stores.sqlite.statements import statements

SQL = statements("jobs")


def open_job(
    connection: sqlite3.Connection,
    kind: JobKind,
    entry: TurnObserved | TurnAmended | CallEnded,
    generation: int,
    *,
    due_at: datetime,
) -> None:
    """Open a call's job of a kind, or make the open one cover what happened since."""
    names = {"tenant": entry.tenant, "call_id": entry.call_id, "kind": kind}
    columns = {**names, "generation": generation, "due_at": micros(due_at)}
    connection.execute(SQL["open_job"], columns)


def open_anew(
    connection: sqlite3.Connection,
    kind: JobKind,
    tenant: str,
    call_id: str,
    generation: int,
    *,
    due_at: datetime,
) -> None:
    """Open a call's job from the start: whoever has it leased writes nothing any more.

    That work rests on words that must not stand.
    """
    names = {"tenant": tenant, "call_id": call_id, "kind": kind}
    columns = {**names, "generation": generation, "due_at": micros(due_at)}
    connection.execute(SQL["open_anew"], columns)


def drop(connection: sqlite3.Connection, kind: JobKind, tenant: str, call_id: str) -> None:
    """Close a call's job of a kind, whoever has it: what they bring is not written."""
    names = {"tenant": tenant, "call_id": call_id, "kind": kind}
    connection.execute(SQL["drop_job"], names)


def lease(
    connection: sqlite3.Connection, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind]
) -> Job | None:
    """Take the job that is due longest."""
    until = now_at + timedelta(milliseconds=lease_ms)
    row = connection.execute(
        SQL["lease"],
        {
            "now": micros(now_at),
            "until": micros(until),
            "kinds": json.dumps(kinds),
            "expired": LEASE_EXPIRED,
        },
    ).fetchone()
    return None if row is None else leased_job_of(row)


def held(connection: sqlite3.Connection, job: Job) -> sqlite3.Row | None:
    """The open row that this job was leased from; None when it is finished or out of date."""
    row: sqlite3.Row | None = connection.execute(
        SQL["job"], {"tenant": job.tenant, "call_id": job.call_id, "kind": job.kind}
    ).fetchone()
    if row is None or row["leased_generation"] is None:
        return None
    return row if leased_job_of(row).id == job.id else None


def finish(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    """Close a job, or leave it open for what happened since it was leased."""
    is_covered = row["generation"] == row["leased_generation"]
    connection.execute(SQL["finish" if is_covered else "reopen"], {"number": row["number"]})


def retry(connection: sqlite3.Connection, job: Job, *, due_at: datetime, reason: str) -> None:
    """Put a job back."""
    row = held(connection, job)
    if row is not None:
        connection.execute(
            SQL["retry"], {"number": row["number"], "due_at": micros(due_at), "reason": reason}
        )


def give_up(connection: sqlite3.Connection, job: Job, *, reason: str) -> None:
    """Move a job to the dead letters; what happened since it was leased stays to be done."""
    row = held(connection, job)
    if row is None:
        return
    columns = {name: row[name] for name in ("tenant", "call_id", "kind", "due_at", "attempts")}
    connection.execute(SQL["bury"], {**columns, "id": job.id, "reason": reason})
    finish(connection, row)


def dead(connection: sqlite3.Connection) -> tuple[Job, ...]:
    """Dead letters, oldest first."""
    return tuple(dead_job_of(row) for row in connection.execute(SQL["dead"]))


def open_count(connection: sqlite3.Connection, kinds: Sequence[JobKind]) -> int:
    """Jobs of these kinds that are not done and not given up."""
    names = {"kinds": json.dumps(kinds)}
    return int(connection.execute(SQL["open_count"], names).fetchone()[0])


def follow(connection: sqlite3.Connection, row: sqlite3.Row, then: JobKind | None) -> None:
    """Open the job of another kind that follows from one that is being finished."""
    if then is not None:
        columns = {name: row[name] for name in ("tenant", "call_id", "generation", "due_at")}
        connection.execute(SQL["open_job"], {**columns, "kind": then})


def note_use(connection: sqlite3.Connection, tenant: str, call_id: str, use: ModelUse) -> None:
    """Add what a language model has cost a call."""
    names = {"tenant": tenant, "call_id": call_id}
    connection.execute(SQL["note_use"], {**names, **asdict(use)})


def model_use(connection: sqlite3.Connection, tenant: str, call_id: str) -> ModelUse:
    """What language models have cost a call so far."""
    names = {"tenant": tenant, "call_id": call_id}
    row = connection.execute(SQL["model_use"], names).fetchone()
    if row is None:
        return ModelUse()
    return ModelUse(**{field.name: row[field.name] for field in fields(ModelUse)})
