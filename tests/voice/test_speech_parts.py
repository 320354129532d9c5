"""Whisper and Piper as they are: real models, real sound."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pipecat.frames.frames import TranscriptionFrame

from ringback import UsageError
from ringback_models import resolve, resolve_file
from ringback_pipelines.part_names import DEFAULT_STT, DEFAULT_TTS
from ringback_voice.audio_file import resample
from ringback_voice.call_folder import load_call
from ringback_voice.piper_tts import piper_tts
from ringback_voice.whisper_stt import WhisperSTT, load_whisper, transcribe

pytestmark = pytest.mark.replay

KATIE = Path("recordings/katie-steve")


@pytest.fixture(scope="module")
def whisper(models):
    return load_whisper(resolve(DEFAULT_STT))


@pytest.fixture(scope="module")
def katie() -> np.ndarray:
    """A sentence of a real person; int16 [frames], 16 kHz."""
    call = load_call(KATIE)
    longest = max(call.caller_turns, key=lambda turn: turn.ended_ms - turn.started_ms)
    return np.array(call.turn_audio(call.caller_audio(16_000), longest))


async def hear(whisper, samples: np.ndarray, rate_hz: int) -> list[str]:
    service = WhisperSTT(whisper)
    service._sample_rate = rate_hz  # what a pipeline's set-up does
    frames = [frame async for frame in service.run_stt(samples.astype(np.int16).tobytes())]
    await service.cleanup()
    return [frame.text for frame in frames if isinstance(frame, TranscriptionFrame)]


async def test_a_real_persons_sentence_is_heard(whisper, katie):
    (text,) = await hear(whisper, katie, 16_000)

    assert "diarization" in text.lower()


async def test_telephone_sound_is_resampled_not_heard_at_double_speed(whisper, katie):
    (text,) = await hear(whisper, resample(katie, 16_000, 8_000), 8_000)

    assert "diarization" in text.lower()


@pytest.mark.parametrize("level", [0, 3, 60])
async def test_silence_and_line_noise_are_no_sentence(whisper, level: int):
    noise = np.random.default_rng(7).normal(0, max(level, 1e-9), 16_000 * 3)

    assert await hear(whisper, noise, 16_000) == []


def test_speech_after_a_pause_is_not_dropped(whisper, katie):
    pause = np.zeros(16_000, np.int16)
    twice = np.concatenate([katie, pause, katie]).astype(np.float32) / 32768

    text = transcribe(whisper, twice)

    assert text.lower().count("diarization") >= 2


def test_padding_beyond_twenty_seconds_is_not_listened_to(whisper, katie, monkeypatch):
    heard, encode = [], whisper.encode

    def listen(features: np.ndarray) -> object:
        heard.append(features.shape[-1])
        return encode(features)

    monkeypatch.setattr(whisper, "encode", listen)
    text = transcribe(whisper, katie.astype(np.float32) / 32768, is_awaited=True)

    assert "diarization" in text.lower()
    assert heard == [2_000]


def test_a_sound_of_more_than_twenty_seconds_is_heard_to_its_end(whisper, katie):
    pause = np.zeros(16_000 * 18, np.int16)
    late = np.concatenate([katie[:32_000], pause, katie]).astype(np.float32) / 32768

    assert "microsoft speech service" in transcribe(whisper, late, is_awaited=True).lower()


def test_a_folder_without_a_model_is_one_clear_line(tmp_path: Path):
    with pytest.raises(UsageError, match=r"model\.bin is not there"):
        load_whisper(tmp_path)


def test_a_damaged_model_is_one_clear_line(tmp_path: Path):
    (tmp_path / "model.bin").write_bytes(b"not a model")

    with pytest.raises(UsageError, match="cannot be loaded"):
        load_whisper(tmp_path)


def test_a_voice_without_its_description_is_one_clear_line(tmp_path: Path):
    (tmp_path / "voice.onnx").write_bytes(b"")

    with pytest.raises(UsageError, match=r"no Piper voice at .*voice\.onnx\.json"):
        piper_tts(tmp_path / "voice.onnx")


def test_the_voice_is_loaded_from_where_it_lies_and_nothing_is_fetched(models, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", _no_network)

    service = piper_tts(resolve_file(DEFAULT_TTS))

    assert service.can_generate_metrics()


def _no_network(*_: object) -> None:
    raise AssertionError("a part that is here must not ask the network")
