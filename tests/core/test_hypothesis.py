"""The likely answer to a question, as it was once said."""

from __future__ import annotations

import pytest

from ringback.core.recall.hypothesis import past, statement

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did Rosa buy the car?", "I bought the car"),
        ("Which car did I buy?", "I bought car"),
        ("What kind of music do I like?", "I like music"),
        ("Did my mother move to Leeds?", "my mother moved to Leeds"),
        ("What is my account number?", "My account number is"),
        ("what's my wife's name", "My wife's name is"),
        ("Is Dana allergic to nuts?", "I am allergic to nuts"),
        ("can I eat shellfish", "I can eat shellfish"),
        ("How long has Rosa been married?", "I have been married"),
        ("Why was I unhappy with the bill?", "I was unhappy with the bill"),
    ],
)
def test_a_question_becomes_what_was_likely_said(question: str, answer: str):
    assert statement(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Where do I live?",  # "I live" is near to anything
        "Tell me about Rosa.",
        "我住哪裡",
        "",
        "???",
        "What would Caroline's political leaning likely be?",
        "did " * 40,
    ],
)
def test_what_leaves_nothing_to_look_for_becomes_nothing(question: str):
    assert statement(question) == ""


@pytest.mark.parametrize(
    ("verb", "then"),
    [
        ("go", "went"),
        ("move", "moved"),
        ("study", "studied"),
        ("stop", "stopped"),
        ("play", "played"),
        ("fix", "fixed"),
        ("research", "researched"),
    ],
)
def test_a_verb_is_put_into_the_past(verb: str, then: str):
    assert past(verb) == then
