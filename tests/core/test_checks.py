"""The eight checks together, from calls as they are spoken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.checks import CHECKS, check
from ringback.core.extraction import extract
from ringback.core.promotion import decide
from ringback.records import Action, Check, Evidence, Outcome, Source
from ringback.schemas import SUPPORT
from tests.core.made_checks import AT, CALL, DESK, checked, is_untouched, read, turns_of

pytestmark = pytest.mark.unit


def test_the_checks_run_in_their_order_and_end_with_the_one_that_drops():
    turns = turns_of("c: My order number is A-17.")

    _, passing = check(
        read(turns, "order", "A-17", "A-17"), turns=turns, call=CALL, said=(), schema=DESK
    )
    _, failing = check(
        read(turns, "order", "A-18", "A-17"), turns=turns, call=CALL, said=(), schema=DESK
    )

    names = ["entity", "place", "time", "relation", "consistent", "cause", "verifiable"]
    assert [one.name for one in passing] == [*names, "important"] == [c.name for c in CHECKS]
    assert [one.name for one in failing] == names
    assert failing[-1] == Check("verifiable", Outcome.DROPPED, "a number in its value was not said")


def test_turns_without_a_position_take_their_place_in_the_call():
    placed = turns_of("a: Which order?", "c: My order number is A-17.")
    turns = tuple(replace(turn, position=-1) for turn in placed)

    assert is_untouched(read(placed, "order", "A-17", "A-17"), turns)


def test_a_key_outside_the_schema_is_checked_as_text():
    turns = turns_of("c: My locker is by the door, my mother's is 44.")
    made = read(turns, "locker", "44", "my mother's is 44")

    result, one = checked(turns, made)

    assert result is not None
    assert (one.name, result.subject) == ("relation", "person:mother")


def test_no_reason_carries_what_was_said():
    turns = turns_of("c: My brother Tom ordered A-17. He wants it sent there tomorrow.")
    readings = [
        read(turns, "recipient", "he", "He wants it sent there"),
        read(turns, "delivery_address", "there", "sent there"),
        read(turns, "visit", "tomorrow", "tomorrow"),
        read(turns, "order", "B-99", "A-17"),
    ]

    reasons = [checked(turns, one)[1].reason for one in readings]

    assert all(reasons)
    for reason in reasons:
        assert not {"tom", "a-17", "tomorrow", "there"} & set(reason.lower().split())


def test_numbers_of_two_owners_that_differ_in_one_digit_stay_two():
    turns = turns_of(
        "c: Mine is Waterline North supply contract 55810-7"
        " and my mother's is Waterline North supply contract 55810-8."
    )
    sentence = turns[0].text[:-1]
    both = [read(turns, "contract", value, sentence) for value in ("55810-7", "55810-8")]

    decisions = decide(both, (), call=CALL, recorded_at=AT, schema=DESK, turns=turns)

    kept = [(one.fact.value, one.fact.subject) for one in decisions if one.fact]
    assert kept == [("55810-7", "self"), ("55810-8", "person:mother")]


def test_one_statement_that_is_repeated_in_one_breath_is_one_fact():
    turns = turns_of("c: set the reminder to two seconds, yes two seconds, so two seconds then")
    text = turns[0].text
    places = [text.index("two"), text.index("two seconds, so"), text.rindex("two")]
    thrice = [
        replace(
            read(turns, "reminder", value, "two seconds"),
            evidence=Evidence("call-1", 0, "two seconds", start, start + 11),
        )
        for value, start in zip(("two seconds", "2 seconds", "2 Seconds"), places, strict=True)
    ]

    decisions = decide(thrice, (), call=CALL, recorded_at=AT, schema=DESK, turns=turns)

    assert [one.action for one in decisions] == [Action.ADD, Action.SKIP, Action.SKIP]
    assert [one.fact.value for one in decisions if one.fact] == ["2 seconds"]
    assert decisions[1].reason == "said already in the same turn"


def test_an_agents_actually_and_update_correct_nothing():
    turns = turns_of(
        "c: did my parcel clear customs?",
        "a: Actually yes. Quick update: it left Leipzig at noon.",
    )

    candidates = extract(turns, call=CALL, schema=SUPPORT)
    decisions = decide(candidates, (), call=CALL, recorded_at=AT, schema=SUPPORT, turns=turns)

    assert decisions == ()


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([field.key for field in DESK.fields] + ["locker"]),
    st.text(max_size=30),
    st.text(alphabet="a1 .,-@+é中一°:T", max_size=30),
    st.sampled_from(Source),
    st.booleans(),
)
def test_whatever_was_read_is_passed_repaired_or_dropped(key, said, value, source, is_withdrawal):
    turns = turns_of(f"c: {said} {value}", f"a: {value}")
    made = replace(
        read(turns[:1], key, value, turns[0].text),
        source=source,
        is_withdrawal=is_withdrawal,
        valid_from=AT,
    )

    result, checks = check(made, turns=turns, call=CALL, said=(made,), schema=DESK)

    assert 1 <= len(checks) <= 8
    assert (result is None) == (checks[-1].outcome is Outcome.DROPPED)
    if result is not None and source is not Source.SYSTEM:
        evidence = result.evidence
        assert turns[evidence.position].text[evidence.start : evidence.end] == evidence.words
