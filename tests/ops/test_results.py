from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ringback import RecordingError
from ringback_ops.results import (
    TurnCounts,
    clock,
    count_turns,
    exchanges,
    result_json,
    write_json,
    write_whole,
)
from ringback_pipelines.replay import PlayedTurn, Said
from ringback_voice.replay_transport import Pace
from tests.ops.made_result import QUICK, made_result

pytestmark = pytest.mark.unit

AT = datetime(2026, 10, 3, 14, 5, tzinfo=UTC)


def test_a_result_keeps_its_keys_in_json(tmp_path: Path) -> None:
    result = made_result(tmp_path)
    result.played[1].ended_ms = None
    result.transcript = [Said("agent", "Which one is it?", 6_000, 0, interrupted=True)]
    result.apologies = 1
    result.errors = ["SomeTTS#0"]

    content = json.loads(json.dumps(result_json(result)))

    stages_of_quick = {
        "vad": 200,
        "stt": 100,
        "turn": 50,
        "memory": 0,
        "llm": 300,
        "tts": 250,
        "transport": 100,
    }
    assert content == {
        "call": "made-call",
        "pace": "real-time",
        "line_rate_hz": 8_000,
        "llm": "small-model",
        "duration_ms": 20_000,
        "turns": [
            {
                "position": 0,
                "total_ms": 1_000,
                "stages_ms": stages_of_quick,
                "waited_for_more": False,
            },
            {
                "position": 2,
                "total_ms": 2_000,
                "stages_ms": {**stages_of_quick, "turn": 1_050},
                "waited_for_more": True,
            },
        ],
        "summary": {
            "total": {"n": 2, "p50_ms": 1_500, "p95_ms": 1_950, "p99_ms": 1_990},
            "complete": {"n": 1, "p50_ms": 1_000, "p95_ms": 1_000, "p99_ms": 1_000},
            "stages": {
                "vad": {"n": 2, "p50_ms": 200, "p95_ms": 200, "p99_ms": 200},
                "stt": {"n": 2, "p50_ms": 100, "p95_ms": 100, "p99_ms": 100},
                "turn": {"n": 2, "p50_ms": 550, "p95_ms": 1_000, "p99_ms": 1_040},
                "memory": {"n": 2, "p50_ms": 0, "p95_ms": 0, "p99_ms": 0},
                "llm": {"n": 2, "p50_ms": 300, "p95_ms": 300, "p99_ms": 300},
                "tts": {"n": 2, "p50_ms": 250, "p95_ms": 250, "p99_ms": 250},
                "transport": {"n": 2, "p50_ms": 100, "p95_ms": 100, "p99_ms": 100},
            },
        },
        "played": [
            {
                "position": 0,
                "text": "Hello, it's about my invoice.",
                "started_ms": 1_000,
                "ended_ms": 3_000,
                "unanswered": False,
            },
            {
                "position": 2,
                "text": "It says forty two.",
                "started_ms": 8_000,
                "ended_ms": None,
                "unanswered": False,
            },
        ],
        "transcript": [
            {
                "role": "agent",
                "text": "Which one is it?",
                "at_ms": 6_000,
                "position": 0,
                "interrupted": True,
            },
        ],
        "apologies": 1,
        "errors": ["SomeTTS#0"],
    }


def test_a_call_at_the_fast_pace_has_no_figures_in_json(tmp_path: Path) -> None:
    content = result_json(made_result(tmp_path, pace=Pace.FAST))

    assert content["turns"] == []
    assert content["summary"] == {"total": None, "complete": None, "stages": {}}


def test_json_is_written_as_one_line_with_the_machine_and_the_time(tmp_path: Path) -> None:
    path = write_json(made_result(tmp_path), tmp_path / "result.json", machine="2 cores", at=AT)

    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    content = json.loads(lines[0])
    assert (content["at"], content["machine"]) == ("2026-10-03T14:05:00+00:00", "2 cores")
    assert content["call"] == "made-call"


def test_a_written_file_replaces_the_old_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")

    write_whole(path, "new")

    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_one_error_and_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "page.html"
    folder.mkdir()

    with pytest.raises(RecordingError, match=r"page\.html: cannot be written: Is a directory"):
        write_whole(folder, "new")

    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="cannot be written: No such file"):
        write_whole(tmp_path / "nowhere" / "page.html", "new")


def test_half_a_surrogate_pair_in_a_label_does_not_stop_the_writing(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "page.html", "a \ud83d b")

    assert path.read_text(encoding="utf-8") == "a ? b"


def test_an_interrupted_reply_comes_before_the_turn_that_cut_it_short(tmp_path: Path) -> None:
    cut = Said("agent", "Which one", 8_300, 2, interrupted=True)
    heard = Said("caller", "It says 42.", 10_400, 2)
    reply = Said("agent", "Thank you.", 14_000, 2)
    result = made_result(tmp_path, transcript=[cut, heard, reply])

    first, second = exchanges(result)

    assert (first.cut_short, first.heard, first.replies) == ([], [], [])
    assert (second.cut_short, second.heard, second.replies) == ([cut], [heard], [reply])


def test_a_reply_cut_short_by_the_rest_of_its_own_turn_stays_with_it(tmp_path: Path) -> None:
    half = Said("caller", "Hello,", 2_000, 0)
    cut = Said("agent", "Hi, how", 2_400, 0, interrupted=True)
    rest = Said("caller", "it's about my invoice.", 3_400, 0)
    result = made_result(tmp_path, transcript=[half, cut, rest])

    first, _ = exchanges(result)

    assert first.cut_short == []
    assert first.said == [half, cut, rest]


def test_a_greeting_is_an_exchange_without_a_turn(tmp_path: Path) -> None:
    greeting = Said("agent", "Good morning.", 500, None)
    result = made_result(tmp_path, transcript=[greeting])

    first, *others = exchanges(result)

    assert (first.turn, first.replies) == (None, [greeting])
    assert [other.turn for other in others] == result.played


FOUR_TURNS = (
    PlayedTurn(0, "one", 1_000, 2_000),
    PlayedTurn(2, "two", 4_000, 5_000),
    PlayedTurn(4, "three", 8_000, 9_000, unanswered=True),
    PlayedTurn(6, "four", 15_000),
)


@pytest.mark.parametrize("pace", list(Pace))
def test_turns_are_counted_by_what_became_of_them(tmp_path: Path, pace: Pace) -> None:
    transcript = [
        Said("caller", "one", 2_400, 0),
        Said("agent", "First of", 4_300, 2, interrupted=True),  # the answer to 0
        Said("caller", "two", 5_400, 2),
        Said("agent", "Second.", 7_000, 2),
        Said("caller", "three", 9_400, 4),
    ]
    result = made_result(
        tmp_path, latencies=[QUICK], played=FOUR_TURNS, transcript=transcript, pace=pace
    )

    counts = count_turns(result)

    assert counts == TurnCounts(played=4, answered=2, unanswered=1, cut_off=1)


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00.0"), (3_199, "0:03.1"), (59_999, "0:59.9"), (725_400, "12:05.4")],
)
def test_an_instant_is_written_in_minutes_seconds_and_tenths(ms: int, text: str) -> None:
    assert clock(ms) == text
