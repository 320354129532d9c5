"""Whom and what a question is about, by any name; what is beside that, and what is outdated."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ringback.core.recall.narrowing import (
    HOPS_WORTH,
    LEAST_ABOUT,
    About,
    about,
    is_beside,
    key_hits,
    mentions,
    related,
    up_to_date,
)
from ringback.records import SELF, Fact
from tests.core.made_call import STARTED
from tests.core.recall.made_hits import asked, known, said, stated, words_of

pytestmark = pytest.mark.unit

WIFE = stated("partner", "Mei Tanaka", words="my wife is Mei Tanaka", object="person:mei tanaka")
MOTHER = stated("mother", "Rosa", words="my mother's name is Rosa", object="person:rosa")
MEIS_NUMBER = stated("phone", "+15550100123", subject="person:mei tanaka")
ROSAS_FLAT = stated("address", "12 Quay Street", subject="person:mother")
OWN_NUMBER = stated("phone", "+15550100199")
ROSAS_VET = stated("doctor", "Dr Okafor", subject="person:rosa", object="person:dr okafor")
VETS_HOURS = stated("opening_hours", "mornings only", subject="person:dr okafor")
BOTH = (WIFE, MOTHER, MEIS_NUMBER, ROSAS_FLAT)


def of(question: str, *linked: Fact) -> About:
    return about(asked(question), linked)


def beside(question: str, hit, *linked: Fact) -> bool:
    return is_beside(hit, asked(question), of(question, *linked))


# Whom it is about


@pytest.mark.parametrize("question", ["What is my number?", "Where do I live?", "我住哪裡?"])
def test_my_and_i_are_about_the_profile_itself(question: str):
    assert of(question, *BOTH).refs == {SELF}


@pytest.mark.parametrize("question", ["Who disputes the toll?", "", "Who is Zebedee?"])
def test_a_question_that_names_nobody_is_open(question: str):
    assert of(question, *BOTH).is_open


@pytest.mark.parametrize(
    "question",
    [
        "What is Mei Tanaka's number?",
        "what is mei's number",
        "Did Tanaka call?",
        "What is my wife's number?",
        "What is my partner's number?",
        "我太太的電話是幾號?",
    ],
)
def test_somebody_is_meant_by_any_name_and_by_what_they_are(question: str):
    it = of(question, *BOTH)

    assert it.is_of(MEIS_NUMBER)
    assert not it.is_of(OWN_NUMBER)
    assert not it.is_of(ROSAS_FLAT)


@pytest.mark.parametrize("question", ["Where does Rosa live?", "Where does my mum live?"])
def test_a_mother_is_known_by_her_name_and_a_name_is_known_as_the_mother(question: str):
    assert of(question, *BOTH).is_of(ROSAS_FLAT)
    assert not of(question, *BOTH).is_of(MEIS_NUMBER)


def test_an_alias_means_the_one_it_is_given_to():
    nick = stated("alias", "Bee", subject="person:mei tanaka")

    assert of("Where is Bee?", WIFE, nick, MEIS_NUMBER).is_of(MEIS_NUMBER)


def test_a_name_is_a_whole_word():
    assert of("What of the Meister?", *BOTH).is_open


def test_a_chinese_name_needs_no_spaces():
    friend = stated("friend", "王小明", object="person:王小明")

    assert of("請問王小明住哪裡?", friend).others == {"person:王小明"}


def test_a_title_alone_names_nobody():
    assert of("Is there a Dr in the house?", ROSAS_VET).is_open


def test_of_two_children_the_one_that_is_asked_for_is_meant():
    son = stated("child", "Milo", words="my son Milo", object="person:milo")
    daughter = stated("child", "Nora", words="my daughter Nora", object="person:nora")

    assert "person:milo" in of("How old is my son?", son, daughter).refs
    assert "person:nora" not in of("How old is my son?", son, daughter).refs


def test_a_baby_is_meant_by_the_word_baby():
    son = stated("child", "Milo", words="my son Milo", object="person:milo")
    baby = stated("child", "Nora", words="our baby Nora", object="person:nora")

    assert "person:milo" not in of("What does my baby eat?", son, baby).refs


def test_a_relative_is_meant_even_where_nothing_is_known_of_them():
    assert of("What is my wife's number?").others == {"person:wife"}


# What is beside


@pytest.mark.parametrize(
    ("question", "fact", "is_other"),
    [
        ("What is my wife's number?", OWN_NUMBER, True),
        ("What is my wife's number?", MEIS_NUMBER, False),
        ("What is my number?", MEIS_NUMBER, True),
        ("What is my number?", OWN_NUMBER, False),
        ("What is the number?", MEIS_NUMBER, False),
        ("Who is my wife?", WIFE, False),
    ],
)
def test_another_ones_value_is_beside(question: str, fact: Fact, is_other: bool):
    hit = replace(known("x", "y"), fact=fact)

    assert beside(question, hit, *BOTH) is is_other


def test_a_turn_may_speak_of_anybody():
    assert not beside("What is my wife's number?", said("my number is 4 5 6"), *BOTH)


@pytest.mark.parametrize(
    ("question", "held", "is_other"),
    [
        ("Whose account is 55810-8?", "558108", False),
        ("Whose account is 55810-8?", "558107", True),
        ("Whose account is 55810-8?", "4821", False),
        ("Whose account is 55810-8?", "not a code", False),
        ("Is it 4821 or 4822?", "4822", False),
        ("What account did I give on 5 May 2026?", "4821", False),
        ("What is the account number?", "558107", False),
    ],
)
def test_a_fact_with_another_code_of_as_many_digits_is_beside(question, held, is_other):
    assert beside(question, known("account_number", held)) is is_other


@pytest.mark.parametrize(
    ("text", "is_other"),
    [
        ("It is 55810-7.", True),
        ("Mine is 55810-7, hers is 55810-8.", False),
        ("Her contract ended.", False),
        ("It was in 2024.", False),
    ],
)
def test_a_turn_with_another_code_is_beside_and_one_with_both_is_not(text: str, is_other: bool):
    assert beside("What of contract 55810-8?", said(text)) is is_other


@pytest.mark.parametrize(
    ("subject", "is_other"),
    [
        ("order:b-22", False),
        ("order:a-17", True),
        (SELF, False),
        ("person:mei tanaka", False),
    ],
)
def test_order_a_is_beside_order_b(subject: str, is_other: bool):
    hit = known("courier", "Swift Freight", subject=subject)

    assert beside("Who delivers order B-22?", hit) is is_other


# Related


def test_what_the_question_names_comes_with_what_is_known_of_it():
    question = asked("Where does Rosa live?")
    found = related(question, of(question.text, *BOTH), BOTH)

    assert {words_of(hit) for hit in found} == {"Rosa", "12 Quay Street"}


def test_what_that_names_in_turn_comes_behind_it():
    linked = (MOTHER, ROSAS_VET, VETS_HOURS)
    question = asked("What of Rosa?")

    found = related(question, of(question.text, *linked), linked)

    assert words_of(found[-1]) == "mornings only"
    assert found[-1].score == pytest.approx(HOPS_WORTH[1] * LEAST_ABOUT)


def test_the_third_hop_is_not_made():
    clinic = stated("works_at", "Quay Clinic", subject="person:dr okafor", object="place:clinic")
    street = stated("address", "9 Hill Road", subject="place:clinic")
    linked = (MOTHER, ROSAS_VET, clinic, street)
    question = asked("What of Rosa?")

    values = [words_of(hit) for hit in related(question, of(question.text, *linked), linked)]

    assert "Quay Clinic" in values
    assert "9 Hill Road" not in values


def test_what_the_caller_is_does_not_come_with_their_mother():
    linked = (MOTHER, WIFE, MEIS_NUMBER)
    question = asked("What of Rosa?")

    values = [words_of(hit) for hit in related(question, of(question.text, *linked), linked)]

    assert values == ["Rosa"]


def test_the_fact_that_says_what_is_asked_goes_first():
    hobby = stated("hobby", "orchids", subject="person:rosa", days=3)
    linked = (MOTHER, ROSAS_FLAT, hobby)
    question = asked("Is the address of Rosa in Quay Street?")

    best = related(question, of(question.text, *linked), linked)[0]

    assert words_of(best) == "12 Quay Street"


@pytest.mark.parametrize("question", ["What is my number?", "Who disputes the toll?"])
def test_nothing_is_related_to_the_profile_itself_or_to_nobody(question: str):
    assert related(asked(question), of(question, *BOTH), BOTH) == []


# Keys


def test_of_facts_under_one_key_the_newest_goes_first():
    old, new = stated("phone", "1"), replace(stated("phone", "2"), observed_at=STARTED)
    old = replace(old, observed_at=STARTED - timedelta(days=1))

    assert [words_of(hit) for hit in key_hits([old, new])] == ["2", "1"]


# Mentions and names


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Rosa called.", True),
        ("Mother called.", True),
        ("My mum's well.", True),
        ("Rosalind called.", False),
        ("My wife called.", False),
    ],
)
def test_a_text_mentions_somebody_by_name_or_by_what_they_are(text: str, is_named: bool):
    question = asked("How is my mother Rosa?")

    assert mentions(text, question, of(question.text, *BOTH)) is is_named


# Outdated words


def turn_with(outdated: str, text: str = "My flat is on Quay Street and the toll is nine."):
    start = text.index(outdated)
    return replace(said(text), outdated=((start, start + len(outdated)),))


def test_a_turn_without_outdated_words_stays_as_it_is():
    hit = said("the toll")

    assert up_to_date(hit, ("toll",)) is hit


def test_outdated_words_are_taken_out_and_what_is_left_answers():
    kept = up_to_date(turn_with("Quay Street"), ("toll",))

    assert kept is not None
    assert words_of(kept) == "My flat is on … and the toll is nine."
    assert kept.score == 1.0
    assert kept.outdated == ()


def test_a_turn_whose_outdated_words_were_what_was_asked_for_is_dropped():
    assert up_to_date(turn_with("Quay Street"), ("quay", "street")) is None


def test_the_score_falls_by_the_terms_that_went():
    kept = up_to_date(turn_with("Quay Street"), ("quay", "toll"))

    assert kept is not None
    assert kept.score == pytest.approx(0.5)


def test_outdated_words_that_overlap_are_taken_out_once():
    hit = replace(said("flat on Quay Street, toll"), outdated=((8, 12), (8, 19), (10, 15)))

    kept = up_to_date(hit, ("toll",))

    assert kept is not None
    assert words_of(kept) == "flat on …, toll"
