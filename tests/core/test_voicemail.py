"""A machine's greeting is told from a person, in one turn or in several."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import pytest

from ringback.core.briefing import render_briefing
from ringback.core.extraction import extract
from ringback.core.summary import NOBODY, VOICEMAIL, accept_prose, summarise
from ringback.core.voicemail import greeting, without_greeting
from ringback.records import Assurance, Briefing
from ringback.schemas import SUPPORT
from tests.core.made_call import CALL, STARTED, facts_of, view

pytestmark = pytest.mark.unit

MACHINE = "c: You have reached the Brandvold residence, we are away until the twelfth, leave a message. Beep."


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ((MACHINE,), {0}),
        (
            (
                "a: Hello, this is Acme.",
                "c: Hi, this is Dana Whitfield.",
                "c: I can't come to the phone right now.",
                "c: Please leave your name and number after the tone.",
                "a: I will call back tomorrow.",
            ),
            {1, 2, 3},
        ),
        (("c: You've reached the voicemail of Dana.", "a: Hello?", "c: Leave a message."), {0, 2}),
        (("c: Our office is closed. Record your message after the beep.",), {0}),
        (("c: The person you are trying to reach is not available. At the tone, speak.",), {0}),
        (("c: It's Tom, sorry I missed you, leave a message after the beep.",), {0}),
        (("c: 您拨打的用户暂时无法接听，请在提示音后留言。",), {0}),
        (("c: 我現在不方便接電話，請在嗶聲後留言。",), {0}),
        ((MACHINE, "a: Hello?", "c: Hello, I'm here, my internet is down."), {0}),
    ],
)
def test_a_recorded_greeting_is_found(lines: tuple[str, ...], places: set[int]):
    assert greeting(view(*lines).turns) == places


@pytest.mark.parametrize(
    "line",
    [
        "I called and it said you have reached the voicemail, please leave a message.",
        "I got your voicemail, it says leave a message after the tone, and nobody called back.",
        "My wife is not available and I want to leave a message for the technician.",
        "I'm not available until six, please leave me a message.",
        "She's not available right now, would you like to leave a message?",
        "You've reached the Whitfields, Dana speaking.",
        "I'll be away until the twelfth, so leave a message with my wife.",
        "My mailbox is full, please leave a message with my wife.",
        "I can't take your calls during the day, please leave a message.",
        "Can I leave a message after the tone?",
        "I was away for a week, and after the beep the machine stops.",
        "Your shop was closed, and after the tone the line went dead.",
    ],
)
def test_a_person_who_speaks_of_messages_is_no_machine(line: str):
    made = view(f"c: {line}")

    assert without_greeting(made.turns) == made.turns


def test_nothing_is_read_from_a_greeting():
    made = view("c: This is Dana Whitfield, I can't come to the phone right now, leave a message.")

    assert extract(made.turns, call=made.call, schema=SUPPORT) == ()


def test_a_summary_says_that_nobody_answered_and_what_the_agent_left():
    made = view(MACHINE, "a: I will call back tomorrow.")

    summary = summarise(made, facts_of(made))

    assert summary is not None
    assert summary.text == f"{NOBODY} The agent promised to call back tomorrow (2026-03-04)."
    assert summary.numbers == ("tomorrow",)


def test_a_person_who_picks_up_behind_the_greeting_is_heard():
    made = view(MACHINE, "a: Hello?", "c: Hello, I'm here, my internet is down.", "a: I see.")

    summary = summarise(made, facts_of(made))

    assert summary is not None
    assert summary.text == f"{VOICEMAIL} The caller reported: my internet is down."


def test_no_prose_is_taken_where_nobody_spoke():
    made = view(MACHINE)
    plain = summarise(made, ())
    assert plain is not None

    assert accept_prose("The customer said that they are away.", made, plain) == plain


def test_a_greeting_is_not_repeated_as_what_the_caller_said_earlier():
    briefing = Briefing(Assurance.CLAIMED, "dana", recent=view(MACHINE).turns)

    assert "Brandvold" not in render_briefing(briefing, now_at=STARTED, zone=CALL.zone)
