from __future__ import annotations

from typing import Any

import pytest
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    Frame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    MetricsFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.metrics.metrics import TurnMetricsData
from pipecat.observers.base_observer import FramePushed
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService

from ringback_voice.waterfall import (
    LatencySummary,
    Percentiles,
    SpeechEndedFrame,
    SpeechStartedFrame,
    Stage,
    Stopwatch,
    TurnLatency,
)

pytestmark = pytest.mark.framework

VERDICT = {"processor": "t", "probability": 0.5, "e2e_processing_time_ms": 1.0}


class At(OpenAILLMService):
    """A service whose pipeline's time is set."""

    now_ms = 0

    def get_clock(self) -> Any:
        return self

    def get_time(self) -> int:
        return self.now_ms * 1_000_000


async def watch(*events: tuple[int, Frame], stopwatch: Stopwatch | None = None) -> Stopwatch:
    """Show frames to a stopwatch, each at its millisecond."""
    stopwatch, processor = stopwatch or Stopwatch(), FrameProcessor()
    for at_ms, frame in events:
        at_ns = at_ms * 1_000_000
        pushed = FramePushed(processor, processor, frame, FrameDirection.DOWNSTREAM, at_ns)
        await stopwatch.on_push_frame(pushed)
    return stopwatch


def verdict(*, complete: bool) -> MetricsFrame:
    return MetricsFrame(data=[TurnMetricsData(is_complete=complete, **VERDICT)])


def reply(request_ms: int) -> list[tuple[int, Frame]]:
    return [
        (request_ms, LLMContextFrame(context=LLMContext())),
        (request_ms + 1, LLMFullResponseStartFrame()),
        (request_ms + 101, LLMTextFrame("Hello")),
        (request_ms + 131, LLMTextFrame(" there.")),
        (request_ms + 301, TTSAudioRawFrame(b"\0\0", 16_000, 1)),
        (request_ms + 311, BotStartedSpeakingFrame()),
    ]


def transcript() -> TranscriptionFrame:
    return TranscriptionFrame("hello", "", "")


async def test_the_stages_of_a_turn_are_the_times_between_its_marks():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=4)),
        (100, VADUserStartedSpeakingFrame()),
        (1_000, SpeechEndedFrame(position=4)),
        (1_240, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (1_270, verdict(complete=True)),
        (1_600, transcript()),
        *reply(1_610),
    )

    (turn,) = stopwatch.turns
    assert turn.position == 4
    assert turn.stages_ms == {
        Stage.VAD: 240,
        Stage.STT: 360,
        Stage.TURN: 10,
        Stage.MEMORY: 1,
        Stage.LLM: 100,
        Stage.TTS: 200,
        Stage.TRANSPORT: 10,
    }
    assert turn.total_ms == 921
    assert not turn.waited_for_more


async def test_a_request_is_timed_when_it_leaves_though_frames_are_told_of_later():
    client: Any = (llm := At(api_key="none"))._client
    stopwatch = Stopwatch(llm)
    for at_ms in (900, 1_640):  # the first is of another turn
        llm.now_ms = at_ms
        for told in client._client.event_hooks["request"]:
            await told(None)

    await watch(
        (0, SpeechStartedFrame(position=0)),
        (1_000, SpeechEndedFrame(position=0)),
        (1_240, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (1_600, transcript()),
        *reply(1_610),
        stopwatch=stopwatch,
    )

    (turn,) = stopwatch.turns
    assert (turn.stages_ms[Stage.MEMORY], turn.stages_ms[Stage.LLM]) == (30, 71)


async def test_an_end_of_speech_that_nobody_knows_is_the_vads_less_its_own_wait():
    stopwatch = await watch(
        (100, VADUserStartedSpeakingFrame()),
        (1_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (1_500, transcript()),
        *reply(1_500),
    )

    (turn,) = stopwatch.turns
    assert turn.stages_ms[Stage.VAD] == 200
    assert turn.total_ms == 200 + 300 + 311


async def test_a_pause_in_mid_turn_is_not_its_end():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=0)),
        (500, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (520, verdict(complete=False)),
        (700, transcript()),
        (900, VADUserStartedSpeakingFrame()),
        (2_000, SpeechEndedFrame(position=0)),
        (2_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (2_220, verdict(complete=True)),
        (2_500, transcript()),
        *reply(2_500),
    )

    (turn,) = stopwatch.turns
    assert turn.stages_ms[Stage.VAD] == 200
    assert turn.stages_ms[Stage.STT] == 300
    assert not turn.waited_for_more


async def test_a_bot_that_breaks_in_at_a_pause_has_not_answered_the_turn_yet():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=6)),
        (500, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (520, verdict(complete=True)),
        (700, transcript()),
        *reply(710),
        (2_000, SpeechEndedFrame(position=6)),
        (2_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (2_500, transcript()),
        *reply(2_500),
    )

    (turn,) = stopwatch.turns
    assert turn.position == 6
    assert turn.total_ms == 500 + 311


async def test_a_finished_turn_that_the_detector_waited_on_is_marked():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=0)),
        (1_000, SpeechEndedFrame(position=0)),
        (1_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (1_220, verdict(complete=False)),
        (1_500, transcript()),
        *reply(4_200),
    )

    (turn,) = stopwatch.turns
    assert turn.waited_for_more
    assert turn.stages_ms[Stage.TURN] == 2_700


async def test_a_reply_that_was_interrupted_before_its_first_sound_is_not_counted():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=0)),
        (1_000, SpeechEndedFrame(position=0)),
        (1_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        *reply(1_300)[:3],
        (1_450, InterruptionFrame()),
        (1_500, BotStartedSpeakingFrame()),
    )

    assert stopwatch.turns == []


async def test_sound_of_an_earlier_reply_does_not_answer_the_turn():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=0)),
        (1_000, SpeechEndedFrame(position=0)),
        (1_010, TTSAudioRawFrame(b"\0\0", 16_000, 1)),
        (1_020, BotStartedSpeakingFrame()),
        (1_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        (1_500, transcript()),
        *reply(1_500),
    )

    (turn,) = stopwatch.turns
    assert turn.total_ms == 811


async def test_a_transcript_that_comes_before_the_vads_stop_costs_nothing():
    stopwatch = await watch(
        (0, SpeechStartedFrame(position=0)),
        (1_000, SpeechEndedFrame(position=0)),
        (1_100, transcript()),
        (1_200, VADUserStoppedSpeakingFrame(stop_secs=0.2)),
        *reply(1_250),
    )

    (turn,) = stopwatch.turns
    assert turn.stages_ms[Stage.STT] == 0
    assert turn.total_ms == 250 + 311


def test_percentiles_interpolate_between_ranks():
    figures = Percentiles.of([100.0, 200.0, 300.0, 400.0, 500.0])

    assert figures == Percentiles(n=5, p50_ms=300.0, p95_ms=480.0, p99_ms=496.0)


def test_nothing_measured_has_no_percentiles():
    summary = LatencySummary.of([])

    assert (summary.total, summary.complete, summary.stages) == (None, None, {})


def test_a_summary_keeps_turns_that_were_waited_on_apart():
    def turn(ms: float, *, waited: bool) -> TurnLatency:
        stages = dict.fromkeys(Stage, 0.0) | {Stage.TURN: ms}
        return TurnLatency(0, stages, waited)

    summary = LatencySummary.of([turn(800, waited=False), turn(4_000, waited=True)])

    assert summary.total is not None
    assert summary.total.p50_ms == 2_400
    assert summary.complete == Percentiles(1, 800, 800, 800)
