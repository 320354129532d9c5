"""`ringback replay`: a recorded call against the local bot, and what came of it."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from ringback import RecordingError, SystemClock
from ringback_ops.cli import existing_path
from ringback_ops.machine import machine_line
from ringback_ops.memory_file import memory_url
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.report import write_report
from ringback_ops.results import write_json
from ringback_ops.told import remembered_text
from ringback_ops.waterfall_text import latency_table, said_line
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.remembering import open_memory
from ringback_pipelines.replay import (
    LINE_RATES_HZ,
    REPLAY_TENANT,
    LineSettings,
    ReplayResult,
    replay,
)
from ringback_pipelines.wiring import open_parts
from ringback_voice.audio_file import read_audio, write_wav
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.replay_transport import Pace

BOT_CHANNEL = 1
NOTHING_ANSWERED = 1  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "calls",
        type=existing_path,
        nargs="+",
        metavar="CALL",
        help="call folders, played one after the other; see docs/call-folders.md",
    )
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
    remembering = parser.add_mutually_exclusive_group()
    remembering.add_argument(
        "--memory",
        type=existing_path,
        metavar="FILE",
        help="a file that remembers; without it, these calls remember each other and no more",
    )
    remembering.add_argument("--no-memory", action="store_true", help="the same without memory")
    parser.add_argument("--json", action="store_true", help="print each result as one JSON line")
    add_part_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay, print transcript and waterfall, write report and audio."""
    calls = [load_call(path) for path in arguments.calls]
    names = part_names(arguments)
    out = [_make_folder(folder) for folder in _folders(calls, arguments.out)]
    fetch_missing(names)
    with tempfile.TemporaryDirectory() as folder:
        url = memory_url(arguments.memory or Path(folder) / "memory.db")
        wish = _Wish(
            names=names,
            line=LineSettings(Pace.FAST if arguments.fast else Pace.REAL_TIME, arguments.rate),
            memory=None if arguments.no_memory else url,
            quiet=arguments.json,
        )
        return asyncio.run(_replay_all(list(zip(calls, out, strict=True)), wish))


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the command line asks for."""

    names: PartNames
    line: LineSettings
    memory: str | None
    quiet: bool

    def say(self, text: str) -> None:
        if not self.quiet:
            print(text, flush=True)


async def _replay_all(calls: list[tuple[CallFolder, Path]], wish: _Wish) -> int:
    names = wish.names
    wish.say(f"Loading {names.stt}, {names.tts} and {names.llm} ...")
    status = 0
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(open_parts(names))
        memory = None
        if wish.memory is not None:
            opened = open_memory(wish.memory, llm=parts.llm)
            memory = await stack.enter_async_context(opened)
        for call, out in calls:
            at = SystemClock().now_at()
            count = len(call.caller_turns)
            wish.say(f"\nPlaying {call.title!r}: {count} caller turns, {wish.line.pace.value}\n")
            result = await replay(
                call,
                parts,
                out=out,
                line=wish.line,
                on_said=lambda said: wish.say(said_line(said)),
                memory=memory,
            )
            status = max(status, _report(result, out, at, quiet=wish.quiet))
        if memory is not None and not wish.quiet:
            await memory.settle()
            print(await remembered_text(memory, REPLAY_TENANT))
    return status


def _report(result: ReplayResult, out: Path, at: datetime, *, quiet: bool) -> int:
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


def _folders(calls: list[CallFolder], out: Path | None) -> list[Path]:
    if out is not None:
        return [out] if len(calls) == 1 else [out / call.name for call in calls]
    at = SystemClock().now_at()
    return [Path("reports") / f"{call.name}-{at:%Y%m%d-%H%M%S}" for call in calls]


def _make_folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be made: {error.strerror}") from error
    return path
