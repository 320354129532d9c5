"""Which turns say nothing that memory could use."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core.low_signal import is_low_signal, telling
from ringback.core.modelled import asking
from ringback.core.passages import passage_texts
from ringback.recollection import Passage
from ringback.records import Role, Turn
from ringback.schemas.support import SUPPORT

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def caller(text: str, position: int = -1) -> Turn:
    return Turn(Role.CALLER, text, at=AT, position=position)


def agent(text: str, position: int = -1) -> Turn:
    return Turn(Role.AGENT, text, at=AT, position=position)


SAY_NOTHING = {
    "en": ["", "Okay.", "Uh-huh.", "Mm-hmm, yeah.", "Thank you very much!", "Hm. Right."],
    "zh": ["嗯嗯", "好的，谢谢", "嗯。", "对对", "是的。"],  # noqa: RUF001
    "ja": ["うん、うん。", "はい、ありがとうございます。", "ええ、なるほど。"],
    "ko": ["네네.", "예, 감사합니다"],
    "de": ["Ja, genau.", "Okay, danke."],
    "es": ["Sí, sí, gracias.", "Vale."],
    "fr": ["Oui, d'accord."],
    "it": ["Certo, grazie!"],
}
SAY_SOMETHING = {
    "en": ["No.", "No, thank you.", "Okay, on Monday.", "4821", "Yes, Dana.", "Hi, Ben Carter."],
    "zh": ["不是", "没有", "嗯，四八二一"],  # noqa: RUF001
    "ja": ["はい、月曜日です。", "いいえ。"],
    "ko": ["네, 월요일이요", "아니요."],
    "de": ["Nein.", "Ja, am Montag."],
    "es": ["No, gracias.", "Sí, el lunes."],
}


@pytest.mark.parametrize("text", [one for texts in SAY_NOTHING.values() for one in texts])
def test_assent_thanks_and_hesitation_say_nothing(text: str):
    assert is_low_signal(text)


@pytest.mark.parametrize("text", [one for texts in SAY_SOMETHING.values() for one in texts])
def test_a_no_and_whatever_has_a_word_of_its_own_say_something(text: str):
    assert not is_low_signal(text)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Is your number 4821?", "Yes."),
        ("您的号码是四八二一吗", "对"),
        ("4821でよろしいですか。", "はい。"),
        ("4821번 맞으신가요", "네."),
        ("Ist das richtig?", "Ja."),
    ],
)
def test_assent_to_a_question_is_an_answer(asked: str, answer: str):
    assert not is_low_signal(answer, asked=asked)


def test_a_question_waits_for_its_answer_and_is_answered_once():
    answers = ["Hm.", "Yes.", "It is 4821.", "Okay."]
    said = [agent("Is it 4821?"), *map(caller, answers)]

    assert telling(said) == tuple(said[:4])


def test_assent_to_what_the_agent_only_says_is_left_out_as_is_the_agents_own():
    said = [agent("I will send it."), caller("Okay."), agent("Thank you."), caller("To my office.")]

    assert [turn.text for turn in telling(said)] == ["I will send it.", "To my office."]


def test_a_language_model_that_notes_facts_is_not_shown_them():
    said = [
        caller("My account is 4821.", 0),
        agent("Okay.", 1),
        caller("嗯嗯", 2),
        caller("I moved to Bath.", 3),
    ]

    shown = "\n".join(request.text for request in asking.requests(said, SUPPORT))

    assert "4821" in shown
    assert "Bath" in shown
    assert "Okay" not in shown
    assert "嗯" not in shown


def test_they_are_found_by_no_vector():
    assert passage_texts(Passage("acme", "dana", "t", "1", "c", turn=caller("嗯嗯")), SUPPORT) == ()
