"""Jobs in the state: leased, put back, finished."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ringback.records import Job, JobKind
from ringback.stores.checks import LEASE_EXPIRED, job_id
from ringback.stores.memory.state import JobRow, State


def lease(state: State, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind]) -> Job | None:
    """Take the job that is due longest."""
    due = [
        (key[2] is JobKind.DEEPEN, row.due_at, row.number, key)
        for key, row in state.jobs.items()
        if row.due_at <= now_at
        and (row.leased_until is None or row.leased_until <= now_at)
        and key[2] in kinds
        and not (key[2] is JobKind.SUMMARISE and (*key[:2], JobKind.EXTRACT) in state.jobs)
    ]
    if not due:
        return None
    key = min(due)[-1]
    row = state.jobs[key]
    if row.leased_until is not None:
        row.attempts, row.reason = row.attempts + 1, LEASE_EXPIRED
    row.leased_until = now_at + timedelta(milliseconds=lease_ms)
    row.leased_generation = row.generation
    number = job_id(*key, row.generation)
    return Job(number, key[2], key[0], key[1], row.due_at, row.attempts, row.reason)


def held(state: State, job: Job) -> JobRow | None:
    """A job's row; None where another worker has it by now, or nobody."""
    key = (job.tenant, job.call_id, job.kind)
    row = state.jobs.get(key)
    if row is None or row.leased_generation is None:
        return None
    return row if job_id(*key, row.leased_generation) == job.id else None


def finish(state: State, job: Job, row: JobRow, then: JobKind | None = None) -> None:
    """Be done with a job, unless its call has gone on; open the next."""
    if row.generation == row.leased_generation:
        del state.jobs[job.tenant, job.call_id, job.kind]
    else:
        row.leased_until = row.leased_generation = None
        row.attempts, row.reason = 0, ""
    if then is not None:
        state.open_job(state.calls[job.tenant, job.call_id], then, row.due_at)
