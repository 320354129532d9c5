"""What a check is given, what it answers, and how it finds its way in a call's turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from ringback.records import Call, Candidate, Outcome, Role, Source, Turn
from ringback.schemas import Field, Schema
from ringback.text import Span, plain, sentences

TURNS_BACK = 4  # how far a pronoun reaches; further back it may mean anything

_ROLES = MappingProxyType({Source.CALLER: Role.CALLER, Source.AGENT: Role.AGENT})


@dataclass(frozen=True, slots=True)
class Ground:
    """What a candidate is checked against: its own call, and no other.

    What other calls said does not enter. It depends on which of them were processed first,
    and a candidate must be the same whenever its call is read.
    """

    call: Call
    turns: tuple[Turn, ...]
    """In order, each with its position; () when they are not at hand."""
    said: tuple[Candidate, ...]
    """What this call said before and what stood up to its checks, oldest first."""
    schema: Schema
    given: Candidate
    """The candidate as it was read, before any repair."""

    @property
    def field(self) -> Field | None:
        """What the schema says of the candidate's key."""
        return self.schema.field(self.given.key)

    def turn_of(self, candidate: Candidate) -> Turn | None:
        """The turn that a candidate cites, if it is one of its source's role.

        Of several at one place, the one with the cited words is taken.
        """
        role = _ROLES.get(candidate.source)
        here = [
            turn
            for turn in self.turns
            if turn.position == candidate.evidence.position and role in (None, turn.role)
        ]
        words = plain(candidate.evidence.words)
        return next((turn for turn in here if words in plain(turn.text)), here[0] if here else None)

    def spoken(self, candidate: Candidate) -> Turn | None:
        """The cited turn of a statement that was spoken; None for the system of record."""
        return None if candidate.source is Source.SYSTEM else self.turn_of(candidate)

    def before(self, candidate: Candidate, *, end: int) -> Iterator[tuple[int, str]]:
        """What was said up to an offset of the cited turn, latest first, with each turn's place.

        The cited turn comes first, then earlier ones of either side.
        """
        turn = self.spoken(candidate)
        if turn is None:
            return
        yield turn.position, plain(turn.text[:end])
        earlier = [one for one in self.turns if one.position < turn.position]
        for one in reversed(earlier[-TURNS_BACK:]):
            yield one.position, plain(one.text)

    def sentence_of(self, candidate: Candidate) -> tuple[str, Span] | None:
        """The cited turn's text and the sentences that the evidence reaches over."""
        turn = self.spoken(candidate)
        if turn is None:
            return None
        text, evidence = plain(turn.text), candidate.evidence
        spans = [
            span
            for span in sentences(text)
            if span.start < evidence.end and evidence.start < span.end
        ]
        return (text, Span(spans[0].start, spans[-1].end)) if spans else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one check says of a candidate."""

    outcome: Outcome
    candidate: Candidate | None
    """As it goes on; None when it is dropped."""
    reason: str = ""
    """One clause, without speech."""


Checker: TypeAlias = Callable[[Candidate, Ground], Verdict]


def passed(candidate: Candidate) -> Verdict:
    """Nothing is wrong with it."""
    return Verdict(Outcome.PASSED, candidate)


def dropped(reason: str) -> Verdict:
    """It cannot be kept."""
    return Verdict(Outcome.DROPPED, None, reason)


def repaired(candidate: Candidate, reason: str, **changes: object) -> Verdict:
    """It goes on with these fields changed."""
    return Verdict(Outcome.REPAIRED, replace(candidate, **changes), reason)  # type: ignore[arg-type]
