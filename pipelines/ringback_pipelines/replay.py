"""A recorded caller talks to the local bot, and everything that happened is kept.

    async with open_parts(PartNames()) as parts:
        result = await replay(load_call("recordings/made-broadband"), parts, out=folder)

In real time the pipeline finds the turns itself and each has a latency; fast, turns are
told to it and the call takes as long as the models need.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pipecat.frames.frames import ErrorFrame
from pipecat.pipeline.worker import PipelineWorker
from pipecat.workers.runner import WorkerRunner

from ringback import CallHandle, Context, Fact, Memory
from ringback.core.staging import StagingCounts
from ringback_pipecat import PipecatCall
from ringback_pipelines.wiring import Bot, Parts, build_bot
from ringback_voice.audio_file import WavWriter
from ringback_voice.call_folder import CallFolder
from ringback_voice.caller import Caller, Event, Manners, Step, Utterance
from ringback_voice.replay_transport import Pace, ReplayTransport
from ringback_voice.waterfall import LatencySummary, TurnLatency

LINE_RATES_HZ = (8_000, 16_000)
REPLAY_TENANT = "replay"
RECORDING = "call.wav"  # caller left, bot right


@dataclass(frozen=True, slots=True)
class LineSettings:
    """What the line between caller and bot is like."""

    pace: Pace = Pace.REAL_TIME
    rate_hz: int | None = None
    """8000 or 16000; None takes the recording's own, or the next lower."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line of the transcript."""

    role: str
    """`caller` or `agent`."""
    text: str
    at_ms: int
    """When the pipeline settled it, on the call's clock."""
    position: int | None
    """The recorded turn that it belongs to: the caller's last one."""
    interrupted: bool = False


@dataclass(slots=True)
class PlayedTurn:
    """One recorded turn as it was played."""

    position: int
    text: str
    """What is said, by the recording's label."""
    started_ms: int
    ended_ms: int | None = None
    """None: the line was closed before."""
    unanswered: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """What memory told the bot in a call, and what it kept of it."""

    told: Context
    """As of the call's end."""
    facts: tuple[Fact, ...]
    """That rest on words of this call and hold."""
    counts: StagingCounts


@dataclass(slots=True)
class ReplayResult:
    """What happened in one replayed call."""

    call: CallFolder
    pace: Pace
    line_rate_hz: int
    llm: str
    recording: Path
    """WAV at the line's rate: caller left, bot right, aligned by construction."""
    played: list[PlayedTurn] = field(default_factory=list)
    transcript: list[Said] = field(default_factory=list)
    latencies: list[TurnLatency] = field(default_factory=list)
    """Empty at the fast pace."""
    duration_ms: int = 0
    apologies: int = 0
    """Replies that the language model did not give, or not in time."""
    errors: list[str] = field(default_factory=list)
    """Which part failed, one entry per failure; never what was said."""
    remembered: Remembered | None = None
    """None without memory."""

    @property
    def summary(self) -> LatencySummary:
        """Percentiles over this call's turns."""
        return LatencySummary.of(self.latencies)


async def replay(
    call: CallFolder,
    parts: Parts,
    *,
    out: Path,
    line: LineSettings | None = None,
    on_said: Callable[[Said], None] | None = None,
    memory: Memory | None = None,
) -> ReplayResult:
    """Play one recorded call against the bot, to its end or until interrupted.

    Args:
        call: The recording.
        parts: Loaded models.
        out: An existing folder that takes the recording.
        line: Its pace and rate; in real time at the recording's rate for None.
        on_said: Is told each line of the transcript as it is settled.
        memory: Is rung with the caller's handles; None replays without memory.

    Raises:
        RecordingError: The call's audio cannot be used, or `out` cannot be written.
        UsageError: No line has that rate.
    """
    line = line or LineSettings()
    pace, rate_hz = line.pace, line.rate_hz or line_rate(call.audio.sample_rate_hz)
    caller = Caller(
        utterances(call, rate_hz),
        sample_rate_hz=rate_hz,
        manners=Manners(),
        hangs_up_mid_sentence=call.hang_up == "mid-sentence",
    )
    result = ReplayResult(call, pace, rate_hz, parts.llm.model, out / RECORDING)
    with WavWriter(result.recording, rate_hz, channels=2) as recorder:
        transport = ReplayTransport(caller, line_rate_hz=rate_hz, pace=pace, recorder=recorder)
        notes = _Notes(result, caller, on_said)
        transport.on_step(notes.step)
        told = pace is Pace.FAST
        rung = _ring(memory, call) if memory is not None else None
        bot = build_bot(transport, parts, listener=notes, turns_are_told=told, memory=rung)
        bot.worker.add_event_handler("on_pipeline_error", notes.failed)
        await _run(bot, transport)
    result.duration_ms = caller.now_ms
    result.apologies = bot.guard.apologies
    result.latencies = [] if told else list(bot.stopwatch.turns)
    if memory is not None and rung is not None:
        result.remembered = await _remembered(memory, rung.call)
    return result


