"""Transcribing at the first silence: a real Pipecat pipeline, a scripted recogniser and VAD."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from pipecat.audio.vad.vad_analyzer import VADAnalyzer
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.tests.utils import SleepFrame, run_test

from ringback_voice.whisper_stt import PAUSE, WhisperSTT

pytestmark = pytest.mark.framework

SURE = {"no_speech_prob": 0.0, "compression_ratio": 1.0, "avg_logprob": -0.1}

RATE_HZ = 16_000
SETTLE = SleepFrame(sleep=0.2)
START = VADUserStartedSpeakingFrame()
STOP = VADUserStoppedSpeakingFrame(stop_secs=0.2)


class LoudIsSpeech(VADAnalyzer):
    """Pipecat's own counting of windows; whatever is not silent is speech."""

    def __init__(self) -> None:
        super().__init__(params=PAUSE.model_copy(update={"min_volume": 0.0}))

    def num_frames_required(self) -> int:
        return 512

    def voice_confidence(self, buffer: bytes) -> float:
        return float(np.any(np.frombuffer(buffer, np.int16)))


class CountingModel:
    """Says how much speech it heard; may be held back."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.may_answer = threading.Event()
        self.may_answer.set()

    def transcribe(self, sound: np.ndarray, **_: object) -> tuple[list, None]:
        self.may_answer.wait(5)
        self.heard.append(int(np.count_nonzero(sound)))
        text = f"{self.heard[-1] * 1000 // RATE_HZ} ms"
        return [SimpleNamespace(text=text, **SURE)], None


class AnswersAfterTheStop(FrameProcessor):
    """Has a model that is held back go on once the end of speech is confirmed."""

    def __init__(self, model: CountingModel) -> None:
        super().__init__()
        self._model = model
        model.may_answer.clear()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, VADUserStoppedSpeakingFrame):
            self._model.may_answer.set()
        await self.push_frame(frame, direction)


def sound(ms: int) -> list[Frame]:
    """So much speech, in the frames of a telephone line."""
    return [_frame(900)] * (ms // 20)


def silence(ms: int) -> list[Frame]:
    return [_frame(0)] * (ms // 20)


def _frame(level: int) -> InputAudioRawFrame:
    return InputAudioRawFrame(np.full(RATE_HZ // 50, level, np.int16).tobytes(), RATE_HZ, 1)


async def heard(
    model: CountingModel, *frames: Frame, held: bool = False
) -> list[tuple[str, bool | None]]:
    """Each transcript with whether it is final; None is an interim one."""
    parts: list[FrameProcessor] = [WhisperSTT(model, pauses=LoudIsSpeech())]
    if held:
        parts.append(AnswersAfterTheStop(model))
    down, _ = await run_test(Pipeline(parts), frames_to_send=list(frames))
    told = [f for f in down if isinstance(f, TranscriptionFrame | InterimTranscriptionFrame)]
    return [(f.text, getattr(f, "finalized", None)) for f in told]


def finals(told: list[tuple[str, bool | None]]) -> list[str]:
    return [text for text, is_final in told if is_final]


async def test_the_words_before_the_last_pause_are_transcribed_once_and_are_final():
    model = CountingModel()

    told = await heard(model, START, *sound(600), *silence(200), STOP, SETTLE)

    assert finals(told) == ["600 ms"]
    assert len(model.heard) == 1


async def test_a_transcription_has_begun_before_the_end_of_speech_is_confirmed():
    model = CountingModel()

    told = await heard(model, START, *sound(600), *silence(120), SETTLE, *silence(80), STOP, SETTLE)

    assert told == [("600 ms", None), ("600 ms", True)]
    assert len(model.heard) == 1


async def test_a_caller_who_speaks_on_after_a_pause_is_heard_whole():
    model = CountingModel()
    pause = [*silence(140), SETTLE]

    told = await heard(model, START, *sound(600), *pause, *sound(400), *silence(200), STOP, SETTLE)

    assert told[0] == ("600 ms", None)
    assert finals(told) == ["1000 ms"]


async def test_words_after_a_pause_that_the_guess_has_not_heard_are_not_lost():
    """Too short for another pause to be seen before the end of speech is confirmed."""
    model = CountingModel()

    told = await heard(
        model, START, *sound(600), *silence(140), SETTLE, *sound(100), *silence(40), STOP, SETTLE
    )

    assert finals(told) == ["700 ms"]


async def test_a_guess_that_nobody_needs_any_more_does_not_keep_the_words_waiting():
    model = CountingModel()
    pauses = [*sound(200), *silence(140)] * 5

    told = await heard(model, START, *pauses, *silence(60), STOP, SETTLE, held=True)

    assert told == [("1000 ms", True)]
    assert len(model.heard) == 2, "the one under way, and the last"


async def test_no_interim_transcript_follows_a_final_one():
    model = CountingModel()
    spoken, after = (START, *sound(600), *silence(200), STOP), (SETTLE, *silence(100), SETTLE)

    told = await heard(model, *spoken, *after, held=True)

    assert told == [("600 ms", True)]


async def test_words_that_are_final_are_no_interim_of_what_the_caller_says_next():
    model = CountingModel()
    first = [START, *sound(600), *silence(200), STOP]

    told = await heard(model, *first, START, SETTLE, *sound(400), SETTLE, held=True)

    assert [text for text, _ in told].count("600 ms") == 1


async def test_a_transcription_that_fails_at_a_pause_ends_neither_call_nor_turn():
    model = CountingModel()
    whole = model.transcribe
    failures = iter([RuntimeError("out of memory")])

    def fails_once(sound: np.ndarray, **options: object) -> tuple[list, None]:
        for failure in failures:
            raise failure
        return whole(sound, **options)

    model.transcribe = fails_once

    pause = [*silence(140), SETTLE]
    told = await heard(model, START, *sound(600), *pause, *sound(400), *silence(200), STOP, SETTLE)

    assert finals(told) == ["1000 ms"]


async def test_a_noise_outside_speech_is_not_transcribed():
    model = CountingModel()

    assert await heard(model, *sound(200), *silence(300), SETTLE) == []
    assert model.heard == []


async def test_a_slow_machine_begins_when_the_end_of_speech_is_confirmed(monkeypatch):
    monkeypatch.setattr("ringback_voice.whisper_stt.GUESS_LIMIT_S", 0.0)  # any is slow
    model = CountingModel()
    spoken = [START, *sound(600), *silence(120), SETTLE, *silence(20)]

    told = await heard(model, *spoken, STOP, SETTLE, *spoken, SETTLE, STOP, SETTLE)

    assert told == [("600 ms", None), ("600 ms", True), ("600 ms", True)]
