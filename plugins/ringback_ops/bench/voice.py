"""End of speech to first audio on real people's recordings, stage by stage."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ringback_ops.cli import existing_path
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.waterfall_text import latency_table
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.replay import ReplayResult, replay
from ringback_pipelines.wiring import open_parts
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.waterfall import LatencySummary, Percentiles

REAL_PEOPLE = ("katie-steve", "insurance")  # folders in recordings/
QUICK_TURNS = 3  # of the first call: about 35 s with loading
HOST = "pipecat"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--rounds", type=int, default=2, help="how often each call is played")
    parser.add_argument(
        "--recordings", type=existing_path, default=Path("recordings"), help="their folder"
    )
    add_part_arguments(parser)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Play the calls in real time, print the waterfall, return the figures."""
    calls = [load_call(arguments.recordings / name) for name in REAL_PEOPLE]
    rounds = max(1, arguments.rounds)
    if arguments.quick:
        calls, rounds = [first_turns(calls[0], QUICK_TURNS)], 1
    names = part_names(arguments)
    fetch_missing(names)
    results = asyncio.run(_play(calls * rounds, names))
    turns = [turn for result in results for turn in result.latencies]
    summary = LatencySummary.of(turns)
    print(f"\n{latency_table(turns, summary, width=shutil.get_terminal_size().columns)}\n")
    played = sum(len(result.played) for result in results)
    return {"llm": results[0].llm, "hosts": {HOST: host_figures(summary, played)}}


def first_turns(call: CallFolder, caller_turns: int) -> CallFolder:
    """The same call, ended after so many turns of the caller."""
    last = call.caller_turns[:caller_turns][-1].position
    return replace(call, turns=call.turns[: last + 1])


def host_figures(summary: LatencySummary, played: int) -> dict[str, Any]:
    """One host's figures: in all, without waits for an unfinished sentence, per stage."""
    total, complete = _figures(summary.total), _figures(summary.complete)
    return {
        "played": played,
        "n": summary.total.n if summary.total else 0,
        **total,
        "p95_complete_ms": complete["p95_ms"],
        "p50_complete_ms": complete["p50_ms"],
        "n_complete": summary.complete.n if summary.complete else 0,
        "stages": {str(stage): _figures(figures) for stage, figures in summary.stages.items()},
    }


async def _play(calls: Iterable[CallFolder], names: PartNames) -> list[ReplayResult]:
    results = []
    async with open_parts(names) as parts:
        for number, call in enumerate(calls, 1):
            print(f"{number}: {call.title} ({len(call.caller_turns)} turns)", flush=True)
            with tempfile.TemporaryDirectory() as out:
                results.append(await replay(call, parts, out=Path(out)))
    return results


def _figures(figures: Percentiles | None) -> dict[str, float | None]:
    if figures is None:
        return {"p50_ms": None, "p95_ms": None, "p99_ms": None}
    return {
        "p50_ms": round(figures.p50_ms, 1),
        "p95_ms": round(figures.p95_ms, 1),
        "p99_ms": round(figures.p99_ms, 1),
    }
