# ruff: noqa: RUF001 - Chinese signs are meant
"""Nobody's echo, an event with its reason, something worth keeping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ringback.records import Candidate, Check, Kind, Outcome, Scope, Turn
from tests.core.made_checks import checked, is_untouched, read, turns_of

pytestmark = pytest.mark.unit

# Consistent


def test_consistent_passes_a_number_that_two_people_share_by_their_own_words():
    turns = turns_of("c: My mother's contract is 55810-8.", "c: My contract is 55810-8 as well.")
    mothers = read(turns[:1], "contract", "55810-8", "55810-8", subject="person:mother")

    assert is_untouched(read(turns, "contract", "55810-8", "contract is 55810-8"), turns, mothers)


@pytest.mark.parametrize("key", ["contract", "email"])
def test_consistent_gives_a_number_to_the_one_who_had_it(key: str):
    value = {"contract": "55810-8", "email": "rosa@example.org"}[key]
    turns = turns_of(f"c: My mother's is {value}.", f"a: So {value}?", f"c: Yes, {value}.")
    mothers = read(turns[:1], key, value, value, subject="person:mother")

    result, one = checked(turns, read(turns, key, value, value), mothers)

    assert result is not None
    assert (one.name, one.outcome) == ("consistent", Outcome.REPAIRED)
    assert result.subject == "person:mother"


def test_consistent_drops_a_number_of_two_others():
    turns = turns_of("c: Theirs is 55810-8.", "c: 55810-8.")
    mothers, sons = (
        read(turns[:1], "contract", "55810-8", "55810-8", subject=f"person:{who}")
        for who in ("mother", "son")
    )

    result, one = checked(turns, read(turns, "contract", "55810-8", "55810-8"), mothers, sons)

    assert (result, one.reason) == (None, "its value is of two others")


def test_consistent_shares_what_anybody_may_have():
    turns = turns_of("c: My mother's tier is gold.", "c: Gold.")
    mothers = read(turns, "tier", "gold", "gold", subject="person:mother")

    assert is_untouched(read(turns, "tier", "gold", "Gold"), turns, mothers)


def test_consistent_drops_the_agents_echo_but_not_what_both_agree_on():
    turns = turns_of("c: My order is A-17, come on 2026-03-06.", "a: A-17, on 2026-03-06.")
    order = read(turns[:1], "order", "A-17", "A-17")
    visit = read(turns[:1], "visit", "2026-03-06", "2026-03-06")

    echo, one = checked(turns, read(turns, "order", "A-17", "A-17,"), order)
    agreed, _ = checked(turns, read(turns, "visit", "2026-03-06", "on 2026-03-06."), visit)
    own, _ = checked(turns, read(turns, "order", "A-17", "A-17,"))

    assert echo is None
    assert one == Check("consistent", Outcome.DROPPED, "the agent repeats what the caller said")
    assert agreed is not None
    assert own is not None


# Cause


def refund(turns: Sequence[Turn], value: str, words: str) -> Candidate:
    return read(turns, "refund", value, words, kind=Kind.EVENT, scope=Scope.CASE)


@pytest.mark.parametrize(
    "line",
    [
        "We refunded order A-17 last week.",
        "We refunded order A-17 because of the typhoon.",
        "I'm calling because we refunded order A-17.",
        f"We refunded order A-17 because {'the courier was very late and ' * 8}it rained.",
    ],
)
def test_cause_passes_an_event_with_its_reason_or_without_one(line: str):
    turns = turns_of(f"a: {line}")
    words = "refunded order A-17"
    value = f"{words} because of the typhoon" if "typhoon" in line else words

    assert is_untouched(refund(turns, value, words), turns)


@pytest.mark.parametrize(
    ("line", "words", "reason"),
    [
        (
            "We refunded order A-17 because of the typhoon, so all is well.",
            "refunded order A-17",
            "because of the typhoon",
        ),
        (
            "Due to the typhoon, we refunded order A-17.",
            "refunded order A-17",
            "due to the typhoon",
        ),
        (
            "We refunded order A-17 because it broke and you can keep it.",
            "refunded order A-17",
            "because it broke",
        ),
        ("訂單A-17退款了，因為颱風。", "訂單A-17退款了", "因為颱風"),
    ],
)
def test_cause_repairs_an_event_that_lost_its_reason(line: str, words: str, reason: str):
    turns = turns_of(f"a: {line}")

    result, one = checked(turns, refund(turns, words, words))

    assert result is not None
    assert (one.name, one.outcome) == ("cause", Outcome.REPAIRED)
    assert result.value == f"{words} {reason}"
    evidence = result.evidence
    assert turns[0].text[evidence.start : evidence.end] == evidence.words
    assert words in evidence.words
    assert reason in evidence.words.lower()


def test_cause_looks_for_no_reason_where_its_words_do_not_stand():
    turns = turns_of("a: We refunded order A-17 because of the typhoon.")
    made = refund(turns, "refunded order A-17", "refunded order A-17")
    lost = replace(made, evidence=replace(made.evidence, start=90, end=109))

    result, one = checked(turns, lost)

    assert result is not None
    assert (one.name, result.evidence) == ("verifiable", made.evidence)


def test_cause_leaves_a_dates_reason_out_of_the_date():
    turns = turns_of("a: We come on 2026-03-06 because of the typhoon.")

    assert is_untouched(read(turns, "visit", "2026-03-06", "2026-03-06"), turns)


def test_cause_drops_a_rule_that_was_made_of_one_event():
    turns = turns_of("a: We refunded order A-17 because of the typhoon.")

    result, one = checked(
        turns, refund(turns, "always refund after a typhoon", "refunded order A-17")
    )

    assert result is None
    assert one == Check("cause", Outcome.DROPPED, "a rule was made of what happened once")


def test_cause_passes_a_rule_that_was_said():
    turns = turns_of("c: I always want a paper bill.")

    assert is_untouched(
        read(turns, "note", "always a paper bill", "always want a paper bill"), turns
    )


# Important


def test_important_passes_what_says_something():
    turns = turns_of("c: The blue one, please.")

    assert is_untouched(read(turns, "note", "the blue one", "The blue one"), turns)


def test_important_repairs_a_matter_that_begins_with_hesitation():
    turns = turns_of("c: Uh, well, my router is broken.")

    result, one = checked(
        turns, read(turns, "matter", "uh, well, my router is broken", turns[0].text)
    )

    assert result is not None
    assert one == Check("important", Outcome.REPAIRED, "hesitation is no part of it")
    assert result.value == "my router is broken"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nothing", "it says nothing"),
        ("not sure", "it says nothing"),
        ("yes, okay", "it says nothing"),
        ("不知道", "it says nothing"),
        (" ", "without a value"),
    ],
)
def test_important_drops_what_says_nothing(value: str, reason: str):
    turns = turns_of(f"c: Well, {value} .")

    result, one = checked(turns, read(turns, "note", value, value))

    assert (result, one) == (None, Check("important", Outcome.DROPPED, reason))


def test_important_keeps_a_choice_that_is_none_and_a_withdrawal_of_any():
    turns = turns_of("c: None.")
    none = read(turns, "tier", "none", "None")
    of_all = read(turns, "contract", "any", "None", is_withdrawal=True)
    of_nothing = replace(of_all, value="")

    assert is_untouched(none, turns)
    assert is_untouched(of_all, turns)
    assert checked(turns, of_nothing)[1].reason == "withdraws nothing"


def test_what_is_said_again_in_another_turn_is_no_repetition():
    turns = turns_of("c: In 2 seconds, 2 days.", "c: In 2 seconds.")
    first = read(turns[:1], "reminder", "2 seconds", "2 seconds")

    assert is_untouched(read(turns, "reminder", "2 seconds", "2 seconds"), turns, first)
    assert is_untouched(read(turns[:1], "reminder", "2 days", "2 days"), turns, first)
