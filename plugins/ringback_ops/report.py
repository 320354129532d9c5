"""A replayed call as one HTML page that needs nothing beside it.

Geometry and sound are made here; what the page looks like is in `report.html.j2`. Every
word is escaped by the template, and the page may load nothing from a network.
"""

from __future__ import annotations

import base64
import io
import math
import os
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import quote

import av
import numpy as np
from jinja2 import Environment, StrictUndefined, Template
from numpy.typing import NDArray

from ringback import RecordingError
from ringback_ops.results import STAGE_NAMES, clock, count_turns, exchanges, write_whole
from ringback_voice.replay_transport import Pace
from ringback_voice.waterfall import STAGES, Stage, TurnLatency

if TYPE_CHECKING:
    from ringback_pipelines.replay import PlayedTurn, ReplayResult

Peaks: TypeAlias = NDArray[np.int32]

EMBEDDED_WAV_BYTES = 12_000_000  # a longer recording stays beside the page
OPUS_BITS_PER_S = 32_000
PX_PER_S = 8  # a timeline any denser scrolls sideways
FEWEST_COLUMNS, MOST_COLUMNS = 1_500, 6_000  # of the drawn sound
QUIETEST_FULL_SCALE = 1_000  # of int16: a silent side is not blown up to noise
STEPS_MS = (1, 2, 5)  # between the waterfall's marks, times a power of ten
MOST_STEPS = 5
STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600)  # between the timeline's marks
MOST_TIMES = 20
TIME_LABEL_PX = 45
NARROWEST_PX = 360  # a telephone's page
TEMPLATE = "report.html.j2"

STAGE_MEANINGS: Final = {
    Stage.VAD: "From the caller's last sound: the silence that the voice activity detector "
    "waits for.",
    Stage.STT: "From there until the speech recognition has its final text.",
    Stage.TURN: "From there to the turn's end: waiting for the turn detector to call it over. "
    "When it takes a sentence for unfinished, it waits for more.",
    Stage.MEMORY: "From there until the request leaves for the language model: memory's part, "
    "and the host's.",
    Stage.LLM: "From there to the language model's first token.",
    Stage.TTS: "From there to the first synthesised sound.",
    Stage.TRANSPORT: "From there to the first sound that the caller is sent.",
}
FAST = (
    "This call was played at the fast pace: turns were told to the pipeline and no clock ran, "
    "so it has no latency to show."
)
UNANSWERED = "No turn of this call was answered, so there is no latency to show."


@dataclass(frozen=True, slots=True)
class Tick:
    """One mark of an axis."""

    ms: int
    x: float
    """Percent of the axis."""
    label: str = ""

    @property
    def anchor(self) -> str:
        """Where the label hangs from its mark, so that none leaves the axis."""
        return "start" if self.x < 3 else "end" if self.x > 97 else "middle"


@dataclass(frozen=True, slots=True)
class Segment:
    """One stage's part of a bar."""

    stage: Stage
    ms: float
    x: float
    width: float
    """Percent of the axis, as `x`."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One answered turn of the waterfall."""

    turn: TurnLatency
    segments: tuple[Segment, ...]

    @property
    def values(self) -> str:
        """The bar in words, for those who do not see it."""
        parts = (f"{STAGE_NAMES[s.stage]} {s.ms:,.0f}" for s in self.segments)
        return f"{self.turn.total_ms:,.0f} ms: {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Span:
    """A recorded turn, or the wait for its answer, on the timeline."""

    turn: PlayedTurn
    x: float
    width: float
    """Percent of the call, as `x`."""
    ms: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """Both sides of the call on one axis."""

    duration_ms: int
    caller: str
    """Outline of the caller's side, as an SVG path in a box 0 -100 `columns` 200."""
    bot: str
    ticks: tuple[Tick, ...]
    turns: tuple[Span, ...]
    waits: tuple[Span, ...]
    columns: int
    width_px: int
    """A width below which turns would run together."""


def write_report(result: ReplayResult, path: Path, *, machine: str, at: datetime) -> Path:
    """Write the page, whole or not at all.

    The recording is in the page, as Opus, unless it is long; then the page links to it,
    relative to its own folder.

    Args:
        result: What happened in the call; its recording is read.
        path: The file; one that is there is replaced.
        machine: A line about the machine that the figures were measured on.
        at: When the call was played.

    Returns:
        The path.

    Raises:
        RecordingError: The recording cannot be read, or the page cannot be written.
    """
    timeline = _timeline(result)
    axis = _axis(max((turn.total_ms for turn in result.latencies), default=0.0))
    page = _template().render(
        result=result,
        call=result.call,
        at=at,
        machine=machine,
        counts=count_turns(result),
        summary=result.summary,
        no_latency=_why_no_latency(result),
        axis=axis,
        bars=_bars(result.latencies, axis[-1].ms),
        timeline=timeline,
        audio=_audio_address(result.recording, path) if timeline else None,
        exchanges=exchanges(result),
        played={turn.position for turn in result.played},
        stages=STAGES,
        names=STAGE_NAMES,
        meanings=STAGE_MEANINGS,
    )
    return write_whole(path, page)


def _template() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["ms"] = lambda ms: f"{ms:,.0f}"
    environment.filters["clock"] = clock
    source = resources.files("ringback_ops").joinpath(TEMPLATE)
    return environment.from_string(source.read_text(encoding="utf-8"))


