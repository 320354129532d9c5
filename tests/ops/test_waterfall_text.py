from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ringback_ops.waterfall_text import latency_table, said_line, transcript_text
from ringback_pipelines.replay import PlayedTurn, Said
from ringback_voice.waterfall import LatencySummary, TurnLatency
from tests.ops.made_result import QUICK, WAITED, made_result, made_turn

pytestmark = pytest.mark.unit

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SIXTY = [made_turn(n, 200, 150, 30, 0.4, 300 + n, 250, 20, waited=n % 7 == 0) for n in range(60)]
OUTLIER = [QUICK, WAITED, made_turn(102, 200, 100, 50, 0, 8_400, 250, 100)]


def table(turns: Sequence[TurnLatency], *, width: int = 80, colour: bool = False) -> str:
    return latency_table(turns, LatencySummary.of(turns), width=width, colour=colour)


def test_a_table_has_a_bar_per_turn_a_legend_and_the_percentiles() -> None:
    text = table([QUICK, WAITED], width=56)

    # 40 cells for 2,000 ms: 50 ms each.
    assert text == (
        "turn                                                ms\n"
        "   0  vvvvSStllllllPPPPPxx                        1000\n"
        "   2  vvvvSStttttttttttttttttttttllllllPPPPPxx    2000 +\n"
        "\n"
        "v VAD   S STT   t turn   M memory   l LLM   P TTS\n"
        "x transport\n"
        "+ waited: the turn detector first took the turn for\n"
        "  unfinished\n"
        "\n"
        "ms                    p50   p95   p99  n\n"
        "VAD                   200   200   200  2\n"
        "STT                   100   100   100  2\n"
        "turn                  550  1000  1040  2\n"
        "memory                  0     0     0  2\n"
        "LLM                   300   300   300  2\n"
        "TTS                   250   250   250  2\n"
        "transport             100   100   100  2\n"
        "total                1500  1950  1990  2\n"
        "complete turns only  1000  1000  1000  1"
    )


def test_a_table_without_waits_does_not_explain_them() -> None:
    text = table([QUICK])

    assert "+" not in text
    assert text.splitlines()[-1] == "complete turns only  1000  1000  1000  1"


def test_a_table_in_which_every_turn_waited_has_no_complete_ones() -> None:
    text = table([WAITED])

    assert text.splitlines()[-1] == "complete turns only     -     -     -  0"


def test_a_turn_of_no_time_at_all_has_an_empty_bar() -> None:
    text = table([made_turn(0, 0, 0, 0, 0, 0, 0, 0)])

    assert text.splitlines()[1].split() == ["0", "0"]


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("turns", [[QUICK], SIXTY, OUTLIER], ids=["one", "sixty", "outlier"])
def test_no_line_is_wider_than_the_terminal(turns: list[TurnLatency], width: int) -> None:
    lines = table(turns, width=width).splitlines()

    assert max(len(line) for line in lines) <= width


def test_a_longest_turn_fills_the_bar_at_eighty_columns() -> None:
    longest = table(OUTLIER).splitlines()[3]

    assert longest.split()[1] == "v" + "S" + "l" * 60 + "P" + "x"


def test_colour_is_there_only_when_asked_for_and_changes_no_letter() -> None:
    plain = table([QUICK, WAITED])
    painted = table([QUICK, WAITED], colour=True)

    assert "\x1b" not in plain
    assert "\x1b[30;48;5;117mvvvv" in painted
    assert COLOUR.sub("", painted) == plain
    assert all(line.count("\x1b[30") == line.count("\x1b[0m") for line in painted.splitlines())


def test_a_call_without_answers_gives_one_line_that_says_why() -> None:
    text = table([])

    assert text == (
        "No latency to show: no turn was answered, or the call was played at the fast pace, "
        "where time means nothing."
    )


def test_a_transcript_has_times_and_speakers(tmp_path: Path) -> None:
    text = transcript_text(made_result(tmp_path))

    assert text == (
        " 0:03.4  caller  Hello, it's about my invoice.\n"
        " 0:06.0  agent   Which one is it?\n"
        " 0:10.4  caller  It says 42.\n"
        " 0:14.0  agent   Thank you."
    )


def test_a_transcript_marks_interrupted_replies_and_unanswered_turns(tmp_path: Path) -> None:
    played = [
        PlayedTurn(0, "one", 1_000, 2_000),
        PlayedTurn(2, "two", 4_000, 5_000, unanswered=True),
        PlayedTurn(4, "three", 21_000, 22_000, unanswered=True),
        PlayedTurn(6, "four", 40_000),
    ]
    transcript = [
        Said("agent", "Good morning.", 500, None),
        Said("caller", "one", 2_400, 0),
        Said("agent", "Well,", 4_300, 2, interrupted=True),
        Said("caller", "two", 5_400, 2),
        Said("caller", "and a half", 6_400, 2),
        Said("agent", "Are you still there?", 39_000, 4),
    ]

    text = transcript_text(made_result(tmp_path, played=played, transcript=transcript))

    assert text == (
        " 0:00.5  agent   Good morning.\n"
        " 0:02.4  caller  one\n"
        " 0:04.3  agent   Well, [interrupted]\n"
        " 0:05.4  caller  two\n"
        " 0:06.4  caller  and a half [unanswered]\n"
        " 0:21.0  caller  (nothing was heard) [unanswered]\n"
        " 0:39.0  agent   Are you still there?\n"
        " 0:40.0  caller  (nothing was heard)"
    )


def test_a_call_in_which_nothing_was_said_says_so(tmp_path: Path) -> None:
    result = made_result(tmp_path)
    result.played, result.transcript = [], []

    assert transcript_text(result) == "Nothing was said."


def test_a_line_of_a_transcript_stays_one_line() -> None:
    said = Said("agent", "First\nand  second.", 61_000, 0, interrupted=True)

    assert said_line(said) == " 1:01.0  agent   First and second. [interrupted]"
