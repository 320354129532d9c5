"""What a question to memory is answered with, and what its facts speak of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ringback.records import Fact, Kind, Status, Turn


class Channel(StrEnum):
    """By which way a recall found something."""

    KEY = "key"
    """The question names a schema key."""
    FACTS = "facts"
    """Full text over facts."""
    TURNS = "turns"
    """Full text over what was said."""


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
    """Of each, facts and turns."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One fact or turn that a back-end found for a cue."""

    score: float
    """In [0, 1]: the share of the terms' weight that it holds. A term weighs
    ln(1 + (N - n + 0.5) / (n + 0.5)) over this profile's facts (or turns), as in BM25."""
    fact: Fact | None = None
    turn: Turn | None = None
    call_id: str = ""
    """The turn's call."""
    outdated: tuple[tuple[int, int], ...] = ()
    """Where in the turn's text stand the words of facts that were superseded or retired."""


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
