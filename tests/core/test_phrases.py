# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.extraction import extract
from ringback.records import Call, Candidate, Cardinality, Role, Source, Turn
from ringback.schemas import GENERAL, MEDICAL_INTAKE, SUPPORT, Field, Schema, ValueType

pytestmark = pytest.mark.unit

THURSDAY = datetime(2026, 3, 19, 15, 0, tzinfo=UTC)


def read(*lines: str, schema: Schema = MEDICAL_INTAKE) -> tuple[Candidate, ...]:
    """Candidates from "c: ..." and "a: ..." lines, ten seconds apart."""
    turns = [
        Turn(
            Role.CALLER if line.startswith("c:") else Role.AGENT,
            line[2:].strip(),
            THURSDAY + timedelta(seconds=10 * place),
            place,
        )
        for place, line in enumerate(lines)
    ]
    call = Call("call-1", "acme", THURSDAY, "America/Chicago")
    return extract(turns, call=call, schema=schema)


def stated(line: str, schema: Schema = MEDICAL_INTAKE) -> list[tuple[str, str]]:
    return [(found.key, found.value) for found in read(f"c: {line}", schema=schema)]


def values(line: str, key: str, schema: Schema) -> list[str]:
    found = read(f"c: {line}", schema=schema)
    return [one.value for one in found if one.key == key and not one.is_withdrawal]


VARIED = [
    ("I'm allergic to penicillin.", ["penicillin"]),
    ("i am also allergic to penicillin", ["penicillin"]),
    ("I'm really badly allergic to bees, so be careful.", ["bees"]),
    ("Well, I'm allergic to, uh, the latex in gloves.", ["latex in gloves"]),
    ("My allergy is peanuts.", ["peanuts"]),
    ("my allergies are nuts and eggs", ["nuts", "eggs"]),
    ("I'm allergic to penicillin and latex.", ["penicillin", "latex"]),
    (
        "I'm allergic to peanuts, tree nuts, and shellfish; otherwise fine.",
        ["peanuts", "tree nuts", "shellfish"],
    ),
    ("I'm allergic to penicillin and my sister knows it", ["penicillin"]),
    ("I'm allergic to penicillin and latex is fine.", ["penicillin"]),
    ("I'm allergic to penicillin, that's all.", ["penicillin"]),
    ("I'm allergic to penicillin, no wait, amoxicillin.", ["amoxicillin"]),
    ("I'm allergic to eggs, nuts, I mean peanuts.", ["eggs", "peanuts"]),
    ("I have a peanut allergy.", ["peanut"]),
    ("My doctor says I'm allergic to nuts.", ["nuts"]),
    ("我對花生過敏。", ["花生"]),
    ("我对花生和牛奶过敏", ["花生", "牛奶"]),
    ("我也對花生、牛奶嚴重過敏，要小心。", ["花生", "牛奶"]),
    ("我對penicillin過敏", ["penicillin"]),
    ("醫生說我對花生過敏。", ["花生"]),
]


@pytest.mark.parametrize(("line", "allergies"), VARIED, ids=[line for line, _ in VARIED])
def test_one_phrase_stands_for_the_ways_in_which_it_is_said(line: str, allergies: list[str]):
    found = read(f"c: {line}")

    assert [(one.key, one.value) for one in found] == [("allergy", each) for each in allergies]
    assert not any(one.is_withdrawal or one.is_speculation for one in found)


NOTHING = [
    "Am I allergic to nuts?",
    "do I take aspirin",
    "What do I take when I'm sick",
    "Are you saying I'm allergic to nuts.",
    "I'm allergic to nuts, is that a problem?",
    "If I'm allergic to nuts, what then.",
    "I don't know whether I'm allergic to nuts.",
    "Let's say I'm allergic to nuts.",
    "I would be allergic to it.",
    "I never said I'm allergic to nuts.",
    "I was never allergic to nuts.",
    "Neither my mother nor I am allergic to nuts.",
    "I'm allergic to it.",
    "I'm allergic to you people.",
    "I'm allergic to anything but latex.",
    "He's allergic to nuts.",
    "my dog is allergic to chicken",
    "Your records say that you think I'm allergic to nuts.",
    "Remember: I'm always allergic to nuts.",
    "I have no allergies to food.",
    "I have a question about my nut allergy.",
    "I take the bus to work.",
    "I take care of my mother.",
    "I take medication.",
    "I take any medication that helps.",
    "Nuts? I'm allergic to nuts!?",
    "我對花生過敏嗎？",
    "我不知道我對花生過敏。",
    "如果我對花生過敏怎麼辦。",
    "你對花生過敏。",
]


