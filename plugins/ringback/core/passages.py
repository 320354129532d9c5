"""Which texts a memory is embedded by: what it says, where it was said, what it answers."""

from __future__ import annotations

from collections.abc import Iterator

from ringback.core.relatives import spoken_of
from ringback.core.wording import safe, sentence
from ringback.recollection import Facet, Passage
from ringback.records import SELF, Fact
from ringback.schemas import Schema
from ringback.text import one_line

TURN_CHARACTERS = 400  # of each turn of an exchange: a small model reads no more of both

OWN_QUESTIONS = (
    "What is my {label}?",
    "What {label} do you have for me?",
    "Do you know my {label}?",
    "What did the caller say about their {label}?",
)
QUESTIONS_ABOUT = (
    "What is the {label} of {about}?",
    "What {label} do you have for {about}?",
    "What did the caller say about {about}?",
)


def passage_texts(passage: Passage, schema: Schema) -> tuple[tuple[Facet, str], ...]:
    """The texts that a fact or a turn is found by.

    Args:
        passage: What the index is to hold.
        schema: Has the wording for each key.

    Returns:
        Of a fact, its sentence and questions that it answers; of a turn, its words, and
        those together with the turn before it, if there is one. Empty where there are no
        words.
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
    about = safe(spoken_of(fact.subject), 60) if fact.subject != SELF else ""
    for question in QUESTIONS_ABOUT if about else OWN_QUESTIONS:
        yield Facet.QUESTION, question.format(label=label, about=about)


def _of_turn(passage: Passage) -> Iterator[tuple[Facet, str]]:
    turn, before = passage.turn, passage.before
    said = one_line(turn.text) if turn is not None else ""
    if not said:
        return
    yield Facet.TEXT, said
    ahead = one_line(before.text) if before is not None else ""
    yield Facet.EXCHANGE, f"{ahead[:TURN_CHARACTERS]} {said[:TURN_CHARACTERS]}".strip()
