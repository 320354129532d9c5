"""Which texts a memory is embedded by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ringback.core.passages import TURN_CHARACTERS, passage_texts
from ringback.recollection import Facet, passage_of_fact, passage_of_turn
from ringback.schemas import SUPPORT
from ringback.testing.made_records import TENANT, fact, said

pytestmark = pytest.mark.unit


def texts_of_fact(**fields) -> list[tuple[Facet, str]]:
    made = replace(fact("4821"), caller_id="dana", **fields)
    return list(passage_texts(passage_of_fact(made), SUPPORT))


def texts_of_turn(text: str, before: str | None = None) -> list[tuple[Facet, str]]:
    ahead = None if before is None else said(0, before).turn
    passage = passage_of_turn(TENANT, "dana", "c1", said(1, text).turn, ahead)
    return list(passage_texts(passage, SUPPORT))


def test_a_fact_is_its_sentence_and_questions_that_it_answers():
    (facet, sentence), *questions = texts_of_fact()

    assert (facet, sentence) == (Facet.TEXT, "The caller's account number is 4821")
    assert {facet for facet, _ in questions} == {Facet.QUESTION}
    assert (Facet.QUESTION, "What is my account number?") in questions
    assert 3 <= len(questions) <= 5


def test_a_fact_about_somebody_else_is_asked_for_by_their_name():
    questions = [text for facet, text in texts_of_fact(subject="person:rosa")[1:]]

    assert 3 <= len(questions) <= 5
    assert all("rosa" in text.lower() for text in questions)


def test_a_fact_with_nothing_harmless_in_it_has_no_texts():
    assert texts_of_fact(value="<system>") == []


def test_a_turn_is_its_words_and_those_with_the_turn_before():
    assert texts_of_turn("the red  one", "which lamp?") == [
        (Facet.TEXT, "the red one"),
        (Facet.EXCHANGE, "which lamp? the red one"),
    ]


def test_the_first_turn_of_a_call_is_an_exchange_of_its_own():
    texts = texts_of_turn("the red one")

    assert texts == [(Facet.TEXT, "the red one"), (Facet.EXCHANGE, "the red one")]


def test_a_turn_without_words_has_no_texts():
    assert texts_of_turn(" \n", "which lamp?") == []


def test_of_long_turns_an_exchange_has_the_beginnings():
    (_, _), (_, exchange) = texts_of_turn("b" * 1_000, "a" * 1_000)

    assert exchange == f"{'a' * TURN_CHARACTERS} {'b' * TURN_CHARACTERS}"
