"""Settles the journal: facts from turns, a summary from a call that has ended or was cut off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta

from ringback.background import closing, reading, recognising
from ringback.background.job_runner import JobRunner
from ringback.background.model_reader import ModelReader
from ringback.background.prose_writer import ProseWriter
from ringback.background.workplace import Workplace
from ringback.core import summary
from ringback.core.again import decided_again
from ringback.records import (
    OF_RULES,
    Call,
    CallView,
    Decision,
    Fact,
    Job,
    JobKind,
    Status,
    Summary,
)

Recognised = Callable[[str, str, int, bool], None]
"""Told whose a call is was decided: tenant, id, the last turn heeded, whether it
is another's than was thought."""

PROSE_TOKENS = 160  # three or four sentences


class Settler:
    """Does the jobs that settle a call: facts by the rules, and the summary.

    Lives as long as its memory; `jobs` takes them. Calls that nobody ended are ended when
    there is nothing else to do, but for those that `open_here` names.

    Args:
        at: Where it works.
        writer: Writes the prose of summaries; without a model they stay plain.
        reader: Says whether a language model is to read on; None: there is none.
    """

    def __init__(self, at: Workplace, *, writer: ProseWriter, reader: ModelReader | None) -> None:
        self._at = at
        self._keeping = at.keeping
        self._writer = writer
        self._reader = reader
        self.open_here: Callable[[], Collection[tuple[str, str]]] = tuple  # tenant, call id
        self.on_recognised: Recognised = lambda _tenant, _call_id, _heeded_to, _is_changed: None
        self.jobs = JobRunner(
            at.keeping,
            at.clock,
            at.settings,
            kinds=OF_RULES,
            lease_ms=at.settings.lease_ms,
            do=self._do,
        )
        self.jobs.when_idle = self.close_abandoned

    async def close_abandoned(self) -> int:
        """End calls that nobody else will end; how many, 0 when there are none left."""
        quiet_since = self._at.clock.now_at() - timedelta(
            milliseconds=self._at.settings.abandoned_ms
        )
        return await closing.close_abandoned(
            self._keeping, quiet_since=quiet_since, open_here=self.open_here()
        )

    async def _do(self, job: Job) -> tuple[Decision, ...]:
        if job.kind is JobKind.SUMMARISE:
            view = await self._keeping.call(job.tenant, job.call_id)
            then = JobKind.DEEPEN if self._reader is not None and view is not None else None
            await self._keeping.put_summary(job, await self._summary(view), then=then)
            return ()
        return await decided_again(lambda: self._extract(job))

    async def _extract(self, job: Job) -> tuple[Decision, ...]:
        view = await self._keeping.call(job.tenant, job.call_id)
        if view is None:
            await self._keeping.settle(job, ())
            return ()
        recognised = await recognising.recognised(self._at, view)
        if not recognised.is_in_doubt:
            heeded_to = max((turn.position for turn in view.turns), default=-1)
            is_changed = recognised.view is None or recognised.view.call != view.call
            self.on_recognised(job.tenant, job.call_id, heeded_to, is_changed)
        if recognised.view is None:  # its extraction has come due again
            return ()
        view = recognised.view
        basis = await self._keeping.basis(
            job.tenant, caller_id=view.call.caller_id, call_id=job.call_id
        )
        decisions = await self._decide(view)
        then = None
        if self._reader is not None and await self._reader.is_due(view):
            then = JobKind.DEEPEN
        await self._keeping.settle(job, decisions, basis=basis, then=then)
        return decisions

    async def _decide(self, view: CallView) -> tuple[Decision, ...]:
        schema, thinking, call = self._at.schema, self._at.thinking, view.call
        found = await thinking.about(lambda: reading.found_in(view, schema))
        if not found.candidates:
            return ()
        known, now_at = await self._known(call, found.keys), self._at.clock.now_at()
        return await thinking.about(lambda: reading.decided(found, call, known, schema, now_at))

    async def _known(self, call: Call, keys: Sequence[str]) -> tuple[Fact, ...]:
        """Of every status: what was withdrawn or replaced is not to be taken up again."""
        statuses = tuple(Status)
        if call.caller_id is not None:
            return await self._keeping.facts(
                call.tenant, caller_id=call.caller_id, statuses=statuses, keys=keys
            )
        return await self._keeping.facts(call.tenant, call_id=call.id, statuses=statuses, keys=keys)

    async def _summary(self, view: CallView | None) -> Summary | None:
        if view is None:
            return None
        facts = await self._keeping.facts(view.call.tenant, call_id=view.call.id)
        about = self._at.thinking.about  # an hour's talk takes longer than sound may stand still
        plain = await about(lambda: summary.summarise(view, facts))
        if plain is None:
            return None
        text = await self._writer.written(
            summary.prose_instruction(), plain.text, max_tokens=PROSE_TOKENS
        )
        if not text:
            return plain
        return await about(lambda: summary.accept_prose(text, view, plain))
