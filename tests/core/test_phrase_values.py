# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core.extraction import extract
from ringback.records import Call, Cardinality, Role, Source, Turn
from ringback.schemas import Field, Schema, ValueType

pytestmark = pytest.mark.unit

THURSDAY = datetime(2026, 3, 19, 15, 0, tzinfo=UTC)


def read(
    line: str, kind: ValueType, *phrases: str, many: bool = False, **settings: object
) -> list[str]:
    """Values that a schema with one field of this type finds in a caller's turn."""
    field = Field(
        key="thing",
        label="thing",
        sentence="It is {value}",
        sources=(Source.CALLER,),
        type=kind,
        cardinality=Cardinality.MANY if many else Cardinality.ONE,
        phrases=phrases or ("it is {value}",),
        **settings,
    )
    call = Call("call-1", "acme", THURSDAY, "America/Chicago")
    turn = Turn(Role.CALLER, line, THURSDAY, 0)
    return [found.value for found in extract([turn], call=call, schema=Schema("one", (field,)))]


FITTING = [
    (ValueType.NUMBER, "it is seventy kilos", "70 kg"),
    (ValueType.NUMBER, "it is about 2.5 milliliters", "2.5 ml"),
    (ValueType.NUMBER, "it is two point five ml", "2.5 ml"),
    (ValueType.NUMBER, "it is 81,000 km", "81000 km"),
    (ValueType.NUMBER, "it is two adults, I mean three", "3 adults"),
    (ValueType.NUMBER, "it is 40 now", "40"),
    (ValueType.DATE, "it is on the third of May 1980", "1980-05-03"),
    (ValueType.DATE, "it is May 3rd, nineteen eighty-five", "1985-05-03"),
    (ValueType.DATE, "it is on 1980-05-03", "1980-05-03"),
    (ValueType.DATE, "it is Friday at two in the afternoon", "2026-03-20T14:00-05:00"),
    (ValueType.DATE, "it is the third of May 1980, no wait, the fourth of May 1980", "1980-05-04"),
    (ValueType.CODE, "it is A 4 double 7", "A477"),
    (ValueType.CODE, "it is 55810-7", "55810-7"),
    (ValueType.CODE, "it is R as in Romeo, 4-4-1-7, I think", "R4417"),
    (ValueType.CODE, "it is 4812, no, 4821", "4821"),
    (ValueType.NATIONAL_ID, "it is A123456789", "A123456789"),
    (ValueType.PHONE, "it is 555 123 4567", "5551234567"),
    (ValueType.PHONE, "it is plus one 555 123 4567", "+15551234567"),
    (ValueType.EMAIL, "it is Dana_W@example.org.", "dana_w@example.org"),
    (ValueType.EMAIL, "it is dana dot w at example dot org", "dana.w@example.org"),
    (ValueType.PERSON, "It is Dana Whitfield and I am late", "Dana Whitfield"),
    (ValueType.PERSON, "It is Dr. Okafor.", "Dr. Okafor"),
    (ValueType.PERSON, "It is my husband Tom.", "Tom"),
    (ValueType.PERSON, "It is my mom.", "mother"),
    (ValueType.PERSON, "it is dana whitfield", "Dana Whitfield"),
    (ValueType.CARD, "it is 4111 1111 1111 1111", "4111111111111111"),
    (ValueType.BANK_ACCOUNT, "it is GB82 WEST 1234 5698 7654 32", "GB82WEST12345698765432"),
]


@pytest.mark.parametrize(("kind", "line", "value"), FITTING, ids=[line for _, line, _ in FITTING])
def test_a_value_is_read_as_its_type(kind: ValueType, line: str, value: str):
    assert read(line, kind) == [value]


UNFIT = [
    (ValueType.NUMBER, "it is heavy"),
    (ValueType.DATE, "it is coming up"),
    (ValueType.DATE, "it is 3/5/1980"),
    (ValueType.DATE, "it is the thirty-first of June 1980"),
    (ValueType.CODE, "it is broken"),
    (ValueType.CODE, "it is 4111 1111 1111 1111"),
    (ValueType.PHONE, "it is 12"),
    (ValueType.EMAIL, "it is at home"),
    (ValueType.PERSON, "It is late."),
    (ValueType.PERSON, "It is Tuesday."),
    (ValueType.CARD, "it is 4111 1111 1111 1112"),
    (ValueType.BANK_ACCOUNT, "it is GB82 WEST 1234 5698 7654 33"),
    (ValueType.TEXT, "it is what it is"),
    (ValueType.TEXT, "it is the one that I was telling you about yesterday"),
    (ValueType.TEXT, "it is red green blue black white grey brown"),
]


@pytest.mark.parametrize(("kind", "line"), UNFIT, ids=[line for _, line in UNFIT])
def test_what_does_not_fit_the_type_is_not_read(kind: ValueType, line: str):
    assert read(line, kind) == []


CHOICES = ("gas", "natural", "natural gas", "gluten-free", "not gas")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("it is gas", "gas"),
        ("it is a natural gas", "natural gas"),
        ("it is Gluten free.", "gluten-free"),
        ("it is not gas", "not gas"),
    ],
)
def test_a_choice_is_kept_as_it_is_declared(line: str, value: str):
    assert read(line, ValueType.CHOICE, choices=CHOICES) == [value]


@pytest.mark.parametrize("line", ["it is gaseous", "it is oil", "it is gas-fired"])
def test_what_is_among_no_choices_is_not_read(line: str):
    assert read(line, ValueType.CHOICE, choices=("gas",)) == []


def test_quoted_words_go_on_to_the_end_of_the_sentence():
    line = "It makes a grinding sound, and only when I brake. Then it stops."

    assert read(line, ValueType.TEXT, "it makes {value}", is_quoted=True) == [
        "a grinding sound, and only when I brake"
    ]


def test_a_list_gives_a_key_with_one_value_one_value():
    assert read("it is hay, carrots and cucumber", ValueType.TEXT) == ["hay"]
    assert read("it is hay, carrots and cucumber", ValueType.TEXT, many=True) == [
        "hay",
        "carrots",
        "cucumber",
    ]


def test_a_value_may_stand_before_its_phrase_or_in_the_middle():
    before = read("Well, red wine makes me ill.", ValueType.TEXT, "{value} makes me ill")
    middle = read("I use Mill Street pharmacy.", ValueType.TEXT, "I use {value} pharmacy")

    assert (before, middle) == (["red wine"], ["Mill Street"])


def test_names_in_a_list_are_one_each():
    line = "My children are Ana and Ben, and my dog is old."

    assert read(line, ValueType.PERSON, "my children are {value}", many=True) == ["Ana", "Ben"]


def test_a_verb_takes_its_ending_with_another_person():
    line = "My father carries an umbrella."

    assert read(line, ValueType.TEXT, "I carry {value}") == ["umbrella"]


@pytest.mark.parametrize(
    ("line", "kind", "phrase", "value"),
    [
        ("我的體重是70公斤。", ValueType.NUMBER, "我的體重是{value}", "70 kg"),
        ("我的生日是1980年5月3日。", ValueType.DATE, "我的生日是{value}", "1980-05-03"),
        ("我的卡號是A 1 2 3，謝謝。", ValueType.CODE, "我的卡號是{value}", "A123"),
        ("我叫王小明，我想掛號。", ValueType.PERSON, "我叫{value}", "王小明"),
        ("我住在台北喔。", ValueType.TEXT, "我住在{value}", "台北"),
    ],
)
def test_chinese_phrases_read_the_same_types(line: str, kind: ValueType, phrase: str, value: str):
    assert read(line, kind, phrase) == [value]
