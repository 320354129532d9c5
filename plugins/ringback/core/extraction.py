"""What a call's turns say, as candidates: typed, with evidence, without a model.

Each extractor reads one sort of thing from one turn; last comes the one that reads the
schema's own phrases, for what no other has found. This module gives them the turn, what
was asked just before and what the call said so far, ties what they find to the turn, and
lets the last word win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from ringback.core import (
    addresses,
    answers,
    appointments,
    choices,
    confirmations,
    matters,
    names,
    numbers,
    occupations,
    offers,
    phrases,
    preferences,
    promises,
    repetition,
    voicemail,
)
from ringback.core.chinese import turn as chinese
from ringback.core.entities import entity_ref
from ringback.core.reading import ANY_VALUE, Found, Reading
from ringback.records import (
    SELF,
    Call,
    Candidate,
    Cardinality,
    Evidence,
    Role,
    Source,
    Turn,
)
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import ValueType
from ringback.text import folded, plain

MAX_TURN_CHARACTERS = 4_000  # of a longer turn, the beginning is read
TURNS_BEFORE = 4  # that may say what a short answer is about
PARTIAL_DOUBT = 0.7  # factor: the line went dead in this turn
CUT_VALUE_DOUBT = 0.5  # factor: the value is the last thing before the cut, and may go on

Extractor = Callable[[Reading], Iterator[Found]]

_CALLER: tuple[Extractor, ...] = (
    names.read,
    numbers.read,
    addresses.read,
    preferences.read,
    appointments.read,
    choices.read,
    matters.read,
    occupations.read,
    confirmations.read,
    chinese.read,
)
_AGENT: tuple[Extractor, ...] = (
    appointments.read_agent,
    promises.read,
    chinese.read_agent,
)
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
        role of an entity, with the words that said it first; of a key with many, each value
        once. A guess and a statement stand beside each other. What a recorded greeting
        says is nobody's statement.
    """
    newest: dict[tuple[str, ...], Candidate] = {}
    known: dict[str, str] = {}
    asked = before = ""
    offer: tuple[Turn, int, Iterator[Found]] | None = None
    recorded = voicemail.greeting(turns)
    for index, turn in enumerate(turns):
        if index in recorded:
            continue
        reading = replace(
            _reading(turn, call, asked=asked, known=known),
            before=before,
            lately=_lately(turns, index),
        )
        said = [*_candidates(turn, index, _founds(turn, reading, schema), call, schema)]
        if turn.role is Role.AGENT:
            offer = (turn, index, offers.read_offer(reading))
        elif offer and appointments.is_accepted(reading):
            said += _candidates(*offer, call, schema)
        for candidate in said:
            _keep(newest, candidate)
            if _is_callers_own(candidate):
                known[candidate.key] = candidate.value
        asked = reading.text if turn.role is Role.AGENT else _still_asked(turn, asked)
        before = reading.text if turn.role is Role.CALLER else before
    return tuple(sorted(newest.values(), key=lambda candidate: (_place(candidate), candidate.key)))


def _lately(turns: Sequence[Turn], index: int) -> str:
    recent = turns[max(0, index - TURNS_BEFORE) : index]
    return "\n".join(plain(turn.text[:MAX_TURN_CHARACTERS]) for turn in recent)


def _reading(turn: Turn, call: Call, *, asked: str, known: dict[str, str]) -> Reading:
    return Reading(
        text=plain(repetition.blanked(turn.text[:MAX_TURN_CHARACTERS])),
        at=turn.at,
        zone=call.zone,
        asked=asked if turn.role is Role.CALLER else "",
        known=dict(known),
    )


def _still_asked(turn: Turn, asked: str) -> str:
    """A hesitation does not answer the agent's question; anything longer does."""
    return asked if len(turn.text.split()) <= 2 else ""


def _candidates(
    turn: Turn, index: int, all_found: Iterator[Found], call: Call, schema: Schema
) -> Iterator[Candidate]:
    source = _ROLES[turn.role][1]
    for found in all_found:
        field = schema.field(found.key)
        if field is None or not found.value:
            continue
        yield Candidate(
            key=found.key,
            value=found.value,
            source=source,
            confidence=round(found.confidence * _doubt(turn, found, field), 3),
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
            subject=found.subject,
            object=_object(found, field),
            speaker=turn.speaker,
            is_speculation=found.is_speculation,
            is_withdrawal=found.is_withdrawal,
            valid_from=found.valid_from,
        )


def _founds(turn: Turn, reading: Reading, schema: Schema) -> Iterator[Found]:
    """What each extractor finds; phrases add keys that no other extractor has found here."""
    extractors, source = _ROLES[turn.role]
    covered: set[str] = set()
    for extractor in extractors:
        for found in extractor(reading):
            covered.add(found.key)
            yield found
    for reader in (phrases.reader, answers.reader):
        for found in reader(schema, source)(reading):
            if found.subject != SELF or found.key not in covered:
                yield found


def _object(found: Found, field: Field) -> str:
    """The entity that the value names, where the field is a relation."""
    if found.object or not field.object_kind or found.value == ANY_VALUE:
        return found.object
    return entity_ref(field.object_kind, found.value)


def _is_callers_own(candidate: Candidate) -> bool:
    """Firmly said of the caller: what later turns may refer to and correct."""
    return candidate.subject == SELF and not (candidate.is_withdrawal or candidate.is_speculation)


def _doubt(turn: Turn, found: Found, field: Field) -> float:
    """A factor for words that may be incomplete.

    Of a code that is cut, what is there is wrong; of several words, most of it is right.
    """
    is_last = not turn.text[found.end :].strip(" .")
    if turn.partial:
        is_worded = field.type is ValueType.TEXT and " " in found.value
        return CUT_VALUE_DOUBT if is_last and not is_worded else PARTIAL_DOUBT
    return PARTIAL_DOUBT if turn.interrupted and is_last else 1.0


def _keep(newest: dict[tuple[str, ...], Candidate], candidate: Candidate) -> None:
    slot = _slot(candidate)
    earlier = newest.get(slot)
    if earlier is None or _content(earlier) != _content(candidate):
        newest[slot] = candidate


def _content(candidate: Candidate) -> tuple[str, bool]:
    return (folded(candidate.value), candidate.is_withdrawal)


def _slot(candidate: Candidate) -> tuple[str, ...]:
    """What a candidate competes for; a guess never takes a statement's place."""
    guess = "guess" if candidate.is_speculation else ""
    slot = (candidate.key, candidate.source, candidate.subject, guess)
    if candidate.cardinality is Cardinality.ONE:
        return slot
    return (*slot, candidate.object or folded(candidate.value))


def _place(candidate: Candidate) -> tuple[int, int]:
    return (candidate.evidence.position, candidate.evidence.start)
