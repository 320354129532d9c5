"""From what a language model says that a line states to candidates, or to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ringback.core.cleaning import cleaned
from ringback.core.entities import entity_ref
from ringback.core.modelled.asking import Request
from ringback.core.reading import ANY_VALUE, is_hypothetical, is_instruction, is_question
from ringback.core.relatives import person_ref
from ringback.records import SELF, Call, Candidate, Evidence, Role, Source, Turn
from ringback.schemas import Field, Schema
from ringback.text import plain, sentences

CONFIDENCE = 0.6  # of what a model read and its line holds: to be read back before it counts
LEAST_GROUNDED = 0.5  # of an answer's items; below, the model has not understood the question
MAX_VALUE_CHARACTERS = 300

_SELVES = frozenset({"", "caller", "the caller", "self", "me", "customer", "user", "agent"})
_SOURCES = MappingProxyType({Role.CALLER: Source.CALLER, Role.AGENT: Source.AGENT})
_THINGS = ("order", "account", "contract", "ticket", "booking", "invoice")


def candidates(
    items: Sequence[Mapping[str, Any]],
    request: Request,
    turns: Sequence[Turn],
    *,
    call: Call,
    schema: Schema,
    known: Sequence[Candidate] = (),
) -> tuple[Candidate, ...]:
    """Ground items in the turns they cite.

    Args:
        items: What the model answered to the request.
        request: Says which turns facts may be taken from.
        turns: The call's turns.
        call: Whose call it is.
        schema: Which facts there may be.
        known: What the rules read from the same turns; they are surer, so a model's word on
            the same key of the same turn and entity is not taken.

    Returns:
        Each once. What cites a turn outside the request, no words of it, or a sentence that
        asks, supposes or instructs, is left out. An answer of which most is made up is not
        trusted in the rest: then there are none.
    """
    by_line = {
        turn.position - request.first: turn for turn in turns if turn.position in request.positions
    }
    taken = {(one.evidence.position, one.key, one.subject) for one in known}
    found: dict[tuple[object, ...], Candidate] = {}
    grounded = [_candidate(item, by_line, call, schema) for item in items]
    if sum(one is not None for one in grounded) < LEAST_GROUNDED * len(items):
        return ()
    for candidate in grounded:
        if candidate is None:
            continue
        place = (candidate.evidence.position, candidate.key, candidate.subject)
        if place not in taken:
            content = (*place, candidate.value, candidate.is_withdrawal)
            found.setdefault(content, candidate)
    return tuple(found.values())


def _candidate(
    item: Mapping[str, Any], turns: Mapping[int, Turn], call: Call, schema: Schema
) -> Candidate | None:
    key, value, line = item.get("key"), item.get("value"), item.get("line")
    field = schema.field(key) if isinstance(key, str) else None
    turn = turns.get(line) if isinstance(line, int) else None
    if field is None or turn is None or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()
    span = _span(str(item.get("quote") or text), text, turn)
    if span is None or not text or len(text) > MAX_VALUE_CHARACTERS or _says_nothing(turn, span):
        return None
    start, end = span
    said = turn.text[start:end]
    is_withdrawal = item.get("holds") is False
    subject = _subject(str(item.get("about") or ""))
    return Candidate(
        key=field.key,
        value=said.strip(" .,") if field.is_quoted else text,
        source=_SOURCES[turn.role],
        confidence=CONFIDENCE,
        observed_at=turn.at,
        evidence=Evidence(call.id, turn.position, said, start, end),
        kind=field.kind,
        scope=field.scope,
        cardinality=field.cardinality,
        subject=subject,
        object=_object(field, text),
        speaker=turn.speaker,
        is_speculation=item.get("sure") is False,
        is_withdrawal=is_withdrawal,
    )


def _object(field: Field, value: str) -> str:
    if not field.object_kind or value == ANY_VALUE:
        return ""
    return entity_ref(field.object_kind, value)


def _subject(about: str) -> str:
    name = about.strip().lower()
    if name in _SELVES:
        return SELF
    kind, _, rest = name.partition(" ")
    if kind in _THINGS and rest:
        return entity_ref(kind, rest)
    return person_ref(about.strip().removeprefix("my ").removeprefix("the caller's "))


def _span(quote: str, value: str, turn: Turn) -> tuple[int, int] | None:
    """Where the quoted words stand in the turn; else where the value itself stands."""
    for words in (quote, value):
        span = _found(words.strip(" \"'"), turn.text)
        if span is not None:
            return span
    return None


def _found(words: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text, whatever their case; or in what is left of it cleaned."""
    if len(words) < 2 and not words.isdigit():
        return None
    start = plain(text).lower().find(plain(words).lower())
    if start >= 0 and len(text.lower()) == len(text):
        return start, start + len(words)
    kept = cleaned(text)
    start = plain(kept.text).lower().find(plain(words).lower())
    if start < 0 or len(kept.text.lower()) != len(kept.text):
        return None
    span = kept.original_span(start, start + len(words))
    return span.start, span.end


def _says_nothing(turn: Turn, span: tuple[int, int]) -> bool:
    """The words ask, suppose, or tell the agent how to behave."""
    text = plain(turn.text)
    around = [one for one in sentences(text) if one.start < span[1] and span[0] < one.end]
    return any(
        is_question(text[one.start : one.end])
        or is_hypothetical(text[one.start : one.end])
        or is_instruction(text[one.start : one.end])
        for one in around
    )
