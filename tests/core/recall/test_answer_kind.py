"""What kind of answer a question waits for, and which texts are none of it."""

from __future__ import annotations

import pytest

from ringback.core.recall.answer_kind import AnswerKind, asks_who, awaited

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how much is my rent", AnswerKind(is_amount=True)),
        ("what does the camp cost", AnswerKind(is_amount=True)),
        ("我女兒今年幾歲", AnswerKind(is_amount=True)),
        ("when is my appointment", AnswerKind(is_time=True)),
        ("how soon would a parcel get to France", AnswerKind(is_time=True)),
        ("马教练哪几天在", AnswerKind(is_time=True)),
        ("who can let me in", AnswerKind(is_name=True)),
        ("what's my contract number", AnswerKind(number_of=frozenset({"contract"}))),
        ("what's my number again", AnswerKind()),
        ("where is the meter", AnswerKind()),
        ("", AnswerKind()),
    ],
)
def test_a_question_waits_for_an_amount_a_time_a_name_or_a_number(question: str, kind: AnswerKind):
    assert awaited(question) == kind
    assert kind.is_any == (kind == AnswerKind())


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("how much is my rent", "I pay my rent by standing order", False),
        ("how much is my rent", "the rent is 840 pounds", True),
        ("how much is my rent", "the rent is eight hundred pounds", True),
        ("when does my lease start", "We are thinking of leaving.", False),
        ("when does my lease start", "it starts on the fifth of May", True),
        ("how long is the light out", "it has been out since Christmas", True),
        ("who is the bowl for", "two stoneware bowls with a celadon glaze", False),
        ("who is the bowl for", "a card for Priya", True),
        ("who can let me in", "the spare key is with the neighbour", True),
        ("what's my contract number", "My number is 087 555 0124.", False),
        ("what's my contract number", "contract number: 4821", True),
        ("where is the meter", "under the sink", True),
        ("多少錢", "一月多扣的一百八十元已退回", True),
        ("多少錢", "游泳池那邊丟過拖鞋", False),
    ],
)
def test_a_text_without_what_is_waited_for_is_no_answer(question: str, text: str, fits: bool):
    assert awaited(question).fits(text) == fits


def test_a_fact_about_somebody_tells_who():
    assert awaited("who works at night").fits("paramedic on night shifts", is_of_person=True)
    assert not awaited("who works at night").fits("paramedic on night shifts")


@pytest.mark.parametrize("question", ["who is Ines", "who's Bob?", "王小明是誰", "이서연은 누구"])
def test_a_question_for_who_somebody_is_is_known_in_each_language(question: str):
    assert asks_who(question)
    assert not asks_who("where is Ines")
