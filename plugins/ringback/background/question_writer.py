"""Has a language model write questions that memories answer, and embeds those, beside the calls."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import numpy as np

from ringback.background.refusals import Refusals
from ringback.background.workplace import Workplace
from ringback.core.modelled.questions import (
    ANSWER_TOKENS,
    INSTRUCTION,
    Note,
    note_of,
    shape,
    written,
)
from ringback.errors import InferenceError, StoreError
from ringback.model_ports import hold_of
from ringback.protocols import Embedder, Filler
from ringback.recollection import Facet, Passage, PassageVectors, Vector
from ringback.records import ModelUse
from ringback.schemas.general import GENERAL

LOOKED_AT = 50  # passages at first: those of calls that go on wait
MOST_LOOKED_AT = 2_000  # behind so many that wait, older ones wait as well
LONGEST_PAUSE_MS = 30_000  # between attempts while a model fails


def question_index(embedder: str) -> str:
    """Under which name the vectors of written questions are kept, beside the embedder's own."""
    return f"{embedder}+questions"


class QuestionWriter:
    """Gives memories of calls that have ended three to five questions by a language model.

    Lives as long as its memory; `run` is its supervised worker. Only vectors are kept of the
    questions, in an index of their own that can be dropped and made again; what is forgotten
    or superseded leaves it. What it costs counts towards the caps of its call, and a memory
    beyond them is left without. One that a model refuses by itself again and again is left
    alone until the next start.

    Args:
        at: Where it works; replies have priority, its settings have the caps.
        embedder: Turns questions into vectors.
        model: Writes them.
    """

    def __init__(self, at: Workplace, embedder: Embedder, model: Filler) -> None:
        self._at = at
        self._keeping = at.keeping
        self._embedder = embedder
        self._model = model
        self._name = question_index(embedder.name)
        self._turn = asyncio.Lock()  # tools work beside the worker
        self._refusals = Refusals(at.settings.attempts)
        self._failures = 0
        self.counts = {"requests": 0, "written": 0, "capped": 0}
        """Since it was made: what was asked, what came of it, what was not asked."""

    async def run(self) -> None:
        """Write for what comes, for ever."""
        while True:
            await self.finish()
            first_ms = self._at.settings.first_pause_ms if self._failures else 0
            pause_ms = max(self._at.settings.poll_ms, first_ms * 2 ** min(self._failures, 16))
            await asyncio.sleep(min(pause_ms, LONGEST_PAUSE_MS) / 1000)

    async def finish(self) -> None:
        """Write until nothing waits, or a model or the store does not answer."""
        with suppress(StoreError):
            try:
                while await self.do_one():
                    self._failures = 0
            except InferenceError:
                self._failures += 1

    async def do_one(self) -> bool:
        """Write for one memory; False where none waits.

        Raises:
            InferenceError: A model did not answer; nothing is lost.
            StoreError: It could not be read or written.
        """
        async with self._turn:
            passage = await self._next()
            if passage is not None:
                await self._write(passage)
        return passage is not None

    async def _next(self) -> Passage | None:
        """The newest memory of a call that has ended, as far as those that go on let it be seen."""
        limit = LOOKED_AT + len(self._refusals)
        going_on: dict[tuple[str, str], bool] = {}
        while True:
            found = await self._keeping.unindexed(self._name, limit=limit)
            for passage in found:
                call = (passage.tenant, passage.call_id)
                if call not in going_on:
                    going_on[call] = await self._goes_on(passage)
                if not going_on[call] and not self._refusals.has_left(passage):
                    return passage
            if len(found) < limit or limit > MOST_LOOKED_AT:
                return None
            limit *= 4

    async def _write(self, passage: Passage) -> None:
        try:
            vectors = await self._vectors(await self._questions(passage))
        except InferenceError as error:
            if not error.retryable:
                self._refusals.note(passage)
            raise
        made = PassageVectors(passage, tuple((Facet.QUESTION, one) for one in vectors))
        await self._keeping.put_vectors(self._name, [made])

    async def _goes_on(self, passage: Passage) -> bool:
        """Its call has not ended: reading it has the first right to its caps."""
        view = await self._keeping.call(passage.tenant, passage.call_id)
        return view is not None and view.call.ended_at is None

    async def _questions(self, passage: Passage) -> tuple[str, ...]:
        schema = self._at.schema
        if passage.fact is not None and schema.field(passage.fact.key) is None:
            schema = GENERAL  # of an agent or a team
        note = note_of(passage, schema)
        if note is None:
            return ()
        if not await self._may_ask(passage):
            self.counts["capped"] += 1
            return ()
        return await self._asked(passage, note)

    async def _asked(self, passage: Passage, note: Note) -> tuple[str, ...]:
        completion = await self._at.give_way.beside(
            lambda: self._model.fill(
                INSTRUCTION, note.text, shape=shape(), max_tokens=ANSWER_TOKENS
            ),
            hold=hold_of(self._model),
        )
        cost = ModelUse(1, completion.prompt_tokens, completion.completion_tokens)
        await self._keeping.note_use(passage.tenant, passage.call_id, cost)
        questions = written(completion.text, note)
        self.counts["requests"] += 1
        self.counts["written"] += len(questions)
        return tuple(one for one in questions if self._embedder.reads(one))

    async def _may_ask(self, passage: Passage) -> bool:
        use = await self._keeping.model_use(passage.tenant, passage.call_id)
        return self._at.settings.allows(use)

    async def _vectors(self, questions: tuple[str, ...]) -> list[Vector]:
        if not questions:
            return []
        made = await self._at.give_way.beside(lambda: self._embedder.embed(list(questions)))
        return [one for one in made if np.all(np.isfinite(one)) and np.any(one)]
