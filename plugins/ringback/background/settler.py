"""Settles the journal: facts from turns, a summary from a call that has ended or was cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from ringback.background import closing
from ringback.background.deciding import decided_again
from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.clock import Clock
from ringback.core import summary
from ringback.errors import InferenceError, StoreError
from ringback.protocols import Generator, Jobs, Journal, Store
from ringback.records import (
    Assurance,
    Call,
    CallView,
    Decision,
    Fact,
    Job,
    JobKind,
    Status,
    Summary,
    content_id,
)
from ringback.schemas import Schema
from ringback.settings import MemorySettings

PROSE_TOKENS = 160  # three or four sentences


class Keeping(Journal, Store, Jobs, Protocol):
    """A back-end, whole."""


class Settler:
    """Takes jobs one at a time, from this process or left by another, and does them.

    Lives as long as its memory; `run` is its supervised worker. `on_settled` is told of each
    job that was done, on the loop. A job that fails is put back with growing pauses, and
    after `attempts` failures goes to the dead letters. Calls that nobody ended are ended when
    there is nothing else to do, but for those that `open_here` names.

    Args:
        keeping: Where memory is kept.
        schema: Which facts there may be.
        clock: Tells the time.
        settings: Leases, pauses, attempts.
        generator: Writes the prose of summaries; None keeps the plain ones.
        thinking: Where decisions are made, off the loop.
    """

    def __init__(
        self,
        keeping: Keeping,
        schema: Schema,
        clock: Clock,
        settings: MemorySettings,
        *,
        generator: Generator | None = None,
        thinking: Thinking,
    ) -> None:
        self._keeping = keeping
        self._schema = schema
        self._clock = clock
        self._settings = settings
        self._generator = generator
        self._thinking = thinking
        self.on_settled: Callable[[Job, tuple[Decision, ...]], None] | None = None
        self.open_here: Callable[[], Collection[tuple[str, str]]] = tuple  # tenant, call id
        self._has_work = asyncio.Event()
        self._held: dict[str, Job] = {}  # by id; tools settle beside the worker

    def wake(self) -> None:
        """Look for work now."""
        self._has_work.set()

    async def run(self) -> None:
        """Do jobs as they come, for ever."""
        while True:
            self._has_work.clear()
            if await self.do_one() or await self.close_abandoned():
                await asyncio.sleep(0)  # a back-end in memory never yields by itself
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.poll_ms / 1000):
                    await self._has_work.wait()

    async def do_one(self) -> bool:
        """Do the job that is due longest; False when none is."""
        job = await self._keeping.lease(
            now_at=self._clock.now_at(), lease_ms=self._settings.lease_ms
        )
        if job is None:
            return False
        self._held[job.id] = job
        try:
            decisions = await self._do(job)
        except (StoreError, InferenceError, ValueError, LookupError) as error:
            self._held.pop(job.id, None)
            await self._put_back(job, type(error).__name__)
            return True
        self._held.pop(job.id, None)
        if self.on_settled is not None:
            self.on_settled(job, decisions)
        return True

    async def close_abandoned(self) -> int:
        """End calls that nobody else will end; how many, 0 when there are none left."""
        quiet_since = self._clock.now_at() - timedelta(milliseconds=self._settings.abandoned_ms)
        return await closing.close_abandoned(
            self._keeping, quiet_since=quiet_since, open_here=self.open_here()
        )

    async def release(self) -> None:
        """Give back jobs whose work was cancelled, so that the next worker need not wait."""
        while self._held:
            _, job = self._held.popitem()
            await self._keeping.retry(job, due_at=self._clock.now_at(), reason="closed")

    async def _do(self, job: Job) -> tuple[Decision, ...]:
        if job.kind is JobKind.SUMMARISE:
            view = await self._keeping.call(job.tenant, job.call_id)
            await self._keeping.put_summary(job, await self._summary(view))
            return ()
        return await decided_again(lambda: self._extract(job))

    async def _extract(self, job: Job) -> tuple[Decision, ...]:
        view = await self._keeping.call(job.tenant, job.call_id)
        if view is None:
            await self._keeping.settle(job, ())
            return ()
        view = await self._attached(view)
        basis = await self._keeping.basis(
            job.tenant, caller_id=view.call.caller_id, call_id=job.call_id
        )
        decisions = await self._decide(view, await self._known(view.call))
        await self._keeping.settle(job, decisions, basis=basis)
        return decisions

    async def _decide(self, view: CallView, known: Sequence[Fact]) -> tuple[Decision, ...]:
        recorded_at = self._clock.now_at()
        return await self._thinking.about(lambda: read_call(view, known, self._schema, recorded_at))

    async def _known(self, call: Call) -> tuple[Fact, ...]:
        """Of every status: what was withdrawn or replaced is not to be taken up again."""
        statuses = tuple(Status)
        if call.caller_id is not None:
            return await self._keeping.facts(
                call.tenant, caller_id=call.caller_id, statuses=statuses
            )
        return await self._keeping.facts(call.tenant, call_id=call.id, statuses=statuses)

    async def _attached(self, view: CallView) -> CallView:
        """The call as somebody's; a new caller's when its handle is nobody's yet.

        Nobody is made of a call in which the caller said nothing, nor of a handle that
        leads to several people.
        """
        call = view.call
        if call.caller_id is not None or not call.handles:
            return view
        if not summary.has_content(view.turns):
            return view
        known = await self._keeping.caller_of(call.tenant, call.handles)
        first = call.handles[0]
        caller_id = known.id if known else content_id(call.tenant, first.kind, first.value)
        if known is None and await self._keeping.caller(call.tenant, caller_id) is not None:
            return view
        await self._keeping.attach(
            call.tenant,
            call.id,
            caller_id=caller_id,
            assurance=Assurance.CLAIMED,
            handles=call.handles,
        )
        return replace(view, call=replace(call, caller_id=caller_id, assurance=Assurance.CLAIMED))

    async def _summary(self, view: CallView | None) -> Summary | None:
        if view is None:
            return None
        facts = await self._keeping.facts(view.call.tenant, call_id=view.call.id)
        plain = summary.summarise(view, facts)
        if plain is None or self._generator is None:
            return plain
        try:
            async with asyncio.timeout(self._settings.prose_ms / 1000):
                text = await self._generator.write(
                    summary.prose_instruction(), plain.text, max_tokens=PROSE_TOKENS
                )
        except (InferenceError, TimeoutError):
            return plain
        return summary.accept_prose(text, view, plain)

    async def _put_back(self, job: Job, reason: str) -> None:
        if job.attempts + 1 >= self._settings.attempts:
            await self._keeping.give_up(job, reason=reason)
            return
        pause_ms = self._settings.first_pause_ms * 2**job.attempts
        due_at = self._clock.now_at() + timedelta(milliseconds=pause_ms)
        await self._keeping.retry(job, due_at=due_at, reason=reason)
