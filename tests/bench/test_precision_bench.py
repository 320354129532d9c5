"""The precision benchmark counts what is right, wrong and missed, and keeps the frozen part unseen."""

from __future__ import annotations

import argparse
import asyncio
import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ringback import UsageError
from ringback_ops.bench import precision
from ringback_ops.bench.precision_filling import Answer, play
from ringback_ops.bench.precision_set import Asked, read_set, split_of

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("embedding_folder")]

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
COUNTS = {
    "precision",
    "recall",
    "passed",
    "cases",
    "drift",
    "right",
    "wrong",
    "missed",
    "forbidden",
    "doubled",
    "could_not_look",
}
TUNE = [f"q-{n}" for n in range(99) if split_of(f"q-{n}") == "tune"]
FROZEN = [f"q-{n}" for n in range(99) if split_of(f"q-{n}") == "frozen"]
HEAD = {"step": "scenario", "schema": "general", "zone": "UTC"}


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    precision.add_arguments(parser)
    return parser.parse_args(words, argparse.Namespace(quick=True))


def asked(*needed: str, **more: Any) -> Asked:
    fields = {"kind": "lookup", "language": "en", "profile": "p", "at": AT, "question": "where?"}
    return Asked(**{"id": TUNE[0], **fields, "needed": needed, **more})


def judged(question: Asked, *returned: str) -> precision.Result:
    return precision.judge(Answer(question, returned, dict.fromkeys(returned, "")))


def owner(label: str, tenant: str = "acme") -> dict[str, Any]:
    return {"step": "profile", "id": label, "tenant": tenant, "kind": "caller", "name": label}


def remember(label: str, value: str, **more: Any) -> dict[str, Any]:
    return {"step": "remember", "id": label, "profile": "p", "key": "note", "value": value, **more}


def say(label: str, text: str, **more: Any) -> dict[str, Any]:
    said = {"step": "say", "id": label, "profile": "p", "conversation": "c", "role": "caller"}
    return {**said, "text": text, **more}


def ask(question_id: str, question: str, **more: Any) -> dict[str, Any]:
    fields = {"kind": "lookup", "language": "en", "profile": "p", "question": question}
    return {"step": "ask", "id": question_id, **fields, **more}


