"""What a call's turns say, as candidates: typed, with evidence, without a model.

Each extractor reads one sort of thing from one turn. This module gives it the turn, what
was asked just before and what the call said so far, ties what it finds to the turn, and
lets the last word win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType

from ringback.core import addresses, appointments, matters, names, numbers, preferences
from ringback.core.reading import Found, Reading
from ringback.records import (
    Call,
    Candidate,
    Cardinality,
    Evidence,
    Role,
    Source,
    Turn,
)
from ringback.schemas import Schema
from ringback.text import folded, plain

MAX_TURN_CHARACTERS = 4_000  # of a longer turn, the beginning is read
PARTIAL_DOUBT = 0.7  # factor: the line went dead in this turn
CUT_VALUE_DOUBT = 0.5  # factor: the value is the last thing before the cut, and may go on

Extractor = Callable[[Reading], Iterator[Found]]

_CALLER: tuple[Extractor, ...] = (
    names.read,
    numbers.read,
    addresses.read,
    preferences.read,
    appointments.read,
    matters.read,
)
_AGENT: tuple[Extractor, ...] = (appointments.read_agent, matters.read_promises)
_ROLES = MappingProxyType(
    {Role.CALLER: (_CALLER, Source.CALLER), Role.AGENT: (_AGENT, Source.AGENT)}
)


def extract(turns: Sequence[Turn], *, call: Call, schema: Schema) -> tuple[Candidate, ...]:
    """Read candidates from a whole call.

    The same turns give the same candidates, whenever and however often they are read.

    Args:
        turns: The call's turns in order; a turn without a position takes its index.
        call: Whose time zone dates are resolved in.
        schema: Keys outside it are not read.

    Returns:
        In order of the turns. Of a key with one value, only the last value said by each
        role, with the words that said it first; of a key with many, each value once.
    """
    newest: dict[tuple[str, ...], Candidate] = {}
    known: dict[str, str] = {}
    asked = ""
    for index, turn in enumerate(turns):
        reading = _reading(turn, call, asked=asked, known=known)
        for candidate in _candidates(turn, index, reading, call, schema):
            _keep(newest, candidate)
            known[candidate.key] = candidate.value
        asked = reading.text if turn.role is Role.AGENT else _still_asked(turn, asked)
    return tuple(sorted(newest.values(), key=lambda candidate: (_place(candidate), candidate.key)))


def _reading(turn: Turn, call: Call, *, asked: str, known: dict[str, str]) -> Reading:
    return Reading(
        text=plain(turn.text[:MAX_TURN_CHARACTERS]),
        at=turn.at,
        zone=call.zone,
        asked=asked if turn.role is Role.CALLER else "",
        known=dict(known),
    )


def _still_asked(turn: Turn, asked: str) -> str:
    """A hesitation does not answer the agent's question; anything longer does."""
    return asked if len(turn.text.split()) <= 2 else ""


def _candidates(
    turn: Turn, index: int, reading: Reading, call: Call, schema: Schema
) -> Iterator[Candidate]:
    extractors, source = _ROLES[turn.role]
    for extractor in extractors:
        for found in extractor(reading):
            field = schema.field(found.key)
            if field is None or not found.value:
                continue
            yield Candidate(
                key=found.key,
                value=found.value,
                source=source,
                confidence=round(found.confidence * _doubt(turn, found), 3),
                observed_at=turn.at,
                evidence=Evidence(
                    call_id=call.id,
                    position=turn.position if turn.position >= 0 else index,
                    words=turn.text[found.start : found.end],
                    start=found.start,
                    end=found.end,
                ),
                kind=field.kind,
                scope=field.scope,
                cardinality=field.cardinality,
            )


def _doubt(turn: Turn, found: Found) -> float:
    """A factor for words that may be incomplete."""
    is_last = not turn.text[found.end :].strip(" .")
    if turn.partial:
        return CUT_VALUE_DOUBT if is_last else PARTIAL_DOUBT
    return PARTIAL_DOUBT if turn.interrupted and is_last else 1.0


def _keep(newest: dict[tuple[str, ...], Candidate], candidate: Candidate) -> None:
    slot = _slot(candidate)
    earlier = newest.get(slot)
    if earlier is None or folded(earlier.value) != folded(candidate.value):
        newest[slot] = candidate


def _slot(candidate: Candidate) -> tuple[str, ...]:
    if candidate.cardinality is Cardinality.ONE:
        return (candidate.key, candidate.source)
    return (candidate.key, candidate.source, folded(candidate.value))


def _place(candidate: Candidate) -> tuple[int, int]:
    return (candidate.evidence.position, candidate.evidence.start)
