"""Asks a profile a question: all channels at once, by a deadline, and one fused answer."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import numpy as np

from ringback.background.question_writer import question_index
from ringback.core.recall import answers, fusion, narrowing, relevance
from ringback.core.recall.answer_kind import asks_who
from ringback.core.recall.asked import Asked, read_question
from ringback.core.recall.fusion import BY_MEANING, Candidate
from ringback.core.recall.hypothesis import statement
from ringback.core.recall.persona import persona_asked, persona_hits
from ringback.core.recall.sought import Sought, single_keys
from ringback.core.recall.wanted import wanted_terms
from ringback.errors import InferenceError, StoreError
from ringback.protocols import Embedder, Index, Store
from ringback.recollection import Aid, Channel, Cue, Facet, Heard, Hit, Recall, Vector, VectorCue
from ringback.records import Fact
from ringback.schemas import Schema

CANDIDATES = 40  # of each channel; with 100 the first twenty are the same
OF_VECTORS = {
    Channel.VECTORS: Facet.TEXT,
    Channel.EXCHANGE_VECTORS: Facet.EXCHANGE,
    Channel.QUESTIONS: Facet.QUESTION,
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
    has_written_questions: bool = False
    """Look also at the questions that a language model wrote."""


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
    look = await looked(shelves, question, schema, embedder)
    found = tuple(answers.recollections(look.kept, schema, tenant=question.tenant))
    return Recall(found, missed=look.missed)


@dataclass(frozen=True, slots=True)
class Looked:
    """All that a question found, before it is cut down to what answers; for people to see."""

    candidates: tuple[Candidate, ...]
    """Best first."""
    kept: tuple[Candidate, ...]
    """Those of them that answer."""
    beside: tuple[Hit, ...]
    """About somebody or something else than was asked."""
    sought: Sought
    missed: tuple[Channel, ...]


async def looked(
    shelves: Shelves, question: Question, schema: Schema, embedder: Embedder | None = None
) -> Looked:
    """Look through every channel, as `recall` does, and show all that was found."""
    asked = read_question(question.text, schema, at=question.at, zone=question.zone)
    looking = _Looking(shelves, question, asked, schema, embedder)
    with suppress(TimeoutError):
        async with asyncio.timeout(question.deadline_ms / 1000):
            await looking.everywhere()
    candidates = fusion.fused(
        looking.found,
        asked,
        speakers=looking.speakers,
        likeness_from=embedder.likeness_from if embedder is not None else (0.0, 1.0),
        aids=question.aids,
    )
    await asyncio.sleep(0)  # each half takes a millisecond or two: calls go on between them
    single = single_keys(schema)
    sought = Sought(asked, looking.topic, looking.about, single, looking.speakers)
    kept = relevance.answering(candidates, sought, limit=question.limit)
    missed = tuple(one for one in looking.channels if one not in looking.found)
    return Looked(tuple(candidates), tuple(kept), tuple(looking.beside), sought, missed)


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
            if one in question.channels and (embedder is not None or one not in BY_MEANING)
        ]
        self.found: dict[Channel, tuple[Hit, ...]] = {}
        self.beside: list[Hit] = []
        self.speakers: tuple[str, ...] = ()
        self.about = narrowing.About()
        self.topic = asked.text

    async def everywhere(self) -> None:
        """Ask all channels; each leaves what it found as soon as it has it."""
        if not self._asked.terms and not self._asked.frames:
            self.found = dict.fromkeys(self.channels, ())
            return
        try:
            is_known = await self._narrow()
        except StoreError:
            return
        if not is_known:
            self.found = dict.fromkeys(self.channels, ())
            return
        async with asyncio.TaskGroup() as looks:
            for look in (self._by_key, self._by_text, self._by_time, self._by_vectors):
                looks.create_task(look())

    async def _narrow(self) -> bool:
        """Find out whom the question is about; False when nobody here ever heard of them."""
        names = {name.text: name for name in self._asked.names}
        heard = await self._heard(tuple(names)) if names else {}
        speakers = tuple(name for name, one in heard.items() if one.turns_said)
        self.speakers = speakers
        self.topic = self._asked.without(speakers)
        if Aid.ENTITIES not in self._question.aids:
            return True
        question = self._question
        facts = await self._shelves.linked(question.tenant, question.caller_id, one_each=True)
        self.about = narrowing.about(self._asked, self._lasting(facts))
        if not asks_who(self._asked.text):  # then the name is what is looked for
            self.topic = self._asked.without((*speakers, *self.about.names))
        strangers = [name for name, one in names.items() if one.is_asked_of and name not in heard]
        if len(strangers) < len(names) or not strangers:
            return True
        if any(names[name].is_owner for name in strangers):
            return bool(self.about.others)  # what is theirs is not the caller's own
        return not self.about.is_open

    async def _heard(self, names: tuple[str, ...]) -> Mapping[str, Heard]:
        question = self._question
        return await self._shelves.heard(question.tenant, question.caller_id, names=names)

    def _leave(self, channel: Channel, hits: Sequence[Hit]) -> None:
        if channel not in self.channels:
            return
        fitting: list[Hit] = []
        for hit in hits:
            is_beside = narrowing.is_beside(hit, self._asked, self.about)
            (self.beside if is_beside else fitting).append(hit)
        self.found[channel] = tuple(fitting)

    async def _by_key(self) -> None:
        question, asked_of = self._question, persona_asked(self._asked.text)
        keys = {*self._asked.keys, *(asked_of.keys if asked_of is not None else ())}
        with suppress(StoreError):
            linked: tuple[Fact, ...] = ()
            if self.about.others:  # all that is known of them, and of whom that names
                linked = await self._shelves.linked(question.tenant, question.caller_id)
            related = narrowing.related(self._asked, self.about, self._lasting(linked))
            self._leave(Channel.RELATIONS, related)
        with suppress(StoreError):
            facts: tuple[Fact, ...] = ()
            if keys:
                facts = self._lasting(
                    await self._shelves.with_keys(question.tenant, question.caller_id, tuple(keys))
                )
            named = [one for one in facts if one.key in self._asked.keys]
            self._leave(Channel.KEY, narrowing.key_hits(named))
            self._leave(Channel.PERSONA, persona_hits(facts, asked_of))

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
                found = map(narrowing.of_its_day, await self._shelves.find(cue))
                hits += tuple(hit for hit in found if hit is not None)
            self._leave(Channel.TIME, hits)

    async def _by_vectors(self) -> None:
        embedder = self._embedder
        if embedder is None or not BY_MEANING & set(self.channels):
            return
        if not embedder.reads(self.topic):
            for channel in BY_MEANING:
                self._leave(channel, ())
            return
        with suppress(StoreError, InferenceError):
            likely = statement(self._asked.text) if Channel.HYPOTHESIS in self.channels else ""
            texts = [self.topic, *filter(None, [likely])]
            topic, *of_likely = zip(texts, await directions(texts, embedder), strict=True)
            asked = tuple(OF_VECTORS[one] for one in self.channels if one in OF_VECTORS)
            nearest = await self._nearest(embedder.name, topic, asked)
            if self._question.has_written_questions and Channel.QUESTIONS in self.channels:
                written = question_index(embedder.name)
                nearest += await self._nearest(written, topic, (Facet.QUESTION,))
            for channel, facet in OF_VECTORS.items():
                self._leave(channel, [hit for hit in nearest if hit.facet is facet])
            self._leave(Channel.HYPOTHESIS, ())
            for one in of_likely:
                found = await self._nearest(embedder.name, one, (Facet.TEXT,))
                self._leave(Channel.HYPOTHESIS, found)

    async def _nearest(
        self, embedder: str, asked: tuple[str, Vector], facets: tuple[Facet, ...]
    ) -> list[Hit]:
        """What is nearest to a text, by its vector; best first."""
        question, (text, vector) = self._question, asked
        cue = VectorCue(
            question.tenant,
            question.caller_id,
            embedder,
            (vector,),
            question.at,
            facets=facets,
            limit=CANDIDATES,
            is_apart=True,
            text=text,
        )
        hits = await self._shelves.nearest(cue)
        # A vector is of all words: where some hold no more, it says nothing.
        whole = [hit for hit in hits if not hit.outdated]
        return sorted(whole, key=lambda hit: -hit.similarity)

    def _cue(self, asked: tuple[str, ...]) -> Cue:
        question = self._question
        return Cue(question.tenant, question.caller_id, asked, question.at, limit=CANDIDATES)

    def _lasting(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        at = self._question.at
        return tuple(one for one in facts if one.expires_at is None or one.expires_at > at)


async def directions(texts: list[str], embedder: Embedder) -> tuple[Vector, ...]:
    """The vectors of a question, and of what else it is asked with.

    Raises:
        InferenceError: There are none, or one is no direction: nothing can be near to it.
    """
    try:
        vectors = await embedder.embed_query(texts)
        is_whole = len(vectors) == len(texts) and bool(np.isfinite(vectors).all())
    except InferenceError:
        raise
    except Exception as error:  # somebody's own embedder: the other channels still answer
        raise InferenceError(f"the embedder failed with {type(error).__name__}") from error
    if not is_whole:
        raise InferenceError("the embedder answered a question without a vector")
    return tuple(vectors)
