"""Cutting speech: edges at the sound, pauses joined, clicks dropped, silence empty."""

from __future__ import annotations

import numpy as np
import pytest

from ringback_voice.call_folder import load_call
from ringback_voice.speech_cut import CUT_RATE_HZ, Span, cut_speech

pytestmark = pytest.mark.framework

PER_MS = CUT_RATE_HZ // 1_000
TWO_VAD_FRAMES_MS = 64


@pytest.fixture(scope="module")
def phrases() -> list[np.ndarray]:
    """A real person's three phrases, cut to the sample: 850, 7,510 and 800 ms."""
    call = load_call("recordings/katie-steve")
    samples = call.caller_audio(CUT_RATE_HZ).samples
    return [samples[t.started_ms * PER_MS : t.ended_ms * PER_MS] for t in call.caller_turns]


def placed(*parts: np.ndarray | int, noise_dbfs: float = -70.0) -> np.ndarray:
    """Speech and pauses (in ms) in a row, on a quiet line; int16 [frames]."""
    pieces = [np.zeros(part * PER_MS) if isinstance(part, int) else part for part in parts]
    line = np.concatenate(pieces).astype(np.float64)
    line += np.random.default_rng(7).normal(0, 32_768 * 10 ** (noise_dbfs / 20), len(line))
    return np.clip(line, -32_768, 32_767).astype(np.int16)


def assert_near(spans: list[Span], *expected: tuple[int, int]) -> None:
    found = [(span.started_ms, span.ended_ms) for span in spans]
    assert np.array(found) == pytest.approx(np.array(expected), abs=TWO_VAD_FRAMES_MS), found


@pytest.mark.parametrize("noise_dbfs", [-90.0, -60.0, -50.0])
@pytest.mark.parametrize("lead_ms", [700, 1_013, 3_337])
def test_both_ends_sit_where_the_sound_begins_and_ends(phrases, lead_ms, noise_dbfs):
    hello, question, _ = phrases
    line = placed(lead_ms, hello, 1_000, question, 1_500, noise_dbfs=noise_dbfs)

    spans = cut_speech(line)

    asked_ms = lead_ms + 850 + 1_000
    assert_near(spans, (lead_ms, lead_ms + 850), (asked_ms, asked_ms + 7_510))


def test_a_short_pause_is_part_of_the_utterance_and_a_long_one_is_not(phrases):
    hello, _, absolutely = phrases

    joined = cut_speech(placed(1_000, hello, 500, absolutely, 1_000))
    parted = cut_speech(placed(1_000, hello, 900, absolutely, 1_000))

    assert_near(joined, (1_000, 3_150))
    assert_near(parted, (1_000, 1_850), (2_750, 3_550))


def test_what_counts_as_a_pause_can_be_said(phrases):
    hello, _, absolutely = phrases

    spans = cut_speech(placed(1_000, hello, 900, absolutely, 1_000), pause_ms=1_200)

    assert_near(spans, (1_000, 3_550))


def test_less_than_a_word_is_dropped(phrases):
    blip = phrases[2][300 * PER_MS : 400 * PER_MS]

    assert cut_speech(placed(1_000, blip, 1_000)) == []


@pytest.mark.parametrize(
    "line",
    [
        np.zeros(0, np.int16),
        np.zeros(100, np.int16),
        np.zeros(5 * CUT_RATE_HZ, np.int16),
        placed(5_000, noise_dbfs=-40.0),
    ],
    ids=["nothing", "less than a frame", "silence", "hiss"],
)
def test_without_speech_there_is_nothing_to_cut(line):
    assert cut_speech(line) == []


def test_speech_that_the_file_cuts_off_ends_with_the_file(phrases):
    line = placed(1_000, phrases[1][: 4_003 * PER_MS])

    (span,) = cut_speech(line)

    assert 5_003 - TWO_VAD_FRAMES_MS <= span.ended_ms <= 5_003


def test_speech_from_the_first_sample_starts_at_zero(phrases):
    (span,) = cut_speech(placed(phrases[1], 1_000))

    assert 0 <= span.started_ms <= TWO_VAD_FRAMES_MS


def test_progress_goes_up_to_the_whole(phrases):
    told: list[tuple[float, float]] = []

    cut_speech(placed(1_000, phrases[1], 1_490), progress=lambda *done: told.append(done))

    assert told[0] == (0.0, 10.0)
    assert told[-1] == (10.0, 10.0)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert 10 <= len(told) <= 12
