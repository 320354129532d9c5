"""What the bot hears of itself is told from what a caller says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback.core.echo import Playout, own_words

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
ASKED = "I see you are allergic to latex, is that right?"
ASKED_ZH = "我看到您对乳胶过敏,对吗?"


def playing(text: str, *, over_ms: int | None = None) -> list[Playout]:
    """Begun at AT, over after so many milliseconds, or still playing."""
    ended_at = None if over_ms is None else AT + timedelta(milliseconds=over_ms)
    return [Playout(text, AT, ended_at)]


@pytest.mark.parametrize(
    ("bot", "said", "own"),
    [
        (ASKED, "you are allergic to latex is that right", ""),
        (ASKED, "You are allergic to latex. Is that right?", ""),
        (ASKED, "allergic to latex is that right", ""),
        (ASKED, "you are allergic to lattes is that right", ""),
        (ASKED, "you are allergic to latex is that right yes", "yes"),
        (ASKED, "you are allergic to latex, is that right? No, to nickel.", "No, to nickel."),
        (ASKED, "yes latex", "yes latex"),
        (ASKED, "yes I am allergic to latex", "yes I am allergic to latex"),
        (ASKED, "no you are allergic to latex", "no you are allergic to latex"),
        (ASKED, "you are not allergic to latex", "you are not allergic to latex"),
        (ASKED, "is that right", "is that right"),
        (ASKED, "hold on my son is at the door", "hold on my son is at the door"),
        ("Your code is 5 5 1 2.", "your code is 5 5 9 2", "your code is 5 5 9 2"),
        (ASKED_ZH, "您对乳胶过敏", ""),
        (ASKED_ZH, "您对乳胶过敏对吗", ""),
        (ASKED_ZH, "您对乳胶过敏对吗是的", "是的"),
        (ASKED_ZH, "是的乳胶过敏", "是的乳胶过敏"),
        (ASKED_ZH, "对乳胶", "对乳胶"),
        (ASKED_ZH, "我对乳胶不过敏", "我对乳胶不过敏"),
    ],
)
def test_words_of_the_bot_are_an_echo_and_the_callers_own_stay(bot: str, said: str, own: str):
    began_at = AT + timedelta(milliseconds=200)

    assert own_words(said, began_at, playing(bot)) == own


def test_the_same_words_after_the_bot_was_done_are_the_callers():
    said = "you are allergic to latex is that right"

    assert own_words(said, AT + timedelta(seconds=5), playing(ASKED, over_ms=3000)) == said


def test_the_same_words_before_the_bot_said_them_are_the_callers():
    said = "you are allergic to latex is that right"

    assert own_words(said, AT - timedelta(seconds=1), playing(ASKED)) == said


def test_an_echo_that_comes_back_just_after_the_end_is_one():
    said = "you are allergic to latex is that right"

    assert own_words(said, AT + timedelta(milliseconds=3100), playing(ASKED, over_ms=3000)) == ""


def test_without_anything_played_nothing_is_an_echo():
    assert own_words("you are allergic to latex is that right", AT, []) != ""
