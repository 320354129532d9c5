"""The default back-end: one SQLite file, no server."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from datetime import datetime
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from ringback.clock import Clock, SystemClock
from ringback.erasure import Erasure, ErasureReceipt
from ringback.errors import UsageError
from ringback.protocols import Basis, Entry, Known, Receipt, Swept
from ringback.recollection import Cue, Heard, Hit, IndexState, Passage, PassageVectors, VectorCue
from ringback.records import (
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
    checked_erasure,
    checked_handles,
    checked_summary,
    checked_vector_cue,
    in_utc,
    requested_basis,
    require_ids,
    require_lease,
    require_limit,
    require_summary_job,
    storable,
)
from ringback.stores.sqlite import (
    callers,
    deciding,
    erasing,
    facts,
    finding,
    jobs,
    journal,
    known,
    nearest,
    steps,
    vectors,
)
from ringback.stores.sqlite.clearing import Clearing
from ringback.stores.sqlite.contents import residue
from ringback.stores.sqlite.moving import SqliteMoves
from ringback.stores.sqlite.readers import Readers
from ringback.stores.sqlite.settings import SqliteSettings, StoreStatistics
from ringback.stores.sqlite.vector_cache import VectorCache
from ringback.stores.sqlite.writer import Writer
from ringback.stores.vectors import checked_vectors

T = TypeVar("T")


class SqliteStore:
    """`Journal`, `Store`, `Jobs` and `Index` over one SQLite file.

    Made by `open`, and closed by whoever opened it; several processes may have the same
    file open. `record_nowait` and `statistics` may be called from any thread, every other
    verb from a loop. What was recorded is seen by the verbs that follow once its receipt
    is committed and it is not spilled; see docs/durability.md.
    """

    def __init__(
        self,
        writer: Writer,
        readers: Readers,
        clearing: Clearing,
        cache: VectorCache,
        clock: Clock,
        path: Path,
    ) -> None:
        self._writer = writer
        self._cache = cache
        self._readers = readers
        self._clearing = clearing
        self._clock = clock
        self._path = path
        self.moves = SqliteMoves(self._read, self._write)

    @classmethod
    async def open(
        cls,
        path: str | PathLike[str],
        *,
        clock: Clock | None = None,
        settings: SqliteSettings | None = None,
    ) -> Self:
        """Open a store; make it if the file is not there.

        Entries that a process spilled before it died are taken over first.

        Args:
            path: The file. Its folder has to be there.
            clock: Tells when a job is due, and measures.
            settings: Sync level and bounds.

        Raises:
            StoreUnavailableError: No folder, read-only, or locked for `settings.wait_ms`.
            StoreCorruptError: Not a Ringback store, or a damaged one.
            SchemaVersionError: Made by a newer Ringback.
        """
        if "\0" in str(path):
            raise UsageError("a path has no NUL")
        place = Path(path)
        clock = clock or SystemClock()
        settings = settings or SqliteSettings()
        writer = Writer(place, settings, clock)
        await writer.start()
        readers = Readers(place)
        readers.start()
        clearing = Clearing(place, clock, settings.wait_ms)
        cache = VectorCache(settings.vector_cache_bytes)
        store = cls(writer, readers, clearing, cache, clock, place)
        if await store._read(erasing.unscrubbed) is not None:
            clearing.clear()
        return store

    async def close(self) -> None:
        """Write what is not written, and end the threads; idempotent.

        Afterwards every verb raises `ClosedError`. Takes at most `settings.wait_ms` when
        the database cannot be written; what is spilled then is taken over at the next
        opening.

        Raises:
            StoreUnavailableError: Entries could be written nowhere; see their receipts.
        """
        try:  # readers first: whoever closes last tidies up the log, and readers cannot
            await self._clearing.close()
            await self._readers.close()
        finally:
            await self._writer.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def statistics(self) -> StoreStatistics:
        """How the store is doing; see docs/durability.md."""
        return self._writer.statistics()

    # Journal

    def record_nowait(self, entry: Entry) -> Receipt:
        """Hand an entry over and return at once; see `Journal`."""
        return self._writer.record(entry)

    async def flush(self) -> None:
        """Wait until all that was recorded so far is on disk."""
        await self._writer.run(None)

    async def call(self, tenant: str, call_id: str) -> CallView | None:
        """One call with all its turns in order of position; None when there is none."""
        require_ids(tenant=tenant, call_id=call_id)
        return await self._read(lambda db: journal.call(db, tenant, call_id))

    async def calls(
        self, tenant: str, *, caller_id: str | None = None, limit: int = 100
    ) -> tuple[Call, ...]:
        """Calls, newest first; of one caller, or of all for None."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        return await self._read(
            lambda db: journal.calls(db, tenant, caller_id=caller_id, limit=limit)
        )

    async def unsettled(
        self,
        tenant: str,
        *,
        caller_id: str | None,
        handles: Sequence[Handle],
        besides: str | None = None,
    ) -> tuple[CallView, ...]:
        """Calls of this caller, or with one of these handles, not settled, oldest first."""
        require_ids(tenant=tenant, caller_id=caller_id, besides=besides)
        wanted = checked_handles(handles)
        return await self._read(
            lambda db: journal.unsettled(
                db, tenant, caller_id=caller_id, handles=wanted, besides=besides
            )
        )

    async def abandoned(self, *, quiet_since: datetime, limit: int = 100) -> tuple[Call, ...]:
        """Calls without an end that have been quiet since then; see `Journal`."""
        require_limit(limit)
        since = in_utc("quiet_since", quiet_since)
        return await self._read(lambda db: journal.abandoned(db, quiet_since=since, limit=limit))

    async def is_behind(self) -> bool:
        """A spill file, this process's or another's, waits to be folded in."""
        return await self._read(lambda _: self._writer.has_spilled())

    async def decisions(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[DecisionMade, ...]:
        """What was decided about a profile's candidates, newest first; see `Journal`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        return await self._read(
            lambda db: deciding.made(db, tenant, caller_id=caller_id, limit=limit)
        )

    async def erasures(
        self, *, after: int = 0, limit: int = 1_000
    ) -> tuple[tuple[int, ErasureReceipt], ...]:
        """Receipts of what was forgotten, in order; see `Journal`."""
        require_limit(limit)
        receipts = await self._read(lambda db: erasing.erasures(db, after=after, limit=limit))
        if receipts:  # another process may have forgotten what is still in this cache
            self._cache.clear()
        return receipts

    # Store

    async def callers_of(self, tenant: str, handles: Sequence[Handle]) -> tuple[Caller, ...]:
        """Every caller that one of these handles leads to; see `Store`."""
        require_ids(tenant=tenant)
        wanted = checked_handles(handles)
        return await self._read(lambda db: callers.callers_of(db, tenant, wanted))

    async def caller(self, tenant: str, caller_id: str) -> Caller | None:
        """A caller by id."""
        require_ids(tenant=tenant, caller_id=caller_id)
        return await self._read(lambda db: callers.caller(db, tenant, caller_id))

    async def callers(self, tenant: str, *, limit: int = 100) -> tuple[Caller, ...]:
        """Callers, the one with the newest call first."""
        require_ids(tenant=tenant)
        require_limit(limit)
        return await self._read(lambda db: callers.callers(db, tenant, limit=limit))

    async def known(self, call: Call) -> Known:
        """What is kept of whoever is on the line, in one transaction; see `Store`."""
        asked = checked_call(call)
        return await self._read(
            lambda db: known.known(db, asked, is_behind=self._writer.has_spilled())
        )

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
        """Make a call a caller's, in one transaction; see `Store`."""
        require_ids(tenant=tenant, call_id=call_id, caller_id=caller_id)
        whose, now_at = (caller_id, assurance, checked_handles(handles)), self._clock.now_at()
        wanted = callers.Attachment(tenant, call_id, *whose, is_first=is_first)
        return await self._write(partial(callers.attach, wanted=wanted, now_at=now_at))

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
        require_ids(tenant=tenant, caller_id=caller_id, call_id=call_id)
        if caller_id is None and call_id is None:
            raise UsageError("facts of nobody were asked for: give a caller or a call")
        of = partial(facts.facts, tenant=tenant, caller_id=caller_id, call_id=call_id)
        return await self._read(partial(of, statuses=tuple(statuses), keys=keys))

    async def basis(
        self, tenant: str, *, caller_id: str | None = None, call_id: str | None = None
    ) -> Basis:
        """What decisions about a profile, or a call that is nobody's, rest on; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id, call_id=call_id)
        of = requested_basis(caller_id, call_id)
        return await self._read(lambda db: deciding.basis_of(db, tenant, of))

    async def settle(
        self,
        job: Job,
        decisions: Sequence[Decision],
        *,
        basis: Basis | None = None,
        then: JobKind | None = None,
    ) -> None:
        """Write the facts that were decided on and finish their job, in one transaction.

        A job that is finished, or that was leased again for more of its call, changes
        nothing: whoever has it now writes what there is to write.
        """
        checked, now_at = checked_decisions(job.tenant, decisions), self._clock.now_at()
        await self._write(
            lambda db: deciding.settle(db, job, checked, basis=basis, then=then, now_at=now_at)
        )

    async def put_summary(
        self, job: Job, summary: Summary | None, *, then: JobKind | None = None
    ) -> None:
        """Write a call's summary (None: there was nothing to say) and finish its job."""
        require_summary_job(job.kind)
        checked = checked_summary(job.tenant, job.call_id, summary)
        await self._write(lambda db: facts.put_summary(db, job, checked, then=then))

    async def note_use(self, tenant: str, call_id: str, use: ModelUse) -> None:
        """Add what a language model has cost a call; see `Store`."""
        require_ids(tenant=tenant, call_id=call_id)
        await self._write(lambda db: jobs.note_use(db, tenant, call_id, use))

    async def model_use(self, tenant: str, call_id: str) -> ModelUse:
        """What language models have cost a call so far."""
        require_ids(tenant=tenant, call_id=call_id)
        return await self._read(lambda db: jobs.model_use(db, tenant, call_id))

    async def summaries(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[Summary, ...]:
        """Summaries of a profile's calls, the newest call's first."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        return await self._read(
            lambda db: facts.summaries(db, tenant, caller_id=caller_id, limit=limit)
        )

    async def last_interaction(self, tenant: str, caller_id: str) -> Summary | None:
        """The newest call's summary; None before the first."""
        newest = await self.summaries(tenant, caller_id=caller_id, limit=1)
        return newest[0] if newest else None

    async def write(
        self, tenant: str, decisions: Sequence[Decision], *, basis: Basis | None = None
    ) -> None:
        """Write decisions that no job led to, in one transaction; see `Store`."""
        require_ids(tenant=tenant)
        checked, now_at = checked_decisions(tenant, decisions), self._clock.now_at()
        await self._write(
            lambda db: deciding.write(db, tenant, checked, basis=basis, now_at=now_at)
        )

    async def find(self, cue: Cue) -> tuple[Hit, ...]:
        """Full text over one profile's facts and turns; see `Store` and `Hit`."""
        checked = checked_cue(cue)
        return await self._read(lambda db: finding.find(db, checked))

    async def linked(
        self, tenant: str, caller_id: str, *, limit: int = 500, one_each: bool = False
    ) -> tuple[Fact, ...]:
        """Current facts that give names, or speak of or name others; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        read = facts.linked_each if one_each else facts.linked
        return await self._read(lambda db: read(db, tenant, caller_id, limit=limit))

    async def with_keys(
        self, tenant: str, caller_id: str, keys: Sequence[str], *, limit: int = 100
    ) -> tuple[Fact, ...]:
        """Current facts under these keys; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        require_limit(limit)
        wanted = tuple(keys)
        return await self._read(
            lambda db: facts.with_keys(db, tenant, caller_id, wanted, limit=limit)
        )

    async def heard(self, tenant: str, caller_id: str, *, names: Sequence[str]) -> dict[str, Heard]:
        """Which names a profile knows; see `Store`."""
        require_ids(tenant=tenant, caller_id=caller_id)
        asked = tuple(names)
        return await self._read(lambda db: finding.heard(db, tenant, caller_id, asked))

    async def forget(self, erasure: Erasure, *, basis: Basis | None = None) -> ErasureReceipt:
        """Delete, in one transaction; then clear files of it; see `Store`.

        Spill files are folded in first, so that what they hold is deleted with the rest.
        It takes a thread of its own, which locks the file: what is recorded meanwhile is
        spilled.
        """
        checked, now_at = checked_erasure(erasure), self._clock.now_at()
        await self._writer.run(lambda _: None, folds=True)
        try:
            return await self._clearing.forget(
                lambda db: erasing.forget(db, checked, basis=basis, now_at=now_at)
            )
        finally:  # also where it is deleted, but not cleared
            self._cache.clear()

    async def residue(self, words: Sequence[str]) -> int:
        """Count where any of these words still stand, in any file beside the store."""
        return await self._read(lambda _: residue(self._path, words))

    # Index

    async def unindexed(self, embedder: str, *, limit: int) -> tuple[Passage, ...]:
        """Passages without vectors of this embedder; see `Index`."""
        require_ids(embedder=embedder)
        require_limit(limit)
        return await steps.unindexed(self._read, self._write, embedder, limit=limit)

    async def put_vectors(self, embedder: str, made: Sequence[PassageVectors]) -> None:
        """Keep what an embedder made, in one transaction; see `Index`."""
        require_ids(embedder=embedder)
        checked_vectors(made)
        given = tuple(made)
        await self._write(lambda db: vectors.put(db, embedder, given))

    async def nearest(self, cue: VectorCue) -> tuple[Hit, ...]:
        """What is nearest to a cue in one profile; see `Index`."""
        checked = checked_vector_cue(cue)
        return await self._read(lambda db: nearest.nearest(db, checked, self._cache))

    async def indexed_with(self) -> Mapping[str, int]:
        """How many passages each embedder has done."""
        return await self._read(vectors.indexed_with)

    async def index_state(self, embedder: str) -> IndexState:
        """How far the index of one embedder is."""
        require_ids(embedder=embedder)
        return await self._read(lambda db: vectors.index_state(db, embedder))

    async def drop_index(self, *, besides: AbstractSet[str] = frozenset()) -> None:
        """Drop the vectors of all embedders but these; they are found no more at once."""
        await steps.drop_index(self._write, besides=besides)

    # Jobs

    async def lease(
        self, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)
    ) -> Job | None:
        """Take the job that is due longest; see `Jobs`.

        A job whose lease ended without an answer counts one attempt more.
        """
        require_lease(lease_ms)
        at, wanted = in_utc("now_at", now_at), tuple(kinds)
        return await self._write(
            lambda db: jobs.lease(db, now_at=at, lease_ms=lease_ms, kinds=wanted)
        )

    async def retry(self, job: Job, *, due_at: datetime, reason: str) -> None:
        """Put a job back after a failure; its attempts count one more."""
        at = in_utc("due_at", due_at)
        await self._write(lambda db: jobs.retry(db, job, due_at=at, reason=storable(reason)))

    async def give_up(self, job: Job, *, reason: str) -> None:
        """Move a job to the dead letters."""
        await self._write(lambda db: jobs.give_up(db, job, reason=storable(reason)))

    async def dead(self) -> tuple[Job, ...]:
        """Dead letters, oldest first."""
        return await self._read(jobs.dead)

    async def open_count(self, *, kinds: Sequence[JobKind] = tuple(JobKind)) -> int:
        """Jobs that are not done and not given up."""
        return await self._read(lambda db: jobs.open_count(db, kinds))

    async def sweep(self, *, now_at: datetime, words_before: datetime | None) -> Swept:
        """End what has expired, and let old words go; see `Jobs`."""
        at = in_utc("now_at", now_at)
        before = None if words_before is None else in_utc("words_before", words_before)
        return await steps.sweep(self._read, self._write, now_at=at, words_before=before)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._readers.run(work)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        result: T = await self._writer.run(work)
        return result
