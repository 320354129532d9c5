"""Cutting a reply so that its first clause is spoken first."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import (
    AggregatedTextFrame,
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
)
from pipecat.tests.utils import SleepFrame, run_test

from ringback_voice.clauses import first_clause_first

pytestmark = pytest.mark.framework


def tokens(reply: str) -> list[Frame]:
    """A reply as language models send it, a word with the space before it at a time."""
    words = reply.split(" ")
    spaced = [words[0], *(f" {word}" for word in words[1:])]
    return [LLMFullResponseStartFrame(), *map(LLMTextFrame, spaced)]


async def pieces(*frames: Frame) -> list[str]:
    down, _ = await run_test(first_clause_first(), frames_to_send=list(frames))
    return [frame.text for frame in down if isinstance(frame, AggregatedTextFrame)]


async def spoken(reply: str) -> list[str]:
    return await pieces(*tokens(reply), LLMFullResponseEndFrame())


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            "I'm sorry to hear that, and I will send somebody.",
            ["I'm sorry to hear that,", "and I will send somebody."],
        ),
        (
            "You should check the dashboard for any signs of a light.",
            ["You should check the dashboard", "for any signs of a light."],
        ),
        ("Your account number is 4,821 I think.", ["Your account number is 4,821 I think."]),
        ("We close at 8:30 every day.", ["We close at 8:30 every day."]),
        ("Bread and butter.", ["Bread and butter."]),
        ("Absolutely.", ["Absolutely."]),
        ("no full stop", ["no full stop"]),
        ("はい、承知しました。", ["はい、", "承知しました。"]),
    ],
)
async def test_the_first_clause_is_a_piece_of_its_own(reply: str, expected: list[str]):
    assert await spoken(reply) == expected


async def test_the_first_clause_is_given_before_the_sentence_has_ended():
    unfinished = [*tokens("Thank you for calling, I will"), SleepFrame(sleep=0.1)]

    assert await pieces(*unfinished, InterruptionFrame()) == ["Thank you for calling,"]


async def test_what_follows_the_first_clause_is_cut_by_sentences():
    reply = "Well, that is bad, and I am sorry, Dana. Shall I call you, or text you?"

    assert await spoken(reply) == [
        "Well,",
        "that is bad, and I am sorry, Dana.",
        "Shall I call you, or text you?",
    ]


async def test_a_sentence_that_is_complete_is_not_cut_behind_its_end():
    assert await spoken("Good morning. How can I help you, madam?") == [
        "Good morning.",
        "How can I help you, madam?",
    ]


async def test_each_reply_begins_with_its_own_first_clause():
    first, second = tokens("Yes, I can."), tokens("No, I cannot.")

    told = await pieces(*first, LLMFullResponseEndFrame(), *second, LLMFullResponseEndFrame())

    assert told == ["Yes,", "I can.", "No,", "I cannot."]


async def test_nothing_of_a_reply_that_was_broken_into_is_left_for_the_next():
    cut = [*tokens("Well, I was about to say"), SleepFrame(sleep=0.1), InterruptionFrame()]

    told = await pieces(*cut, *tokens("No, I cannot."), LLMFullResponseEndFrame())

    assert told == ["Well,", "No,", "I cannot."]


async def test_a_reply_that_comes_all_at_once_is_cut_at_the_end_of_its_first_sentence():
    whole = LLMTextFrame("Good morning. Well, I can help you.")

    told = await pieces(LLMFullResponseStartFrame(), whole, LLMFullResponseEndFrame())

    assert told == ["Good morning.", "Well, I can help you."]
