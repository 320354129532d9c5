"""`ringback talk`: the local bot on this machine's microphone."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys

from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.waterfall_text import latency_table
from ringback_pipelines.local_mic import talk
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.wiring import open_parts
from ringback_voice.microphone import find_sound_devices
from ringback_voice.waterfall import Stopwatch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--no-greeting", action="store_true", help="let the caller speak first")
    add_part_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Talk until Ctrl-C, then print where the time went."""
    print(find_sound_devices())  # before anything is fetched or loaded
    names = part_names(arguments)
    fetch_missing(names)
    stopwatch = asyncio.run(_talk(names, greets=not arguments.no_greeting))
    width = shutil.get_terminal_size().columns
    colour = sys.stdout.isatty()
    print()
    print(latency_table(stopwatch.turns, stopwatch.summary(), width=width, colour=colour))
    return 0


async def _talk(names: PartNames, *, greets: bool) -> Stopwatch:
    print(f"Loading {names.stt}, {names.tts} and {names.llm} ...", flush=True)
    async with open_parts(names) as parts:
        print("Speak; use headphones. Ctrl-C ends the call.\n", flush=True)
        return await talk(parts, listener=_Printer(), greets=greets)


class _Printer:
    """Prints each settled turn."""

    def caller_said(self, text: str) -> None:
        print(f"you  {text.strip()}", flush=True)

    def bot_said(self, text: str, *, interrupted: bool) -> None:
        print(f"bot  {text.strip()}{' [interrupted]' if interrupted else ''}", flush=True)
