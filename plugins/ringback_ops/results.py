"""A replayed call as data: in order, counted, and as JSON.

What the terminal and the HTML page share is here, so that they cannot disagree.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ringback import RecordingError
from ringback_voice.waterfall import STAGES, LatencySummary, Percentiles, Stage, TurnLatency

if TYPE_CHECKING:
    from ringback_pipelines.replay import PlayedTurn, ReplayResult, Said

STAGE_NAMES: Final = {
    Stage.VAD: "VAD",
    Stage.STT: "STT",
    Stage.TURN: "turn",
    Stage.MEMORY: "memory",
    Stage.LLM: "LLM",
    Stage.TTS: "TTS",
    Stage.TRANSPORT: "transport",
}


@dataclass(slots=True)
class Exchange:
    """One recorded turn with what was heard of it and what the bot answered."""

    turn: PlayedTurn | None
    """None: before the caller's first word."""
    cut_short: list[Said] = field(default_factory=list)
    """Replies to the turn before, which were still going on when this one began."""
    said: list[Said] = field(default_factory=list)
    """What came then, in order."""

    @property
    def heard(self) -> list[Said]:
        """The caller's words, as the speech recognition has them; mostly one line."""
        return [said for said in self.said if said.role == "caller"]

    @property
    def replies(self) -> list[Said]:
        """The bot's words."""
        return [said for said in self.said if said.role != "caller"]


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """What became of the turns that were played; the three kinds add up to `played`."""

    played: int
    answered: int
    unanswered: int
    """Given up by the caller, whose patience ran out."""
    cut_off: int
    """Neither: the call ended first, or the caller went on."""


def exchanges(result: ReplayResult) -> list[Exchange]:
    """Put a call in order, turn by turn; nothing said is left out.

    A reply that the caller interrupts is settled after the next turn has begun, and
    carries that turn's position; it is put before what that turn was heard as.
    """
    before_all = Exchange(None)
    found = {turn.position: Exchange(turn) for turn in result.played}
    for said in result.transcript:
        exchange = before_all if said.position is None else found[said.position]
        if exchange.turn and said.interrupted and not exchange.heard:
            exchange.cut_short.append(said)
        else:
            exchange.said.append(said)
    return [*([before_all] if before_all.said else []), *found.values()]


def count_turns(result: ReplayResult) -> TurnCounts:
    """Count which turns were answered: by a sound that was timed, or by words."""
    answered = {latency.position for latency in result.latencies}
    for exchange, after in pairwise([*exchanges(result), Exchange(None)]):
        if exchange.turn and (exchange.replies or after.cut_short):
            answered.add(exchange.turn.position)
    played = {turn.position for turn in result.played}
    given_up = {turn.position for turn in result.played if turn.unanswered}
    answered = (answered & played) - given_up
    cut_off = played - answered - given_up
    return TurnCounts(len(played), len(answered), len(given_up), len(cut_off))


def result_json(result: ReplayResult) -> dict[str, Any]:
    """Everything about a replayed call that another program may want to know.

    The keys are stable; later versions may add to them. Times are milliseconds, to the
    microsecond; `_ms` instants are on the call's clock, from the opening of the line.

    Returns:
        call: The call folder's name.
        pace: `real-time` or `fast`.
        line_rate_hz: The line's rate.
        llm: The language model's name.
        duration_ms: Length of the call.
        turns: One per answered turn, none at the fast pace: `position`, `total_ms`,
            `stages_ms` (by stage, in the order they pass), `waited_for_more`.
        summary: `total`, `complete` (turns without a wait for more speech) and `stages`
            (by stage), each null or absent when there is no turn, else `n`, `p50_ms`,
            `p95_ms`, `p99_ms`.
        played: One per recorded turn: `position`, `text` (by the recording's label),
            `started_ms`, `ended_ms` (null: the line was closed before), `unanswered`.
        transcript: One per line: `role`, `text`, `at_ms`, `position`, `interrupted`.
        apologies: Replies that the language model did not give, or not in time.
        errors: Which part failed, one entry per failure.
    """
    return {
        "call": result.call.name,
        "pace": result.pace.value,
        "line_rate_hz": result.line_rate_hz,
        "llm": result.llm,
        "duration_ms": result.duration_ms,
        "turns": [_turn(latency) for latency in result.latencies],
        "summary": _summary(result.summary),
        "played": [
            {
                "position": turn.position,
                "text": turn.text,
                "started_ms": turn.started_ms,
                "ended_ms": turn.ended_ms,
                "unanswered": turn.unanswered,
            }
            for turn in result.played
        ],
        "transcript": [
            {
                "role": said.role,
                "text": said.text,
                "at_ms": said.at_ms,
                "position": said.position,
                "interrupted": said.interrupted,
            }
            for said in result.transcript
        ],
        "apologies": result.apologies,
        "errors": list(result.errors),
    }


def write_json(result: ReplayResult, path: Path, *, machine: str, at: datetime) -> Path:
    """Write `result_json` to a file as one line, whole or not at all.

    Args:
        result: What happened in the call.
        path: The file; one that is there is replaced.
        machine: A line about the machine, for the key `machine`.
        at: When the call was played, for the key `at`, in ISO 8601.

    Returns:
        The path.

    Raises:
        RecordingError: The file cannot be written.
    """
    content = {"at": at.isoformat(), "machine": machine, **result_json(result)}
    return write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n")


def write_whole(path: Path, text: str) -> Path:
    """Write a text file so that nobody ever sees half of it.

    Returns:
        The path.

    Raises:
        RecordingError: The file cannot be written; one that was there is as it was.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A label may hold half a surrogate pair, which no file can.
        unfinished.write_text(text, encoding="utf-8", errors="replace")
        unfinished.replace(path)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # a folder that is not there, or took nothing
            unfinished.unlink()
    return path


def clock(ms: float) -> str:
    """An instant of the call as minutes, seconds and tenths: `m:ss.s`."""
    tenths = int(ms) // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def _turn(latency: TurnLatency) -> dict[str, Any]:
    return {
        "position": latency.position,
        "total_ms": round(latency.total_ms, 3),
        "stages_ms": {stage.value: round(latency.stages_ms[stage], 3) for stage in STAGES},
        "waited_for_more": latency.waited_for_more,
    }


def _summary(summary: LatencySummary) -> dict[str, Any]:
    stages = summary.stages
    return {
        "total": _percentiles(summary.total),
        "complete": _percentiles(summary.complete),
        "stages": {s.value: _percentiles(stages[s]) for s in STAGES if s in stages},
    }


def _percentiles(figures: Percentiles | None) -> dict[str, Any] | None:
    if figures is None:
        return None
    return {
        "n": figures.n,
        "p50_ms": round(figures.p50_ms, 3),
        "p95_ms": round(figures.p95_ms, 3),
        "p99_ms": round(figures.p99_ms, 3),
    }
