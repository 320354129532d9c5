from __future__ import annotations

import numpy as np
import pytest

from ringback import UsageError
from ringback_voice.caller import Caller, Event, Manners, Utterance

pytestmark = pytest.mark.unit

RATE_HZ = 8_000
FRAME = 160  # 20 ms


def utterance(position: int, ms: int, *, barge_in_ms: int | None = None) -> Utterance:
    samples = np.full(RATE_HZ * ms // 1000, 1000 + position, dtype=np.int16)
    return Utterance(position, samples, barge_in_ms)


def caller(*utterances: Utterance, **options) -> Caller:
    manners = options.pop("manners", Manners(lead_in_ms=100, pause_ms=60, settle_ms=500))
    return Caller(utterances, sample_rate_hz=RATE_HZ, manners=manners, **options)


def pass_silence(line: Caller, until: Event, *, limit_ms: int = 60_000):
    """Step without hearing the bot until the event; return the step and the call's time."""
    for _ in range(limit_ms // 20):
        at_ms = line.now_ms
        step = line.step(bot_is_audible=False)
        if until in step.events:
            return step, at_ms
    raise AssertionError(f"{until} never happened")


def hear(line: Caller, ms: int) -> list:
    return [line.step(bot_is_audible=True) for _ in range(ms // 20)]


def test_the_first_words_come_after_the_lead_in():
    line = caller(utterance(0, 200))

    step, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert at_ms == 100
    assert step.position == 0
    assert step.samples.tolist() == [1000] * FRAME


def test_speech_ends_with_the_frame_that_holds_its_last_sample():
    line = caller(utterance(0, 210))

    _, at_ms = pass_silence(line, Event.SPEECH_ENDED)

    assert at_ms == 100 + 200  # the eleventh frame is half full


def test_the_end_of_speech_is_told_before_the_silence_after_it_is_sent():
    samples = np.full(RATE_HZ, 7, dtype=np.int16)
    line = caller(Utterance(0, samples, speech_ms=400))

    _, ended_ms = pass_silence(line, Event.SPEECH_ENDED)

    assert ended_ms == 100 + 380
    assert line.step(bot_is_audible=False).samples.any()


def test_the_next_words_wait_until_the_bot_has_finished():
    line = caller(utterance(0, 100), utterance(1, 100))
    pass_silence(line, Event.SPEECH_ENDED)

    heard = hear(line, 400)
    line.reply_completed()
    _, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert all(step.events == () for step in heard)
    assert at_ms == 200 + 400 + 60


def test_a_pause_between_the_bots_sentences_is_not_the_end_of_its_reply():
    line = caller(utterance(0, 100), utterance(1, 100))
    pass_silence(line, Event.SPEECH_ENDED)

    hear(line, 200)
    pause = [line.step(bot_is_audible=False) for _ in range(20)]
    hear(line, 200)
    line.reply_completed()
    _, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert all(step.events == () for step in pause)
    assert at_ms == 200 + 200 + 400 + 200 + 60


def test_a_reply_that_nobody_completes_counts_as_finished_after_a_while():
    line = caller(utterance(0, 100), utterance(1, 100))
    pass_silence(line, Event.SPEECH_ENDED)

    hear(line, 200)
    _, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert at_ms == 200 + 200 + 500


def test_a_barge_in_starts_while_the_bot_speaks():
    line = caller(utterance(0, 100), utterance(1, 100, barge_in_ms=300))
    pass_silence(line, Event.SPEECH_ENDED)

    heard = hear(line, 400)

    started = [i * 20 for i, step in enumerate(heard) if Event.SPEECH_STARTED in step.events]
    assert started == [300]


def test_a_barge_in_after_a_short_reply_does_not_wait_for_a_bot_that_is_done():
    line = caller(utterance(0, 100), utterance(1, 100, barge_in_ms=5_000))
    pass_silence(line, Event.SPEECH_ENDED)

    hear(line, 200)
    line.reply_completed()
    _, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert at_ms == 200 + 200 + 60


def test_patience_ends_and_the_turn_counts_as_unanswered():
    manners = Manners(lead_in_ms=0, patience_ms=2_000)
    line = caller(utterance(0, 100), utterance(1, 100), manners=manners)
    pass_silence(line, Event.SPEECH_ENDED)

    step, at_ms = pass_silence(line, Event.UNANSWERED)
    following = line.step(bot_is_audible=False)

    assert (step.position, at_ms) == (0, 100 + 2_000)
    assert Event.SPEECH_STARTED in following.events
    assert following.position == 1


def test_a_reply_without_sound_is_given_up_sooner_than_one_that_never_comes():
    line = caller(utterance(0, 100), utterance(1, 100))
    pass_silence(line, Event.SPEECH_ENDED)

    line.reply_completed()
    _, at_ms = pass_silence(line, Event.UNANSWERED)

    assert at_ms == 200 + 500


def test_the_caller_hangs_up_after_the_last_answer():
    line = caller(utterance(0, 100))
    pass_silence(line, Event.SPEECH_ENDED)

    hear(line, 200)
    line.reply_completed()
    _, at_ms = pass_silence(line, Event.HUNG_UP)

    assert at_ms == 200 + 200 + 60


def test_hanging_up_in_mid_sentence_comes_with_the_last_sample():
    line = caller(utterance(0, 100), hangs_up_mid_sentence=True)

    step, at_ms = pass_silence(line, Event.HUNG_UP)

    assert at_ms == 180
    assert step.samples.any()


def test_a_caller_without_a_word_hangs_up_at_once():
    step, _ = pass_silence(caller(), Event.HUNG_UP)

    assert step.position is None


def test_a_caller_who_waits_for_the_greeting_speaks_after_it():
    manners = Manners(lead_in_ms=0, pause_ms=60, waits_for_greeting=True)
    line = caller(utterance(0, 100), manners=manners)

    greeting = hear(line, 600)
    line.reply_completed()
    _, at_ms = pass_silence(line, Event.SPEECH_STARTED)

    assert all(step.events == () for step in greeting)
    assert at_ms == 660


def test_a_reply_that_ended_before_the_caller_spoke_on_is_not_taken_for_the_answer():
    line = caller(utterance(0, 100), utterance(1, 100))
    pass_silence(line, Event.SPEECH_STARTED)

    line.reply_completed()  # of something said before
    pass_silence(line, Event.SPEECH_ENDED)

    assert line.is_waiting_for_bot


@pytest.mark.parametrize("rate", [0, 11_025, 44_100])
def test_a_line_has_one_of_two_rates(rate: int):
    with pytest.raises(UsageError, match="8000 or 16000"):
        Caller((), sample_rate_hz=rate)
