"""Retrieves for the next turn, beside the call: one cue at a time, the newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from ringback.background import retriever
from ringback.background.retriever import Question
from ringback.background.supervisor import Supervisor
from ringback.background.workplace import Workplace
from ringback.core import briefing as rendering, staging
from ringback.core.briefing import GUARD
from ringback.core.recall.rendering import Audience, render_recall
from ringback.core.staging import SpokenCue, Staged, StagingCounts
from ringback.errors import InferenceError, StoreError
from ringback.protocols import Embedder
from ringback.recollection import Recall, Vector
from ringback.records import Briefing, Call

NEWS = 2  # topical terms that a find must have which the briefing has not
FOUND = 3  # things at most: few and right, for a small model and a short prompt


class Counted(Protocol):
    """Where it is counted what became of cues."""

    counts: StagingCounts


class LiveEnd(Protocol):
    """The live call that is retrieved for."""

    call: Call
    briefing: Briefing
    told: str
    """The briefing, in its words."""

    @property
    def shelf(self) -> Counted:
        """Where what becomes of cues is counted."""
        ...

    def take_staged(self, staged: Staged) -> None:
        """Put an answer in place."""
        ...

    def note_miss(self) -> None:
        """The cue could not be looked up."""
        ...

    def drop_staged(self) -> None:
        """The topic has moved."""
        ...


@dataclass(frozen=True, slots=True)
class Looking:
    """What all calls of a memory retrieve with."""

    at: Workplace
    embedder: Embedder | None
    has_written_questions: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked up, and what was known of the call by then."""

    cue: SpokenCue
    call: Call
    briefing: Briefing
    told: str


class Stager:
    """Retrieves for one call.

    Lives as long as its call. A cue that comes while another is looked up waits, and only
    the newest of those: what is found late is staged for a later turn. Nothing here is ever
    waited for by the call; what fails is counted and left.

    Args:
        looking: Where and with what to look.
        live: The call.
        supervisor: Owns the work.
    """

    def __init__(self, looking: Looking, live: LiveEnd, supervisor: Supervisor) -> None:
        self._looking = looking
        self._live = live
        self._supervisor = supervisor
        self._next: SpokenCue | None = None
        self._is_running = False
        self._vector: Vector | None = None  # of the last cue
        self.on_busy: Callable[[bool], None] | None = None
        """Is told when looking begins, and when nothing is left to look up."""

    def cue(self, cue: SpokenCue) -> None:
        """Look this up as soon as what is looked up now is done."""
        if self._live.call.caller_id is None:
            return  # nobody's memory
        self._next = cue
        if not self._is_running:
            self._set_running(True)
            self._supervisor.start_once(self._work, name="stager")

    def forget(self) -> None:
        """Drop what waits, and what the last cue was about; what is looked up now is not taken."""
        self._next, self._vector = None, None

    async def _work(self) -> None:
        try:
            while (cue := self._next) is not None:
                self._next = None
                await self._stage(cue)
        finally:
            self._set_running(False)

    def _set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        if self.on_busy is not None:
            self.on_busy(is_running)

    async def _stage(self, cue: SpokenCue) -> None:
        live = self._live
        asked = _Asked(cue, live.call, live.briefing, live.told)
        if live.call.caller_id is None:
            return
        await self._note_drift(cue)
        try:
            recall = await self._recalled(cue, live.call, live.call.caller_id)
        except StoreError:
            self._live.note_miss()
            return
        thinking = self._looking.at.thinking
        staged = await thinking.over(live.briefing.facts, lambda: self._staged(asked, recall))
        if live.briefing is not asked.briefing:  # for somebody else, or of before a change
            return  # and it is asked again with the new briefing
        if staged is not None:
            self._live.take_staged(staged)
        elif recall.missed:
            self._live.note_miss()
        else:
            self._live.shelf.counts.empty += 1

    async def _recalled(self, cue: SpokenCue, call: Call, caller_id: str) -> Recall:
        at = self._looking.at
        question = Question(
            cue.text,
            call.tenant,
            caller_id,
            at.clock.now_at(),
            FOUND * 2,  # some are this call's own
            at.settings.staging_ms,
            zone=call.zone,
            has_written_questions=self._looking.has_written_questions,
        )
        recall = await retriever.recall(at.keeping, question, at.schema, self._looking.embedder)
        # What this call said the model has read itself.
        found = [one for one in recall.found if one.call_id != call.id]
        return replace(recall, found=tuple(found[:FOUND]))

    def _staged(self, asked: _Asked, recall: Recall) -> Staged | None:
        """In words, as far as it is news; a plain decision that may be made in any thread."""
        at, cue, briefing, zone = self._looking.at, asked.cue, asked.briefing, asked.call.zone
        now_at = at.clock.now_at()
        known = staging.topical(asked.told)
        new = [one for one in recall.found if len(staging.topical(one.text) - known) >= NEWS]
        facts = (*briefing.facts, *briefing.withheld)
        audience = Audience(briefing.assurance, zone, cue.text, facts)
        text = render_recall(
            Recall(tuple(new)),
            audience,
            now_at=now_at,
            schema=at.schema,
            max_tokens=at.settings.staged_tokens,
        )
        if text:
            words = " ".join([cue.text, *(one.text for one in new)])
            used = tuple(one.fact.id for one in new if one.fact is not None)
            return Staged(cue, tuple(text.splitlines()), staging.topical(words) | cue.topic, used)
        if recall.found or recall.missed:
            return None  # known, and told already; or not looked at
        summary = rendering.render_last_call(
            briefing, now_at=now_at, zone=zone, max_tokens=at.settings.staged_tokens
        )
        if not summary:
            return None
        return Staged(cue, (GUARD, summary), staging.topical(summary), is_summary=True)

    async def _note_drift(self, cue: SpokenCue) -> None:
        """Discard what is staged when the topic has moved, before the new answer is there."""
        embedder = self._looking.embedder
        if embedder is None or not embedder.reads(cue.text):
            return
        vector: Vector | None = None
        with suppress(TimeoutError, InferenceError):
            async with asyncio.timeout(self._looking.at.settings.staging_ms / 1000):
                vector = (await retriever.directions([cue.text], embedder))[0]
        if vector is None:
            return
        before, self._vector = self._vector, vector
        if before is not None and staging.drifted(before, vector, embedder.likeness_from):
            self._live.drop_staged()
