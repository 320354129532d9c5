"""When a caller's words were spoken, whenever they come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback.core.caller_speech import CallerSpeech, SpeechSpan

pytestmark = pytest.mark.unit

BEGAN = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


@pytest.fixture
def speech() -> CallerSpeech:
    """A caller who spoke from 0.5 s to 2 s; the bot began at 2.6 s."""
    speech = CallerSpeech()
    speech.speech_began(at(0.5))
    speech.speech_ended(at(2.0))
    speech.bot_began(at(2.6))
    return speech


def test_words_that_come_after_the_bot_began_are_late(speech: CallerSpeech):
    piece = speech.final("no, I moved to Lodz last year")

    assert speech.is_late(piece)
    assert piece.span == SpeechSpan(at(0.5), at(2.0))


def test_words_of_a_caller_who_speaks_into_the_bots_are_not_late(speech: CallerSpeech):
    speech.speech_began(at(3.0))

    assert not speech.is_late(speech.final("hold on"))


def test_words_that_were_heard_as_they_came_are_of_that_speech(speech: CallerSpeech):
    speech.interim("no, I moved to")
    speech.speech_began(at(3.0))

    piece = speech.final("no, I moved to Lodz last year")

    assert piece.span == SpeechSpan(at(0.5), at(2.0))
    assert speech.is_late(piece)


def test_words_are_not_late_when_nobody_told_of_speech():
    speech = CallerSpeech()
    speech.bot_began(at(0))

    assert not speech.is_late(speech.final("hello"))


def test_a_turn_is_without_the_words_that_are_on_record(speech: CallerSpeech):
    speech.keep(speech.final("no, I moved to Lodz last year"))
    speech.speech_began(at(6.0))
    speech.final("yes please")
    speech.speech_ended(at(7.2))

    assert speech.take("no, I moved to Lodz last year yes please") == (
        "yes please",
        SpeechSpan(at(6.0), None),
    )


def test_a_turn_of_several_pieces_reaches_from_the_first_to_the_last():
    speech = CallerSpeech()
    for begin, end, words in ((0.0, 1.0, "My son Bertil"), (1.5, 2.5, "is diabetic.")):
        speech.speech_began(at(begin))
        speech.speech_ended(at(end))
        speech.final(words)

    assert speech.take("My son Bertil is diabetic.") == (
        "My son Bertil is diabetic.",
        SpeechSpan(at(0.0), at(2.5)),
    )


def test_words_that_no_ear_heard_stay_as_they_are():
    assert CallerSpeech().take("Hello there.") == ("Hello there.", None)


def test_unfinished_words_are_given_once_and_dropped_when_they_are_final():
    speech = CallerSpeech()
    speech.interim("Actually my")
    speech.interim("Actually my new address")
    assert [speech.take_unfinished(), speech.take_unfinished()] == ["Actually my new address", ""]

    speech.interim("is 9 Quill")
    speech.final("is 9 Quill Lane")

    assert speech.take_unfinished() == ""
