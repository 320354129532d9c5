"""The line between a recorded caller and a bot: a real Pipecat pipeline, a scripted bot."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    LLMFullResponseEndFrame,
    ProposedUserStoppedSpeakingFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.workers.runner import WorkerRunner

from ringback_voice.caller import Caller, Event, Manners, Utterance
from ringback_voice.replay_transport import Pace, ReplayTransport
from ringback_voice.waterfall import SpeechEndedFrame, SpeechStartedFrame

pytestmark = [pytest.mark.framework, pytest.mark.virtual_time]

TONE = 5_000  # what the caller's samples are; the bot's are -TONE
MANNERS = Manners(lead_in_ms=100, pause_ms=100, patience_ms=2_000)


class ScriptedBot(FrameProcessor):
    """Answers each end of speech after a while, with a sound of a given length."""

    def __init__(self, *, think_ms: int, speak_ms: int, trigger: type[Frame]) -> None:
        super().__init__()
        self._think_s = think_ms / 1000
        self._speak_ms = speak_ms
        self._trigger = trigger
        self._answer: asyncio.Task[None] | None = None
        self.heard: list[np.ndarray] = []
        self.seen: list[Frame] = []

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InputAudioRawFrame):
            assert frame.sample_rate == 16_000
            self.heard.append(np.frombuffer(frame.audio, dtype=np.int16))
        else:
            self.seen.append(frame)
        if isinstance(frame, self._trigger):
            self._answer = self.create_task(self._speak())
        if isinstance(frame, SpeechStartedFrame) and frame.position == 99:
            await self.broadcast_interruption()
        await self.push_frame(frame, direction)

    async def _speak(self) -> None:
        await asyncio.sleep(self._think_s)
        if self._speak_ms:
            sound = np.full(16 * self._speak_ms, -TONE, dtype=np.int16)
            await self.push_frame(TTSStartedFrame())
            await self.push_frame(TTSAudioRawFrame(sound.tobytes(), 16_000, 1))
            await self.push_frame(TTSStoppedFrame())
        await self.push_frame(LLMFullResponseEndFrame())


class Tape:
    def __init__(self) -> None:
        self.parts: list[np.ndarray] = []

    def write(self, samples: np.ndarray) -> None:
        self.parts.append(samples)

    @property
    def samples(self) -> np.ndarray:
        return np.concatenate(self.parts)


def utterance(position: int, ms: int, rate_hz: int = 16_000, **options) -> Utterance:
    return Utterance(position, np.full(rate_hz * ms // 1000, TONE, dtype=np.int16), **options)


async def play(bot: ScriptedBot, *utterances: Utterance, rate_hz: int = 16_000, pace: Pace):
    """Run one call to its hang-up; return the tape and the events by call time."""
    caller = Caller(utterances, sample_rate_hz=rate_hz, manners=MANNERS)
    tape, events = Tape(), []
    transport = ReplayTransport(caller, line_rate_hz=rate_hz, pace=pace, recorder=tape)
    transport.on_step(lambda step, now_ms: events.extend((now_ms, e) for e in step.events))
    worker = PipelineWorker(
        Pipeline([transport.input(), bot, transport.output()]),
        params=PipelineParams(audio_in_sample_rate=16_000),
        enable_rtvi=False,
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run())
        await transport.hung_up()
        await worker.cancel()
    return tape.samples, events


def spans_ms(channel: np.ndarray, rate_hz: int) -> list[tuple[int, int]]:
    """Where a channel carries sound, in milliseconds."""
    loud = np.concatenate([[0], (np.abs(channel) > 100).astype(int), [0]])
    edges = np.flatnonzero(np.diff(loud))
    return [
        (int(a) * 1000 // rate_hz, int(b) * 1000 // rate_hz)
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]


async def test_in_real_time_both_sides_lie_side_by_side_where_they_were_heard():
    bot = ScriptedBot(think_ms=300, speak_ms=500, trigger=SpeechEndedFrame)

    tape, _ = await play(bot, utterance(0, 400), utterance(1, 200), pace=Pace.REAL_TIME)

    assert spans_ms(tape[:, 0], 16_000) == [(100, 500), (1_420, 1_620)]
    assert spans_ms(tape[:, 1], 16_000) == [(820, 1_320), (1_940, 2_440)]


async def test_the_bot_hears_all_that_the_caller_says_at_the_pipelines_rate():
    bot = ScriptedBot(think_ms=10, speak_ms=100, trigger=SpeechEndedFrame)

    await play(bot, utterance(0, 400, 8_000), rate_hz=8_000, pace=Pace.REAL_TIME)

    heard = np.concatenate(bot.heard)
    loud_ms = int((np.abs(heard) > TONE // 2).sum()) // 16
    assert 395 <= loud_ms <= 405


async def test_a_barge_in_cuts_the_bots_sound_off_and_what_was_cut_is_not_on_tape():
    bot = ScriptedBot(think_ms=100, speak_ms=3_000, trigger=SpeechEndedFrame)
    first, second = utterance(0, 200), utterance(99, 200, barge_in_ms=600)

    tape, _ = await play(bot, first, second, pace=Pace.REAL_TIME)

    (begun, ended), *_ = spans_ms(tape[:, 1], 16_000)
    (_, _), (barged_in, _) = spans_ms(tape[:, 0], 16_000)
    assert barged_in - begun == 600
    assert 0 <= ended - barged_in <= 80


async def test_a_bot_that_never_answers_does_not_hold_the_line_for_ever():
    bot = ScriptedBot(think_ms=10**9, speak_ms=100, trigger=SpeechEndedFrame)

    _, events = await play(bot, utterance(0, 200), pace=Pace.REAL_TIME)

    assert [event for _, event in events] == [
        Event.SPEECH_STARTED,
        Event.SPEECH_ENDED,
        Event.UNANSWERED,
        Event.HUNG_UP,
    ]


async def test_a_fast_line_tells_the_turns_edges_around_the_sound():
    bot = ScriptedBot(think_ms=50, speak_ms=300, trigger=ProposedUserStoppedSpeakingFrame)

    await play(bot, utterance(0, 400), pace=Pace.FAST)

    kinds = [type(frame) for frame in bot.seen]
    stopped = kinds.index(VADUserStoppedSpeakingFrame)
    assert kinds.index(SpeechStartedFrame) < stopped < kinds.index(ProposedUserStoppedSpeakingFrame)
    loud = np.abs(np.concatenate(bot.heard)) > TONE // 2
    assert int(loud.sum()) == 400 * 16


async def test_a_fast_line_takes_no_longer_than_the_bot_thinks():
    bot = ScriptedBot(think_ms=1_000, speak_ms=60_000, trigger=ProposedUserStoppedSpeakingFrame)
    loop = asyncio.get_running_loop()
    started_s = loop.time()

    tape, _ = await play(bot, utterance(0, 60_000), pace=Pace.FAST)

    assert len(tape) / 16_000 > 120
    assert loop.time() - started_s < 3


async def test_a_fast_caller_waits_for_the_whole_answer_before_speaking_on():
    bot = ScriptedBot(think_ms=500, speak_ms=700, trigger=ProposedUserStoppedSpeakingFrame)

    tape, _ = await play(bot, utterance(0, 200), utterance(1, 200), pace=Pace.FAST)

    caller, agent = spans_ms(tape[:, 0], 16_000), spans_ms(tape[:, 1], 16_000)
    assert [end - start for start, end in agent] == [700, 700]
    assert caller[1][0] >= agent[0][1]
