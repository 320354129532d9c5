"""The same call with no memory, with Ringback, and with Pipecat's own Mem0 service."""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np

from ringback import RingbackError
from ringback.stores.mem0.local import INSTALL
from ringback_models import TqdmReporter, resolve, resolve_file
from ringback_ops.bench.peers_call import Arm, Held, Order
from ringback_ops.bench.peers_lines import LINES
from ringback_ops.part_options import fetch_llm
from ringback_pipelines.part_names import DEFAULT_EMBEDDER, DEFAULT_LLM, PartNames
from ringback_voice.llm_server import LlamaServer

QUICK_ARMS = (Arm.NONE, Arm.RINGBACK, Arm.MEM0)
QUICK_TURNS, QUICK_SPEED = 3, 5.0
SLOT_TOKENS = 8_192  # a prompt that grows by a block in each turn still fits
READER_TOKENS = 16_384  # mem0's own instruction takes half of it
MEM0_PYTHON = Path(".venv-mem0/bin/python")
COLUMNS = (
    "turn_end_to_llm_p50_ms",
    "turn_end_to_llm_p99_ms",
    "first_token_p50_ms",
    "prompt_tokens",
    "blocks_in_history",
)
"""Less is better in each."""

SAYS = """All: Pipecat's pipeline without sound, a local language model in a server of its own for
each call, the same persona, lines and pace; words come while they are spoken, as from a recogniser
that streams. Both memories hold the same three earlier calls.
ringback: as its bots have it; rules read what is said, and requests are read ahead.
ringback_plain: nothing is read ahead, and no words come before they are final.
mem0: Mem0MemoryService with its defaults (10 memories from 0.1 on, "developer" message in place 1),
Qdrant's local mode, our MiniLM in its process as embedder, filled word for word (infer=False). It
stores through the same language model in a second server, which computes in idle time only.
mem0_best: the same, but what it recalls goes behind the newest words, where the server's cache
holds all before, and nothing is stored in the call.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--rounds", type=int, default=1, help="calls of each arm")
    parser.add_argument("--llm", default=DEFAULT_LLM, metavar="NAME|FILE", help="GGUF model")
    parser.add_argument(
        "--mem0-python",
        type=Path,
        default=MEM0_PYTHON,
        metavar="FILE",
        help=f"an interpreter that has mem0 and Pipecat; {INSTALL} makes it",
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Hold the calls, print a row for each arm, return the rows."""
    fetch_llm(PartNames(llm=arguments.llm))
    resolve(DEFAULT_EMBEDDER, reporter=TqdmReporter())
    print(SAYS)
    arms, rounds = tuple(Arm), max(1, arguments.rounds)
    turns, speed = len(LINES), 1.0
    if arguments.quick:
        arms, rounds, turns, speed = QUICK_ARMS, 1, QUICK_TURNS, QUICK_SPEED
    if not _has_mem0(arguments.mem0_python):
        arms = tuple(one for one in arms if not one.is_mem0)
        print(f"No rows of mem0: {INSTALL} makes {MEM0_PYTHON}, which has it and Pipecat.\n")
    held: dict[Arm, list[Held]] = {arm: [] for arm in arms}
    for number in range(rounds):
        for place in range(len(arms)):
            arm = arms[(place + number) % len(arms)]
            print(f"call {number + 1}, {arm}: {turns} turns", end="", flush=True)
            held[arm].append(asyncio.run(_hold(arm, arguments, turns=turns, speed=speed)))
            print(f", first token p50 {figures(held[arm][-1:])['first_token_p50_ms']:.0f} ms")
    rows = {str(arm): figures(calls) for arm, calls in held.items()}
    _print_table(rows)
    return {"llm": arguments.llm, "rounds": rounds, "turns": turns, "speed": speed, "rows": rows}


def _has_mem0(python: Path) -> bool:
    """Whether an interpreter has what the other environment is made for."""
    look = "from importlib.util import find_spec as f; exit(not (f('mem0') and f('pipecat')))"
    return python.is_file() and not subprocess.run([python, "-c", look], check=False).returncode  # noqa: S603 - it is named by who runs this


def figures(calls: Sequence[Held]) -> dict[str, Any]:
    """One row: percentiles over all turns, counts at the calls' ends."""
    answered = [one for call in calls for one in call.answered]
    to_llm_ms = [one.turn_end_to_llm_ms for one in answered]
    knew = [one.knew for one in answered if one.knew is not None]
    return {
        "n": len(answered),
        "turn_end_to_llm_p50_ms": _percentile(to_llm_ms, 50),
        "turn_end_to_llm_p99_ms": _percentile(to_llm_ms, 99),
        "first_token_p50_ms": _percentile([one.first_token_ms for one in answered], 50),
        "prompt_tokens": max(call.answered[-1].prompt_tokens for call in calls),
        "prompt_tokens_mean": round(float(np.mean([one.prompt_tokens for one in answered])), 1),
        "blocks_in_history": max(call.blocks_in_history for call in calls),
        "knew": round(sum(knew) / len(knew), 2) if knew else None,
    }


async def _hold(arm: Arm, arguments: argparse.Namespace, *, turns: int, speed: float) -> Held:
    """Hold one call in a process of its own, with servers that no other call has used."""
    model = resolve_file(arguments.llm)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = LlamaServer(model, slots=1, slot_tokens=SLOT_TOKENS)
        llm = (await stack.enter_async_context(server)).endpoint
        reader = None
        if arm is Arm.MEM0:
            beside = LlamaServer(model, slots=1, slot_tokens=READER_TOKENS, threads=1, idle=True)
            reader = (await stack.enter_async_context(beside)).endpoint
        order = Order(arm, llm, reader, folder, turns, speed)
        python = str(arguments.mem0_python) if arm.is_mem0 else sys.executable
        return await _answer(python, order)


async def _answer(python: str, order: Order) -> Held:
    """Give a child process its order; it is ended when it has answered, whatever it still does."""
    child = await asyncio.create_subprocess_exec(
        python,
        *("-m", "ringback_ops.bench.peers_call", order.to_json()),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        line = await child.stdout.readline() if child.stdout is not None else b""
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
    if not line:
        raise RingbackError(f"the call of {order.arm} could not be held with {python}")
    return Held.from_json(line.decode())


def _percentile(values: Sequence[float], percent: int) -> float:
    return round(float(np.percentile(values, percent)), 2)


def _print_table(rows: Mapping[str, Mapping[str, Any]]) -> None:
    print(
        f"\n{'':<18}{'n':>4}{'turn end to LLM':>20}{'first token':>13}{'tokens of prompt':>18}"
        f"{'blocks in':>11}{'knew':>6}\n{'':<18}{'':>4}{'p50 ms':>10}{'p99 ms':>10}"
        f"{'p50 ms':>13}{'mean':>9}{'last':>9}{'history':>11}"
    )
    for name, row in rows.items():
        print(
            f"{name:<18}{row['n']:>4}{row['turn_end_to_llm_p50_ms']:>10.1f}"
            f"{row['turn_end_to_llm_p99_ms']:>10.1f}{row['first_token_p50_ms']:>13.0f}"
            f"{row['prompt_tokens_mean']:>9.0f}{row['prompt_tokens']:>9}"
            f"{row['blocks_in_history']:>11}{row['knew']:>6.0%}"
        )
    print()
    for peer in [arm for arm in Arm if arm.is_mem0 and arm in rows]:
        behind = [name for name in COLUMNS if rows[Arm.RINGBACK][name] > rows[peer][name]]
        print(f"ringback is behind {peer} in: {', '.join(behind) or 'no column'}")