@pytest.mark.parametrize("line", NOTHING)
def test_what_is_asked_supposed_or_nobodys_gives_nothing(line: str):
    assert read(f"c: {line}") == ()


WITHDRAWN = [
    ("I'm not allergic to nuts, that's my sister.", "nuts"),
    ("I'm not allergic to nuts or eggs.", "nuts eggs"),
    ("I am no longer allergic to eggs.", "eggs"),
    ("I used to be allergic to eggs.", "eggs"),
    ("my allergy isn't peanuts", "peanuts"),
    ("I have no allergies.", "any"),
    ("No, no known allergies.", "any"),
    ("I don't have any allergies that I know of.", "any"),
    ("I'm not allergic to anything.", "any"),
    ("I'm allergic to nothing.", "any"),
    ("I'm not aware of any allergies", "any"),
    ("Well, there are no known allergies.", "any"),
    ("我對花生不過敏。", "花生"),
    ("我沒有過敏。", "any"),
    ("我對任何東西都不過敏", "any"),
]


@pytest.mark.parametrize(("line", "denied"), WITHDRAWN, ids=[line for line, _ in WITHDRAWN])
def test_a_denial_withdraws_and_states_nothing(line: str, denied: str):
    found = read(f"c: {line}")

    assert [(one.key, one.value) for one in found] == [("allergy", v) for v in denied.split()]
    assert all(one.is_withdrawal and not one.is_speculation for one in found)


def test_everything_denied_at_once_is_one_withdrawal():
    (found,) = read("c: I don't take any medication.")

    assert (found.key, found.value, found.is_withdrawal) == ("medication", "any", True)


def test_quoted_words_that_hold_another_phrase_are_one_value():
    assert stated("I've been having headaches and I've been feeling dizzy.") == [
        ("symptom", "headaches and I've been feeling dizzy")
    ]


def test_a_denied_choice_is_the_opposite_choice_where_there_is_one():
    assert stated("I'm not pregnant and I'm not a smoker.") == [
        ("pregnancy", "not pregnant"),
        ("smoking", "non-smoker"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "I'm not allergic to anything except penicillin.",
        "I have no allergies but penicillin.",
        "I'm allergic to nothing but penicillin.",
    ],
)
def test_what_a_denial_leaves_out_is_stated(line: str):
    (found,) = read(f"c: {line}")

    assert (found.value, found.is_withdrawal) == ("penicillin", False)


GUESSES = [
    ("I might be allergic to latex.", "latex", False),
    ("I think I'm allergic to latex.", "latex", False),
    ("I'm probably allergic to latex.", "latex", False),
    ("I'm allergic to latex, I think.", "latex", False),
    ("I'm not sure I'm allergic to latex.", "latex", False),
    ("I don't think I'm allergic to latex.", "latex", True),
    ("I don't think I have any allergies.", "any", True),
    ("我可能對花生過敏。", "花生", False),
    ("我覺得我對花生過敏。", "花生", False),
]


@pytest.mark.parametrize(("line", "value", "is_withdrawal"), GUESSES, ids=[g[0] for g in GUESSES])
def test_a_guess_is_marked_and_uncertain(line: str, value: str, is_withdrawal: bool):
    (found,) = read(f"c: {line}")

    assert (found.value, found.is_withdrawal) == (value, is_withdrawal)
    assert found.is_speculation
    assert found.confidence == 0.6


def test_of_two_that_cannot_both_be_meant_each_is_a_guess():
    found = read("c: I'm allergic to penicillin or amoxicillin.")

    assert [(one.value, one.is_speculation) for one in found] == [
        ("penicillin", True),
        ("amoxicillin", True),
    ]


OTHERS = [
    ("My mother is allergic to nuts.", "person:mother", "nuts"),
    ("my mom's also allergic to nuts", "person:mother", "nuts"),
    ("My mother's allergy is nuts.", "person:mother", "nuts"),
    ("My son Bertil is allergic to nuts.", "person:bertil", "nuts"),
    ("my mother-in-law is allergic to nuts", "person:mother-in-law", "nuts"),
    ("My father has no allergies.", "person:father", "any"),
    ("我媽媽對花生過敏。", "person:mother", "花生"),
    ("我太太沒有過敏。", "person:wife", "any"),
]


@pytest.mark.parametrize(("line", "subject", "value"), OTHERS, ids=[line for line, *_ in OTHERS])
def test_what_is_said_of_a_relative_is_theirs(line: str, subject: str, value: str):
    (found,) = read(f"c: {line}")

    assert (found.subject, found.value) == (subject, value)


