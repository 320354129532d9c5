"""A store in this process's memory: the twin of the SQLite one, for tests and trials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self

from ringback.clock import Clock, SystemClock
from ringback.errors import ClosedError, UsageError
from ringback.protocols import CallEnded, CallOpened, Entry, Receipt, TurnObserved
from ringback.records import (
    Assurance,
    Call,
    Caller,
    CallView,
    Decision,
    Fact,
    Handle,
    Job,
    JobKind,
    Role,
    Status,
    Summary,
    Turn,
)
from ringback.stores.checks import (
    LEASE_EXPIRED,
    checked_decisions,
    checked_entry,
    checked_handles,
    checked_summary,
    in_utc,
    job_id,
    require_ids,
    require_lease,
    require_limit,
    require_summary_job,
    storable,
)
from ringback.stores.receipt import CommitReceipt

Key = tuple[str, str]  # tenant, id


@dataclass(slots=True)
class _CallRow:
    call: Call
    number: int
    is_opened: bool = False
    generation: int = 0
    turns: dict[tuple[int, Role], Turn] = field(default_factory=dict)


@dataclass(slots=True)
class _JobRow:
    number: int
    generation: int
    due_at: datetime
    leased_generation: int | None = None
    leased_until: datetime | None = None
    attempts: int = 0
    reason: str = ""


class MemoryStore:
    """`Journal`, `Store` and `Jobs` in memory, with the semantics of `SqliteStore`.

    Lives as long as whoever holds it; nothing outlives the process, and nothing bounds it
    but memory. A receipt is committed as soon as it is there. One thread at a time.
    """

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._calls: dict[Key, _CallRow] = {}
        self._callers: dict[Key, dict[Handle, None]] = {}
        self._facts: dict[Key, Fact] = {}
        self._summaries: dict[Key, Summary] = {}
        self._jobs: dict[tuple[str, str, JobKind], _JobRow] = {}
        self._dead: list[Job] = []
        self._number = 0
        self._is_closed = False

    async def close(self) -> None:
        """Refuse every verb from now on; idempotent."""
        self._is_closed = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Journal

    def record_nowait(self, entry: Entry) -> Receipt:
        """Keep an entry, with the job that follows from it; see `Journal`."""
        self._require_open()
        match checked_entry(entry):
            case CallOpened(call):
                self._open_call(call)
            case TurnObserved(tenant, call_id, turn):
                self._observe(tenant, call_id, turn)
            case CallEnded(tenant, call_id, at):
                self._end(tenant, call_id, at)
        receipt = CommitReceipt()
        receipt.commit()
        return receipt

    async def flush(self) -> None:
        """Return: all that was recorded is there."""
        self._require_open()

    async def call(self, tenant: str, call_id: str) -> CallView | None:
        """One call with all its turns in order of position; None when there is none."""
        self._require_open(tenant=tenant, call_id=call_id)
        row = self._calls.get((tenant, call_id))
        return None if row is None else _view(row)

    async def calls(
        self, tenant: str, *, caller_id: str | None = None, limit: int = 100
    ) -> tuple[Call, ...]:
        """Calls, newest first; of one caller, or of all for None."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        rows = [
            row
            for row in self._rows(tenant)
            if caller_id is None or row.call.caller_id == caller_id
        ]
        return tuple(row.call for row in reversed(rows))[:limit]

    async def unsettled(
        self,
        tenant: str,
        *,
        caller_id: str | None,
        handles: Sequence[Handle],
        besides: str | None = None,
    ) -> tuple[CallView, ...]:
        """Calls of this caller, or with one of these handles, not settled, oldest first."""
        self._require_open(tenant=tenant, caller_id=caller_id, besides=besides)
        wanted = set(checked_handles(handles))
        return tuple(
            _view(row)
            for row in self._rows(tenant)
            if (caller_id is not None and row.call.caller_id == caller_id)
            or wanted.intersection(row.call.handles)
            if row.call.id != besides and not self._is_settled(row.call)
        )

    async def abandoned(self, *, quiet_since: datetime, limit: int = 100) -> tuple[Call, ...]:
        """Calls without an end that have been quiet since then; see `Journal`."""
        self._require_open()
        require_limit(limit)
        since = in_utc("quiet_since", quiet_since)
        quiet = [
            row
            for row in self._calls.values()
            if row.call.ended_at is None and row.call.started_at < since
            if not row.turns or row.turns[max(row.turns)].at < since
        ]
        return tuple(row.call for row in sorted(quiet, key=_by_start))[:limit]

    async def is_behind(self) -> bool:
        """Never: what was recorded is there."""
        self._require_open()
        return False

    # Store

    async def caller_of(self, tenant: str, handles: Sequence[Handle]) -> Caller | None:
        """The one caller that these handles lead to; None when none or several do."""
        self._require_open(tenant=tenant)
        wanted = checked_handles(handles)
        found = [
            key
            for key, owned in self._callers.items()
            if key[0] == tenant and any(handle in owned for handle in wanted)
        ]
        return self._caller(found[0]) if len(found) == 1 else None

    async def caller(self, tenant: str, caller_id: str) -> Caller | None:
        """A caller by id."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        key = (tenant, caller_id)
        return self._caller(key) if key in self._callers else None

    async def callers(self, tenant: str, *, limit: int = 100) -> tuple[Caller, ...]:
        """Callers, the one with the newest call first."""
        self._require_open(tenant=tenant)
        require_limit(limit)
        newest = {row.call.caller_id: row.call.started_at for row in self._rows(tenant)}
        ids = [caller_id for of, caller_id in self._callers if of == tenant]
        with_calls = sorted((one for one in ids if one in newest), key=lambda one: newest[one])
        ordered = [one for one in ids if one not in newest] + with_calls
        return tuple(self._caller((tenant, one)) for one in reversed(ordered))[:limit]

    async def attach(
        self,
        tenant: str,
        call_id: str,
        *,
        caller_id: str,
        assurance: Assurance,
        handles: Sequence[Handle] = (),
    ) -> None:
        """Make a call a caller's; see `Store`."""
        self._require_open(tenant=tenant, call_id=call_id, caller_id=caller_id)
        checked = checked_handles(handles)
        row = self._call(tenant, call_id, self._clock.now_at())
        self._callers.setdefault((tenant, caller_id), {}).update(dict.fromkeys(checked))
        row.call = replace(row.call, caller_id=caller_id, assurance=assurance)
        for key, fact in self._facts.items():
            if (fact.tenant, fact.call_id) == (tenant, call_id):
                self._facts[key] = replace(fact, caller_id=caller_id)
        if (tenant, call_id) in self._summaries:
            summary = self._summaries[tenant, call_id]
            self._summaries[tenant, call_id] = replace(summary, caller_id=caller_id)

    async def facts(
        self,
        tenant: str,
        *,
        caller_id: str | None = None,
        call_id: str | None = None,
        statuses: Sequence[Status] = (Status.ACTIVE, Status.PROVISIONAL),
    ) -> tuple[Fact, ...]:
        """Facts of a caller or of a call, oldest first; of both, where both are given.

        Raises:
            UsageError: Neither caller nor call is given.
        """
        self._require_open(tenant=tenant, caller_id=caller_id, call_id=call_id)
        if caller_id is None and call_id is None:
            raise UsageError("facts of nobody were asked for: give a caller or a call")
        found = [
            fact
            for fact in self._facts.values()
            if fact.tenant == tenant
            and caller_id in (None, fact.caller_id)
            and call_id in (None, fact.call_id)
            and fact.status in statuses
        ]
        return tuple(sorted(found, key=lambda one: (one.observed_at, one.evidence.position)))

    async def settle(self, job: Job, decisions: Sequence[Decision]) -> None:
        """Write the facts that were decided on and finish their job; see `Store`."""
        self._require_open()
        checked = checked_decisions(job.tenant, decisions)
        row = self._held(job)
        if row is None:
            return
        for decision in checked:
            if (decision.fact is None or self._add(decision.fact)) and decision.superseded:
                self._end_fact(decision.superseded)
        self._finish(job, row)

    async def put_summary(self, job: Job, summary: Summary | None) -> None:
        """Write a call's summary (None: there was nothing to say) and finish its job."""
        self._require_open()
        require_summary_job(job.kind)
        checked = checked_summary(job.tenant, job.call_id, summary)
        row = self._held(job)
        if row is None:
            return
        if checked is not None:
            caller_id = self._caller_of_call(job.tenant, job.call_id)
            self._summaries[job.tenant, job.call_id] = replace(checked, caller_id=caller_id)
        self._finish(job, row)

    async def last_interaction(self, tenant: str, caller_id: str) -> Summary | None:
        """The newest call's summary; None before the first."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        mine = [
            one
            for one in self._summaries.values()
            if (one.tenant, one.caller_id) == (tenant, caller_id)
        ]
        return max(reversed(mine), key=lambda one: one.at, default=None)

    # Jobs

    async def lease(
        self, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)
    ) -> Job | None:
        """Take the job that is due longest; see `Jobs`."""
        self._require_open()
        require_lease(lease_ms)
        at = in_utc("now_at", now_at)
        due = [
            (row.due_at, row.number, key)
            for key, row in self._jobs.items()
            if row.due_at <= at
            and (row.leased_until is None or row.leased_until <= at)
            and key[2] in kinds
            and not (key[2] is JobKind.SUMMARISE and (*key[:2], JobKind.EXTRACT) in self._jobs)
        ]
        if not due:
            return None
        key = min(due)[2]
        row = self._jobs[key]
        if row.leased_until is not None:
            row.attempts, row.reason = row.attempts + 1, LEASE_EXPIRED
        row.leased_until = at + timedelta(milliseconds=lease_ms)
        row.leased_generation = row.generation
        number = job_id(*key, row.generation)
        return Job(number, key[2], key[0], key[1], row.due_at, row.attempts, row.reason)

    async def retry(self, job: Job, *, due_at: datetime, reason: str) -> None:
        """Put a job back after a failure; its attempts count one more."""
        self._require_open()
        at, row = in_utc("due_at", due_at), self._held(job)
        if row is not None:
            row.leased_until = row.leased_generation = None
            row.attempts, row.due_at, row.reason = row.attempts + 1, at, storable(reason)

    async def give_up(self, job: Job, *, reason: str) -> None:
        """Move a job to the dead letters."""
        self._require_open()
        row = self._held(job)
        if row is not None:
            self._dead.append(
                replace(job, due_at=row.due_at, attempts=row.attempts, reason=storable(reason))
            )
            self._finish(job, row)

    async def dead(self) -> tuple[Job, ...]:
        """Dead letters, oldest first."""
        self._require_open()
        return tuple(self._dead)

    async def open_count(self) -> int:
        """Jobs that are not done and not given up."""
        self._require_open()
        return len(self._jobs)

    def _require_open(self, **names: str | None) -> None:
        if self._is_closed:
            raise ClosedError("the store is closed")
        require_ids(**names)

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _call(self, tenant: str, call_id: str, at: datetime) -> _CallRow:
        key = (tenant, call_id)
        if key not in self._calls:
            self._calls[key] = _CallRow(Call(call_id, tenant, at), self._next())
        return self._calls[key]

    def _rows(self, tenant: str) -> Iterable[_CallRow]:
        mine = [row for row in self._calls.values() if row.call.tenant == tenant]
        return sorted(mine, key=_by_start)

    def _is_settled(self, call: Call) -> bool:
        has_job = any((call.tenant, call.id, kind) in self._jobs for kind in JobKind)
        return call.ended_at is not None and not has_job

    def _caller(self, key: Key) -> Caller:
        return Caller(key[1], key[0], tuple(self._callers[key]))

    def _caller_of_call(self, tenant: str, call_id: str) -> str | None:
        row = self._calls.get((tenant, call_id))
        return None if row is None else row.call.caller_id

    def _open_call(self, call: Call) -> None:
        row = self._call(call.tenant, call.id, call.started_at)
        if row.is_opened:
            return
        known, row.is_opened = row.call, True
        row.call = replace(call, ended_at=known.ended_at)
        if known.caller_id is not None:
            row.call = replace(row.call, caller_id=known.caller_id, assurance=known.assurance)
        if call.caller_id is not None:
            self._callers.setdefault((call.tenant, call.caller_id), {})
        if call.ended_at is not None:
            self._end(call.tenant, call.id, call.ended_at)

    def _observe(self, tenant: str, call_id: str, turn: Turn) -> None:
        row = self._call(tenant, call_id, turn.at)
        place = (turn.position, turn.role)
        if place in row.turns:
            return
        row.turns[place] = turn
        row.generation += 1
        if not row.is_opened:
            row.call = replace(row.call, started_at=min(row.call.started_at, turn.at))
        self._open_job(row, JobKind.EXTRACT, turn.at)
        if row.call.ended_at is not None:
            self._open_job(row, JobKind.SUMMARISE, turn.at)

    def _end(self, tenant: str, call_id: str, at: datetime) -> None:
        row = self._call(tenant, call_id, at)
        if row.call.ended_at is None or row.call.ended_at < at:
            row.generation += 1
            row.call = replace(row.call, ended_at=at)
            self._open_job(row, JobKind.SUMMARISE, at)

    def _open_job(self, row: _CallRow, kind: JobKind, at: datetime) -> None:
        due_at = min(at, self._clock.now_at())
        job = self._jobs.get((row.call.tenant, row.call.id, kind))
        if job is None:
            job = _JobRow(self._next(), row.generation, due_at)
            self._jobs[row.call.tenant, row.call.id, kind] = job
        job.generation = row.generation
        if job.leased_until is not None:
            job.due_at = due_at

    def _held(self, job: Job) -> _JobRow | None:
        key = (job.tenant, job.call_id, job.kind)
        row = self._jobs.get(key)
        if row is None or row.leased_generation is None:
            return None
        return row if job_id(*key, row.leased_generation) == job.id else None

    def _finish(self, job: Job, row: _JobRow) -> None:
        if row.generation == row.leased_generation:
            del self._jobs[job.tenant, job.call_id, job.kind]
            return
        row.leased_until = row.leased_generation = None
        row.attempts, row.reason = 0, ""

    def _add(self, fact: Fact) -> bool:
        key = (fact.tenant, fact.id)
        if key in self._facts:
            return False
        self._facts[key] = replace(fact, caller_id=self._caller_of_call(fact.tenant, fact.call_id))
        return True

    def _end_fact(self, fact: Fact) -> None:
        self._add(fact)
        kept = self._facts[fact.tenant, fact.id]
        self._facts[fact.tenant, fact.id] = replace(
            kept,
            status=fact.status,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            expires_at=fact.expires_at,
        )


def _by_start(row: _CallRow) -> tuple[datetime, int]:
    return (row.call.started_at, row.number)


def _view(row: _CallRow) -> CallView:
    return CallView(row.call, tuple(row.turns[place] for place in sorted(row.turns)))
