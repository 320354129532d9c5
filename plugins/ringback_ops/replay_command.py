"""`ringback replay`: a recorded call against the local bot, and what came of it."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from datetime import datetime
from pathlib import Path

import numpy as np

from ringback import RecordingError, SystemClock
from ringback_ops.cli import existing_path
from ringback_ops.machine import machine_line
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.report import write_report
from ringback_ops.results import write_json
from ringback_ops.waterfall_text import latency_table, said_line
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.replay import LINE_RATES_HZ, ReplayResult, Said, replay
from ringback_pipelines.wiring import open_parts
from ringback_voice.audio_file import read_audio, write_wav
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.replay_transport import Pace

BOT_CHANNEL = 1
NOTHING_ANSWERED = 1  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("call", type=existing_path, help="a call folder, see docs/call-folders.md")
    parser.add_argument(
        "--fast",
        action="store_true",
        help="as fast as the models go, driven by turns; no latency is reported",
    )
    parser.add_argument(
        "--rate",
        type=int,
        choices=LINE_RATES_HZ,
        help="the line's sample rate in Hz; without it, the recording's own",
    )
    parser.add_argument(
        "--out",
        type=existing_path,
        metavar="FOLDER",
        help="where report and audio go; without it, reports/CALL-TIME",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON line")
    add_part_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay, print transcript and waterfall, write report and audio."""
    call = load_call(arguments.call)
    names = part_names(arguments)
    at = SystemClock().now_at()
    out = _make_folder(arguments.out or _default_folder(call, at))
    fetch_missing(names)
    pace = Pace.FAST if arguments.fast else Pace.REAL_TIME
    quiet = arguments.json
    result = asyncio.run(_replay(call, names, out, pace, arguments.rate, quiet=quiet))
    report = write_report(result, out / "report.html", machine=machine_line(), at=at)
    result_file = write_json(result, out / "result.json", machine=machine_line(), at=at)
    bot_audio = _write_bot_audio(result, out / "bot.wav")
    if quiet:
        print(result_file.read_text().strip())
    else:
        _print_figures(result)
        print(f"\nreport      {report}\nbot audio   {bot_audio}\nboth sides  {result.recording}")
    if not any(said.role == "agent" for said in result.transcript):
        print("ringback: the bot answered nothing; see the report", file=sys.stderr)
        return NOTHING_ANSWERED
    return 0


async def _replay(
    call: CallFolder,
    names: PartNames,
    out: Path,
    pace: Pace,
    rate: int | None,
    *,
    quiet: bool,
) -> ReplayResult:
    _say(f"Loading {names.stt}, {names.tts} and {names.llm} ...", quiet=quiet)
    async with open_parts(names) as parts:
        turns = len(call.caller_turns)
        _say(f"Playing {call.title!r}: {turns} caller turns, {pace.value}\n", quiet=quiet)

        def on_said(said: Said) -> None:
            _say(said_line(said), quiet=quiet)

        return await replay(call, parts, out=out, pace=pace, line_rate_hz=rate, on_said=on_said)


def _print_figures(result: ReplayResult) -> None:
    width = shutil.get_terminal_size().columns
    print()
    print(latency_table(result.latencies, result.summary, width=width, colour=sys.stdout.isatty()))
    unanswered = sum(turn.unanswered for turn in result.played)
    for count, what in (
        (unanswered, "caller turns had no answer"),
        (result.apologies, "times the language model gave no answer and the bot apologised"),
        (len(result.errors), f"failures, in {', '.join(sorted(set(result.errors)))}"),
    ):
        if count:
            print(f"{count} {what}")


def _write_bot_audio(result: ReplayResult, path: Path) -> Path:
    both = read_audio(result.recording, channel=BOT_CHANNEL)
    write_wav(path, np.asarray(both.samples), both.sample_rate_hz)
    return path


def _default_folder(call: CallFolder, at: datetime) -> Path:
    return Path("reports") / f"{call.name}-{at:%Y%m%d-%H%M%S}"


def _make_folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be made: {error.strerror}") from error
    return path


def _say(text: str, *, quiet: bool) -> None:
    if not quiet:
        print(text, flush=True)
