"""Bare answers to what the agent asked of a schema's field: "any dietary needs?" "gluten free"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from ringback.core.entities import entity_ref
from ringback.core.phrase_denial import label_pattern
from ringback.core.phrase_text import english_items
from ringback.core.reading import ANSWERED, ANY_VALUE, Found, Reading, is_question, statements
from ringback.core.spoken_people import read_people
from ringback.records import Cardinality, Source
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import ValueType
from ringback.text import Span

MAX_ANSWER_WORDS = 4  # a longer one says more than the value

_LEAD = re.compile(
    r"\W{0,4}(?:(?:yes|yeah|yep|well|uh|um|oh|just|only|i'm|i am|i eat|i have|it's|that's|she's|he's|to|mainly|sure|"
    r"no,? just|no,? only)\b[\s,.]{0,3}){0,4}(?:(?:strictly|severely|allergic to)\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,.!]{0,4}(?:(?:please|thanks|thank you|i think|actually|and that's it|that's (?:all|it))\b[\s,.!]{0,4}){0,2}$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"^\W{0,4}(?:(?:no|nope|none|nothing|no,? none|no,? nothing|not that i know(?: of)?|none that i know(?: of)?|"
    r"no,? i don't|no,? not that i know(?: of)?|none at all)\W{0,4})(?:thanks|thank you)?\W*$",
    re.IGNORECASE,
)
_ASKS_ANY = r"\b(?:do|have|are|any)\b[^.?]*\b(?:any|known)\b[^.?]{0,30}"
_NO_ANSWER = re.compile(
    r"^(?:no|not|nope|yes|why|what|who|how|when|where|i|you|we|he|she|they|it|that|this|there|maybe|never|"
    r"none|nothing|sorry|wait|hold|let|can|could|do|does|is|are|okay|ok|sure|of|if|but|so|all|some|many|"
    r"good|great|fine|thanks|thank|please|excuse|pardon|my|your|the doctor|hello|hi)\b",
    re.IGNORECASE,
)
_STEMS = {"diet": r"diet(?:ary)?|eat"}
"""Other words that a field is asked by than its label."""
_NAMING = re.compile(r"my [a-z]+ \{value\}")
_OF_RELATION = r"\byour\s+{label}(?:'s)?\s+(?:name|called)\b|\bname of your\s+{label}\b"


def reader(schema: Schema, source: Source) -> Callable[[Reading], Iterator[Found]]:
    """Make the extractor of bare answers for the turns of one side; see `phrases.reader`."""
    fields = _asked_for(schema, source)
    return lambda reading: _read(reading, fields) if "?" in reading.asked else iter(())


@lru_cache(maxsize=16)
def _asked_for(schema: Schema, source: Source) -> tuple[tuple[Field, re.Pattern[str]], ...]:
    return tuple(
        (field, _asks(field))
        for field in schema.fields
        if field.phrases and source in field.sources and _is_answerable(field)
    )


def _is_answerable(field: Field) -> bool:
    if field.type is ValueType.TEXT:
        return field.cardinality is Cardinality.MANY and not field.is_quoted
    return field.type is ValueType.CHOICE or (
        field.type is ValueType.PERSON and field.object_kind == "person"
    )


def _asks(field: Field) -> re.Pattern[str]:
    label = _STEMS.get(field.key, label_pattern(field.label))
    if field.type is ValueType.PERSON:
        said = {phrase.split()[1] for phrase in field.phrases if _NAMING.fullmatch(phrase)}
        label = f"(?:{'|'.join(sorted({field.label, *said}))})"
        return re.compile(_OF_RELATION.format(label=label.removesuffix(r"\b")), re.IGNORECASE)
    if field.type is ValueType.CHOICE:
        return re.compile(rf"\b(?:{label})\b", re.IGNORECASE)
    return re.compile(
        rf"{_ASKS_ANY}{label}|\bwhat are you allergic to\b"
        if field.key == "allergy"
        else rf"{_ASKS_ANY}{label}",
        re.IGNORECASE,
    )


def _read(reading: Reading, fields: tuple[tuple[Field, re.Pattern[str]], ...]) -> Iterator[Found]:
    spans = statements(reading.text)
    if not spans or any(is_question(reading.text[span.start : span.end]) for span in spans):
        return
    for field, asks in fields:
        if asks.search(reading.asked):
            yield from _answer(reading.text, spans[0], field)


def _answer(text: str, span: Span, field: Field) -> Iterator[Found]:
    lead = _LEAD.match(text, span.start, span.end)
    start = lead.end() if lead else span.start
    tail = _TAIL.search(text, start, span.end)
    end = tail.start() if tail else span.end
    if field.type is ValueType.CHOICE:
        yield from _chosen(text, Span(start, end), field)
    elif field.type is ValueType.PERSON:
        for piece in read_people(text, start, end, "is")[:1]:
            if piece.end >= end:
                linked = entity_ref(field.object_kind, piece.value)
                yield Found(field.key, piece.value, piece.start, piece.end, ANSWERED, object=linked)
    else:
        yield from _listed(text, span, Span(start, end), field)


def _chosen(text: str, place: Span, field: Field) -> Iterator[Found]:
    said = re.sub(r"[\s-]+", " ", text[place.start : place.end]).strip().lower()
    for choice in field.choices:
        if said == re.sub(r"[\s-]+", " ", choice).lower():
            yield Found(field.key, choice, place.start, place.end, ANSWERED)


def _listed(text: str, span: Span, place: Span, field: Field) -> Iterator[Found]:
    if _NONE.match(text[span.start : span.end]):
        words = text[span.start : span.end].rstrip(" .,!")
        end = span.start + len(words)
        yield Found(field.key, ANY_VALUE, span.start, end, ANSWERED, is_withdrawal=True)
        return
    if _NO_ANSWER.match(text[place.start : place.end]):
        return
    pieces = english_items(text, place.start, place.end, word_before="")
    if (
        not pieces
        or pieces[-1].end < place.end
        or any(len(piece.value.split()) > MAX_ANSWER_WORDS for piece in pieces)
    ):
        return
    for piece in pieces:
        linked = entity_ref(field.object_kind, piece.value) if field.object_kind else ""
        yield Found(field.key, piece.value, piece.start, piece.end, ANSWERED, object=linked)
