"""Has what is kept embedded, beside the calls: facts, turns, and turns with the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from ringback.background.question_writer import question_index
from ringback.background.refusals import Refusals
from ringback.background.workplace import Workplace
from ringback.core.passages import passage_texts
from ringback.errors import InferenceError
from ringback.protocols import Embedder
from ringback.recollection import Facet, IndexState, Passage, PassageVectors, Vector
from ringback.schemas.general import GENERAL

BATCH = 8  # passages: some thirty texts, that a reply breaks off and that are begun again
LONGEST_PAUSE_MS = 30_000  # between attempts while the embedder fails


class Indexer:
    """Embeds whatever has no vectors of its embedder, the newest first.

    Lives as long as its memory; `run` is its supervised worker. Nothing waits for it: what
    has no vectors yet is found by its text. While the embedder fails it is asked again after
    growing pauses; a passage that it refuses by itself again and again is left alone until
    the next start. When all is done for the first time, vectors of other embedders go.

    Args:
        at: Where it works; replies have priority.
        embedder: Turns texts into vectors.
    """

    def __init__(self, at: Workplace, embedder: Embedder) -> None:
        self._at = at
        self._index = at.keeping
        self._embedder = embedder
        self._has_work = asyncio.Event()
        self._turn = asyncio.Lock()  # tools work beside the worker
        self._has_begun = self._has_ended = False
        self._refusals = Refusals(at.settings.attempts)
        self._failures = 0
        self._reason = ""

    @property
    def trouble(self) -> str:
        """How often the embedder failed since it last answered, and how; empty when it does."""
        return f"{self._failures} x {self._reason}" if self._failures else ""

    def wake(self) -> None:
        """Look for work now."""
        self._has_work.set()

    async def run(self) -> None:
        """Embed what comes, for ever."""
        while True:
            self._has_work.clear()
            await self.finish()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._at.settings.poll_ms / 1000):
                    await self._has_work.wait()

    async def finish(self) -> None:
        """Embed until nothing waits, however long that takes."""
        while True:
            try:
                if not await self.do_some():
                    return
            except InferenceError as error:
                self._failures += 1
                self._reason = type(error).__name__
                first_ms = self._at.settings.first_pause_ms
                pause_ms = min(first_ms * 2 ** min(self._failures - 1, 16), LONGEST_PAUSE_MS)
                await asyncio.sleep(pause_ms / 1000)

    async def do_some(self) -> bool:
        """Embed a few passages; False when none waits.

        Raises:
            InferenceError: The embedder did not answer; nothing is lost.
            StoreError: They could not be read or written; the next look finds them again.
        """
        async with self._turn:
            await self._begin()
            waiting = await self._waiting()
            if not waiting:
                await self._end()
                return False
            await self._index.put_vectors(self._embedder.name, await self._made(waiting))
            self._failures, self._reason = 0, ""
            return True

    async def state(self) -> IndexState:
        """How much is done, and how much waits."""
        return await self._index.index_state(self._embedder.name)

    async def drop(self) -> None:
        """Drop all vectors; they are made again."""
        async with self._turn:
            self._refusals.clear()
            await self._index.drop_index()
        self.wake()

    async def _begin(self) -> None:
        """Vectors of other dimensions under this name are none of this embedder's."""
        if not self._has_begun:
            kept = (await self.state()).dimensions
            if kept not in (0, self._embedder.dimensions):
                await self._index.drop_index()
        self._has_begun = True

    async def _end(self) -> None:
        own = {self._embedder.name, question_index(self._embedder.name)}
        if not self._has_ended and set(await self._index.indexed_with()) - own:
            await self._index.drop_index(besides=own)
        self._has_ended = True

    async def _waiting(self) -> Sequence[Passage]:
        """The next few; one alone after a failure, so that what is refused is found out."""
        limit = BATCH + len(self._refusals)
        found = await self._index.unindexed(self._embedder.name, limit=limit)
        wanted = [one for one in found if not self._refusals.has_left(one)]
        return wanted[:1] if self._failures else wanted[:BATCH]

    async def _made(self, passages: Sequence[Passage]) -> list[PassageVectors]:
        texts = [self._texts(one) for one in passages]
        asked = [text for some in texts for _, text in some]
        try:
            vectors = await self._vectors(asked)
        except InferenceError as error:
            if not error.retryable and len(passages) == 1:
                self._refusals.note(passages[0])
            raise
        given = iter(vectors)
        return [
            PassageVectors(
                one, tuple(_directed([(facet, next(given)) for facet, _ in some])), texts=some
            )
            for one, some in zip(passages, texts, strict=True)
        ]

    async def _vectors(self, texts: list[str]) -> Sequence[Vector]:
        if not texts:
            return ()
        made = await self._at.give_way.beside(lambda: self._embedder.embed(texts))
        if made.shape != (len(texts), self._embedder.dimensions):
            raise InferenceError(f"{len(texts)} texts were embedded as an array of {made.shape}")
        return tuple(made)

    def _texts(self, passage: Passage) -> tuple[tuple[Facet, str], ...]:
        schema = self._at.schema
        if passage.fact is not None and schema.field(passage.fact.key) is None:
            schema = GENERAL  # of an agent or a team
        texts = passage_texts(passage, schema)
        return tuple(one for one in texts if self._embedder.reads(one[1]))


def _directed(vectors: Sequence[tuple[Facet, Vector]]) -> list[tuple[Facet, Vector]]:
    """Those that point somewhere: a model may answer a text with zeros."""
    return [one for one in vectors if np.all(np.isfinite(one[1])) and np.any(one[1])]