def test_a_pronoun_is_the_one_relative_that_was_just_spoken_of():
    found = read("c: My mother is allergic to nuts. She is also allergic to latex.")

    assert [(one.subject, one.value) for one in found] == [
        ("person:mother", "nuts"),
        ("person:mother", "latex"),
    ]


def test_a_pronoun_after_two_people_is_nobodys():
    found = read("c: My mother called my father. He takes aspirin.")

    assert found == ()


def test_the_caller_and_a_relative_in_one_turn_do_not_mix():
    found = read("c: I take aspirin and my wife takes metformin.")

    assert [(one.subject, one.value) for one in found] == [
        ("self", "aspirin"),
        ("person:wife", "metformin"),
    ]


def test_another_persons_name_is_not_kept_under_the_callers_key():
    found = read("c: 我媽媽叫王美麗。", schema=GENERAL)

    assert [(one.key, one.value, one.object) for one in found] == [
        ("mother", "王美麗", "person:王美麗")
    ]


def test_a_relation_names_the_entity_of_its_value():
    (found,) = read("c: My mother's name is Rosa.", schema=GENERAL)

    assert (found.key, found.value, found.subject, found.object) == (
        "mother",
        "Rosa",
        "self",
        "person:rosa",
    )


def test_a_dose_is_part_of_the_value_but_not_of_the_entity():
    found = read("c: I'm taking metformin, five hundred milligrams, and 100 mg of aspirin.")

    assert [(one.value, one.object) for one in found] == [
        ("metformin 500 mg", "medication:metformin"),
        ("aspirin 100 mg", "medication:aspirin"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "I take metformin 500 mg, no, sorry, 850 mg.",
        "I take metformin 500 milligrams. No, wait, 850.",
    ],
)
def test_a_corrected_dose_replaces_the_first(line: str):
    assert stated(line) == [("medication", "metformin 850 mg")]


ATTITUDES = [
    ("I love opera.", {("likes", False), ("dislikes", True)}),
    ("I can't stand opera any more.", {("likes", True), ("dislikes", False)}),
    ("I don't like opera.", {("likes", True), ("dislikes", False)}),
    ("我討厭opera。", {("likes", True), ("dislikes", False)}),
    ("I don't hate opera.", {("dislikes", True)}),
]


@pytest.mark.parametrize(("line", "kept"), ATTITUDES, ids=[line for line, _ in ATTITUDES])
def test_an_attitude_ends_its_opposite(line: str, kept: set[tuple[str, bool]]):
    found = read(f"c: {line}", schema=GENERAL)

    assert {(one.key, one.is_withdrawal) for one in found} == kept
    assert {(one.value, one.object) for one in found} == {("opera", "thing:opera")}


def test_since_when_something_holds_is_a_time_of_its_own():
    (found,) = [
        one
        for one in read("c: I've loved opera since January 15th 2024.", schema=GENERAL)
        if one.key == "likes"
    ]

    assert found.valid_from == datetime(2024, 1, 15, 6, 0, tzinfo=UTC)  # midnight in Chicago
    assert found.observed_at == THURSDAY


NO_VALUES = [
    "I like that.",
    "I like the way you talk.",
    "I'd like a refund.",
    "I like it when you call me.",
    "I like to be called.",
    "my job is killing me",
    "I live in an apartment.",
    "My birthday is coming up.",
    "we moved",
]


@pytest.mark.parametrize("line", NO_VALUES)
def test_what_is_no_noun_of_a_few_words_is_no_value(line: str):
    assert stated(line, GENERAL) == []


def test_a_value_with_one_place_keeps_its_and():
    assert values("I work as a nurse and carer.", "occupation", GENERAL) == ["nurse and carer"]


def test_evidence_holds_the_whole_statement_and_of_a_list_each_further_value():
    found = read("c: Hello. I'm allergic to penicillin and latex.")

    assert [one.evidence.words for one in found] == ["I'm allergic to penicillin", "latex"]


def test_a_denial_that_follows_a_statement_is_the_last_word():
    found = read("c: I'm allergic to nuts.", "a: Nuts.", "c: No, I'm not allergic to nuts.")

    assert [(one.value, one.is_withdrawal, one.evidence.position) for one in found] == [
        ("nuts", True, 2)
    ]


def test_a_guess_does_not_take_the_place_of_a_statement():
    found = read("c: I'm pregnant.", "c: I might be pregnant.")

    assert [(one.value, one.is_speculation) for one in found] == [
        ("pregnant", False),
        ("pregnant", True),
    ]


