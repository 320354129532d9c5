"""What a question asks of somebody's character or feelings, and which facts tell of it."""

from __future__ import annotations

import pytest

from ringback.core.recall.persona import ATTITUDES, NAMED, TRAIT, persona_asked, persona_hits
from ringback.records import Cardinality
from tests.core.made_call import fact

pytestmark = pytest.mark.unit


def attitude(key: str, value: str, **named: object):
    return fact(key, value, cardinality=Cardinality.MANY, **named)


APP = attitude("unhappy_with", "the new app", object="thing:the new app")
DESK = attitude("pleased_with", "客服")
TEA = attitude("likes", "green tea")
CALM = attitude(TRAIT, "never loses patience")
EARLY = attitude(TRAIT, "gets up at five")
NUMBER = fact("account_number", "4821")
ALL = (APP, DESK, TEA, CALM, EARLY, NUMBER)


def found(question: str) -> list[str]:
    return [hit.fact.value for hit in persona_hits(ALL, persona_asked(question)) if hit.fact]


@pytest.mark.parametrize(
    "question",
    [
        "How do they feel about the app?",
        "what does the caller think of our app",
        "Is she happy with the app?",
        "Are you still angry about the app?",
        "What is Dana's opinion of the app?",
        "does he like the app",
    ],
)
def test_a_feeling_is_found_by_what_it_is_towards_whatever_its_sign(question: str):
    assert found(question) == ["the new app"]


@pytest.mark.parametrize(
    "question", ["他對客服滿意嗎", "他对客服满意吗", "她喜歡客服嗎", "他覺得客服怎麼樣"]
)
def test_chinese_is_asked_in_both_scripts(question: str):
    assert found(question) == ["客服"]


def test_a_feeling_towards_something_else_is_no_answer():
    assert found("How do they feel about the invoice?") == []


def test_a_trait_that_is_named_comes_before_others():
    asked = persona_asked("Is she patient?")

    named, other = persona_hits(ALL, asked)

    assert named.fact is CALM
    assert named.score >= NAMED > other.score > 0


@pytest.mark.parametrize(
    "question",
    [
        "What is she like?",
        "What kind of person is Dana?",
        "他是什麼樣的人",
        "how would you describe her",
    ],
)
def test_who_asks_for_character_gets_all_traits(question: str):
    assert set(found(question)) == {CALM.value, EARLY.value}


@pytest.mark.parametrize(
    "question",
    [
        "What is my account number?",
        "Is she allergic to nuts?",
        "Is the router broken?",
        "What does she like?",
        "do they like it",
        "我媽媽喜歡什麼",
        "Where do I live?",
        "what would you like to know",
    ],
)
def test_other_questions_ask_for_nobodys_character(question: str):
    assert persona_asked(question) is None


def test_a_question_about_a_feeling_asks_for_every_attitude():
    asked = persona_asked("Does he trust the app?")

    assert asked is not None
    assert asked.keys == ATTITUDES


def test_what_was_withdrawn_is_not_felt_any_more():
    gone = attitude("likes", "green tea", is_withdrawal=True)

    assert persona_hits([gone], persona_asked("does she like green tea")) == []
