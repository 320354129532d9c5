"""A candidate stands on what was said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ringback.records import Check, Evidence, Outcome, Source
from tests.core.made_checks import checked, is_untouched, read, turns_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("key", "line", "value"),
    [
        ("order", "It's forty eight double two.", "4822"),
        ("order", "It's B as in Bravo, four four one.", "B441"),
        ("order", "號碼是四八二一。", "4821"),
        ("phone", "Call plus one (555) 010-0199.", "+15550100199"),
        ("reminder", "In two seconds.", "2 seconds"),
        ("reminder", "Two point five ml.", "2.5 ml"),
        ("reminder", "It's 1,250 pounds.", "1,250 pounds"),
        ("note", "Apartment twelve, nine b Quill Lane.", "Apartment 12, 9b Quill Lane"),
        ("note", "On the third floor, 500mg a day.", "3rd floor, 500mg a day"),
        ("note", "Ring after six in the evening.", "after 18:00"),
        ("note", "Ring tomorrow morning at six.", "06:00 on 2026-03-04"),
        ("birthday", "I was born May 3rd 1980.", "1980-05-03"),
        ("birthday", "It was yesterday, 2026-03-02.", "2026-03-02"),
        ("guest", "It's King, K-I-N-G.", "King"),
        ("guest", "It's O'Brien, double n at the end, O B R I E double N.", "Obrienn"),
        ("guest", "It's doctor Okafor.", "Dr Okafor"),
        ("guest", "the guest is called rosa", "Rosa"),
        ("email", "It's double u dot triple x at example dot org.", "w.xxx@example.org"),
        (
            "email",
            "It's m as in mike a r i four two three at example dot org.",
            "mari423@example.org",
        ),
        ("note", "我想用中文。", "Mandarin"),
        ("tier", "The best one.", "gold"),
    ],
)
def test_verifiable_passes_what_was_said_in_whatever_form(key: str, line: str, value: str):
    turns = turns_of(f"c: {line}")

    result, one = checked(turns, read(turns, key, value, line))

    assert result is not None, one
    assert result.value == value


@pytest.mark.parametrize(
    ("key", "line", "value", "what"),
    [
        ("contract", "It's 55810-7.", "55810-8", "a number"),
        ("contract", "It's 55810-7.", "55810", "a number"),
        ("order", "It's four eight two one.", "482", "a number"),
        ("order", "It's A-17.", "A-1", "a number"),
        ("note", "It's 500 mg.", "500 g", ""),
        ("note", "It's the third floor.", "4th floor", "a number"),
        ("guest", "This is Dana.", "Diana", "a name"),
        ("visit", "Come on Friday.", "2026-03-07", "a date"),
        ("visit", "Come on Friday at two.", "2026-03-06T15:00-06:00", "a date"),
        ("note", "Come at noon.", "13:00", "a time"),
        ("note", "Around 2026-13-45.", "2026-13-46", "a date"),
        ("email", "It's rosa at example dot org.", "rose@example.org", "an address"),
    ],
)
def test_verifiable_drops_what_was_not_said(key: str, line: str, value: str, what: str):
    turns = turns_of(f"c: {line}")

    result, one = checked(turns, read(turns, key, value, line))

    if what:
        assert result is None
        assert one == Check("verifiable", Outcome.DROPPED, f"{what} in its value was not said")
    else:
        assert result is not None


def test_verifiable_finds_the_parts_of_an_address_that_earlier_turns_spelled():
    turns = turns_of("c: It's marlowe at example dot org.", "c: No, marlowe without the e.")

    assert is_untouched(read(turns, "email", "marlow@example.org", "marlowe without the e"), turns)


@pytest.mark.parametrize(("words", "start"), [("A-17", 0), ("a-17", 12), ("A-17", 40)])
def test_verifiable_repairs_where_the_words_stand(words: str, start: int):
    turns = turns_of("c: Order A-17, I mean order A-17.")
    made = read(turns, "order", "A-17", "A-17")
    wrong = replace(made, evidence=Evidence("call-1", 0, words, start, start + 4))

    result, one = checked(turns, wrong)

    assert result is not None
    assert one == Check("verifiable", Outcome.REPAIRED, "its words stand elsewhere in the turn")
    assert result.evidence == Evidence("call-1", 0, "A-17", *((6, 10) if start < 15 else (25, 29)))


def test_verifiable_repairs_a_span_where_letters_change_length_without_case():
    turns = turns_of("c: İzmir, order A-17.")
    wrong = replace(
        read(turns, "order", "A-17", "A-17"), evidence=Evidence("call-1", 0, "A-17", 0, 4)
    )

    result, _ = checked(turns, wrong)

    assert result is not None
    assert (result.evidence.start, result.evidence.end) == (13, 17)


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (Evidence("call-1", 0, "order B-41", 0, 9), "its words are not in the turn that it cites"),
        (Evidence("call-1", 7, "A-17", 0, 4), "it cites no turn of whoever is to have said it"),
        (Evidence("call-1", 1, "A-17", 4, 8), "it cites no turn of whoever is to have said it"),
        (Evidence("call-1", 0, "", 0, 0), "without evidence"),
    ],
)
def test_verifiable_drops_words_that_are_not_where_they_should_be(evidence: Evidence, reason: str):
    turns = turns_of("c: My order is A-17.", "a: So A-17.")
    made = replace(read(turns[:1], "order", "A-17", "A-17"), evidence=evidence)

    result, one = checked(turns, made)

    assert result is None
    assert one == Check("verifiable", Outcome.DROPPED, reason)


def test_verifiable_takes_the_turn_with_the_words_of_two_in_one_place():
    turns = turns_of("c: My order is A-17.")
    both = (replace(turns[0], text="Hello."), *turns)

    assert is_untouched(read(turns, "order", "A-17", "A-17"), both)


def test_without_turns_only_the_evidence_itself_is_looked_at():
    turns = turns_of("c: My order is A-17.")
    made = read(turns, "order", "B-41", "A-17")
    broken = replace(made, evidence=replace(made.evidence, end=99))

    assert is_untouched(made, ())
    assert checked((), broken)[1].reason == "without evidence"


def test_the_system_of_record_is_not_asked_for_words():
    record = replace(
        read(turns_of("c: -"), "order", "4 8 2 1", "-", source=Source.SYSTEM), subject="person:he"
    )

    result, one = checked(turns_of("c: Hello."), record)

    assert result is not None
    assert (one.name, result.value, result.subject) == ("verifiable", "4821", "person:he")


@pytest.mark.parametrize(("value", "is_kept"), [("4827", True), ("4821", False), ("4877", False)])
def test_verifiable_takes_a_number_with_a_part_put_right_for_no_other(value: str, is_kept: bool):
    turns = turns_of("c: My order is 4821.", "c: No, the last digit is a 7.")

    result, _ = checked(turns, read(turns, "order", value, "the last digit is a 7"))

    assert (result is not None) is is_kept
