from __future__ import annotations

import pytest

from tests.core.made_reading import found_of_anybody

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    (
        "we live in Bristol now, it's close to my job, I'm a teacher",
        ["home_town = Bristol", "occupation = teacher"],
    ),
    ("we just moved to Leeds, before that we lived in York", ["home_town = Leeds"]),
    (
        "I work for the city library, I've been a librarian for twenty years",
        ["employer = city library", "occupation = librarian"],
    ),
    ("my sister is a nurse", ["occupation = nurse of person:sister"]),
    (
        "my husband hates the new plan but I like it",
        [
            "dislikes = new plan of person:husband",
            "not likes = new plan of person:husband",
            "not dislikes = new plan",
            "likes = new plan",
        ],
    ),
    (
        "I used to love coffee but I can't stand it any more",
        ["not likes = coffee", "dislikes = coffee"],
    ),
    (
        "My wife's name is Alina. She likes jazz, but I can't stand it.",
        [
            "partner = Alina",
            "not dislikes = jazz of person:wife",
            "likes = jazz of person:wife",
            "dislikes = jazz",
            "not likes = jazz",
        ],
    ),
    ("I'm thinking of moving to Spain if my daughter Ana finds a job there", ["child = Ana"]),
    ("Milo's fine, he's allergic to eggs though", ["allergy = eggs of person:milo"]),
    (
        "a: Do you have any dietary needs for the lunch? | gluten free please",
        ["diet = gluten-free"],
    ),
    ("a: Do you have any allergies? | just penicillin", ["allergy = penicillin"]),
    ("a: Do you have any allergies? | peanuts and latex", ["allergy = peanuts", "allergy = latex"]),
    ("a: And what's your wife's name? | Mei", ["partner = Mei"]),
    ("I've been vegan for two years", ["diet = vegan"]),
    ("my wife is called Mei", ["partner = Mei"]),
    ("we have a cat called Minka", ["pet = Minka"]),
    ("I have two kids, Ana and Ben", ["child = Ana", "child = Ben"]),
    ("I work at the city hospital", ["employer = city hospital"]),
]

NOTHING = [
    "oh I just love waiting on hold for an hour",
    "I love being charged twice",
    "I love your service",
    "I like it",
    "I'm a difficult customer",
    "people say I'm a teacher",
    "I'm not a teacher",
    "I was a teacher",
    "if I were a teacher",
    "my son wants to be a pilot",
    "my doctor is a vegetarian",
    "I work at home",
    "I work for myself",
    "a: Do you have any allergies? | why do you ask",
    "a: Do you have any pets? | yes, my dog is all business",
    "Rex is my dog, he's allergic to eggs",
    "I'm a bit late",
    "I went home",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_what_people_are_and_like_is_read(lines: str, facts: list[str]):
    assert found_of_anybody(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_nothing_is_read_of_anybody(lines: str):
    assert found_of_anybody(lines) == []
