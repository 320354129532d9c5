"""Where the time goes between the caller's last word and the bot's first sound.

`Stopwatch` is a Pipecat observer: it watches frames pass, off the path, and turns them
into one `TurnLatency` per answered turn. It works with any transport; one that knows when
speech truly began and ended says so with `SpeechStartedFrame` and `SpeechEndedFrame`.
Otherwise the end of speech is the VAD's decision less the silence it waited for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    Frame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    MetricsFrame,
    SystemFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.metrics.metrics import TurnMetricsData
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.services.openai.llm import OpenAILLMService

NS_PER_MS = 1_000_000
REQUESTS = 32  # that are remembered: several a turn, where it runs tools


class Stage(StrEnum):
    """What a turn's time is spent on, in the order it is spent."""

    VAD = "vad"
    """Silence that the voice activity detector waits for."""
    STT = "stt"
    """From there to the final transcript."""
    TURN = "turn"
    """From there to the turn's end: waiting for the turn detector to call it over."""
    MEMORY = "memory"
    """From the turn's end to the request that leaves this process: memory's processor and its
    words, and what the host does there without any."""
    LLM = "llm"
    """From there to the first token."""
    TTS = "tts"
    """From there to the first synthesised sound."""
    TRANSPORT = "transport"
    """From there to the first sound that the caller is sent."""


STAGES: Final = tuple(Stage)


@dataclass
class SpeechStartedFrame(SystemFrame):
    """The caller's speech truly begins here, says a transport that knows."""

    position: int = -1


@dataclass
class SpeechEndedFrame(SystemFrame):
    """The caller's speech truly ended with the sound before this frame."""

    position: int = -1


@dataclass(frozen=True, slots=True)
class TurnLatency:
    """One answered turn's time, from the end of speech to the first sound back."""

    position: int
    """The turn's position in the recorded call; a running number on other transports."""
    stages_ms: Mapping[Stage, float]
    """Milliseconds of each stage, ≥ 0; they add up to `total_ms`."""
    waited_for_more: bool
    """The turn detector first took the turn for unfinished, and waited for more speech."""

    @property
    def total_ms(self) -> float:
        """End of speech to first sound."""
        return sum(self.stages_ms.values())


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Percentiles over n samples, in milliseconds; linear interpolation between ranks."""

    n: int
    p50_ms: float
    p95_ms: float
    p99_ms: float

    @classmethod
    def of(cls, samples_ms: Iterable[float]) -> Percentiles | None:
        """Summarise; None when there is nothing to summarise."""
        values = np.fromiter(samples_ms, dtype=np.float64)
        if values.size == 0:
            return None
        p50, p95, p99 = np.percentile(values, (50, 95, 99))
        return cls(int(values.size), float(p50), float(p95), float(p99))


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """All turns' time: in total, in total without waits for more speech, per stage."""

    total: Percentiles | None
    complete: Percentiles | None
    """Only turns that the detector took for finished at once."""
    stages: Mapping[Stage, Percentiles]

    @classmethod
    def of(cls, turns: Iterable[TurnLatency]) -> LatencySummary:
        """Summarise turns of one call or of many."""
        turns = tuple(turns)
        per_stage = {s: Percentiles.of(t.stages_ms[s] for t in turns) for s in STAGES}
        return cls(
            Percentiles.of(t.total_ms for t in turns),
            Percentiles.of(t.total_ms for t in turns if not t.waited_for_more),
            {stage: figures for stage, figures in per_stage.items() if figures is not None},
        )


@dataclass(slots=True)
class _Marks:
    """What has been seen of the turn that is under way; pipeline time in ns."""

    position: int
    speech_ended: int | None = None
    seen: dict[Stage, int] = field(default_factory=dict)
    waited_for_more: bool = False

    def finish(self, requests: Iterable[int]) -> TurnLatency | None:
        """The turn's stages; None when its speech never ended or it was not answered."""
        if self.speech_ended is None or Stage.TRANSPORT not in self.seen:
            return None
        turn_ended = self.seen.get(Stage.TURN, self.speech_ended)
        left = [at for at in requests if at >= turn_ended]
        if left:  # else what it starts with: the frame that a model's service sends before it
            self.seen[Stage.MEMORY] = left[0]
        stages: dict[Stage, float] = {}
        before = self.speech_ended
        for stage in STAGES:
            at = max(before, self.seen.get(stage, before))
            stages[stage] = (at - before) / NS_PER_MS
            before = at
        return TurnLatency(self.position, stages, self.waited_for_more)


