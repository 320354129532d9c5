"""Memory and the call handle: what an application opens, rings, identifies, ends, closes.

async with await Memory.open("sqlite:///memory.db") as memory:
call = memory.ring(tenant="acme", handles=[("phone", "+15551234567")])
call.observe(Turn(Role.CALLER, "My account number is 4821.", at=now))
request.insert(call.context().block)
await call.end()
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from ringback.background.compressor import Compressor
from ringback.background.indexer import Indexer
from ringback.background.invalidation import Invalidation
from ringback.background.job_runner import JobRunner
from ringback.background.model_reader import ModelReader
from ringback.background.prose_writer import ProseWriter
from ringback.background.question_writer import QuestionWriter
from ringback.background.settler import Settler
from ringback.background.stager import Looking
from ringback.background.supervisor import Supervisor
from ringback.background.sweeping import Sweeper
from ringback.background.thinking import Thinking
from ringback.background.workplace import Keeping, Models, Workplace
from ringback.background.yielding import GiveWay
from ringback.claims import HandleLike, LookUp, checked_id, normalised
from ringback.clock import Clock, SystemClock
from ringback.core.phone_numbers import checked_region
from ringback.core.recall.asked import read_question
from ringback.core.staging import StagingCounts
from ringback.erasure import Erased, ErasureReceipt
from ringback.errors import ClosedError, StoreError, UsageError
from ringback.handle import CallHandle
from ringback.moves import Move
from ringback.offline.forgetting import forget_nobodys_call
from ringback.profile import Ground, Profile
from ringback.profile_moves import ProfileMoves
from ringback.protocols import (
    Embedder,
    Filler,
    Generator,
    Swept,
)
from ringback.recollection import IndexState
from ringback.records import (
    OF_RULES,
    Call,
    Decision,
    Job,
    JobKind,
    ProfileKind,
    content_id,
)
from ringback.schemas import Schema
from ringback.schemas.general import GENERAL
from ringback.schemas.support import SUPPORT
from ringback.settings import MemorySettings
from ringback.stores import open_store
from ringback.stores.mem0 import Mem0
from ringback.switchboard import Switchboard

BREATH_S = 0.005

Listener = Callable[[Job, tuple[Decision, ...]], None]


class Memory:
    """Where callers are remembered.

    Opened once per process, closed once, on one loop. `ring()` is a plain function; all
    else that takes time happens in supervised workers.
    """

    def __init__(
        self,
        keeping: Any,
        *,
        schema: Schema,
        clock: Clock,
        settings: MemorySettings,
        models: Models,
        look_up: LookUp | None = None,
    ) -> None:
        self._keeping: Keeping = keeping
        self._closable = keeping
        self._schema = schema
        self._clock = clock
        self.settings = settings
        checked_region(settings.region)
        self._supervisor = Supervisor()
        self._thinking = Thinking()
        give_way = GiveWay(settings.yield_ms)
        at = Workplace(keeping, schema, clock, settings, self._thinking, give_way)
        self._reader = ModelReader(at, models.extractor) if models.extractor is not None else None
        self._embedder = models.embedder
        self._indexer = Indexer(at, models.embedder) if models.embedder is not None else None
        self._writer = ProseWriter(at, models.generator)
        self._compressor = Compressor(at, self._writer)
        self._questions = None
        if models.embedder is not None and models.questions is not None:
            self._questions = QuestionWriter(at, models.embedder, models.questions)
        self._settler = Settler(at, writer=self._writer, reader=self._reader)
        self._runners = {"settler": self._settler.jobs}
        if self._reader is not None:
            self._runners["reader"] = JobRunner(
                keeping,
                clock,
                settings,
                kinds=(JobKind.DEEPEN,),
                lease_ms=settings.reading_lease_ms,
                do=self._reader.read,
            )
        for runner in self._runners.values():
            runner.on_done = self._hear
        looking = Looking(at, models.embedder, self._questions is not None)
        self._switchboard = Switchboard(
            looking,
            self._supervisor,
            wake=self._settler.jobs.wake,
            compress=self._compressor.compress,
            look_up=look_up,
        )
        self._settler.open_here = self._switchboard.open_calls
        self._settler.on_recognised = self._switchboard.recognised
        self.moves = ProfileMoves(
            keeping, schema, clock, region=settings.region, on_moved=self._moved
        )
        """Makes one profile of two, or two of one, and puts that back."""
        self._invalidation = Invalidation(keeping, settings, self._erased)
        self._sweeper = Sweeper(keeping, clock, settings)
        self._listeners: list[Listener] = []
        self._rung = 0
        self._is_closed = False

    @classmethod
    async def open(  # noqa: PLR0913 - an application names what it has, and no more
        cls,
        url: str,
        *,
        schema: Schema = SUPPORT,
        clock: Clock | None = None,
        settings: MemorySettings | None = None,
        generator: Generator | None = None,
        extractor: Filler | None = None,
        embedder: Embedder | None = None,
        question_writer: Filler | None = None,
        service: Mem0 | None = None,
        identify: LookUp | None = None,
    ) -> Self:
        """Open a memory and take up what earlier processes left unsettled.

        Args:
            url: `sqlite:///PATH` (three slashes and a path, relative or absolute), or
                `memory:` for one that ends with this object.
            schema: Which facts there may be.
            clock: Tells the time; the machine's where it is None.
            settings: Bounds; the defaults where it is None.
            generator: Writes the prose of summaries; None keeps the plain ones.
            extractor: Reads calls after the rules have, by `settings.reading_policy` and
                within its caps; None leaves it at the rules.
            embedder: Turns what is kept into vectors, beside the calls; None leaves recall at
                keys and full text. Another one than last time embeds everything anew.
            question_writer: Writes questions that memories of ended calls answer, within the
                caps of reading, to be embedded. None leaves it at ready ones for facts.
            identify: Asks the application's own systems who is calling, beside the call: when it
                rings with a handle, and when its caller has said something new of themselves.
            service: Finds by meaning in an embedder's place, and is sent what is kept: `Mem0`.

        Raises:
            UsageError: The URL is of another kind, or there is a `question_writer` with a `service`.
            StoreUnavailableError: Locked, read-only, full, or its folder is missing.
            StoreCorruptError: The file is no store.
            SchemaVersionError: A newer Ringback made it.
        """
        if service is not None and question_writer is not None:
            raise UsageError("no question_writer with a service: it is sent no such questions")
        keeping: Any = await open_store(url, clock := clock or SystemClock())
        if service is not None:
            keeping, embedder = service.over(keeping), service.embedder
        memory = cls(
            keeping,
            schema=schema,
            clock=clock,
            settings=settings or MemorySettings(),
            models=Models(generator, extractor, embedder, question_writer),
            look_up=identify,
        )
        await memory._start()
        return memory

    async def _start(self) -> None:
        await self._invalidation.look()
        # The first question compiles what questions are read by: not during a call.
        now_at = self._clock.now_at()
        await self._thinking.about(lambda: read_question("", self._schema, at=now_at))
        workers = {name: runner.run for name, runner in self._runners.items()}
        workers |= {"invalidation": self._invalidation.run, "sweeper": self._sweeper.run}
        workers |= {"compressor": self._compressor.run}
        for name, worker in (("indexer", self._indexer), ("questions", self._questions)):
            if worker is not None:
                workers[name] = worker.run
        for name, work in workers.items():
            self._supervisor.start(work, name=name)

    def ring(
        self,
        *,
        tenant: str,
        handles: Iterable[HandleLike] = (),
        call_id: str | None = None,
        zone: str = "UTC",
        at: datetime | None = None,
    ) -> CallHandle:
        """Tell of a call as soon as it is known, and start its preload; returns at once.

        Args:
            tenant: Whose callers these are.
            handles: Claims of who is calling, e.g. `("phone", "+1 555 123 4567")`; those
                that say nothing (withheld numbers) are left out.
            call_id: The host's id of the call; one is made where it is None. A call that is
                open here is handed out again, e.g. to its media after a webhook rang; one whose
                earlier line is gone goes on.
            zone: The caller's time zone, an IANA name.
            at: When the call began; now where it is None.

        Raises:
            UsageError: The tenant or the id can be none, a call of this id goes on, `at` has no
                time zone, or a handle is none.
            ClosedError: The memory is closed.
        """
        if self._is_closed:
            raise ClosedError("this memory is closed: open another one")
        checked_id("a call's tenant", tenant)
        if call_id is not None:
            checked_id("a call's id", call_id)
        started_at = at or self._clock.now_at()
        self._rung += 1
        made = content_id(tenant, started_at.isoformat(), self._rung, id(self))
        call = Call(
            id=made if call_id is None else call_id,
            tenant=tenant,
            started_at=started_at,
            zone=zone,
            handles=normalised(handles, self.settings.region),
        )
        return self._switchboard.connect(call, may_go_on=call_id is not None)

    def profile(
        self, tenant: str, name: str, kind: ProfileKind | str = ProfileKind.CALLER
    ) -> Profile:
        """What is kept about one caller, agent or team: to read, correct, retire, forget.

        Nothing is read or made yet. Callers are kept by this memory's schema, agents and
        teams by `ringback.schemas.general`.

        Args:
            tenant: Whose.
            name: A caller's id, or an agent's or a team's name.
            kind: `caller`, `agent` or `team`.

        Raises:
            UsageError: The tenant or the name is empty, the kind is unknown, or a caller's
                id looks like an agent's or a team's.
            ClosedError: The memory is closed.
        """
        if self._is_closed:
            raise ClosedError("this memory is closed: open another one")
        if kind not in tuple(ProfileKind):
            raise UsageError(f"no profile kind {kind!r}; there are {', '.join(ProfileKind)}")
        ground = Ground(
            self._keeping,
            self._clock,
            self._embedder,
            self._questions is not None,
            self._writer,
            self._settler.jobs.wake,
            self._changed,
            self._erased,
        )
        schema = self._schema if kind == ProfileKind.CALLER else GENERAL
        return Profile(ground, schema, tenant=tenant, kind=ProfileKind(kind), name=name)

    async def forget_call(self, tenant: str, call_id: str) -> Erased:
        """Delete a call that is nobody's, e.g. one from a withheld number, with all it said.

        A caller's call is forgotten through their profile; then nothing they said elsewhere
        is left out of the second look.

        Raises:
            UsageError: There is no such call, or it is somebody's.
            StoreError: It could not be deleted; then nothing was.
        """
        view = await self._keeping.call(tenant, call_id)
        if view is None:
            raise UsageError(f"there is no call {call_id} of this tenant")
        if view.call.caller_id is not None:
            raise UsageError(f"call {call_id} is {view.call.caller_id}'s: forget it by profile()")
        erased = await forget_nobodys_call(self._keeping, view, at=self._clock.now_at())
        self._erased(erased.receipt)
        return erased

    def on_settled(self, listener: Listener) -> None:
        """Have each job that was done, and what was decided in it, told on the loop."""
        self._listeners.append(listener)

    @property
    def keeping(self) -> Keeping:
        """The back-end, for reading what is kept."""
        return self._keeping

    def health(self) -> dict[str, str]:
        """Workers that failed, each with how often and how last; empty when all is well.

        Jobs that failed are tried again by themselves; see `Jobs.dead` for those given up.
        Under `embedder` is one that does not answer now, see `index_state()` for what waits.
        """
        failures = self._supervisor.failures.items()
        failed = {name: f"{f.count} x {f.reason}" for name, f in failures}
        trouble = self._indexer.trouble if self._indexer is not None else ""
        return failed | {"embedder": trouble} if trouble else failed

    def reading_counts(self) -> dict[str, int]:
        """What a language model was asked and how it answered, since this memory was opened.

        Empty without one; see `ModelReader.counts` and `QuestionWriter.counts`. What it cost is
        kept by call: `keeping.model_use()`.
        """
        read = self._reader.counts if self._reader is not None else {}
        written = self._questions.counts if self._questions is not None else {}
        return read | {f"questions_{name}": count for name, count in written.items()}

    def staging_counts(self) -> StagingCounts:
        """What became of what was retrieved for turns, over all calls since this was opened."""
        return self._switchboard.counts()

    async def settle(self) -> None:
        """Do all jobs that are open, also of calls that were cut off; for tools and tests.

        Gives up after `settle_ms`.
        """
        await self._keeping.flush()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.settle_ms / 1000):
                while await self._settler.close_abandoned() or await self._open_count():
                    has_done = [await runner.do_one() for runner in self._runners.values()]
                    await asyncio.sleep(0 if any(has_done) else BREATH_S)  # or another has it

    async def indexed(self) -> bool:
        """Embed whatever waits for it, now; False where something does after `settle_ms`.

        For tools and tests. Without an embedder nothing waits. Questions are written as well,
        as far as there is time.
        """
        if self._indexer is None:
            return True
        await self._keeping.flush()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.settle_ms / 1000):
                await self._indexer.finish()
                if self._questions is not None:
                    await self._questions.finish()
        return not (await self._indexer.state()).waiting

    async def index_state(self) -> IndexState:
        """How much the embedder has done, and how much waits; nothing of either without one."""
        return await self._indexer.state() if self._indexer is not None else IndexState()

    async def reindex(self) -> None:
        """Drop all vectors; where there is an embedder, it makes them again beside the calls."""
        if self._indexer is not None:
            await self._indexer.drop()
        else:
            await self._keeping.drop_index()

    async def _open_count(self) -> int:
        kinds = OF_RULES if self._reader is None else tuple(JobKind)
        return await self._keeping.open_count(kinds=kinds)

    async def sweep(self) -> Swept:
        """Mark what has expired and delete words that are too old, now; see `sweep_ms`.

        Raises:
            StoreError: It could not be written.
        """
        return await self._sweeper.sweep()

    async def close(self) -> None:
        """End open calls within their drain, stop the workers, close the back-end. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        await self._switchboard.end_all()
        await self._supervisor.close()
        with suppress(StoreError):
            for runner in self._runners.values():
                await runner.release()
        self._thinking.close()
        await self._closable.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _wake_indexer(self) -> None:
        if self._indexer is not None:
            self._indexer.wake()

    def _erased(self, receipt: ErasureReceipt) -> None:
        self._wake_indexer()
        self._switchboard.erased(receipt)

    def _moved(self, move: Move) -> None:
        self._wake_indexer()
        self._settler.jobs.wake()
        self._switchboard.moved(move)

    def _changed(self, tenant: str, profile_id: str) -> None:
        self._wake_indexer()
        self._switchboard.changed(tenant, profile_id)

    def _hear(self, job: Job, decisions: tuple[Decision, ...]) -> None:
        self._wake_indexer()
        self._switchboard.settled(job)
        for listener in self._listeners:
            listener(job, decisions)
