"""End of speech to first audio on real people's recordings, stage by stage."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ringback_ops.bench.voice_arms import Arm, Played, of_arm, play_arms, reading_figures
from ringback_ops.bench.voice_paired import paired_figures
from ringback_ops.cli import existing_path
from ringback_ops.part_options import add_part_arguments, fetch_missing, part_names
from ringback_ops.waterfall_text import latency_table
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.waterfall import LatencySummary, Percentiles

REAL_PEOPLE = ("katie-steve", "insurance")  # folders in recordings/
QUICK_TURNS = 1  # of the first call, in each arm: about 40 s with loading
QUICK_ARMS = (Arm.MEMORY, Arm.HELD, Arm.BARE)
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
        arms = QUICK_ARMS  # a reading model needs more turns than fit: its ratio is null
    names = part_names(arguments)
    fetch_missing(names)
    played = asyncio.run(play_arms(calls, names, arms=arms, rounds=rounds))
    for arm in arms:
        _print_arm(arm, of_arm(played, arm))
    host = figures(played)
    _print_added(host)
    return {"llm": played[0].result.llm, "hosts": {HOST: host}}


def figures(played: Sequence[Played]) -> dict[str, Any]:
    """One host's figures: with memory, and what memory and a reading model add."""
    with_memory = of_arm(played, Arm.MEMORY)
    count = sum(len(one.result.played) for one in with_memory)
    summary, bare = _summary(with_memory), _summary(of_arm(played, Arm.BARE))
    return {
        **host_figures(summary, count),
        "without_memory": _figures(bare.total),
        **paired_figures(played),
        **reading_figures(played),
    }


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


def _print_added(host: Mapping[str, Any]) -> None:
    """What each turn took longer than the same turn without memory."""
    print(f"\n{'longer than without memory, ms':40}{'turns':>6}  median (95 % interval)")
    for arm, added in host["added"].items():
        for name, of in (("turn end to request", "to_llm_ms"), ("end of speech to audio", "ms")):
            one = added[of]
            interval = f"{one['median']:.2f} ({one['low']:.2f} to {one['high']:.2f})"
            print(f"{arm + ', ' + name:58}{added['turns']:>4}  {interval}")
    print(f"turn end to request, held up less without, p99: {host['turn_end_to_llm_p99_diff_ms']}")


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
