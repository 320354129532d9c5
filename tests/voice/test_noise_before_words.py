"""Line noise and a tone before somebody speaks: real VAD, real recogniser, one turn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import InputAudioRawFrame, TranscriptionFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.tests.utils import SleepFrame, run_test

from ringback_models import resolve
from ringback_pipelines.part_names import DEFAULT_STT
from ringback_voice.call_folder import load_call
from ringback_voice.whisper_stt import WhisperSTT, load_whisper

pytestmark = pytest.mark.replay

RATE_HZ = 16_000
FRAME = RATE_HZ // 50
LINE_NOISE = 33  # of 32,768: -60 dBFS
CALL = Path("recordings/made-first-call")


def goodbye() -> np.ndarray:
    """The caller's last turn: "Thank you for your help. Goodbye."."""
    call = load_call(CALL)
    return np.array(call.turn_audio(call.caller_audio(RATE_HZ), call.caller_turns[-1]))


def frames(sound: np.ndarray) -> list[InputAudioRawFrame]:
    return [
        InputAudioRawFrame(sound[at : at + FRAME].astype(np.int16).tobytes(), RATE_HZ, 1)
        for at in range(0, len(sound) - FRAME, FRAME)
    ]


async def test_eight_seconds_of_noise_and_a_tone_are_no_words_and_the_goodbye_is_heard(models):
    noise = np.random.default_rng(7).normal(0, LINE_NOISE, RATE_HZ * 8)
    tone = 3_000 * np.sin(2 * np.pi * 440 * np.arange(RATE_HZ) / RATE_HZ)
    silence = np.random.default_rng(8).normal(0, LINE_NOISE, RATE_HZ * 2)
    sound = np.concatenate([noise, tone, silence, goodbye(), silence])
    parts = Pipeline(
        [
            VADProcessor(vad_analyzer=SileroVADAnalyzer(sample_rate=RATE_HZ)),
            WhisperSTT(load_whisper(resolve(DEFAULT_STT))),
        ]
    )

    down, _ = await run_test(parts, frames_to_send=[*frames(sound), SleepFrame(sleep=6)])

    said = [frame.text for frame in down if isinstance(frame, TranscriptionFrame)]
    assert len(said) == 1
    assert "goodbye" in said[0].lower()
