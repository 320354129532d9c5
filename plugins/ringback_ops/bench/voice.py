"""End of speech to first audio on real people's recordings, stage by stage."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ringback_ops.bench.voice_arms import Arm, Played, of_arm, play_arms, reading_figures
from ringback_ops.cli import existing_path
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.waterfall_text import latency_table
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.waterfall import LatencySummary, Percentiles, Stage

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
    arms, rounds = tuple(Arm), max(1, arguments.rounds)
    if arguments.quick:
        calls, rounds = [first_turns(calls[0], QUICK_TURNS)], 1
        arms = (Arm.MEMORY,)  # the ratio needs more turns than fit: it is null
    names = part_names(arguments)
    fetch_missing(names)
    played = asyncio.run(play_arms(calls, names, arms=arms, rounds=rounds))
    for arm in arms:
        _print_arm(arm, of_arm(played, arm))
    return {"llm": played[0].result.llm, "hosts": {HOST: figures(played)}}


def figures(played: Sequence[Played]) -> dict[str, Any]:
    """One host's figures: with memory, and what memory and a reading model add."""
    with_memory = of_arm(played, Arm.MEMORY)
    count = sum(len(one.result.played) for one in with_memory)
    summary, bare = _summary(with_memory), _summary(of_arm(played, Arm.BARE))
    return {
        **host_figures(summary, count),
        "without_memory": _figures(bare.total),
        "turn_end_to_llm_p99_diff_ms": _memory_p99_diff_ms(summary, bare),
        **reading_figures(played),
    }


def _memory_p99_diff_ms(summary: LatencySummary, bare: LatencySummary) -> float | None:
    """From the turn's end to the language model's start: how much longer with memory."""
    with_memory, without = (each.stages.get(Stage.MEMORY) for each in (summary, bare))
    if with_memory is None or without is None:
        return None
    return round(with_memory.p99_ms - without.p99_ms, 2)


def _summary(played: Sequence[Played]) -> LatencySummary:
    return LatencySummary.of(turn for one in played for turn in one.result.latencies)


def _print_arm(arm: Arm, played: Sequence[Played]) -> None:
    turns = [turn for one in played for turn in one.result.latencies]
    width = shutil.get_terminal_size().columns
    print(f"\n{arm}\n\n{latency_table(turns, _summary(played), width=width)}")
    if arm is Arm.READ:
        requests = sum(one.requests for one in played)
        answers = sum(one.answers for one in played)
        print(f"\nthe reading model answered {answers} of {requests} requests during calls")


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


def _figures(figures: Percentiles | None) -> dict[str, float | None]:
    if figures is None:
        return {"p50_ms": None, "p95_ms": None, "p99_ms": None}
    return {
        "p50_ms": round(figures.p50_ms, 1),
        "p95_ms": round(figures.p95_ms, 1),
        "p99_ms": round(figures.p99_ms, 1),
    }
