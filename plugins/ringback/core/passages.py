"""Which texts a memory is embedded by: what it says, where it was said, what it answers."""

from __future__ import annotations

from collections.abc import Iterator

from ringback.core.low_signal import is_low_signal
from ringback.core.relatives import spoken_of
from ringback.core.wording import readable, safe, sentence
from ringback.recollection import Facet, Passage
from ringback.records import SELF, Fact
from ringback.schemas import Schema
from ringback.schemas.questions import questions
from ringback.text import one_line

TURN_CHARACTERS = 400  # of each turn of an exchange: a small model reads no more of both
MAX_ASKED_VALUE = 60  # characters of it in a question that names it


def passage_texts(passage: Passage, schema: Schema) -> tuple[tuple[Facet, str], ...]:
    """The texts that a fact or a turn is found by.

    Args:
        passage: What the index is to hold.
        schema: Has the wording for each key.

    Returns:
        Of a fact, its sentence and questions that it answers; of a turn, its words, and
        those together with the turn before it, if there is one. Empty where nothing was
        said in it: no words, or "okay".
    """
    if passage.fact is not None:
        return tuple(_of_fact(passage.fact, schema))
    return tuple(_of_turn(passage))


def _of_fact(fact: Fact, schema: Schema) -> Iterator[tuple[Facet, str]]:
    said = sentence(fact, schema=schema)
    if not said:
        return
    yield Facet.TEXT, said
    field = schema.field(fact.key)
    label = field.label if field is not None else safe(fact.key.replace("_", " "), 40)
    value = safe(readable(fact.value), MAX_ASKED_VALUE)
    for question in questions(field, label, value, _about(fact)):
        yield Facet.QUESTION, question


def _about(fact: Fact) -> str:
    """Whom a question about it names: "Rosa", "my mother", "Order A-17"; "" for oneself."""
    if fact.subject == SELF:
        return ""
    return safe(spoken_of(fact.subject), 60).replace("The caller's", "my", 1)


def _of_turn(passage: Passage) -> Iterator[tuple[Facet, str]]:
    turn, before = passage.turn, passage.before
    said = one_line(turn.text) if turn is not None else ""
    ahead = one_line(before.text) if before is not None else ""
    if is_low_signal(said, asked=ahead):
        return
    yield Facet.TEXT, said
    yield Facet.EXCHANGE, f"{ahead[:TURN_CHARACTERS]} {said[:TURN_CHARACTERS]}".strip()
