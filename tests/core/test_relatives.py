from __future__ import annotations

import pytest

from ringback.core.relatives import person_before, person_ref, relation

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "ref"),
    [
        ("mother", "person:mother"),
        ("Mom", "person:mother"),
        ("媽媽", "person:mother"),
        ("son Bertil", "person:bertil"),
        ("son, Bertil", "person:bertil"),
        ("mother-in-law", "person:mother-in-law"),
        ("co-worker", "person:colleague"),
        ("Rosa", "person:rosa"),
    ],
)
def test_a_person_goes_by_name_or_else_by_relation(said: str, ref: str):
    assert person_ref(said) == ref


def test_the_same_relation_has_one_word():
    words = ["dad", "daddy", "father", "爸爸", "父親"]

    assert {relation(word) for word in words} == {"father"}


@pytest.mark.parametrize(
    ("before", "ref"),
    [
        ("My mother called. ", "person:mother"),
        ("My old mother called, my mother. ", "person:mother"),
        ("我媽媽來了，", "person:mother"),  # noqa: RUF001 - Chinese signs are meant
        ("My mother and my father called. ", ""),
        ("Somebody called. ", ""),
    ],
)
def test_a_pronoun_means_the_one_person_spoken_of(before: str, ref: str):
    assert person_before(f"{before}she said", 0, len(before)) == ref
