"""A store in this process's memory: the twin of the SQLite one, for tests and trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Self

from ringback.clock import Clock, SystemClock
from ringback.erasure import Erasure, ErasureReceipt, call_tombstone
from ringback.errors import ClosedError, StoreConflictError, UsageError
from ringback.protocols import Basis, Entry, Known, Receipt, Swept
from ringback.recollection import Cue, Heard, Hit, IndexState, Passage, PassageVectors, VectorCue
from ringback.records import (
    OF_RULES,
    Assurance,
    Call,
    Caller,
    CallView,
    Decision,
    DecisionMade,
    Fact,
    Handle,
    Job,
    JobKind,
    ModelUse,
    Status,
    Summary,
)
from ringback.stores.checks import (
    checked_call,
    checked_cue,
    checked_decisions,
    checked_entry,
    checked_erasure,
    checked_handles,
    checked_summary,
    checked_vector_cue,
    in_utc,
    requested_basis,
    require_basis,
    require_ids,
    require_lease,
    require_limit,
    require_summary_job,
    storable,
)
from ringback.stores.memory import erasing, finding, happening, indexing, jobs
from ringback.stores.memory.known import known
from ringback.stores.memory.moving import MemoryMoves
from ringback.stores.memory.state import State, by_start, view_of
from ringback.stores.receipt import CommitReceipt


class MemoryStore:
    """`Journal`, `Store`, `Jobs` and `Index` in memory, with the semantics of `SqliteStore`.

    Lives as long as whoever holds it; nothing outlives the process, and nothing bounds it
    but memory. A receipt is committed as soon as it is there. One thread at a time.
    """

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._state = State()
        self.moves = MemoryMoves(self._state, self._revision_of)
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
        happening.apply(self._state, checked_entry(entry), now_at=self._clock.now_at())
        receipt = CommitReceipt()
        receipt.commit()
        return receipt

    async def flush(self) -> None:
        """Return: all that was recorded is there."""
        self._require_open()

    async def call(self, tenant: str, call_id: str) -> CallView | None:
        """One call with all its turns in order of position; None when there is none."""
        self._require_open(tenant=tenant, call_id=call_id)
        row = self._state.calls.get((tenant, call_id))
        return None if row is None else view_of(row)

    async def calls(
        self, tenant: str, *, caller_id: str | None = None, limit: int = 100
    ) -> tuple[Call, ...]:
        """Calls, newest first; of one caller, or of all for None."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        rows = [
            row
            for row in self._state.rows(tenant)
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
            view_of(row)
            for row in self._state.rows(tenant)
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
            for row in self._state.calls.values()
            if row.call.ended_at is None and row.call.started_at < since
            if not row.turns or row.turns[max(row.turns)].at < since
        ]
        return tuple(row.call for row in sorted(quiet, key=by_start))[:limit]

    async def is_behind(self) -> bool:
        """Never: what was recorded is there."""
        self._require_open()
        return False

    async def decisions(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[DecisionMade, ...]:
        """What was decided about a profile's candidates, newest first; see `Journal`."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        mine = [
            made
            for made in self._state.decisions.values()
            if (made.tenant, made.caller_id) == (tenant, caller_id)
        ]
        return tuple(sorted(mine, key=lambda one: one.at))[::-1][:limit]

    async def erasures(
        self, *, after: int = 0, limit: int = 1_000
    ) -> tuple[tuple[int, ErasureReceipt], ...]:
        """Receipts of what was forgotten, in order; see `Journal`."""
        self._require_open()
        require_limit(limit)
        numbered = enumerate(self._state.erasures, start=1)
        return tuple(one for one in numbered if one[0] > after)[:limit]

    # Store

    async def callers_of(self, tenant: str, handles: Sequence[Handle]) -> tuple[Caller, ...]:
        """Every caller that one of these handles leads to; see `Store`."""
        self._require_open(tenant=tenant)
        wanted = checked_handles(handles)
        return tuple(
            self._state.caller(key)
            for key, owned in self._state.callers.items()
            if key[0] == tenant and any(handle in owned for handle in wanted)
        )

    async def caller(self, tenant: str, caller_id: str) -> Caller | None:
        """A caller by id."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        key = (tenant, caller_id)
        return self._state.caller(key) if key in self._state.callers else None

    async def callers(self, tenant: str, *, limit: int = 100) -> tuple[Caller, ...]:
        """Callers, the one with the newest call first."""
        self._require_open(tenant=tenant)
        require_limit(limit)
        newest = {row.call.caller_id: row.call.started_at for row in self._state.rows(tenant)}
        ids = [caller_id for of, caller_id in self._state.callers if of == tenant]
        with_calls = sorted((one for one in ids if one in newest), key=lambda one: newest[one])
        ordered = [one for one in ids if one not in newest] + with_calls
        return tuple(self._state.caller((tenant, one)) for one in reversed(ordered))[:limit]

    async def known(self, call: Call) -> Known:
        """What is kept of whoever is on the line; see `Store`."""
        return await known(self, checked_call(call))

    async def attach(
        self,
        tenant: str,
        call_id: str,
        *,
        caller_id: str,
        assurance: Assurance,
        handles: Sequence[Handle] = (),
        is_first: bool = False,
    ) -> str:
        """Make a call a caller's; see `Store`."""
        self._require_open(tenant=tenant, call_id=call_id, caller_id=caller_id)
        checked = checked_handles(handles)
        caller_id = self._state.merged_into(tenant, caller_id)
        if (tenant, call_tombstone(tenant, call_id)) in self._state.tombstones:
            return caller_id
        if is_first and self._state.caller_of_call(tenant, call_id) is not None:
            raise StoreConflictError("somebody named the caller meanwhile: decide again")
        row = self._state.call_row(tenant, call_id, self._clock.now_at())
        self._state.callers.setdefault((tenant, caller_id), {}).update(dict.fromkeys(checked))
        is_news = (row.call.caller_id, row.call.assurance) != (caller_id, assurance)
        row.call = replace(row.call, caller_id=caller_id, assurance=assurance)
        self._state.rekey(tenant, call_id, caller_id)
        if is_news and any(
            (made.tenant, made.call_id) == (tenant, call_id) for made in self._decisions()
        ):
            self._state.extract_again(row, min(row.call.started_at, self._clock.now_at()))
        return caller_id

    async def facts(
        self,
        tenant: str,
        *,
        caller_id: str | None = None,
        call_id: str | None = None,
        statuses: Sequence[Status] = (Status.ACTIVE, Status.PROVISIONAL),
        keys: Sequence[str] | None = None,
    ) -> tuple[Fact, ...]:
        """Facts of a caller or of a call, oldest first; of both, where both are given; see `Store`.

        Raises:
            UsageError: Neither caller nor call is given.
        """
        self._require_open(tenant=tenant, caller_id=caller_id, call_id=call_id)
        if caller_id is None and call_id is None:
            raise UsageError("facts of nobody were asked for: give a caller or a call")
        found = [
            fact
            for fact in self._state.facts.values()
            if fact.tenant == tenant
            and caller_id in (None, fact.caller_id)
            and call_id in (None, fact.call_id)
            and fact.status in statuses
            and (keys is None or fact.key in keys)
        ]
        return tuple(sorted(found, key=lambda one: (one.observed_at, one.evidence.position)))

    async def basis(
        self, tenant: str, *, caller_id: str | None = None, call_id: str | None = None
    ) -> Basis:
        """What decisions about a profile, or a call that is nobody's, rest on; see `Store`."""
        self._require_open(tenant=tenant, caller_id=caller_id, call_id=call_id)
        return self._basis_of(tenant, requested_basis(caller_id, call_id))

    async def settle(
        self,
        job: Job,
        decisions: Sequence[Decision],
        *,
        basis: Basis | None = None,
        then: JobKind | None = None,
    ) -> None:
        """Write the facts that were decided on and finish their job; see `Store`."""
        self._require_open()
        checked = checked_decisions(job.tenant, decisions)
        row = jobs.held(self._state, job)
        if row is None:
            return
        if basis is not None:
            is_of_now = basis.caller_id == self._state.caller_of_call(job.tenant, job.call_id)
            require_basis(basis, self._basis_of(job.tenant, basis), is_of_now=is_of_now)
        for decision in checked:
            fact = decision.fact
            call_id = fact.call_id if fact else decision.candidate.evidence.call_id
            caller_id = self._state.caller_of_call(job.tenant, call_id)
            self._keep(job.tenant, decision, caller_id)
        jobs.finish(self._state, job, row, then)

    async def put_summary(
        self, job: Job, summary: Summary | None, *, then: JobKind | None = None
    ) -> None:
        """Write a call's summary (None: there was nothing to say) and finish its job."""
        self._require_open()
        require_summary_job(job.kind)
        checked = checked_summary(job.tenant, job.call_id, summary)
        row = jobs.held(self._state, job)
        if row is None:
            return
        if checked is not None:
            caller_id = self._state.caller_of_call(job.tenant, job.call_id)
            self._state.summaries[job.tenant, job.call_id] = replace(checked, caller_id=caller_id)
        jobs.finish(self._state, job, row, then)

    async def note_use(self, tenant: str, call_id: str, use: ModelUse) -> None:
        """Add what a language model has cost a call; see `Store`."""
        self._require_open(tenant=tenant, call_id=call_id)
        if (tenant, call_id) in self._state.calls:
            known = self._state.model_use.get((tenant, call_id), ModelUse())
            self._state.model_use[tenant, call_id] = known.plus(use)

    async def model_use(self, tenant: str, call_id: str) -> ModelUse:
        """What language models have cost a call so far."""
        self._require_open(tenant=tenant, call_id=call_id)
        return self._state.model_use.get((tenant, call_id), ModelUse())

    async def summaries(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[Summary, ...]:
        """Summaries of a profile's calls, the newest call's first."""
        self._require_open(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        mine = [
            one
            for one in self._state.summaries.values()
            if (one.tenant, one.caller_id) == (tenant, caller_id)
        ]
        return tuple(sorted(mine, key=lambda one: one.at))[::-1][:limit]

    async def last_interaction(self, tenant: str, caller_id: str) -> Summary | None:
        """The newest call's summary; None before the first."""
        newest = await self.summaries(tenant, caller_id=caller_id, limit=1)
        return newest[0] if newest else None

    async def write(
        self, tenant: str, decisions: Sequence[Decision], *, basis: Basis | None = None
    ) -> None:
        """Write decisions that no job led to; see `Store`."""
        self._require_open(tenant=tenant)
        if basis is not None:
            require_basis(basis, self._basis_of(tenant, basis))
        for decision in checked_decisions(tenant, decisions):
            own = decision.fact or decision.superseded
            call_id = (
                decision.fact.call_id if decision.fact else decision.candidate.evidence.call_id
            )
            caller_id = (own.caller_id if own else None) or (basis.caller_id if basis else None)
            self._keep(tenant, decision, caller_id or self._state.caller_of_call(tenant, call_id))

    async def find(self, cue: Cue) -> tuple[Hit, ...]:
        """Full text over one profile's facts and turns; see `Store` and `Hit`."""
        self._require_open()
        return finding.find(self._state, checked_cue(cue))

    async def linked(
        self, tenant: str, caller_id: str, *, limit: int = 500, one_each: bool = False
    ) -> tuple[Fact, ...]:
        """Current facts that give names, or speak of or name others; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        facts = await self.facts(tenant, caller_id=caller_id)
        linked = tuple(fact for fact in facts if finding.is_linked(fact))[-limit:]
        return finding.one_each(linked) if one_each else linked

    async def with_keys(
        self, tenant: str, caller_id: str, keys: Sequence[str], *, limit: int = 100
    ) -> tuple[Fact, ...]:
        """Current facts under these keys; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        facts = await self.facts(tenant, caller_id=caller_id)
        return tuple(fact for fact in facts if fact.key in keys)[-limit:]

    async def heard(self, tenant: str, caller_id: str, *, names: Sequence[str]) -> dict[str, Heard]:
        """Which names a profile knows; see `Store`."""
        self._require_open()
        require_ids(tenant=tenant, caller_id=caller_id)
        return finding.heard(self._state, tenant, caller_id, names)

    async def forget(self, erasure: Erasure, *, basis: Basis | None = None) -> ErasureReceipt:
        """Delete; see `Store`."""
        self._require_open()
        if basis is not None:
            require_basis(basis, self._basis_of(erasure.tenant, basis))
        now_at = self._clock.now_at()
        return erasing.forget(self._state, checked_erasure(erasure), now_at=now_at)

    async def residue(self, words: Sequence[str]) -> int:
        """Count where any of these words still stand, in any structure of this store."""
        self._require_open()
        return self._state.residue(words)

    # Index

    async def unindexed(self, embedder: str, *, limit: int) -> tuple[Passage, ...]:
        """Passages without vectors of this embedder; see `Index`."""
        self._require_open(embedder=embedder)
        require_limit(limit)
        return indexing.unindexed(self._state, embedder, limit=limit)

    async def put_vectors(self, embedder: str, made: Sequence[PassageVectors]) -> None:
        """Keep what an embedder made; see `Index`."""
        self._require_open(embedder=embedder)
        indexing.put_vectors(self._state, embedder, made)

    async def nearest(self, cue: VectorCue) -> tuple[Hit, ...]:
        """What is nearest to a cue in one profile; see `Index`."""
        self._require_open()
        return indexing.nearest(self._state, checked_vector_cue(cue))

    async def indexed_with(self) -> Mapping[str, int]:
        """How many passages each embedder has done."""
        self._require_open()
        return indexing.indexed_with(self._state)

    async def index_state(self, embedder: str) -> IndexState:
        """How far the index of one embedder is."""
        self._require_open(embedder=embedder)
        return indexing.index_state(self._state, embedder)

    async def drop_index(self, *, besides: AbstractSet[str] = frozenset()) -> None:
        """Drop the vectors of all embedders but these."""
        self._require_open()
        indexing.drop_index(self._state, besides=besides)

    # Jobs

    async def lease(
        self, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)
    ) -> Job | None:
        """Take the job that is due longest; see `Jobs`."""
        self._require_open()
        require_lease(lease_ms)
        at = in_utc("now_at", now_at)
        return jobs.lease(self._state, now_at=at, lease_ms=lease_ms, kinds=kinds)

    async def retry(self, job: Job, *, due_at: datetime, reason: str) -> None:
        """Put a job back after a failure; its attempts count one more."""
        self._require_open()
        at, row = in_utc("due_at", due_at), jobs.held(self._state, job)
        if row is not None:
            row.leased_until = row.leased_generation = None
            row.attempts, row.due_at, row.reason = row.attempts + 1, at, storable(reason)

    async def give_up(self, job: Job, *, reason: str) -> None:
        """Move a job to the dead letters."""
        self._require_open()
        row = jobs.held(self._state, job)
        if row is not None:
            self._state.dead.append(
                replace(job, due_at=row.due_at, attempts=row.attempts, reason=storable(reason))
            )
            jobs.finish(self._state, job, row)

    async def dead(self) -> tuple[Job, ...]:
        """Dead letters, oldest first."""
        self._require_open()
        return tuple(self._state.dead)

    async def open_count(self, *, kinds: Sequence[JobKind] = tuple(JobKind)) -> int:
        """Jobs that are not done and not given up."""
        self._require_open()
        return sum(kind in kinds for _, _, kind in self._state.jobs)

    async def sweep(self, *, now_at: datetime, words_before: datetime | None) -> Swept:
        """End what has expired, and let old words go; see `Jobs`."""
        self._require_open()
        before = None if words_before is None else in_utc("words_before", words_before)
        return erasing.sweep(self._state, now_at=in_utc("now_at", now_at), words_before=before)

    def _require_open(self, **names: str | None) -> None:
        if self._is_closed:
            raise ClosedError("the store is closed")
        require_ids(**names)

    def _decisions(self) -> Iterable[DecisionMade]:
        return self._state.decisions.values()

    def _basis_of(self, tenant: str, of: Basis) -> Basis:
        """The same basis as it is now: a number made of the facts it counts."""
        whose = {"caller_id": of.caller_id} if of.call_id is None else {"call_id": of.call_id}
        ((name, wanted),) = whose.items()
        counted = [
            (fact.id, fact.status, fact.confidence, fact.valid_to, fact.expires_at)
            for fact in self._state.facts.values()
            if fact.tenant == tenant and getattr(fact, name) == wanted
        ]
        return replace(of, revision=hash(frozenset(counted)))

    def _revision_of(self, tenant: str, caller_id: str) -> int:
        return self._basis_of(tenant, Basis(caller_id, None, 0)).revision

    def _keep(self, tenant: str, decision: Decision, caller_id: str | None) -> None:
        now_at = self._clock.now_at()
        happening.write(self._state, tenant, decision, caller_id=caller_id, now_at=now_at)

    def _is_settled(self, call: Call) -> bool:
        has_job = any((call.tenant, call.id, kind) in self._state.jobs for kind in OF_RULES)
        return call.ended_at is not None and not has_job