class Stopwatch(BaseObserver):
    """Watches one call and keeps a `TurnLatency` for each turn that was answered.

    Lives as long as its pipeline, which calls it. Keeps one small record per turn.

    Args:
        llm: Whose requests are timed as they leave; without one the frame counts that a
            language model begins with.
    """

    def __init__(self, llm: OpenAILLMService | None = None) -> None:
        super().__init__(observe_every_push=False)
        self._marks: _Marks | None = None
        self._count = 0
        self._transport_knows = False  # when speech begins and ends
        self._requests: deque[int] = deque(maxlen=REQUESTS)  # when each left
        if llm is not None:
            self._time_requests(llm)
        self.turns: list[TurnLatency] = []

    def summary(self) -> LatencySummary:
        """Percentiles over the turns so far."""
        return LatencySummary.of(self.turns)

    async def on_push_frame(self, data: FramePushed) -> None:
        """Note the frame's time if it marks a stage."""
        frame, at = data.frame, data.timestamp
        if isinstance(frame, SpeechStartedFrame):
            self._transport_knows = True
            self._start(frame.position)
        elif isinstance(frame, VADUserStartedSpeakingFrame):
            self._speech_goes_on()
        elif isinstance(frame, InterruptionFrame):
            self._forget_reply()
        elif self._marks is not None:
            self._mark(self._marks, frame, at)
        elif isinstance(frame, VADUserStoppedSpeakingFrame) and not self._transport_knows:
            self._mark(self._start(self._count), frame, at)

    def _time_requests(self, llm: OpenAILLMService) -> None:
        """Frames are told of later than they pass: which turn a request is of, its time says."""

        async def leaves(_request: object) -> None:
            self._requests.append(llm.get_clock().get_time())

        service: Any = llm  # Pipecat and openai have no public way to it
        service._client._client.event_hooks["request"].append(leaves)

    def _start(self, position: int) -> _Marks:
        self._count += 1
        self._marks = _Marks(position)
        return self._marks

    def _speech_goes_on(self) -> None:
        """The caller speaks (on): what came before was a pause, not the end."""
        if self._marks is None:
            return
        if self._transport_knows and self._marks.speech_ended is not None:
            return  # a noise after the end
        self._marks.speech_ended = None
        self._marks.waited_for_more = False
        self._forget_reply()

    def _forget_reply(self) -> None:
        if self._marks is not None:
            self._marks.seen.clear()

    def _mark(self, marks: _Marks, frame: Frame, at: int) -> None:
        seen = marks.seen
        if isinstance(frame, SpeechEndedFrame):
            marks.speech_ended = at
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            if not self._transport_knows:
                marks.speech_ended = at - int(frame.stop_secs * 1000) * NS_PER_MS
            seen[Stage.VAD] = at
        elif isinstance(frame, MetricsFrame):
            verdicts = [d for d in frame.data if isinstance(d, TurnMetricsData)]
            if Stage.TURN not in seen:
                marks.waited_for_more |= any(not v.is_complete for v in verdicts)
        elif isinstance(frame, TranscriptionFrame):
            if Stage.TURN not in seen:
                seen[Stage.STT] = at
        elif isinstance(frame, LLMContextFrame):
            seen[Stage.TURN] = at
        else:
            self._mark_reply(marks, frame, at)

    def _mark_reply(self, marks: _Marks, frame: Frame, at: int) -> None:
        seen = marks.seen
        if Stage.TURN not in seen:
            return  # sound of an earlier reply
        if isinstance(frame, LLMFullResponseStartFrame):
            seen.setdefault(Stage.MEMORY, at)
        elif isinstance(frame, LLMTextFrame):
            seen.setdefault(Stage.LLM, at)
        elif isinstance(frame, TTSAudioRawFrame):
            seen.setdefault(Stage.TTS, at)
        elif isinstance(frame, BotStartedSpeakingFrame):
            seen[Stage.TRANSPORT] = at
            turn = marks.finish(self._requests)
            if turn is None:  # it broke in before the end of speech
                self._forget_reply()
                return
            self.turns.append(turn)
            self._marks = None
