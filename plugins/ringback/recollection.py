"""What a question to memory is answered with, and what its facts speak of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ringback.records import Fact, Kind, Status, Turn, content_id, turn_id

Vector: TypeAlias = npt.NDArray[np.float32]


class Channel(StrEnum):
    """By which way a recall found something."""

    KEY = "key"
    """The question names a schema key."""
    PERSONA = "persona"
    """Traits, and attitudes towards whom or what the question names."""
    FACTS = "facts"
    """Full text over facts."""
    RELATIONS = "relations"
    """Facts about who and what the question names, and about what those name in turn."""
    TURNS = "turns"
    """Full text over what was said."""
    EXCHANGES = "exchanges"
    """Full text over each turn with the one before it."""
    VECTORS = "vectors"
    """Facts and turns that mean what the question's topic means."""
    EXCHANGE_VECTORS = "exchange vectors"
    """The same over each turn with the one before it."""
    QUESTIONS = "questions"
    """Memories that answer a question like this one."""
    HYPOTHESIS = "hypothesis"
    """Facts and turns that mean what the question's likely answer means."""
    TIME = "time"
    """What was said in the stretch of time that the question asks about."""


class Aid(StrEnum):
    """What helps to put what was found into order, and to leave out what is beside the point."""

    ENTITIES = "entities"
    """Nothing about somebody else than the question names; nothing at all about strangers."""
    SPEAKER = "speaker"
    """What was said by the one person that the question names."""
    TIME = "time"
    """What was said in the time that it asks about, or tells a time where it asks for one."""
    NEIGHBOURS = "neighbours"
    """What stands beside other finds, or in a call with many."""


class Facet(StrEnum):
    """Which text of a memory a vector, or a hit, is of."""

    TEXT = "text"
    """The fact's sentence, or the turn without its speaker."""
    EXCHANGE = "exchange"
    """The turn with the one before it."""
    QUESTION = "question"
    """A question that it answers; there may be several."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What retrieval is asked with: first what narrows, then what ranks."""

    tenant: str
    caller_id: str
    """The profile; nothing of another one is looked at."""
    terms: tuple[str, ...]
    """As `ringback.terms.terms` gives them; what holds none of them is not found."""
    at: datetime
    """Now: what has expired by then is not found."""
    statuses: tuple[Status, ...] = (Status.ACTIVE, Status.PROVISIONAL)
    kinds: tuple[Kind, ...] = tuple(Kind)
    subjects: tuple[str, ...] = ()
    """Facts about these entities only; () is about any."""
    since_at: datetime | None = None
    until_at: datetime | None = None
    """Observed within; the end is not part of it."""
    limit: int = 20
    """Of each: facts, turns, exchanges."""
    exchanges: bool = False
    """Look also for turns together with the one before them in their call."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorCue:
    """What the vector index is asked with: first what narrows, then what ranks."""

    tenant: str
    caller_id: str
    """The profile; nothing of another one is looked at."""
    embedder: str
    """By whose vectors: `Embedder.name`."""
    vectors: tuple[Vector, ...]
    """float32 [dimensions] each, unit norm; the nearest of them counts."""
    at: datetime
    """Now: what has expired by then is not found."""
    facets: tuple[Facet, ...] = tuple(Facet)
    statuses: tuple[Status, ...] = (Status.ACTIVE, Status.PROVISIONAL)
    """The index holds no others."""
    kinds: tuple[Kind, ...] = tuple(Kind)
    subjects: tuple[str, ...] = ()
    """Facts about these entities only; () is about any."""
    since_at: datetime | None = None
    until_at: datetime | None = None
    """Observed within; the end is not part of it."""
    limit: int = 20
    """Of each, facts and turns."""
    is_apart: bool = False
    """Look for each facet by itself: so many of each of them."""
    text: str = ""
    """What the vectors were made of; for a back-end that makes its own."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One fact, turn or exchange that a back-end found for a cue."""

    score: float
    """In [0, 1]: the share of the terms' weight that it holds. A term weighs
    ln(1 + (N - n + 0.5) / (n + 0.5)) over this profile's facts (or turns, or exchanges), as
    in BM25. Of a vector cue, the similarity."""
    fact: Fact | None = None
    turn: Turn | None = None
    call_id: str = ""
    """The turn's call."""
    outdated: tuple[tuple[int, int], ...] = ()
    """Where in the turn's text stand the words of facts that were superseded or retired."""
    facet: Facet | None = None
    """What matched: `EXCHANGE` of a full-text hit that counts the turn before as well; of a
    vector cue, what the nearest vector is of."""
    bm25: float = 0.0
    """Of full text: BM25 with k1 = 1.2 and b = 0.75 over this profile's documents of the
    kind (facts, turns or exchanges); any number from 0, comparable within one answer."""
    similarity: float = 0.0
    """Of a vector cue: the cosine, in [0, 1]; what points away is 0."""


