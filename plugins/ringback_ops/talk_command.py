"""`ringback talk`: the local bot on this machine's microphone, which remembers who speaks."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from ringback_ops.memory_file import TENANT, add_memory_argument, memory_url
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.told import remembered_text
from ringback_ops.waterfall_text import latency_table
from ringback_pipecat import PipecatCall
from ringback_pipelines.local_mic import talk
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.remembering import open_memory
from ringback_pipelines.wiring import open_parts
from ringback_voice.microphone import find_sound_devices
from ringback_voice.waterfall import Stopwatch

WHO = ("device", "microphone")  # a claim like any other: whoever sits there


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--no-memory", action="store_true", help="the same without memory")
    add_memory_argument(parser)
    parser.add_argument("--no-greeting", action="store_true", help="let the caller speak first")
    add_part_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Talk until Ctrl-C, then print where the time went."""
    print(find_sound_devices())  # before anything is fetched or loaded
    names = part_names(arguments)
    fetch_missing(names)
    file = None if arguments.no_memory else arguments.memory
    stopwatch = asyncio.run(_talk(names, file, greets=not arguments.no_greeting))
    width = shutil.get_terminal_size().columns
    colour = sys.stdout.isatty()
    print()
    print(latency_table(stopwatch.turns, stopwatch.summary(), width=width, colour=colour))
    return 0


async def _talk(names: PartNames, file: Path | None, *, greets: bool) -> Stopwatch:
    print(f"Loading {names.stt}, {names.tts} and {names.llm} ...", flush=True)
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(open_parts(names))
        memory = call = None
        if file is not None:
            memory = await stack.enter_async_context(open_memory(memory_url(file), llm=parts.llm))
            call = PipecatCall(memory.ring(tenant=TENANT, handles=[WHO]))
            print(f"Remembers in {file}; --no-memory talks without.")
        print("Speak; use headphones. Ctrl-C ends the call.\n", flush=True)
        stopwatch = await talk(parts, listener=_Printer(), greets=greets, memory=call)
        if memory is not None:
            await memory.settle()
            print(await remembered_text(memory, TENANT))
    return stopwatch


class _Printer:
    """Prints each settled turn."""

    def caller_said(self, text: str) -> None:
        print(f"you  {text.strip()}", flush=True)

    def bot_said(self, text: str, *, interrupted: bool) -> None:
        print(f"bot  {text.strip()}{' [interrupted]' if interrupted else ''}", flush=True)
