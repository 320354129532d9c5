from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ringback import RecordingError
from ringback_ops.importing import NOT_UNDERSTOOD, Labels, import_recording
from ringback_voice.audio_file import read_audio, write_wav
from ringback_voice.call_folder import load_call

pytestmark = pytest.mark.framework

RECORDINGS = Path(__file__).parents[2] / "recordings"
LABELS = Labels(title="A call", licence="private")


class ScriptedWhisper:
    """Says for each stretch of speech which one it is."""

    def __init__(self, text: str = "turn {}") -> None:
        self._text = text
        self._count = 0

    def transcribe(self, sound: np.ndarray, **_: object) -> Any:
        self._count += 1
        text = self._text.format(self._count)
        sure = {"no_speech_prob": 0.0, "compression_ratio": 1.0, "avg_logprob": -0.2}
        return [SimpleNamespace(text=text, **sure)], None


@pytest.fixture
def stereo(tmp_path: Path) -> Path:
    """The caller right, the agent left: two real voices, taking turns."""
    speech = read_audio(RECORDINGS / "made-hang-up" / "audio.wav", channel=0, sample_rate_hz=8_000)
    one = speech.samples[: 8_000 * 5]
    silence = np.zeros_like(one)
    left = np.concatenate([silence, one, silence])
    right = np.concatenate([one, silence, one])
    file = tmp_path / "stereo.wav"
    write_wav(file, np.stack([left, right], axis=1), 8_000)
    return file


def test_each_side_of_a_stereo_call_becomes_its_own_turns(stereo: Path, tmp_path: Path):
    labels = Labels(title="A call", licence="private", caller_channel=1)

    call = import_recording(stereo, tmp_path / "out", labels, ScriptedWhisper())

    assert [turn.role for turn in call.turns] == ["caller", "agent", "caller"]
    assert [turn.text for turn in call.turns] == ["turn 1", "turn 2", "turn 3"]
    assert call.turns[1].started_ms >= 5_000
    assert load_call(tmp_path / "out").turns == call.turns


def test_a_mono_call_is_the_callers_until_somebody_corrects_it(tmp_path: Path):
    source = RECORDINGS / "made-hang-up" / "audio.wav"

    call = import_recording(source, tmp_path / "out", LABELS, ScriptedWhisper())

    assert {turn.role for turn in call.turns} == {"caller"}
    assert (tmp_path / "out" / "audio.wav").read_bytes() == source.read_bytes()


def test_speech_without_a_transcript_is_kept_to_be_labelled(tmp_path: Path):
    source = RECORDINGS / "made-hang-up" / "audio.wav"

    import_recording(source, tmp_path / "out", LABELS, ScriptedWhisper(""))

    lines = (tmp_path / "out" / "turns.jsonl").read_text().splitlines()
    assert all(json.loads(line)["note"] == NOT_UNDERSTOOD for line in lines)
    assert len(load_call(tmp_path / "out").caller_turns) == len(lines)


def test_a_call_that_is_there_is_never_written_over(tmp_path: Path):
    source = RECORDINGS / "made-hang-up" / "audio.wav"
    import_recording(source, tmp_path / "out", LABELS, ScriptedWhisper())
    before = (tmp_path / "out" / "turns.jsonl").read_bytes()

    with pytest.raises(RecordingError, match="holds a call already"):
        import_recording(source, tmp_path / "out", LABELS, ScriptedWhisper("other"))

    assert (tmp_path / "out" / "turns.jsonl").read_bytes() == before


def test_speech_on_the_wrong_channel_only_is_told(tmp_path: Path, stereo: Path):
    silent_right = read_audio(stereo).samples.copy()
    silent_right[:, 1] = 0
    write_wav(stereo, silent_right, 8_000)
    labels = Labels(title="A call", licence="private", caller_channel=1)

    with pytest.raises(RecordingError, match="no speech on channel 1"):
        import_recording(stereo, tmp_path / "out", labels, ScriptedWhisper())

    assert not (tmp_path / "out").exists()


def test_progress_goes_to_the_end_of_each_part(stereo: Path, tmp_path: Path):
    told: list[tuple[str, float, float]] = []

    import_recording(
        stereo,
        tmp_path / "out",
        LABELS,
        ScriptedWhisper(),
        progress=lambda *step: told.append(step),
    )

    ends = {doing: (done, total) for doing, done, total in told}
    assert set(ends) == {"cutting channel 0", "cutting channel 1", "transcribing turns"}
    assert all(done == total for done, total in ends.values())
