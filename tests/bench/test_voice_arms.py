"""What a reading model costs the caller is told from the same turns, and only if it read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ringback import Memory
from ringback.clock import SystemClock
from ringback.protocols import Completion
from ringback.records import Role, Turn
from ringback_ops.bench.voice import figures, first_turns
from ringback_ops.bench.voice_arms import (
    Arm,
    CountedFiller,
    Played,
    order_of,
    play_arms,
    reading_figures,
)
from ringback_ops.bench.voice_hold import HoldUp
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.replay import LineSettings, ReplayResult
from ringback_voice.call_folder import load_call
from ringback_voice.replay_transport import Pace
from ringback_voice.waterfall import Stage, TurnLatency

pytestmark = pytest.mark.bench

CALL = load_call(Path(__file__).parents[2] / "recordings" / "katie-steve")


def latency(position: int, total_ms: float, memory_ms: float = 0.0) -> TurnLatency:
    stages = dict.fromkeys(Stage, 0.0) | {Stage.MEMORY: memory_ms, Stage.LLM: total_ms - memory_ms}
    return TurnLatency(position, stages, waited_for_more=False)


def played(
    arm: Arm, *turns: TurnLatency, requests: int = 0, answers: int = 0, round_number: int = 0
) -> Played:
    result = ReplayResult(CALL, Pace.REAL_TIME, 8_000, "model", Path("call.wav"))
    result.latencies = list(turns)
    return Played(arm, round_number, result, requests, answers)


def test_the_ratio_is_of_the_medians_of_the_same_turns():
    figures = reading_figures(
        [
            played(Arm.MEMORY, latency(0, 1000), latency(2, 2000), latency(4, 9000)),
            played(Arm.READ, latency(0, 1100), latency(2, 2200), requests=3, answers=2),
        ]
    )

    assert figures == {
        "extraction_on_ratio": 1.1,
        "extraction_on_turns": 2,
        "extraction_on_requests": 3,
        "extraction_on_answers": 2,
    }


def test_a_turn_is_compared_with_itself_in_the_same_round():
    figures = reading_figures(
        [
            played(Arm.MEMORY, latency(0, 1000), round_number=0),
            played(Arm.READ, latency(0, 1200), requests=1, round_number=1),
        ]
    )

    assert figures["extraction_on_turns"] == 0
    assert figures["extraction_on_ratio"] is None


def test_where_the_model_was_asked_nothing_there_is_no_ratio():
    figures = reading_figures(
        [played(Arm.MEMORY, latency(0, 1000)), played(Arm.READ, latency(0, 1000))]
    )

    assert figures["extraction_on_ratio"] is None
    assert figures["extraction_on_requests"] == 0


def test_what_memory_adds_is_told_against_the_same_calls_without_it():
    host = figures(
        [
            played(Arm.MEMORY, latency(0, 1010, memory_ms=0.75)),
            played(Arm.BARE, latency(0, 1000, memory_ms=0.5)),
        ]
    )

    assert host["p50_ms"] == 1010
    assert host["without_memory"]["p50_ms"] == 1000
    assert host["turn_end_to_llm_p99_diff_ms"] is None  # no memory was held up
    assert host["added"]["with memory"] == {
        "turns": 1,
        "to_llm_ms": {"median": 0.25, "low": 0.25, "high": 0.25},
        "ms": {"median": 10, "low": 10, "high": 10},
    }


def test_a_memory_that_is_held_up_is_told_against_the_same_turns_without_one():
    held = [latency(number, 1000 + number, memory_ms=2.0 + number % 2) for number in range(20)]
    bare = [latency(number, 1000, memory_ms=1.0) for number in range(1, 30)]
    bare.append(latency(99, 9000, memory_ms=500))  # not answered with a memory

    host = figures([played(Arm.HELD, *held), played(Arm.BARE, *bare)])

    assert host["turn_end_to_llm_p99_diff_ms"] == 2.0
    assert host["turn_end_to_llm_turns"] == 19
    added = host["added"]["with memory that is held up"]["ms"]
    assert added["median"] == 10
    assert 1 < added["low"] < 10 < added["high"] < 19


async def test_what_is_held_up_comes_when_the_call_is_over(tmp_path: Path):
    async with await Memory.open(f"sqlite:///{tmp_path / 'memory.db'}") as memory:
        (hold := HoldUp()).over(memory)
        call = memory.ring(tenant="acme", handles=[("phone", "+15551234567")])
        call.observe(Turn(Role.CALLER, "My account number is 4821.", SystemClock().now_at()))
        waiting = asyncio.ensure_future(call.briefed())
        await asyncio.wait([waiting], timeout=0.2)
        held_while_it_rang = not waiting.done()

        await memory.settle()
        await waiting

    assert held_while_it_rang
    assert hold.held > 0


def test_each_arm_goes_first_in_its_turn():
    arms = tuple(Arm)

    assert [order_of(arms, number)[0] for number in range(5)] == [*arms, arms[0]]
    assert all(set(order_of(arms, number)) == set(arms) for number in range(4))


async def test_a_call_is_played_in_each_arm_to_its_end(models):
    played = await play_arms(
        [first_turns(CALL, 1)],
        PartNames(),
        arms=(Arm.READ, Arm.HELD, Arm.BARE),
        rounds=1,
        line=LineSettings(Pace.FAST),
    )

    assert [one.arm for one in played] == [Arm.READ, Arm.HELD, Arm.BARE]
    assert played[1].held > 0
    assert all(
        {said.role for said in one.result.transcript} == {"caller", "agent"} for one in played
    )
    assert played[2].requests == 0


async def test_a_request_that_is_broken_off_counts_as_begun():
    class Silent:
        async def fill(self, *_: object, **__: object) -> Completion:
            raise TimeoutError

    filler = CountedFiller(Silent())
    with pytest.raises(TimeoutError):
        await filler.fill("read", "hello", shape={}, max_tokens=8)

    assert filler.begun == 1
