"""What the channels found, as one answer: nothing in it that holds another code."""

from __future__ import annotations

import pytest
from ringback.core.recalling import fused, key_hits

from ringback.recollection import Channel, Hit
from ringback.records import Fact, Role, Turn
from ringback.schemas import SUPPORT
from tests.core.made_call import STARTED, fact

pytestmark = pytest.mark.unit


def answers(question: str, *facts: Fact, turns: tuple[str, ...] = ()) -> list[str]:
    said = [Turn(Role.CALLER, text, STARTED, place) for place, text in enumerate(turns)]
    channels = {
        Channel.KEY: key_hits(question, facts, SUPPORT),
        Channel.FACTS: tuple(Hit(1.0, fact=one) for one in facts),
        Channel.TURNS: tuple(Hit(1.0, turn=one, call_id="call-1") for one in said),
    }
    found = fused(channels, question=question, tenant="acme", schema=SUPPORT, limit=9)
    return [one.fact.value if one.fact else one.text for one in found]


MINE = fact("account_number", "558107")
HERS = fact("account_number", "558108", subject="person:mother")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Whose account number is 55810-8?", ["558108"]),
        ("What is on account 55810-7?", ["558107"]),
        ("Is there an account 55810-9?", []),
        ("What is the account number?", ["558107", "558108"]),
        ("What account number did I give on 5 May 2026?", ["558107", "558108"]),
        ("Which account has the PIN 1234?", ["558107", "558108"]),
    ],
)
def test_who_asks_for_one_code_is_not_given_its_neighbour(question: str, values: list[str]):
    assert sorted(answers(question, MINE, HERS)) == values


def test_a_turn_with_another_code_is_left_out_and_one_with_both_stays():
    turns = ("It is 55810-7.", "Mine is 55810-7, hers is 55810-8.", "Her contract ended.")

    assert sorted(answers("contract 55810-8", turns=turns)) == sorted(turns[1:])


def test_a_year_is_no_code():
    assert answers("What was order 4821 in 2025?", turns=("I moved in 2024.",)) == [
        "I moved in 2024."
    ]
