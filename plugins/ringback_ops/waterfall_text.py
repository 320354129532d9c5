"""A replayed call on a terminal: where the time went, and what was said."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ringback_ops.results import STAGE_NAMES, clock, exchanges
from ringback_voice.waterfall import STAGES, LatencySummary, Percentiles, Stage, TurnLatency

if TYPE_CHECKING:
    from ringback_pipelines.replay import ReplayResult, Said

# A bar is made of letters: they stay apart without colour, in a log and when pasted, and
# changing case shows where one stage ends.
LETTERS: Final = {
    Stage.VAD: "v",
    Stage.STT: "S",
    Stage.TURN: "t",
    Stage.MEMORY: "M",
    Stage.LLM: "l",
    Stage.TTS: "P",
    Stage.TRANSPORT: "x",
}
# Of the terminal's 256 colours: the report's palette, each light enough for black letters.
BACKGROUNDS: Final = {
    Stage.VAD: 117,
    Stage.STT: 74,
    Stage.TURN: 185,
    Stage.MEMORY: 176,
    Stage.LLM: 77,
    Stage.TTS: 210,
    Stage.TRANSPORT: 250,
}
WAITED = "+"  # marks a turn that the detector first took for unfinished
WAITED_MEANS = "waited: the turn detector first took the turn for unfinished"
UNANSWERED = " [unanswered]"
NARROWEST_BAR = 8
NO_TURNS = (
    "No latency to show: no turn was answered, or the call was played at the fast pace, "
    "where time means nothing."
)


def latency_table(
    turns: Sequence[TurnLatency], summary: LatencySummary, *, width: int, colour: bool = False
) -> str:
    """Draw each answered turn as a bar of its stages, then the stages' percentiles.

    Args:
        turns: Answered turns, in order.
        summary: Percentiles over them, or over more calls.
        width: Columns of the terminal; lines keep to it from 40 on.
        colour: Paint the bars with ANSI sequences.

    Returns:
        Lines without a newline at the end; a single one when there is no turn.
    """
    if not turns:
        return NO_TURNS
    lines = [
        *_bars(turns, width, colour=colour),
        "",
        *_legend(turns, width, colour=colour),
        "",
        *_stage_table(summary),
    ]
    return "\n".join(lines)


def transcript_text(result: ReplayResult) -> str:
    """Write the conversation as it was settled, one line per time somebody spoke.

    Returns:
        `m:ss.s  caller  …` and `m:ss.s  agent   …`; a reply that the caller cut short ends
        in `[interrupted]`, a turn whose answer never came in `[unanswered]`.
    """
    lines: list[str] = []
    for exchange in exchanges(result):
        turn, heard = exchange.turn, exchange.heard
        lines += [said_line(said) for said in exchange.cut_short]
        if turn and not heard:
            lines.append(f"{clock(turn.started_ms):>7}  caller  (nothing was heard)")
            lines[-1] += UNANSWERED if turn.unanswered else ""
        for said in exchange.said:
            lines.append(said_line(said))
            if turn and turn.unanswered and heard[-1:] == [said]:
                lines[-1] += UNANSWERED
    return "\n".join(lines) or "Nothing was said."


def said_line(said: Said) -> str:
    """Write one line of a transcript, without what only the end of the call can tell."""
    mark = " [interrupted]" if said.interrupted else ""
    return f"{clock(said.at_ms):>7}  {said.role:<6}  {' '.join(said.text.split())}{mark}"


def _bars(turns: Sequence[TurnLatency], width: int, *, colour: bool) -> list[str]:
    numbers = max(4, *(len(str(turn.position)) for turn in turns))
    room = max(NARROWEST_BAR, width - numbers - 12)
    longest_ms = max(turn.total_ms for turn in turns) or 1.0
    lines = [f"{'turn':>{numbers}}  {'':<{room}}  {'ms':>6}"]
    for turn in turns:
        cells = _cells(turn, room / longest_ms)
        bar = _painted(cells) if colour else cells
        mark = f" {WAITED}" if turn.waited_for_more else ""
        space = " " * (room - len(cells))
        lines.append(f"{turn.position:>{numbers}}  {bar}{space}  {turn.total_ms:>6.0f}{mark}")
    return lines


def _cells(turn: TurnLatency, cells_per_ms: float) -> str:
    """One letter per cell; each stage ends where its time does, to the nearest cell."""
    cells, passed_ms = "", 0.0
    for stage in STAGES:
        passed_ms += turn.stages_ms[stage]
        cells += LETTERS[stage] * (round(passed_ms * cells_per_ms) - len(cells))
    return cells


def _painted(cells: str) -> str:
    stage_of = {letter: stage for stage, letter in LETTERS.items()}
    runs = ((stage_of[letter], "".join(run)) for letter, run in groupby(cells))
    return "".join(_paint(stage, run) for stage, run in runs)


def _paint(stage: Stage, text: str) -> str:
    return f"\x1b[30;48;5;{BACKGROUNDS[stage]}m{text}\x1b[0m"


def _legend(turns: Sequence[TurnLatency], width: int, *, colour: bool) -> list[str]:
    # A no-break space keeps a letter and its name on one line.
    entries = {stage: f"{LETTERS[stage]}\xa0{STAGE_NAMES[stage]}" for stage in STAGES}
    text = "\n".join(textwrap.wrap("   ".join(entries.values()), width))
    if colour:
        for stage, entry in entries.items():
            text = text.replace(entry, f"{_paint(stage, LETTERS[stage])} {STAGE_NAMES[stage]}")
    lines = text.replace("\xa0", " ").splitlines()
    if any(turn.waited_for_more for turn in turns):
        lines += textwrap.wrap(f"{WAITED} {WAITED_MEANS}", width, subsequent_indent="  ")
    return lines


def _stage_table(summary: LatencySummary) -> list[str]:
    lines = [_table_line("ms", "p50", "p95", "p99", "n")]
    lines += [_figures(STAGE_NAMES[s], summary.stages.get(s)) for s in STAGES]
    lines.append(_figures("total", summary.total))
    lines.append(_figures("complete turns only", summary.complete))
    return lines


def _figures(name: str, figures: Percentiles | None) -> str:
    if figures is None:
        return _table_line(name, "-", "-", "-", "0")
    columns = (figures.p50_ms, figures.p95_ms, figures.p99_ms, figures.n)
    return _table_line(name, *(f"{value:.0f}" for value in columns))


def _table_line(name: str, p50: str, p95: str, p99: str, n: str) -> str:
    return f"{name:<19}{p50:>6}{p95:>6}{p99:>6}{n:>3}"
