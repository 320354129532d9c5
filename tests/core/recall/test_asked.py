"""What is read from a question: whom it names, which key, which code, which label."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core.recall.asked import MAX_QUESTION, Asked, read_question
from ringback.schemas import GENERAL, SUPPORT

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def asked(question: str) -> Asked:
    return read_question(question, SUPPORT, at=AT)


def named(question: str) -> dict[str, bool]:
    """Each name, and whether the question is about them."""
    return {name.text: name.is_asked_of for name in asked(question).names}


# Names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Caroline research?", {"Caroline": True}),
        ("Where does Zebedee live?", {"Zebedee": True}),
        ("Did Zebedee call?", {"Zebedee": True}),
        ("What is Zebedee's number?", {"Zebedee": True}),
        ("Who came with Zebedee?", {"Zebedee": False}),
        ("What did Rosa and Zebedee buy?", {"Rosa": True, "Zebedee": True}),
        ("What about Rosa?", {"Rosa": True}),
        ("Who met Zoë in Málaga?", {"Zoë": False, "Málaga": False}),
        ("Rosa's number?", {"Rosa": True}),
        ("Rosa likes what?", {"Rosa": True}),
    ],
)
def test_a_word_in_capitals_is_a_name(question: str, names: dict[str, bool]):
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("where does rosa live", {"rosa": True}),
        ("what is rosa's number", {"rosa": True}),
        ("where does zebedee live", {}),
    ],
)
def test_in_small_letters_only_a_known_given_name_is_one(question: str, names: dict[str, bool]):
    assert named(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "What is it?",
        "Zebedee lives where?",
        "Did I call on Friday in March?",
        "What does the PIN say?",
        "Can I ask?",
        "what will happen",
        "",
    ],
)
def test_first_words_days_months_and_shouted_words_are_no_names(question: str):
    assert named(question) == {}


def test_a_name_counts_once_however_it_is_written():
    assert named("Did Rosa call, and has rosa paid? Rosa?") == {"Rosa": True}


# Relatives


@pytest.mark.parametrize(
    ("question", "relatives"),
    [
        ("What is my wife's name?", ("person:wife",)),
        ("Where do Mom and dad live?", ("person:mother", "person:father")),
        ("Did my mother-in-law call?", ("person:mother-in-law",)),
        ("Is mum's mother well?", ("person:mother",)),
        ("我媽媽住哪裡?", ("person:mother",)),
        ("我太太叫什么名字?", ("person:wife",)),
        ("What is the smothered dish?", ()),
    ],
)
def test_relatives_are_read_by_what_they_are(question: str, relatives: tuple[str, ...]):
    assert asked(question).relatives == relatives


# Labels and codes


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Who delivers order B-22?", {"b-22"}),
        ("Is AB1234 or b-22 late?", {"ab1234", "b-22"}),
        ("What of order 4821?", set()),
        ("Is it covid-19-related?", set()),
        ("Which room, ABCDE-1?", set()),
        ("訂單B-22到了嗎?", {"b-22"}),
        ("Ｂ-22?", {"b-22"}),  # noqa: RUF001 - a full-width letter is meant
    ],
)
def test_a_label_is_a_few_letters_and_digits(question: str, labels: set[str]):
    assert asked(question).labels == labels


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("Whose account is 55810-7?", {"558107"}),
        ("What is on account 4821?", {"4821"}),
        ("Is it 482 or 12?", set()),
        ("What did I say in 2025, and in 1999?", set()),
        ("What of 1899?", {"1899"}),
        ("4821 or 4822?", {"4821", "4822"}),
        ("帳號4821是誰的?", {"4821"}),
        ("Whose is ４８２１?", {"4821"}),  # noqa: RUF001 - full-width digits are meant
    ],
)
def test_a_code_has_four_digits_or_more_and_is_no_year(question: str, codes: set[str]):
    assert asked(question).codes == codes


# Keys, the profile's own, times


def test_keys_are_those_of_the_schema():
    question = "What is my favourite food?"

    assert read_question(question, GENERAL, at=AT).keys
    assert asked(question).keys == ()
    assert asked("What is my account number?").keys == ("account_number",)


@pytest.mark.parametrize(
    "question",
    ["What is my number?", "Where did I park?", "Who told me?", "我住哪裡?", "OUR flat?"],
)
def test_my_and_i_ask_for_the_profiles_own(question: str):
    assert asked(question).is_of_self


@pytest.mark.parametrize(
    "question",
    ["Where does Rosa live?", "Is it mystic?", "我媽媽住哪裡?", "我的女兒呢?", "在哪裡?", ""],
)
def test_another_ones_is_not_the_profiles_own(question: str):
    assert not asked(question).is_of_self


def test_times_are_read_in_the_zone_that_is_given():
    late = datetime(2026, 3, 4, 17, 0, tzinfo=UTC)

    (frame,) = read_question("yesterday?", SUPPORT, at=late, zone="Asia/Taipei").frames

    assert frame.since_at == datetime(2026, 3, 3, 16, 0, tzinfo=UTC)
    assert asked("When did I call?").asks_when


def test_a_topic_is_without_times_and_without_the_names_that_are_known():
    question = asked("What did Rosa say about Rosalind's toll last week, Rosa's or mine?")

    assert question.without(["rosa"]) == "What did say about Rosalind's toll , or mine?"


def test_a_name_with_signs_of_patterns_in_it_is_taken_out_as_it_stands():
    assert asked("Did A.B (C) call?").without(["A.B (C)"]) == "Did call?"


# Any text at all


def test_a_long_question_is_capped_at_a_word():
    question = asked("toll bridge " * 5_000)

    assert len(question.text) <= MAX_QUESTION
    assert question.text.endswith(("toll…", "bridge…"))
    assert len(question.terms) < MAX_QUESTION


def test_what_stands_behind_the_cap_is_not_read():
    question = asked("a word " * 1_000 + " account 4821 of Rosa")

    assert (question.codes, question.names) == (frozenset(), ())


@pytest.mark.parametrize("sign", ["\0", "\x07", "\x1b", "\x85", "\u2028", "\ud800"])
def test_control_signs_and_halves_of_characters_part_words(sign: str):
    question = asked(f"{sign}account{sign}number{sign}")

    assert question.text == "account number"
    assert question.keys == ("account_number",)


@pytest.mark.parametrize("sign", ["\u200b", "\u202e", "\ufeff", "\u00ad"])
def test_signs_that_are_not_seen_do_not_count(sign: str):
    assert asked(f"account num{sign}ber").text == "account number"


@pytest.mark.parametrize("text", ["", " \n\t ", "\0", "\u200b", "\ud800"])
def test_a_question_without_any_sign_is_empty(text: str):
    question = asked(text)

    assert (question.text, question.terms, question.names, question.keys) == ("", (), (), ())


@pytest.mark.parametrize("text", ["?!…", "🙂🙂", "where is it", "---", "'s 's"])
def test_a_question_of_signs_or_of_empty_words_asks_for_no_terms(text: str):
    assert asked(text).terms == ()


def test_a_word_in_small_letters_that_is_also_a_name_names_nobody_by_itself():
    (name,) = asked("what is the max price").names

    assert not name.is_asked_of
    assert [one.is_asked_of for one in asked("what is bob's number").names] == [True]


def test_a_contraction_behind_a_greeting_is_no_name():
    assert asked("Okay. What's the phone number? Where's the lamp?").names == ()


def test_a_name_with_something_of_its_own_is_an_owner():
    assert [name.is_owner for name in asked("Did Rosa take Zelda's keys?").names] == [False, True]
