from __future__ import annotations

import pytest

from ringback_ops.bench.voice import first_turns, host_figures
from ringback_voice.call_folder import load_call
from ringback_voice.waterfall import LatencySummary, Stage, TurnLatency

pytestmark = pytest.mark.framework


def turn(total_ms: float, *, waited: bool = False) -> TurnLatency:
    stages = dict.fromkeys(Stage, 0.0) | {Stage.LLM: total_ms}
    return TurnLatency(0, stages, waited)


def test_turns_that_were_waited_on_are_left_out_of_the_complete_percentile_only():
    turns = [turn(1_000), turn(1_200), turn(4_000, waited=True)]

    figures = host_figures(LatencySummary.of(turns), played=4)

    assert (figures["played"], figures["n"], figures["n_complete"]) == (4, 3, 2)
    assert figures["p50_ms"] == 1_200
    assert figures["p95_complete_ms"] == 1_190
    assert figures["stages"]["llm"]["p50_ms"] == 1_200
    assert figures["stages"]["tts"]["p50_ms"] == 0


def test_a_run_without_an_answer_has_no_figures_rather_than_zeros():
    figures = host_figures(LatencySummary.of([]), played=3)

    assert (figures["n"], figures["p50_ms"], figures["p95_complete_ms"]) == (0, None, None)


def test_a_shortened_call_ends_with_the_turn_asked_for():
    call = first_turns(load_call("recordings/katie-steve"), 2)

    assert len(call.caller_turns) == 2
    assert call.turns[-1] == call.caller_turns[-1]
