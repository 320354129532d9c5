"""Whom and what a candidate is about: entity, place and relation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ringback.records import Check, Outcome
from ringback.schemas import GENERAL
from tests.core.made_checks import checked, is_untouched, read, turns_of

pytestmark = pytest.mark.unit

# Entity


def test_entity_passes_what_is_named():
    turns = turns_of("c: Please send it to Rosa.")

    assert is_untouched(read(turns, "recipient", "Rosa", "to Rosa", object="person:rosa"), turns)


@pytest.mark.parametrize(
    ("lines", "value", "subject"),
    [
        (["c: My brother Tom moved out. He has order A-17."], "A-17", "person:tom"),
        (["a: Is this about your mother?", "c: Yes, she has order A-17."], "A-17", "person:mother"),
        (["c: 我媽媽要退貨。", "c: 她的訂單是A-17。"], "A-17", "person:mother"),
    ],
)
def test_entity_repairs_a_subject_that_is_a_pronoun(lines: list[str], value: str, subject: str):
    turns = turns_of(*lines)
    pronoun = "她" if "她" in lines[-1] else "he"

    result, one = checked(turns, read(turns, "order", value, value, subject=f"person:{pronoun}"))

    assert result is not None
    assert (one.name, one.outcome) == ("entity", Outcome.REPAIRED)
    assert (result.subject, result.value) == (subject, value)


def test_entity_drops_a_subject_that_may_be_one_of_two():
    turns = turns_of("c: My mother called.", "c: My son and my daughter left. He has order A-17.")

    result, one = checked(turns, read(turns, "order", "A-17", "A-17", subject="person:he"))

    assert result is None
    assert one == Check("entity", Outcome.DROPPED, "whom it is about is not said")


def test_entity_takes_the_thing_that_was_named_for_a_subject_that_is_it():
    turns = turns_of("c: My order is A-17. It has a scratch.")
    order = read(turns, "order", "A-17", "A-17", object="order:a-17")
    scratch = read(turns, "note", "scratched", "It has a scratch", subject="it")

    result, _ = checked(turns, scratch, order)
    alone, one = checked(turns, scratch)

    assert result is not None
    assert result.subject == "order:a-17"
    assert (alone, one.name) == (None, "entity")


def test_entity_puts_the_persons_name_in_the_place_of_a_pronoun():
    turns = turns_of("c: My brother Tom moved out.", "c: Send it to him.")

    recipient, _ = checked(turns, read(turns, "recipient", "him", "to him"))
    guest, _ = checked(turns, read(turns, "guest", "that one", "him"))

    assert recipient is not None
    assert (recipient.value, recipient.object) == ("Tom", "person:tom")
    assert guest is not None
    assert (guest.value, guest.object) == ("Tom", "")


def test_entity_names_somebody_without_a_name_by_the_relation():
    turns = turns_of("c: I'm calling for my mother, send it to her.")

    result, _ = checked(turns, read(turns, "recipient", "her", "to her"))

    assert result is not None
    assert (result.value, result.object) == ("mother", "person:mother")


def test_entity_knows_somebody_by_what_was_read_before():
    turns = turns_of("c: The parcel is for Rosa.", "c: Please call her.")
    rosa = read(turns, "recipient", "Rosa", "Rosa", object="person:rosa")

    result, _ = checked(turns, read(turns, "guest", "her", "call her"), rosa)
    nobody, one = checked(turns, read(turns, "guest", "her", "call her"))

    assert result is not None
    assert result.value == "Rosa"
    assert nobody is None
    assert one == Check("entity", Outcome.DROPPED, "whom it names is not said")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a: Is it order B-204?", "c: Yes, that one."], "B-204"),
        (["a: Is it order B-204 or C-7?", "c: Yes, that one."], None),
        (["a: Which order is it?", "c: Well, that one."], None),
    ],
)
def test_entity_takes_a_code_from_the_turn_that_is_answered(lines: list[str], expected: str | None):
    turns = turns_of(*lines)

    result, one = checked(turns, read(turns, "order", "that one", "that one"))

    assert (result.value if result else None) == expected
    assert one.name == "entity"


def test_entity_takes_what_the_call_said_last_under_the_same_key():
    turns = turns_of("c: I have orders A-17 and B-41.", "a: Which of them?", "c: The same one.")
    order = read(turns, "order", "B-41", "B-41", object="order:b-41")

    result, _ = checked(turns, read(turns, "order", "the same one", "The same one"), order)
    note, one = checked(turns, read(turns, "note", "the same one", "The same one"), order)

    assert result is not None
    assert (result.value, result.object) == ("B-41", "order:b-41")
    assert (note, one.reason) == (None, "what it names is not said")


def test_entity_names_the_thing_that_a_matter_is_about():
    turns = turns_of("c: It's my router.", "a: I see.", "c: It keeps restarting.")

    result, one = checked(
        turns, read(turns, "matter", "it keeps restarting", "It keeps restarting")
    )

    assert result is not None
    assert (one.name, result.value) == ("entity", "my router keeps restarting")


def test_entity_drops_a_matter_of_which_nobody_said_what_it_is_about():
    turns = turns_of("c: It keeps restarting.")

    result, one = checked(
        turns, read(turns, "matter", "it keeps restarting", "It keeps restarting")
    )

    assert (result, one.reason) == (None, "what it is about is not said")


def test_a_pronoun_is_the_last_person_that_the_last_turns_spoke_of():
    turns = turns_of("c: My son called.", *["a: I see."] * 4, "c: He has order A-17.")

    result, one = checked(turns, read(turns, "order", "A-17", "A-17", subject="person:he"))

    assert (result, one.name) == (None, "entity")


def test_without_turns_a_pronoun_is_nobody():
    made = read(turns_of("c: Call her."), "guest", "her", "her")

    result, one = checked((), made)

    assert (result, one.name) == (None, "entity")


@pytest.mark.parametrize(
    ("lines", "value", "expected"),
    [
        (["a: Is it order B-204 or C-70?", "c: The second one."], "The second one", "C-70"),
        (["a: Is it order B-204 or C-7?", "c: 前者"], "前者", "B-204"),
        (["a: Is it order B-204?", "c: The second one."], "The second one", None),
        (["a: Is it order B-204 or C-7?", "c: The later one."], "The later one", None),
        (["a: Is it order B-204?", "c: Same as last time."], "Same as last time", None),
        (["a: 訂單是 B-204 嗎?", "c: 跟上次一樣"], "跟上次一樣", None),
    ],
)
def test_entity_takes_one_of_the_codes_that_were_offered(
    lines: list[str], value: str, expected: str | None
):
    turns = turns_of(*lines)

    result, one = checked(turns, read(turns, "order", value, value))

    assert (result.value if result else None) == expected
    assert one.name == "entity"


@pytest.mark.parametrize(
    ("lines", "value", "expected"),
    [
        (["a: Friday at 2pm?", "c: That time."], "That time", "2026-03-06T14:00-06:00"),
        (
            ["a: Monday at 9am or Friday at 2pm?", "c: The later one."],
            "The later one",
            "2026-03-09T09:00-05:00",
        ),
        (
            ["a: Monday at 9am or Friday at 2pm?", "c: The latter."],
            "The latter",
            "2026-03-06T14:00-06:00",
        ),
        (["a: 週五下午兩點可以嗎?", "c: 就那個時間"], "那個時間", "2026-03-06T14:00-06:00"),
        (["a: Monday at 9am or Friday at 2pm?", "c: That time."], "That time", None),
        (["a: When?", "c: Same time as last week."], "Same time as last week", None),
    ],
)
def test_entity_puts_the_date_that_was_spoken_of_in_the_place_of_that_time(
    lines: list[str], value: str, expected: str | None
):
    turns = turns_of(*lines)

    result, _ = checked(turns, read(turns, "visit", value, value))

    assert (result.value if result else None) == expected


@pytest.mark.parametrize(
    "value", ["same as last time", "the usual", "that one", "the latter", "老樣子"]
)
def test_entity_keeps_no_note_that_names_nothing(value: str):
    turns = turns_of("a: What should we do?", f"c: Well, {value}.")

    result, one = checked(turns, read(turns, "note", value, value))

    assert (result, one.name) == (None, "entity")


@pytest.mark.parametrize("value", ["the second floor", "later", "second"])
def test_entity_passes_what_only_looks_as_if_it_pointed(value: str):
    turns = turns_of(f"c: It's {value}.")

    assert is_untouched(read(turns, "note", value, value), turns)


# Place


def test_place_passes_an_address():
    turns = turns_of("c: Bring it to 9 Quill Lane.")

    assert is_untouched(read(turns, "delivery_address", "9 Quill Lane", "9 Quill Lane"), turns)


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["a: We have 9 Quill Lane on file.", "c: Yes, send it there."], "there"),
        (
            ["c: I live at 9 Quill Lane. Bring it to the same address as before."],
            "the same address",
        ),
    ],
)
def test_place_repairs_a_word_for_an_address_that_the_call_named(lines: list[str], value: str):
    turns = turns_of(*lines)

    result, one = checked(turns, read(turns, "delivery_address", value, value))

    assert result is not None
    assert (one.name, one.outcome, result.value) == ("place", Outcome.REPAIRED, "9 Quill Lane")


def test_place_takes_the_address_that_was_named_last():
    turns = turns_of(
        "c: I live at nine Quill Lane.", "a: Do you mean 4 Elm Road?", "c: No.", "c: Send it home."
    )
    home = read(turns, "delivery_address", "9 Quill Lane", "nine Quill Lane")
    later = replace(home, evidence=replace(home.evidence, position=2))

    agents, _ = checked(turns, read(turns, "delivery_address", "home", "home"), home)
    callers, _ = checked(turns, read(turns, "delivery_address", "home", "home"), later)

    assert agents is not None
    assert agents.value == "4 Elm Road"
    assert callers is not None
    assert callers.value == "9 Quill Lane"


def test_place_reads_an_address_that_was_spoken_out_from_what_was_read_before():
    turns = turns_of("c: I live at nine Quill Lane.", "c: Send it there.")
    home = read(turns, "delivery_address", "9 Quill Lane", "nine Quill Lane")

    result, _ = checked(turns, read(turns, "delivery_address", "there", "there"), home)

    assert result is not None
    assert result.value == "9 Quill Lane"


@pytest.mark.parametrize(
    "lines",
    [
        ["c: Send it to the usual place."],
        ["c: I live at 9 Quill Lane and work at 4 Elm Road.", "c: Send it to the usual place."],
    ],
)
def test_place_drops_an_address_that_nobody_named_or_that_may_be_one_of_two(lines: list[str]):
    turns = turns_of(*lines)

    result, one = checked(turns, read(turns, "note", "the usual place", "the usual place"))

    assert result is None
    assert one == Check("place", Outcome.DROPPED, "the place it names is not said")


@pytest.mark.parametrize("value", ["the same as last time", "跟上次一樣"])
def test_place_takes_no_address_of_this_call_for_that_of_another(value: str):
    turns = turns_of("c: I live at 9 Quill Lane.", f"c: Send it to, well, {value}.")

    result, one = checked(turns, read(turns, "delivery_address", value, value))

    assert (result, one.name) == (None, "place")


# Relation


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("My contract is 55810-7.", "55810-7"),
        ("My mother's here, and my contract is 55810-7.", "55810-7"),
        ("My wife told me to call about contract 55810-7.", "55810-7"),
        ("My husband is asleep, so it's contract 55810-7.", "55810-7"),
        ("Contract 55810-7.", "55810-7"),
    ],
)
def test_relation_passes_the_callers_own(line: str, value: str):
    turns = turns_of(f"c: {line}")

    assert is_untouched(read(turns, "contract", value, value), turns)


@pytest.mark.parametrize(
    ("lines", "owner"),
    [
        (["c: My mother's contract is 55810-8."], "person:mother"),
        (["c: My brother Tom's contract is 55810-8."], "person:tom"),
        (["c: I'm calling for my mother. Her contract is 55810-8."], "person:mother"),
        (["c: The contract is 55810-8, that's my sister's."], "person:sister"),
        (["c: 我媽媽的合約是55810-8。"], "person:mother"),
    ],
)
def test_relation_repairs_whose_it_is(lines: list[str], owner: str):
    turns = turns_of(*lines)

    result, one = checked(turns, read(turns, "contract", "55810-8", "55810-8"))

    assert result is not None
    assert (one.name, one.outcome, result.subject) == ("relation", Outcome.REPAIRED, owner)


@pytest.mark.parametrize(
    "line", ["His contract is 55810-8.", "The contract is 55810-8, but that's not mine."]
)
def test_relation_drops_what_is_somebody_elses_without_saying_whose(line: str):
    turns = turns_of(f"c: {line}")

    result, one = checked(turns, read(turns, "contract", "55810-8", "55810-8"))

    reason = "it is somebody else's, and whose is not said"
    assert (result, one) == (None, Check("relation", Outcome.DROPPED, reason))


def test_a_mothers_name_is_the_callers_mother():
    turns = turns_of("c: My mother's name is Rosa.")
    made = read(turns, "mother", "Rosa", "My mother's name is Rosa", object="person:rosa")
    name = read(turns, "name", "Rosa", "My mother's name is Rosa")

    mother, _ = checked(turns, made, schema=GENERAL)
    named, _ = checked(turns, name, schema=GENERAL)

    assert mother == made
    assert named is not None
    assert named.subject == "person:mother"


def test_she_is_the_person_that_a_relation_names():
    turns = turns_of("c: I'm married. She is called Rosa.", "c: His doctor is Rosa.")
    partner = read(turns[:1], "partner", "Rosa", "She is called Rosa", object="person:rosa")
    doctor = read(turns, "recipient", "Rosa", "His doctor is Rosa", object="person:rosa")

    result, _ = checked(turns, partner, schema=GENERAL)

    assert result == partner
    assert checked(turns, doctor)[0] is None


@pytest.mark.parametrize("is_withdrawal", [True, False])
def test_what_is_not_the_callers_is_the_sisters(is_withdrawal: bool):
    turns = turns_of("c: I'm not allergic to nuts, that's my sister.")
    nuts = read(turns, "allergy", "nuts", "allergic to nuts", is_withdrawal=is_withdrawal)

    result, _ = checked(turns, nuts, schema=GENERAL)

    assert result is not None
    assert result.subject == ("self" if is_withdrawal else "person:sister")


@pytest.mark.parametrize(
    ("key", "value"),
    [("matter", "router is broken"), ("visit", "2026-03-06"), ("promise", "a call back")],
)
def test_a_matter_is_the_callers_whoever_it_is_about(key: str, value: str):
    turns = turns_of(f"c: It's about my mother's {value}.")

    assert is_untouched(read(turns, key, value, value), turns)


def test_relation_adds_the_entity_that_a_value_names():
    turns = turns_of("c: I take metformin 500 mg.")

    result, one = checked(turns, read(turns, "medicine", "metformin 500 mg", "metformin 500 mg"))

    assert result is not None
    assert (one.name, result.object) == ("relation", "medication:metformin")