def _why_no_latency(result: ReplayResult) -> str | None:
    if result.pace is Pace.FAST:
        return FAST
    return None if result.latencies else UNANSWERED


def _axis(longest_ms: float) -> tuple[Tick, ...]:
    """Round steps from 0 to the first that is not below the longest bar."""
    sizes = (step * 10**power for power in range(6) for step in STEPS_MS)
    size = next(size for size in sizes if longest_ms <= size * MOST_STEPS)
    count = max(1, math.ceil(longest_ms / size))
    return tuple(Tick(ms, 100 * ms / (size * count)) for ms in range(0, size * count + 1, size))


def _bars(turns: Sequence[TurnLatency], axis_ms: int) -> tuple[Bar, ...]:
    bars = []
    for turn in turns:
        segments, passed_ms = [], 0.0
        for stage in STAGES:
            ms = turn.stages_ms[stage]
            x, width = 100 * passed_ms / axis_ms, 100 * ms / axis_ms
            segments.append(Segment(stage, ms, round(x, 3), round(width, 3)))
            passed_ms += ms
        bars.append(Bar(turn, tuple(segments)))
    return tuple(bars)


def _timeline(result: ReplayResult) -> Timeline | None:
    """Lay both sides out; None when the recording has no sound in it."""
    duration_ms, peaks = _envelope(result.recording)
    if not duration_ms:
        return None

    def span(turn: PlayedTurn, from_ms: float, to_ms: float) -> Span:
        x, width = 100 * from_ms / duration_ms, 100 * (to_ms - from_ms) / duration_ms
        return Span(turn, round(x, 3), round(width, 3), to_ms - from_ms)

    waits_ms = {latency.position: latency.total_ms for latency in result.latencies}
    return Timeline(
        duration_ms,
        caller=_outline(peaks[0]),
        bot=_outline(peaks[1]),
        ticks=_time_axis(duration_ms),
        turns=tuple(span(t, t.started_ms, t.ended_ms or duration_ms) for t in result.played),
        waits=tuple(
            span(t, t.ended_ms, t.ended_ms + waits_ms[t.position])
            for t in result.played
            if t.ended_ms is not None and t.position in waits_ms
        ),
        columns=peaks.shape[1],
        width_px=_width_px(duration_ms),
    )


def _time_axis(duration_ms: int) -> tuple[Tick, ...]:
    most = min(MOST_TIMES, _width_px(duration_ms) // TIME_LABEL_PX)
    sizes_ms = (seconds * 1_000 for seconds in STEPS_S)
    size = next((size for size in sizes_ms if duration_ms <= size * most), 3_600_000)
    return tuple(
        Tick(ms, 100 * ms / duration_ms, f"{ms // 60_000}:{ms // 1_000 % 60:02d}")
        for ms in range(0, duration_ms + 1, size)
    )


def _envelope(path: Path) -> tuple[int, Peaks]:
    """Measure a recording without holding it.

    Returns:
        Its length in milliseconds, and int32 [2, columns], the loudest sample of each side
        in each column, ≥ 0.
    """
    try:
        with wave.open(str(path), "rb") as recording:
            frames = recording.getnframes()
            duration_ms = frames * 1_000 // recording.getframerate()
            columns = min(max(FEWEST_COLUMNS, _width_px(duration_ms)), MOST_COLUMNS)
            peaks = np.zeros((2, columns), np.int32)
            ends = np.linspace(0, frames, columns + 1).astype(int)
            for column, count in enumerate(np.diff(ends)):
                block = np.frombuffer(recording.readframes(int(count)), "<i2").astype(np.int32)
                if block.size:
                    peaks[:, column] = np.abs(block.reshape(-1, 2)).max(axis=0)
    except (OSError, EOFError, wave.Error) as error:
        raise RecordingError(f"{path}: the call's recording cannot be read") from error
    return duration_ms, peaks


def _width_px(duration_ms: int) -> int:
    return max(NARROWEST_PX, duration_ms * PX_PER_S // 1_000)


def _outline(peaks: Peaks) -> str:
    """Draw one side as a closed SVG path around 0, ± 100 at its loudest."""
    full_scale = max(QUIETEST_FULL_SCALE, int(peaks.max()))
    heights = (100 * peaks / full_scale).round().astype(int).tolist()
    above = [f"{x} {-height}" for x, height in enumerate(heights)]
    below = [f"{x} {height}" for x, height in enumerate(heights)]
    return f"M{'L'.join(above)}L{'L'.join(reversed(below))}Z"


def _audio_address(recording: Path, page: Path) -> str:
    """The recording's sound itself as a data URL, or, when long, where it lies."""
    if recording.stat().st_size < EMBEDDED_WAV_BYTES:
        return f"data:audio/webm;base64,{base64.b64encode(_opus(recording)).decode()}"
    return quote(Path(os.path.relpath(recording, page.parent)).as_posix())


def _opus(recording: Path) -> bytes:
    out = io.BytesIO()
    exact = {"fflags": "+bitexact"}  # the same recording gives the same page
    with (
        av.open(f"file:{recording}") as source,
        av.open(out, "w", format="webm", options=exact) as sink,
    ):
        stream = sink.add_stream("libopus", rate=source.streams.audio[0].rate, layout="stereo")
        stream.bit_rate = OPUS_BITS_PER_S
        for frame in source.decode(audio=0):
            sink.mux(stream.encode(frame))
        sink.mux(stream.encode(None))
    return out.getvalue()
