"""Which transcript ends a turn: a real Pipecat pipeline, a scripted recogniser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    TranscriptionFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.tests.utils import SleepFrame, run_test

from ringback_voice.whisper_stt import WhisperSTT, transcribe

pytestmark = pytest.mark.framework

SURE = {"no_speech_prob": 0.0, "compression_ratio": 1.0, "avg_logprob": -0.1}

SOUND = InputAudioRawFrame(np.full(16_000, 900, np.int16).tobytes(), 16_000, 1)


class ScriptedModel:
    """Gives one text per stretch of speech; may be held back."""

    def __init__(self, *texts: str) -> None:
        self._texts: Iterator[str] = iter(texts)
        self.may_answer = threading.Event()
        self.may_answer.set()

    def transcribe(self, sound: np.ndarray, **_: object) -> tuple[list, None]:
        self.may_answer.wait(5)
        text = next(self._texts)
        return [SimpleNamespace(text=text, **SURE)], None


async def transcripts(model: ScriptedModel, *frames: Frame) -> list[tuple[str, bool]]:
    down, _ = await run_test(WhisperSTT(model), frames_to_send=list(frames))
    return [(f.text, f.finalized) for f in down if isinstance(f, TranscriptionFrame)]


def start() -> VADUserStartedSpeakingFrame:
    return VADUserStartedSpeakingFrame()


def stop() -> VADUserStoppedSpeakingFrame:
    return VADUserStoppedSpeakingFrame(stop_secs=0.2)


async def test_the_transcript_of_all_that_was_said_is_final():
    model = ScriptedModel(" Good morning. ")

    heard = await transcripts(model, start(), SOUND, stop(), SleepFrame(sleep=0.2))

    assert heard == [("Good morning.", True)]


async def test_a_transcript_that_comes_while_the_caller_speaks_on_is_not_final():
    model = ScriptedModel("Have you tried it?", "Which can tell them apart?")
    model.may_answer.clear()
    threading.Timer(0.2, model.may_answer.set).start()

    first, later = (start(), SOUND, stop(), start(), SOUND), (stop(), SleepFrame(sleep=0.3))
    heard = await transcripts(model, *first, SleepFrame(sleep=0.5), *later)

    assert heard == [("Have you tried it?", False), ("Which can tell them apart?", True)]


async def test_a_transcript_is_not_final_while_another_stretch_of_speech_waits_for_its_own():
    model = ScriptedModel("One.", "Two.")
    model.may_answer.clear()
    threading.Timer(0.3, model.may_answer.set).start()

    heard = await transcripts(
        model, start(), SOUND, stop(), start(), SOUND, stop(), SleepFrame(sleep=0.8)
    )

    assert heard == [("One.", False), ("Two.", True)]


async def test_a_noise_after_a_pause_ends_the_turn_instead_of_holding_it_open():
    model = ScriptedModel("Have you tried it?", "")
    model.may_answer.clear()
    threading.Timer(0.2, model.may_answer.set).start()

    first, later = (start(), SOUND, stop(), start(), SOUND), (stop(), SleepFrame(sleep=0.3))
    heard = await transcripts(model, *first, SleepFrame(sleep=0.5), *later)

    assert heard == [("Have you tried it?", False), (" ", True)]


async def test_a_noise_after_a_pause_ends_the_turn_also_when_the_words_before_were_final():
    """The turn detector takes the first words for unfinished, and asks again after the noise."""
    model = ScriptedModel("It was last Tuesday.", "")
    stretch, settle = (start(), SOUND, stop()), SleepFrame(sleep=0.2)

    heard = await transcripts(model, *stretch, settle, *stretch, settle)

    assert heard == [("It was last Tuesday.", True), (" ", True)]


async def test_a_noise_between_two_turns_is_no_transcript():
    model = ScriptedModel("Good morning.", "")
    stretch, settle = (start(), SOUND, stop()), SleepFrame(sleep=0.2)

    heard = await transcripts(model, *stretch, settle, UserStoppedSpeakingFrame(), *stretch, settle)

    assert heard == [("Good morning.", True)]


async def test_a_noise_that_is_heard_as_a_full_stop_has_no_transcript():
    model = ScriptedModel(" . ")

    assert await transcripts(model, start(), SOUND, stop(), SleepFrame(sleep=0.2)) == []


async def test_a_noise_alone_has_no_transcript():
    assert await transcripts(ScriptedModel(""), start(), SOUND, stop(), SleepFrame(sleep=0.2)) == []


async def test_a_text_that_loops_is_no_speech():
    model = ScriptedModel("the balance is forty")
    looped = [SimpleNamespace(text="the balance is forty", **SURE | {"compression_ratio": 9})]
    model.transcribe = lambda *_, **__: (looped, None)

    assert await transcripts(model, start(), SOUND, stop(), SleepFrame(sleep=0.2)) == []


def test_where_the_short_window_heard_nothing_the_own_one_is_asked():
    answers = iter([[], [SimpleNamespace(text="Yes.", **SURE)]])

    class Model:
        def encode(self, features: np.ndarray) -> int:
            return features.shape[-1]

        def transcribe(self, *_: object, **__: object) -> tuple[list, None]:
            return next(answers), None

    assert transcribe(Model(), np.zeros(16_000, np.float32), is_awaited=True) == "Yes."


def test_words_that_it_is_unsure_of_are_heard_again_in_whispers_own_window():
    windows = []

    class Model:
        def encode(self, features: np.ndarray) -> int:
            return features.shape[-1]

        def transcribe(self, *_: object, **__: object) -> tuple[list, None]:
            windows.append(self.encode(np.zeros((80, 3_000), np.float32)))
            unsure = {"avg_logprob": -1.2 if len(windows) == 1 else -0.3}
            text = f"in {windows[-1]} frames"
            return [SimpleNamespace(text=text, **SURE | unsure)], None

    assert transcribe(Model(), np.zeros(16_000, np.float32), is_awaited=True) == "in 3000 frames"
    assert windows == [2_000, 3_000]
