"""The benchmark of peers prints a row for each memory that is here, from the calls it is of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ringback_ops.bench.peers import figures
from ringback_ops.bench.peers_call import Answered, Arm, Held, Order, knew, nobodys
from ringback_ops.bench.peers_lines import EARLIER, LINES, Line
from ringback_voice.llm_endpoint import LlmEndpoint

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
COLUMNS = {
    "turn_end_to_llm_p50_ms",
    "turn_end_to_llm_p99_ms",
    "first_token_p50_ms",
    "prompt_tokens",
    "blocks_in_history",
}
STREET = Line("Which street is it?", "17 Alder Street")
PERSONA = {"role": "system", "content": "You live at 17 Alder Street."}


def request(*messages: dict[str, str]) -> str:
    return json.dumps({"messages": [PERSONA, *messages]})


def test_what_is_needed_was_said_in_an_earlier_call_and_is_not_said_in_this_one():
    before = " ".join(text for earlier in EARLIER for _, text in earlier.said)
    now = " ".join(line.text for line in LINES)

    for line in LINES:
        assert line.needs in before
        assert not line.needs or line.needs not in now, line


def test_only_what_memory_put_into_a_request_counts_as_known():
    from_memory = {"role": "developer", "content": "The address is 17 Alder Street."}
    as_caller = {"role": "user", "content": "1. I live at 17 Alder Street"}
    guessed = {"role": "assistant", "content": "Is it 17 Alder Street?"}

    assert knew(STREET, request(from_memory))
    assert knew(STREET, request(as_caller))
    assert knew(STREET, request(guessed)) is False
    assert knew(Line("Okay."), request(from_memory)) is None


def test_a_message_of_the_callers_that_the_caller_never_said_is_nobodys():
    said = {"role": "user", "content": LINES[0].text}
    answered = {"role": "assistant", "content": "Hello."}
    added = {"role": "user", "content": "Based on previous conversations, I recall: 1. Hello"}

    assert nobodys([said, answered, added]) == [added]


def test_a_row_is_of_all_turns_and_its_counts_are_of_the_ends_of_calls():
    first = Held((Answered(1.0, 100.0, 50, False), Answered(3.0, 300.0, 90, True)), 1)
    second = Held((Answered(2.0, 200.0, 60, None), Answered(2.0, 200.0, 80, True)), 2)

    row = figures([first, second])

    assert row["n"] == 4
    assert (row["turn_end_to_llm_p50_ms"], row["first_token_p50_ms"]) == (2.0, 200.0)
    assert (row["prompt_tokens"], row["prompt_tokens_mean"]) == (90, 70.0)
    assert (row["blocks_in_history"], row["knew"]) == (2, 0.67)


def test_an_order_reaches_another_process_as_it_was_given():
    llm = LlmEndpoint("http://127.0.0.1:1/v1", "one", priming={"return_progress": True})
    order = Order(Arm.MEM0, llm, LlmEndpoint("http://127.0.0.1:2/v1", "two"), "here", 3, 2.0)

    assert Order.from_json(order.to_json()) == order


def test_a_quick_run_without_mem0_has_the_other_rows_and_says_how_to_get_it(models, tmp_path):
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    without = ["--quick", "--mem0-python", sys.executable]
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", "peers", *without],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stderr
    assert "scripts/install mem0" in done.stdout
    figures = json.loads(done.stdout.splitlines()[-1])
    assert {"machine", "at", "llm"} <= set(figures)
    assert set(figures["rows"]) == {"none", "ringback"}
    none, ringback = figures["rows"]["none"], figures["rows"]["ringback"]
    assert set(none) >= COLUMNS
    assert set(ringback) >= COLUMNS
    assert none["knew"] == none["blocks_in_history"] == ringback["blocks_in_history"] == 0
    assert ringback["prompt_tokens"] > none["prompt_tokens"]