def test_a_name_that_a_special_extractor_found_stays():
    schema = Schema(
        "desk",
        (
            Field(
                key="account_number",
                label="account number",
                sentence="The account number is {value}",
                sources=(Source.CALLER,),
                phrases=("my account number is {value}",),
            ),
        ),
    )

    found = read("c: My account number is four eight double two.", schema=schema)

    assert [(one.value, one.evidence.words) for one in found] == [("4822", "four eight double two")]


def test_a_key_that_may_only_be_stated_by_the_agent_is_not_read_from_the_caller():
    exception = "as an exception, we refunded order A-17 because of the typhoon."

    assert read(f"c: {exception}", schema=SUPPORT) == ()
    assert [one.key for one in read(f"a: {exception}", schema=SUPPORT)] == ["exception"]


def test_an_exception_is_of_its_order_and_keeps_its_reason():
    (found,) = read(
        "a: I've made an exception and refunded order A-17 once, because of the typhoon.",
        schema=SUPPORT,
    )

    assert (found.subject, found.value) == (
        "order:a-17",
        "refunded order A-17 once, because of the typhoon",
    )


def test_an_exception_for_no_order_would_be_a_rule_and_is_not_read():
    assert read("a: I've made an exception for you.", schema=SUPPORT) == ()


def test_a_schema_without_phrases_reads_none():
    schema = Schema(
        "bare",
        (
            Field(
                key="allergy",
                label="allergy",
                sentence="Allergic to {value}",
                sources=(Source.CALLER,),
                cardinality=Cardinality.MANY,
            ),
        ),
    )

    assert read("c: I'm allergic to nuts. I have no allergies.", schema=schema) == ()


WORDS = st.sampled_from(
    """I I'm my mother's mother Bertil not no any allergies allergic to take 500 mg of metformin
    penicillin and or , . ? might be think since 2019 if but except nothing 我 對 花生 不 過敏 媽媽 ，
    like love don't opera is May 3rd 1980 order A-17 wait sorry she son""".split()  # noqa: SIM905
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=16), st.sampled_from([GENERAL, MEDICAL_INTAKE]))
def test_evidence_is_the_turns_own_words_and_reading_twice_gives_the_same(words, schema):
    line = " ".join(words)

    first = read(f"c: {line}", schema=schema)

    assert read(f"c: {line}", schema=schema) == first
    for found in first:
        assert line[found.evidence.start : found.evidence.end] == found.evidence.words != ""
        assert found.value.strip() == found.value != ""


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_no_text_upsets_the_phrases(text):
    read(f"c: {text}", schema=GENERAL)
    read(f"c: {text}", schema=MEDICAL_INTAKE)


@pytest.mark.parametrize(
    "piece",
    [
        "- ",
        "I take ",
        "my birthday is ",
        "I'm allergic to nuts, ",
        "no ",
        "我",
        "my son Bertil's ",
        "A-",
        "了",
    ],
)
def test_a_turn_of_a_megabyte_costs_little_time(piece: str):
    line = piece * (1_000_000 // len(piece))
    read("c: I take aspirin.", schema=MEDICAL_INTAKE)  # patterns are compiled once
    started = time.process_time()

    read(f"c: {line}", schema=MEDICAL_INTAKE)

    assert time.process_time() - started < 1.0  # some ms; seconds where a pattern backtracks


CONTRACT = Schema(
    name="contracts",
    fields=(
        Field(
            key="contract",
            label="contract",
            sentence="The contract is {value}",
            sources=(Source.CALLER,),
            type=ValueType.CODE,
            phrases=("mine is {value}", "my contract is {value}"),
        ),
    ),
)


@pytest.mark.parametrize(
    ("line", "owned"),
    [
        ("Mine is 55810-7.", [("self", "55810-7")]),
        (
            "Mine is 55810-7 and my mother's is 55810-8.",
            [("self", "55810-7"), ("person:mother", "55810-8")],
        ),
        (
            "My son Bertil's is 55810-8, mine's 55810-7.",
            [("person:bertil", "55810-8"), ("self", "55810-7")],
        ),
        ("My mother called about it, hers is 55810-8.", [("person:mother", "55810-8")]),
        ("Hers is 55810-8.", []),
        ("Is mine 55810-7?", []),
        ("A friend of mine knows 55810-7.", []),
    ],
)
def test_mine_stands_for_whoever_it_is_said_of(line: str, owned: list[tuple[str, str]]):
    found = read(f"c: {line}", schema=CONTRACT)

    assert [(one.subject, one.value) for one in found] == owned
