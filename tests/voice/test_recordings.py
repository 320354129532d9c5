"""The recordings that come with Ringback: complete, licensed, and labelled where speech is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from recordings.make_calls import CALLS, MadeCall, dialogue_lines, laid_out, trimmed, turn_lines
from ringback_voice.audio_file import Int16Array, read_audio, write_mulaw_wav
from ringback_voice.call_folder import CallFolder, RecordedTurn, load_call
from ringback_voice.speech_cut import cut_speech

pytestmark = pytest.mark.framework

RECORDINGS = Path("recordings")
NAMES = sorted(path.parent.name for path in RECORDINGS.glob("*/call.toml"))
RATE_HZ = 16_000
PER_MS = RATE_HZ // 1_000
END_TOLERANCE_MS = 150
MIB = 1 << 20


@cache
def loaded(name: str) -> tuple[CallFolder, Int16Array]:
    call = load_call(RECORDINGS / name)
    return call, call.caller_audio(RATE_HZ).samples


CALLER_TURNS = [
    pytest.param(name, turn, id=f"{name}-{turn.position}")
    for name in NAMES
    for turn in load_call(RECORDINGS / name).caller_turns
]


def test_the_recordings_are_there():
    made = ["made-broadband", "made-first-call", "made-hang-up", "made-second-call"]

    assert ["insurance", "katie-steve", *made] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_names_its_licence_origin_and_making(name):
    call, _ = loaded(name)

    assert call.licence in {"Apache-2.0", "MIT", "CC-BY-4.0", "CC0-1.0"}
    assert call.attribution
    assert call.source
    assert call.made
    assert all(speaker.voice and speaker.consent for speaker in call.speakers)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_has_its_words(name):
    call, _ = loaded(name)

    assert all(re.search("[a-z]", turn.text, re.IGNORECASE) for turn in call.turns)


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_whole_and_small_enough_for_the_repository(name):
    call, _ = loaded(name)

    assert not read_audio(call.audio.path).cut_off
    assert sum(path.stat().st_size for path in call.path.iterdir()) <= MIB


def test_all_recordings_together_stay_small():
    assert sum(path.stat().st_size for path in RECORDINGS.rglob("*") if path.is_file()) < 4 * MIB


@pytest.mark.parametrize("name", NAMES)
def test_the_list_of_recordings_has_each_with_its_turns_and_licence(name):
    call, _ = loaded(name)
    row = next(
        line
        for line in (RECORDINGS / "README.md").read_text().splitlines()
        if line.startswith(f"| [{name}]")
    )

    assert f"| {len(call.caller_turns)} |" in row
    assert call.licence in row
    assert f"| {round(call.audio.duration_ms / 1_000)} s" in row


@pytest.mark.parametrize(("name", "turn"), CALLER_TURNS)
def test_a_callers_turn_holds_speech_and_ends_where_the_speech_does(name: str, turn: RecordedTurn):
    _, samples = loaded(name)
    start_ms = max(turn.started_ms - 120, 0)

    spans = cut_speech(samples[start_ms * PER_MS : (turn.ended_ms + 400) * PER_MS], pause_ms=2_000)

    assert len(spans) == 1
    assert start_ms + spans[0].started_ms == pytest.approx(turn.started_ms, abs=END_TOLERANCE_MS)
    assert start_ms + spans[0].ended_ms == pytest.approx(turn.ended_ms, abs=END_TOLERANCE_MS)


@pytest.mark.parametrize("name", NAMES)
def test_a_turns_audio_holds_the_whole_turn(name):
    call, samples = loaded(name)
    audio = call.caller_audio(RATE_HZ)

    lengths = [len(call.turn_audio(audio, turn)) // PER_MS for turn in call.caller_turns]
    spoken = [turn.ended_ms - turn.started_ms for turn in call.caller_turns]

    assert len(audio.samples) == len(samples)
    assert all(0 <= length - said <= 120 for length, said in zip(lengths, spoken, strict=True))


def test_the_barge_in_is_labelled_and_the_hang_up_stops_inside_the_sound():
    broadband, _ = loaded("made-broadband")
    hang_up, _ = loaded("made-hang-up")

    assert [turn.barge_in_ms for turn in broadband.turns].count(900) == 1
    assert hang_up.hang_up == "mid-sentence"
    assert hang_up.turns[-1].ended_ms == hang_up.audio.duration_ms


def bursts(*lengths_ms: int) -> list[Int16Array]:
    """What stands for speech where no voice is installed: loud, the same each time."""
    return [np.full(length_ms * 8, 8_000, np.int16) for length_ms in lengths_ms]


def test_made_turns_lie_one_after_the_other_on_a_noisy_line():
    samples, places = laid_out(bursts(1_000, 500), seed=1)

    assert places == [(1_000, 2_000), (3_500, 4_000)]
    assert len(samples) == 5_500 * 8
    assert samples[8_000:16_000].mean() == pytest.approx(8_000, abs=10)
    silence = samples[:8_000].astype(float)
    assert 20 * np.log10(silence.std() / 32_768) == pytest.approx(-50, abs=0.5)


def test_a_line_that_goes_dead_ends_with_the_last_sample():
    samples, places = laid_out(bursts(1_000, 500), seed=1, ends_at_once=True)

    assert places[-1] == (3_500, 4_000)
    assert len(samples) == 4_000 * 8


def test_a_made_call_is_the_same_each_time_and_another_with_another_seed():
    once, _ = laid_out(bursts(300), seed=1)
    again, _ = laid_out(bursts(300), seed=1)
    other, _ = laid_out(bursts(300), seed=2)

    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)


def test_silence_around_an_utterance_is_trimmed():
    speech = np.concatenate([np.zeros(2_400, np.int16), *bursts(500), np.zeros(801, np.int16)])

    assert np.array_equal(trimmed(speech), bursts(500)[0])


@pytest.mark.parametrize("made", CALLS, ids=lambda made: made.name)
def test_a_made_call_in_the_repository_is_what_its_script_writes(made: MadeCall, tmp_path):
    call, _ = loaded(made.name)
    places = [(turn.started_ms, turn.ended_ms) for turn in call.turns]
    hangs_up = call.hang_up == "mid-sentence"
    quiet = [np.zeros((end - start) * 8, np.int16) for start, end in places]

    line, laid_places = laid_out(quiet, seed=made.seed, ends_at_once=hangs_up)
    write_mulaw_wav(tmp_path / "line.wav", line)

    assert laid_places == places
    assert (call.path / "turns.jsonl").read_text() == turn_lines(made, places)
    if made.at is not None:
        assert call.at == made.at
        assert (call.path / "dialogue.jsonl").read_text() == dialogue_lines(made, places)
    between = np.ones(len(line), bool)
    for start, end in places:
        between[start * 8 : end * 8] = False
    committed = read_audio(call.audio.path, channel=0).samples
    again = read_audio(tmp_path / "line.wav", channel=0).samples
    assert np.array_equal(committed[between], again[between])
