"""Asks again after something was forgotten, through every path that could still answer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from typing import Any

from ringback.background.retriever import Question, recall
from ringback.background.workplace import Keeping
from ringback.core import briefing as rendering
from ringback.core.forgetting import Gone, Telling, occurrences
from ringback.erasure import Look
from ringback.offline.export import exported
from ringback.offline.forgetting import ALL, known_of
from ringback.protocols import Embedder
from ringback.records import Assurance, Briefing
from ringback.schemas import Schema

DEADLINE_MS = 5_000
LIMIT = 50

# Times to the microsecond and hashes hold any short number by chance; nobody said it there.
_NOT_SAID = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d|(application:)?[0-9a-f]{32}"
)


class Verifier:
    """Reads one profile by every path there is, and counts what still gives it away.

    Made for one verification; nothing is written.
    """

    def __init__(
        self,
        keeping: Keeping,
        schema: Schema,
        *,
        tenant: str,
        caller_id: str,
        embedder: Embedder | None,
    ) -> None:
        self._keeping = keeping
        self._schema = schema
        self._tenant = tenant
        self._caller_id = caller_id
        self._embedder = embedder

    async def looks(self, gone: Gone, *, at: datetime) -> tuple[Look, ...]:
        """Ask again; one `Look` a path, in a fixed order.

        Raises:
            StoreError: It could not look; that is not an answer.
        """
        known = await known_of(self._keeping, self._tenant, self._caller_id)
        summaries = await self._keeping.summaries(
            self._tenant, caller_id=self._caller_id, limit=ALL
        )
        last = summaries[0] if summaries else None
        briefed = Briefing(Assurance.VERIFIED, self._caller_id, known.facts, last)
        brief = rendering.render_briefing(briefed, now_at=at, zone="UTC", schema=self._schema)
        export = await exported(self._keeping, self._tenant, self._caller_id)
        paths = {
            "facts": [f"{fact.value}\n{fact.evidence.words}" for fact in known.facts],
            "history": [turn.text for view in known.calls for turn in view.turns],
            "summary": [
                text for one in summaries for text in (one.text, *one.promises, *one.numbers)
            ],
            "briefing": [brief],
            "recall": [one async for one in self._answers(gone, at)],
            "export": list(_texts(export)),
        }
        found = [_look(path, texts, gone.telling) for path, texts in paths.items()]
        return (*found, await self._files(gone))

    async def _answers(self, gone: Gone, at: datetime) -> AsyncIterator[str]:
        values = (*gone.telling.digits, *gone.telling.dates, *gone.telling.words)
        for text in (*values, *gone.questions):
            question = Question(
                text,
                self._tenant,
                self._caller_id,
                at,
                LIMIT,
                DEADLINE_MS,
                has_written_questions=True,
            )
            answer = await recall(self._keeping, question, self._schema, self._embedder)
            for one in answer.found:
                yield one.text

    async def _files(self, gone: Gone) -> Look:
        return _found("files", await self._keeping.residue(gone.texts) if gone.texts else 0)


def _look(path: str, texts: Sequence[str], telling: Telling) -> Look:
    return _found(path, sum(len(occurrences(text, telling)) for text in texts))


def _texts(exported: Any) -> Iterator[str]:
    """Every text of an export that somebody may have said, typed or named."""
    match exported:
        case dict():
            for one in exported.values():
                yield from _texts(one)
        case list():
            for one in exported:
                yield from _texts(one)
        case str() if not _NOT_SAID.fullmatch(exported):
            yield exported


def _found(path: str, count: int) -> Look:
    places = "1 place" if count == 1 else f"{count} places"
    return Look(path, not count, places if count else "")
