"""Makes digests of what leaves a window, beside the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from ringback.background.prose_writer import ProseWriter
from ringback.background.workplace import Workplace
from ringback.core import digest as digests
from ringback.core.masking import Masker, allowed_by
from ringback.core.window import Digest, Passage
from ringback.records import Turn

WAITING = 64  # passages; one more is refused, and its turns stay as they are
PROSE_TOKENS = 160


class Compressor:
    """Turns passages into digests, one at a time; where there is a model, it writes them.

    A model's digest is kept only if its numbers, names and dates are the call's own; where
    it fails, is slow or there is none, or another passage waits, the plain digest is taken. One per memory; `run()` is
    one of its supervised workers.

    Args:
        at: Where it works.
        writer: Asks the model, in the time that replies leave.
    """

    def __init__(self, at: Workplace, writer: ProseWriter) -> None:
        self._at = at
        self._writer = writer
        self._waiting: asyncio.Queue[tuple[Passage, Callable[[Digest], None]]]
        self._waiting = asyncio.Queue(WAITING)
        self.refused = 0
        """Passages for which there was no room."""

    def compress(self, passage: Passage, done: Callable[[Digest], None]) -> None:
        """Have a digest made and given to `done`, on the loop; returns at once.

        `done` gets an empty one where no room is left to wait.
        """
        try:
            self._waiting.put_nowait((passage, done))
        except asyncio.QueueFull:
            self.refused += 1
            done(Digest(""))

    async def run(self) -> None:
        """Make digests until cancelled; then whoever waits gets none."""
        try:
            while True:
                await self._make_one(*await self._waiting.get())
        except asyncio.CancelledError:
            while not self._waiting.empty():
                self._waiting.get_nowait()[1](Digest(""))
            raise

    async def _make_one(self, passage: Passage, done: Callable[[Digest], None]) -> None:
        digest = Digest("")
        try:
            digest = await self.digest_of(passage)
        finally:
            done(digest)

    async def digest_of(self, passage: Passage) -> Digest:
        """The passage in a few sentences, with personal numbers masked."""
        passage, text, turns = await self._at.thinking.about(lambda: self._thought(passage))
        if self._writer.is_there and self._waiting.empty():  # nobody waits longer for prose
            prose = await self._writer.written(
                digests.prose_instruction(), digests.transcript(passage), max_tokens=PROSE_TOKENS
            )
            text = await self._at.thinking.about(lambda: digests.accepted(prose, passage, text))
        return Digest(text, turns)

    def _thought(self, passage: Passage) -> tuple[Passage, str, tuple[Turn, ...]]:
        """The passage masked, its plain digest, and what the next one needs of it."""
        masker = Masker(allowed_by(self._at.schema))
        turns = list(passage.turns)
        for place in range(passage.fresh_from, len(turns)):
            masked = masker.mask(replace(turns[place], position=place))
            for turn in (*masked.amended, masked.turn):
                turns[turn.position] = turn
        passage = replace(passage, turns=tuple(turns))
        return passage, digests.plain_digest(passage), digests.remembered(passage.turns)
