"""First token of the local language model, with memory and without, primed and not."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from statistics import median
from typing import Any

import numpy as np

from ringback_models import resolve_file
from ringback_ops.bench.prefix_call import Answered, Arm, talk
from ringback_ops.bench.prefix_lines import LINES
from ringback_ops.part_options import fetch_llm
from ringback_pipelines.part_names import DEFAULT_LLM, PartNames
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.llm_server import LlamaServer

ROUNDS, TURNS = 6, 10
QUICK_ROUNDS, QUICK_TURNS = 1, 3
GOALS = (
    ("primed_with", "stock", 1.0),
    ("primed_with", "primed_without", 1.2),
    ("first_turn_primed", "later_turns", 1.2),
)

ROWS: dict[str, Callable[[Answered], bool]] = {
    "stock": lambda one: one.arm is Arm.STOCK and one.turn > 0,
    "primed_without": lambda one: one.arm is Arm.PRIMED_WITHOUT and one.turn > 0,
    "primed_with": lambda one: one.arm is Arm.PRIMED_WITH and one.turn > 0,
    "unprimed_with": lambda one: one.arm is Arm.UNPRIMED_WITH and one.turn > 0,
    "first_turn_primed": lambda one: one.arm is Arm.PRIMED_WITH and one.turn == 0,
    "first_turn_cold": lambda one: one.arm is Arm.UNPRIMED_WITH and one.turn == 0,
    "later_turns": lambda one: one.arm is Arm.PRIMED_WITH and one.turn > 0,
}
"""Which requests each figure is of."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="conversations of each arm")
    parser.add_argument("--llm", default=DEFAULT_LLM, metavar="NAME|FILE", help="GGUF model")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Hold the conversations, print what each request cost, return the medians."""
    rounds, turns = max(1, arguments.rounds), TURNS
    if arguments.quick:
        rounds, turns = QUICK_ROUNDS, QUICK_TURNS
    fetch_llm(PartNames(llm=arguments.llm))
    answered = asyncio.run(_converse(arguments.llm, rounds=rounds, turns=turns))
    _print_table(answered)
    return {"llm": arguments.llm, "rounds": rounds, "turns": turns, **figures(answered)}


def figures(answered: Sequence[Answered]) -> dict[str, Any]:
    """Medians per figure, what the cache held, and the ratios that have a goal."""
    first_token_ms = {
        name: _median(one.first_token_ms for one in of_row(answered, name)) for name in ROWS
    }
    return {
        "first_token_ms": first_token_ms,
        "cached_tokens": {
            name: _median(one.cached_tokens for one in of_row(answered, name)) for name in ROWS
        },
        "prompt_tokens": {
            name: _median(one.prompt_tokens for one in of_row(answered, name)) for name in ROWS
        },
        "read_tokens": {
            name: _median(one.prompt_tokens - one.cached_tokens for one in of_row(answered, name))
            for name in ROWS
        },
        "ratios": {
            f"{one}/{other}": round(first_token_ms[one] / first_token_ms[other], 3)
            for one, other, _ in GOALS
        },
    }


def of_row(answered: Iterable[Answered], name: str) -> list[Answered]:
    """The requests that a figure is of."""
    return [one for one in answered if ROWS[name](one)]


async def _converse(llm: str, *, rounds: int, turns: int) -> list[Answered]:
    """Hold each round's conversations side by side, turn by turn: what else runs hits all."""
    answered: list[Answered] = []
    async with LlamaServer(resolve_file(llm), slots=len(Arm)) as server:
        for number in range(rounds):
            answered += await _round(number, server.endpoint, turns)
    return answered


async def _round(number: int, endpoint: LlmEndpoint, turns: int) -> list[Answered]:
    answered: list[Answered] = []
    arms = list(Arm)
    async with AsyncExitStack() as stack:
        talks = []
        for slot, arm in enumerate(arms):
            one = await stack.enter_async_context(talk(arm, number, endpoint, slot))
            await one.ring()
            talks.append(one)
        for turn in range(turns):
            line = LINES[(number + turn) % len(LINES)]  # each is said first, and later
            for place in range(len(talks)):
                one = talks[(place + turn + number) % len(talks)]
                answered.append(await one.say(line))
                _print_request(answered[-1])
    return answered


def _median(values: Iterable[float]) -> float:
    return round(float(median(values)), 1)


def _print_request(one: Answered) -> None:
    print(
        f"round {one.round + 1} turn {one.turn + 1:2} {one.arm:15} "
        f"{one.prompt_tokens:5} tokens, {one.cached_tokens:5} cached, {one.first_token_ms:6.0f} ms",
        flush=True,
    )


def _print_table(answered: Sequence[Answered]) -> None:
    print(
        f"\n{'first token':20}{'n':>4}{'p50 ms':>9}{'p95 ms':>9}{'prompt':>9}{'cached':>9}{'read':>7}"
    )
    for name in ROWS:
        row = of_row(answered, name)
        times_ms = [one.first_token_ms for one in row]
        prompt, cached = median(o.prompt_tokens for o in row), median(o.cached_tokens for o in row)
        print(
            f"{name:20}{len(row):4}{np.percentile(times_ms, 50):9.0f}{np.percentile(times_ms, 95):9.0f}"
            f"{prompt:9.0f}{cached:9.0f}{prompt - cached:7.0f}"
        )
    ratios = figures(answered)["ratios"]
    print()
    for one, other, goal in GOALS:
        ratio = ratios[f"{one}/{other}"]
        print(
            f"{one} / {other}: {ratio:.2f}, goal {goal} {'reached' if ratio <= goal else 'MISSED'}"
        )