@dataclass(frozen=True, slots=True)
class Heard:
    """How a name is known to a profile."""

    turns_said: int = 0
    """Turns that somebody of this name said."""
    mentions: int = 0
    """Facts and turns that hold the name."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A fact or a turn as the vector index takes it."""

    tenant: str
    caller_id: str
    id: str
    """The fact's or the turn's."""
    revision: str
    """Another one when the words change that it is made from."""
    call_id: str
    fact: Fact | None = None
    turn: Turn | None = None
    before: Turn | None = None
    """The turn just before in the same call."""


@dataclass(frozen=True, slots=True, eq=False)
class PassageVectors:
    """What an embedder made of a passage; nothing, where there is nothing to embed."""

    passage: Passage
    vectors: tuple[tuple[Facet, Vector], ...]
    """float32 [dimensions] each, unit norm; of a facet there may be several."""
    texts: tuple[tuple[Facet, str], ...] = ()
    """What they were made of; for a back-end that makes its own."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far the index of one embedder is."""

    dimensions: int = 0
    """Of its vectors; 0 before the first."""
    indexed: int = 0
    """Passages that it has done."""
    waiting: int = 0
    """Passages that it has not."""


def passage_of_fact(fact: Fact) -> Passage:
    """A fact as a passage; it has to be somebody's."""
    evidence = fact.evidence
    said = (fact.key, fact.value, fact.subject, fact.object, fact.kind, evidence.words)
    revision = content_id("fact", *said, fact.observed_at.isoformat())
    whose = fact.caller_id or ""
    return Passage(fact.tenant, whose, fact.id, revision, fact.call_id, fact=fact)


def passage_of_turn(
    tenant: str, caller_id: str, call_id: str, turn: Turn, before: Turn | None
) -> Passage:
    """A turn of somebody's call as a passage."""
    ahead = before.text if before is not None else None
    revision = content_id("turn", turn.role, turn.text, before is not None, ahead)
    identity = turn_id(tenant, call_id, turn)
    return Passage(tenant, caller_id, identity, revision, call_id, turn=turn, before=before)


@dataclass(frozen=True, slots=True)
class Recollection:
    """One thing that a recall answers with."""

    id: str
    """The fact's or the turn's id: the same thing has the same id for ever."""
    text: str
    """The fact in a sentence, or the turn as it was said."""
    score: float
    """Similarity to the question in [0, 1], higher is better."""
    channels: tuple[Channel, ...]
    observed_at: datetime
    call_id: str
    fact: Fact | None = None
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question; "nothing found" and "could not look" are different."""

    found: tuple[Recollection, ...] = ()
    missed: tuple[Channel, ...] = ()
    """Where it could not look, or not in time."""


@dataclass(frozen=True, slots=True)
class Entity:
    """What a profile's facts speak of: a person, an account, an order."""

    ref: str
    """`self`, or a kind and a folded name: `person:rosa`, `account:4821`."""
    names: tuple[str, ...]
    """As they were said, newest first: the name and its aliases."""
    facts: tuple[Fact, ...] = ()
    """What is known of it."""
    relations: tuple[Fact, ...] = ()
    """Facts whose value names it."""
