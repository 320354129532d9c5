"""Which questions a fact of each key answers."""

from __future__ import annotations

import pytest

from ringback.core.recall.topics import keys_asked
from ringback.records import Source
from ringback.schemas import MEDICAL_INTAKE, SUPPORT, Field, Schema
from ringback.schemas.general import GENERAL
from ringback.schemas.questions import MOST, QUESTIONS, questions

pytestmark = pytest.mark.unit

SHIPPED = {
    field.key: (field, schema)
    for schema in (SUPPORT, GENERAL, MEDICAL_INTAKE)
    for field in schema.fields
}


def asked(key: str, value: str = "tea", about: str = "") -> tuple[str, ...]:
    field, _ = SHIPPED[key]
    return questions(field, field.label, value, about)


def own_field(*asked_by: str) -> Field:
    return Field(
        key="plan",
        label="plan",
        sentence="The caller's plan is {value}",
        sources=(Source.CALLER,),
        asked_by=asked_by,
    )


@pytest.mark.parametrize("key", SHIPPED)
@pytest.mark.parametrize("about", ["", "Rosa", "my mother"])
def test_every_shipped_key_has_three_to_five_questions(key: str, about: str):
    made = asked(key, about=about)

    assert 3 <= len(made) <= MOST
    assert len(set(made)) == len(made)
    assert all(one.endswith("?") and one[0].isupper() and "{" not in one for one in made)


def test_every_question_is_of_a_shipped_key():
    assert set(QUESTIONS) == set(SHIPPED)


@pytest.mark.parametrize("key", SHIPPED)
def test_a_key_is_asked_for_by_one_of_its_own_questions(key: str):
    field, schema = SHIPPED[key]

    assert any(key in keys_asked(one, schema) for one in questions(field, field.label, "tea"))


def test_questions_are_as_people_ask():
    assert "Where do I live?" in asked("address")
    assert "What tablets do I take?" in asked("medication")


def test_about_somebody_else_they_name_them():
    assert asked("address", about="Rosa")[0] == "Where does Rosa live?"
    assert asked("employer", about="my mother")[2] == "Which company is my mother with?"


def test_where_there_are_many_values_one_question_names_the_value():
    assert "Do I like tea?" in asked("likes")
    assert asked("likes") != asked("likes", "coffee")


def test_a_key_outside_the_schema_is_asked_for_by_its_name():
    made = questions(None, "shoe size", "42")

    assert "What is my shoe size?" in made
    assert len(made) == 3


def test_of_an_own_schema_whole_patterns_become_questions():
    field = own_field("which (plan/tariff) am i on", "what … (plan/tariff)", "my (plan/tariff)")

    assert Schema("own", (field,)).field("plan") is field
    assert questions(field, "plan", "gold")[3:] == ("Which plan am i on?",)