def write(folder: Path, *steps: dict[str, Any], schema: str = "general") -> Path:
    minutes = count()
    lines = [
        {**step, "at": AT.replace(minute=next(minutes)).isoformat()}
        for step in ({**HEAD, "schema": schema}, owner("p"), owner("other"), *steps)
    ]
    (folder / "tiny.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return folder


def answers(folder: Path) -> dict[str, tuple[str, ...]]:
    (scenario,) = read_set(folder)
    return {answer.asked.id: answer.returned for answer in asyncio.run(play(scenario))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """In each part: one question answered rightly, one whose answer is elsewhere, one that has none."""
    return write(
        tmp_path,
        remember("toll", "disputes the drawbridge toll"),
        remember("barge", "moored the zanzibarite barge", profile="other"),
        ask(TUNE[0], "drawbridge toll", exact=["toll"]),
        ask(TUNE[1], "which barge is moored", exact=["barge"], kind="scope"),
        ask(TUNE[2], "the drawbridge toll", exact=[], forbidden=["toll"], language="ja"),
        ask(FROZEN[0], "that drawbridge toll", exact=["toll"]),
        ask(FROZEN[1], "zanzibarite barge moored", exact=["barge"]),
    )


def test_what_is_needed_is_right_and_everything_that_is_not_even_allowed_is_wrong():
    result = judged(asked("a", "b", allowed=("c",)), "a", "c", "d")

    assert (result.right, result.wrong, result.missed) == (("a",), ("d",), ("b",))
    assert not result.has_passed


def test_what_is_allowed_neither_fails_a_question_nor_counts_as_right():
    result = judged(asked("a", allowed=("c",)), "c", "a")

    assert result.has_passed
    assert precision.figures([result])["right"] == 1
    assert precision.figures([result])["precision"] == 1.0


def test_a_question_without_answer_passes_when_nothing_comes_back():
    assert judged(asked()).has_passed
    assert not judged(asked(), "a").has_passed


def test_precision_and_recall_are_shares_over_all_questions_together():
    results = [
        judged(asked("a", "b"), "a", "b"),
        judged(asked("c", forbidden=("d",)), "d"),
        judged(asked(), "e"),
    ]

    assert precision.figures(results) == {
        "precision": 0.5,
        "recall": 0.667,
        "passed": 1,
        "cases": 3,
        "drift": None,
        "right": 2,
        "wrong": 2,
        "missed": 1,
        "forbidden": 1,
        "doubled": 0,
        "could_not_look": 0,
    }


def test_drift_is_the_share_of_later_answers_with_nothing_of_the_stretch():
    later = asked("a", stretch=("dog",))
    results = [judged(asked("dog"), "dog"), judged(later, "b"), judged(later, "a", "dog")]

    assert precision.figures(results)["drift"] == 0.5


def test_without_anything_returned_or_needed_there_is_no_share():
    figures = precision.figures([judged(asked())])

    assert figures["precision"] is None
    assert figures["recall"] is None


def test_parts_kinds_and_languages_are_counted_apart(folder, capsys):
    figures = precision.run(options("--data", str(folder)))

    parts = {"tune", "frozen", "cjk", "by_kind", "by_language"}
    assert set(figures) == {*COUNTS, *parts, "embedder"}
    assert (figures["cases"], figures["passed"], figures["missed"]) == (5, 2, 2)
    assert (figures["tune"]["right"], figures["tune"]["wrong"]) == (1, 1)
    assert (figures["frozen"]["cases"], figures["frozen"]["recall"]) == (2, 0.5)
    assert (figures["cjk"]["cases"], figures["cjk"]["forbidden"]) == (1, 1)
    assert figures["by_kind"]["scope"]["missed"] == 1
    assert figures["by_language"]["ja"] == figures["cjk"]
    assert "0.667" in capsys.readouterr().out


def test_errors_of_the_tune_part_are_listed_and_those_of_the_frozen_part_never(folder, capsys):
    precision.run(options("--data", str(folder)))
    assert "which barge" not in capsys.readouterr().out

    precision.run(options("--data", str(folder), "--errors"))

    shown = capsys.readouterr().out
    assert f"{TUNE[1]}: which barge is moored" in shown
    assert "missed barge: moored the zanzibarite barge" in shown
    assert "(the trap)" in shown
    assert f"{TUNE[0]}:" not in shown
    assert f"{FROZEN[1]}:" not in shown
    assert "zanzibarite barge moored" not in shown


def test_a_turn_and_the_fact_that_is_read_from_it_are_one_memory(tmp_path):
    folder = write(
        tmp_path,
        say("hello", "Hello there."),
        say("mail", "My email is rosa@example.org."),
        ask(TUNE[0], "email rosa@example.org", exact=["mail"]),
    )

    assert answers(folder) == {TUNE[0]: ("mail",)}


def test_a_memory_that_came_back_twice_counts_once_and_is_counted_as_doubled():
    figures = precision.figures([precision.judge(Answer(asked("a"), ("a",), {}, doubled=1))])

    assert (figures["precision"], figures["right"], figures["doubled"]) == (1.0, 1, 1)


def test_turns_of_a_conversation_that_goes_on_keep_their_labels(tmp_path):
    folder = write(
        tmp_path,
        say("kettle", "The zanzibarite kettle whistles."),
        ask(TUNE[0], "zanzibarite kettle whistles", exact=["kettle"]),
        say("lamp", "The obsidian lantern flickers."),
        ask(TUNE[1], "obsidian lantern flickers", exact=["lamp"]),
    )

    assert answers(folder) == {TUNE[0]: ("kettle",), TUNE[1]: ("lamp",)}


def test_a_corrected_fact_is_a_memory_of_its_own_and_a_retired_one_none(tmp_path):
    about = {"profile": "p", "step": "correct"}
    folder = write(
        tmp_path,
        remember("old", "the zanzibarite key hangs upstairs"),
        remember("gone", "the obsidian lantern flickers"),
        {**about, "id": "new", "of": "old", "value": "the zanzibarite key hangs downstairs"},
        {**about, "step": "retire", "of": "gone"},
        ask(TUNE[0], "zanzibarite key hangs downstairs", exact=["new"]),
        ask(TUNE[1], "obsidian lantern flickers", exact=[]),
    )

    assert answers(folder) == {TUNE[0]: ("new",), TUNE[1]: ()}


def test_a_memory_that_is_not_kept_stops_the_benchmark_by_its_label(tmp_path):
    folder = write(tmp_path, remember("hobby", "opera"), schema="support")

    with pytest.raises(UsageError, match="tiny: hobby was not kept"):
        answers(folder)


def test_the_labelled_set_gives_each_figure_that_is_promised(capsys):
    figures = precision.run(options())

    parts = {"tune", "frozen", "cjk", "by_kind", "by_language"}
    assert set(figures) == {*COUNTS, *parts, "embedder"}
    assert set(figures["by_kind"]["drift"]) == COUNTS
    assert figures["cases"] == figures["tune"]["cases"] + figures["frozen"]["cases"]
    assert figures["could_not_look"] == 0
    assert figures["drift"] is not None