def line_rate(sample_rate_hz: int) -> int:
    """The line that a recording came from, or the next lower: 8000 or 16000 Hz."""
    return max((rate for rate in LINE_RATES_HZ if rate <= sample_rate_hz), default=8_000)


def utterances(call: CallFolder, sample_rate_hz: int) -> tuple[Utterance, ...]:
    """Cut the caller's channel into what is said in one go, at the line's rate."""
    audio = call.caller_audio(sample_rate_hz)
    return tuple(
        Utterance(turn.position, call.turn_audio(audio, turn), turn.barge_in_ms)
        for turn in call.caller_turns
    )


def _ring(memory: Memory, call: CallFolder) -> PipecatCall:
    """Ring as a telephone would: with the caller's number, before the pipeline runs."""
    callers = [speaker for speaker in call.speakers if speaker.role == "caller"]
    handles = [("phone", speaker.phone) for speaker in callers if speaker.phone]
    return PipecatCall(memory.ring(tenant=REPLAY_TENANT, handles=handles, zone=call.zone))


async def _remembered(memory: Memory, call: CallHandle) -> Remembered:
    """Read what was kept, once the call is settled."""
    await memory.settle()
    call_id = call.call.id
    view = await memory.keeping.call(REPLAY_TENANT, call_id)
    caller_id = view.call.caller_id if view is not None else None
    kept = await memory.keeping.facts(
        REPLAY_TENANT, caller_id=caller_id, call_id=None if caller_id else call_id
    )
    facts = tuple(fact for fact in kept if fact.evidence.call_id == call_id)
    return Remembered(call.context(), facts, call.counts)


async def _run(bot: Bot, transport: ReplayTransport) -> None:
    runner = WorkerRunner()
    await runner.add_workers(bot.worker)
    async with asyncio.TaskGroup() as tasks:
        hang_up = tasks.create_task(_hang_up(bot.worker, transport))
        await runner.run()
        hang_up.cancel()


async def _hang_up(worker: PipelineWorker, transport: ReplayTransport) -> None:
    """End the call as a disconnect does: with a cancel, not with an orderly end."""
    await transport.hung_up()
    await worker.cancel()


class _Notes:
    """Writes down what happens in one call."""

    def __init__(
        self, result: ReplayResult, caller: Caller, on_said: Callable[[Said], None] | None
    ) -> None:
        self._result = result
        self._caller = caller
        self._on_said = on_said
        self._labels = {turn.position: turn.text for turn in result.call.turns}

    def step(self, step: Step, now_ms: int) -> None:
        played = self._result.played
        if Event.SPEECH_STARTED in step.events and step.position is not None:
            label = self._labels.get(step.position, "")
            played.append(PlayedTurn(step.position, label, now_ms))
        if Event.SPEECH_ENDED in step.events and played:
            played[-1].ended_ms = now_ms
        if Event.UNANSWERED in step.events and played:
            played[-1].unanswered = True

    def caller_said(self, text: str) -> None:
        self._add("caller", text, interrupted=False)

    def bot_said(self, text: str, *, interrupted: bool) -> None:
        self._add("agent", text, interrupted=interrupted)

    async def failed(self, _worker: PipelineWorker, frame: ErrorFrame) -> None:
        self._result.errors.append(str(frame.processor or "pipeline"))

    def _add(self, role: str, text: str, *, interrupted: bool) -> None:
        position = self._result.played[-1].position if self._result.played else None
        said = Said(role, text.strip(), self._caller.now_ms, position, interrupted)
        self._result.transcript.append(said)
        if self._on_said is not None:
            self._on_said(said)
