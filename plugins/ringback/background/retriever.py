"""Asks a profile a question: all channels at once, by a deadline, and one fused answer."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from ringback.core.recall import fusion, narrowing, relevance
from ringback.core.recall.asked import Asked, read_question
from ringback.core.recall.relevance import Sought
from ringback.core.recall.wanted import wanted_terms
from ringback.errors import InferenceError, StoreError
from ringback.protocols import Embedder, Index, Store
from ringback.recollection import Aid, Channel, Cue, Facet, Heard, Hit, Recall, Vector, VectorCue
from ringback.records import Fact
from ringback.schemas import Schema

CANDIDATES = 40  # of each channel; with 100 the first twenty are the same
OF_TEXT = frozenset({Channel.FACTS, Channel.TURNS, Channel.EXCHANGES})
OF_VECTORS = {
    Channel.VECTORS: (Facet.TEXT,),
    Channel.EXCHANGE_VECTORS: (Facet.EXCHANGE,),
    Channel.QUESTIONS: (Facet.QUESTION,),
}


class Shelves(Store, Index, Protocol):
    """A back-end, as far as recall needs it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and of whom."""

    text: str
    tenant: str
    caller_id: str
    at: datetime
    limit: int
    deadline_ms: int
    zone: str = "UTC"
    channels: Collection[Channel] = tuple(Channel)
    """Which ways to look; for measuring, or for a back-end that has few of them."""
    aids: Collection[Aid] = tuple(Aid)
    """What else to go by; for measuring."""


async def recall(
    shelves: Shelves, question: Question, schema: Schema, embedder: Embedder | None = None
) -> Recall:
    """Answer a question from one profile.

    One that has not answered at the deadline, or that failed, is named in `Recall.missed`;
    what the others found is returned. An empty answer without anything missed means that
    nothing is known.

    Args:
        shelves: Where memory is kept.
        question: What is asked; any text at all.
        schema: Has the keys, and the wording of facts.
        embedder: Whose vectors the index holds; without one there is full text alone.
    """
    asked = read_question(question.text, schema, at=question.at, zone=question.zone)
    looking = _Looking(shelves, question, asked, schema, embedder)
    with suppress(TimeoutError):
        async with asyncio.timeout(question.deadline_ms / 1000):
            await looking.everywhere()
    candidates = fusion.fused(
        looking.found,
        asked,
        named_speaker=looking.named_speaker,
        aids=question.aids,
    )
    kept = relevance.answering(
        candidates,
        Sought(asked, looking.topic, looking.about, looking.named_speaker),
        limit=question.limit,
    )
    found = tuple(relevance.recollections(kept, schema, tenant=question.tenant))
    return Recall(found, missed=tuple(c for c in looking.channels if c not in looking.found))


class _Looking:
    """One look through every channel."""

    def __init__(
        self,
        shelves: Shelves,
        question: Question,
        asked: Asked,
        schema: Schema,
        embedder: Embedder | None,
    ) -> None:
        self._shelves = shelves
        self._question = question
        self._asked = asked
        self._schema = schema
        self._embedder = embedder
        self.channels = [
            one
            for one in Channel
            if one in question.channels and (embedder is not None or one not in OF_VECTORS)
        ]
        self.found: dict[Channel, tuple[Hit, ...]] = {}
        self.named_speaker = ""
        self.about = narrowing.About()
        self._linked: tuple[Fact, ...] = ()
        self.topic = asked.text

    async def everywhere(self) -> None:
        """Ask all channels; each leaves what it found as soon as it has it."""
        if not self._asked.terms and not self._asked.frames:
            self.found = {channel: () for channel in self.channels}
            return
        try:
            is_known = await self._narrow()
        except StoreError:
            return
        if not is_known:
            self.found = {channel: () for channel in self.channels}
            return
        async with asyncio.TaskGroup() as looks:
            for look in (self._by_key, self._by_text, self._by_time, self._by_vectors):
                looks.create_task(look())

    async def _narrow(self) -> bool:
        """Find out whom the question is about; False when nobody here ever heard of them."""
        names = {name.text: name for name in self._asked.names}
        heard = await self._heard(tuple(names)) if names else {}
        speakers = [name for name, one in heard.items() if one.turns_said]
        self.named_speaker = speakers[0] if len(speakers) == 1 else ""
        self.topic = self._asked.without(speakers)
        if Aid.ENTITIES not in self._question.aids:
            return True
        question = self._question
        facts = await self._shelves.linked(question.tenant, question.caller_id)
        self._linked = self._lasting(facts)
        self.about = narrowing.about(self._asked, self._linked)
        self.topic = self._asked.without((*speakers, *self.about.names))
        strangers = [name for name, one in names.items() if one.is_asked_of and name not in heard]
        is_known = len(strangers) < len(names) or not names or not self.about.is_open
        return is_known or not strangers

    async def _heard(self, names: tuple[str, ...]) -> Mapping[str, Heard]:
        question = self._question
        return await self._shelves.heard(question.tenant, question.caller_id, names=names)

    def _leave(self, channel: Channel, hits: Sequence[Hit]) -> None:
        if channel in self.channels:
            self.found[channel] = tuple(
                hit for hit in hits if not narrowing.is_beside(hit, self._asked, self.about)
            )

    async def _by_key(self) -> None:
        question, keys = self._question, self._asked.keys
        self._leave(Channel.RELATIONS, narrowing.related(self._asked, self.about, self._linked))
        with suppress(StoreError):
            facts: tuple[Fact, ...] = ()
            if keys:
                facts = await self._shelves.with_keys(question.tenant, question.caller_id, keys)
            self._leave(Channel.KEY, narrowing.key_hits(self._lasting(facts)))

    async def _by_text(self) -> None:
        asked = wanted_terms(self.topic)
        with suppress(StoreError):
            hits: tuple[Hit, ...] = ()
            if asked:
                hits = await self._shelves.find(replace(self._cue(asked), exchanges=True))
            said = [
                kept
                for hit in hits
                if hit.turn is not None and (kept := narrowing.up_to_date(hit, asked)) is not None
            ]
            exchanges = [hit for hit in said if hit.facet is Facet.EXCHANGE]
            self._leave(Channel.FACTS, [hit for hit in hits if hit.fact is not None])
            self._leave(Channel.TURNS, [hit for hit in said if hit.facet is not Facet.EXCHANGE])
            self._leave(Channel.EXCHANGES, sorted(exchanges, key=lambda hit: -hit.bm25))

    async def _by_time(self) -> None:
        with suppress(StoreError):
            hits: tuple[Hit, ...] = ()
            for frame in self._asked.frames:
                cue = replace(self._cue(()), since_at=frame.since_at, until_at=frame.until_at)
                hits += await self._shelves.find(cue)
            self._leave(Channel.TIME, hits)

    async def _by_vectors(self) -> None:
        embedder = self._embedder
        if embedder is None or not OF_VECTORS.keys() & set(self.channels):
            return
        if not embedder.reads(self.topic):
            for channel in OF_VECTORS:
                self._leave(channel, ())
            return
        with suppress(StoreError, InferenceError):
            (vector,) = await embedder.embed_query([self.topic])
            for channel, facets in OF_VECTORS.items():
                cue = self._vector_cue(embedder.name, vector, facets)
                hits = await self._shelves.nearest(cue)
                self._leave(channel, sorted(hits, key=lambda hit: -hit.similarity))

    def _cue(self, asked: tuple[str, ...]) -> Cue:
        question = self._question
        return Cue(question.tenant, question.caller_id, asked, question.at, limit=CANDIDATES)

    def _vector_cue(self, embedder: str, vector: Vector, facets: tuple[Facet, ...]) -> VectorCue:
        question = self._question
        return VectorCue(
            question.tenant,
            question.caller_id,
            embedder,
            (vector,),
            question.at,
            facets=facets,
            limit=CANDIDATES,
            text=self.topic,
        )

    def _lasting(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        at = self._question.at
        return tuple(one for one in facts if one.expires_at is None or one.expires_at > at)
