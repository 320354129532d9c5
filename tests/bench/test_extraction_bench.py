"""The extraction benchmark prints what it promises, and counts right and wrong alike."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ringback.records import Action, Decision, Evidence, Fact, Source, Status
from ringback_ops.bench import extraction
from ringback_ops.bench.extraction_set import Dialogue, Label, read_set, split_of

pytestmark = pytest.mark.bench

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
KEYS = {"rules", "rules_tune", "rules_frozen", "rules_fresh", "by_language", "by_origin"}
COUNTS = {"precision", "recall", "n", "dialogues", "labels", "found", "false"}
TUNE, OTHER_TUNE = [f"calls-{n}" for n in range(99) if split_of(f"calls-{n}") == "tune"][:2]
FROZEN = next(f"calls-{n}" for n in range(99) if split_of(f"calls-{n}") == "frozen")


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    extraction.add_arguments(parser)
    return parser.parse_args(words, argparse.Namespace(quick=True))


def label(key: str, value: str, **more: Any) -> dict[str, Any]:
    return {"turn": 0, "key": key, "value": value, "subject": "self", "withdrawn": False, **more}


def line(dialogue_id: str, *said: str, facts: list[dict[str, Any]], **more: Any) -> str:
    fields = {
        "id": dialogue_id,
        "language": "en",
        "origin": "written",
        "split": split_of(dialogue_id),
        "schema": "support",
        "zone": "America/Chicago",
        "at": "2026-03-03T12:05:00-06:00",
        "turns": [{"role": "caller", "text": text} for text in said],
        "facts": facts,
    }
    return json.dumps({**fields, **more})


def dialogue(tmp_path: Path, *said: str, facts: list[dict[str, Any]]) -> Dialogue:
    (tmp_path / "calls.jsonl").write_text(line(TUNE, *said, facts=facts) + "\n")
    return read_set(tmp_path)[0]


def fact(key: str, value: str, **more: Any) -> Fact:
    made = Fact(
        id=f"{key}-{value}",
        tenant="bench",
        call_id=TUNE,
        caller_id="caller",
        key=key,
        value=value,
        source=Source.CALLER,
        confidence=1.0,
        observed_at=AT,
        recorded_at=AT,
        evidence=Evidence(TUNE, 0, "", 0, 0),
    )
    return replace(made, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two right facts, one miss and one false find in the tune part; a miss in the frozen one."""
    right = [label("name", "Dana Whitfield"), label("account_number", "4812")]
    lines = [
        line(
            TUNE,
            "This is Dana Whitfield. My account number is 4821.",
            "No, sorry, my account number is 4812.",
            facts=right,
        ),
        line(OTHER_TUNE, "My account number is 7777.", facts=[label("account_number", "7000")]),
        line(
            FROZEN,
            "My zanzibarite number is what it is.",
            facts=[label("account_number", "1111")],
            language="mixed",
            origin="stt",
        ),
    ]
    (tmp_path / "calls.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_what_is_right_missed_and_false_is_counted_by_part_language_and_origin(folder, capsys):
    figures = extraction.run(options("--data", str(folder)))

    assert set(figures) == KEYS
    assert figures["rules"] == {
        "precision": 0.667,
        "recall": 0.5,
        "n": 4,
        "dialogues": 3,
        "labels": 4,
        "found": 3,
        "false": 1,
    }
    assert figures["rules_tune"]["recall"] == 0.667
    assert figures["rules_frozen"]["recall"] == 0.0
    assert figures["rules_frozen"]["precision"] is None
    assert figures["by_language"]["en"] == figures["rules_tune"]
    assert figures["by_language"]["mixed"] == figures["rules_frozen"]
    assert figures["by_origin"]["stt"] == figures["rules_frozen"]
    assert "0.667" in capsys.readouterr().out


def test_errors_of_the_tune_part_are_listed_and_those_of_the_frozen_part_never(folder, capsys):
    extraction.run(options("--data", str(folder)))
    assert "7777" not in capsys.readouterr().out

    extraction.run(options("--data", str(folder), "--errors"))

    shown = capsys.readouterr().out
    assert "missed account_number = '7000' of self" in shown
    assert "false  account_number = '7777' of self" in shown
    assert "Dana" not in shown
    assert "zanzibarite" not in shown
    assert "1111" not in shown


def test_what_was_written_after_the_rules_is_counted_apart_and_its_errors_stay_unseen(
    folder, capsys
):
    late = line(
        "fresh-01",
        "My zanzibarite number is what it is.",
        facts=[label("account_number", "1111")],
        split="fresh",
    )
    (folder / "fresh-calls.jsonl").write_text(late + "\n")

    figures = extraction.run(options("--data", str(folder), "--errors"))

    assert figures["rules"]["dialogues"] == 3
    assert figures["rules_fresh"]["recall"] == 0.0
    assert figures["rules_fresh"]["labels"] == 1
    assert "zanzibarite" not in capsys.readouterr().out


def test_the_labelled_set_gives_each_figure_that_is_promised(capsys):
    figures = extraction.run(options())

    assert set(figures) == KEYS
    assert set(figures["rules"]) == COUNTS
    assert set(figures["by_language"]) == {"en", "zh-Hant", "zh-Hans", "mixed"}
    assert set(figures["by_origin"]) == {"written", "stt"}
    assert figures["rules"]["n"] == sum(len(each.turns) for each in read_set()) >= 330
    for count in ("n", "dialogues", "labels", "found", "false"):
        parts = figures["rules_tune"][count] + figures["rules_frozen"][count]
        assert figures["rules"][count] == parts
    assert figures["rules_frozen"]["labels"] > 0
    assert "missed" not in capsys.readouterr().out


def test_a_corrected_value_is_not_current_and_a_withdrawal_is(tmp_path):
    corrected = dialogue(
        tmp_path, "My account number is 4821.", "Sorry, my account number is 4812.", facts=[]
    )
    assert [found.value for found in extraction.known_after(corrected)] == ["4812"]

    held = [
        fact("name", "Ann"),
        fact("name", "Bo", status=Status.RETIRED, is_withdrawal=True),
        fact("name", "Cy", status=Status.SUPERSEDED),
        fact("name", "Di", status=Status.EXPIRED),
        fact("name", "Ed", status=Status.RETIRED),
    ]
    decided = [Decision(Action.ADD, "new", None, each) for each in held]
    assert [each.value for each in extraction.current(decided)] == ["Ann", "Bo"]


def test_an_optional_label_is_neither_wrong_to_find_nor_wrong_to_miss(tmp_path):
    argued = dialogue(tmp_path, "Hm.", facts=[label("name", "Ann", optional=True)])

    for found in ([], [fact("name", "Ann")]):
        result = extraction.compare(argued, found)
        assert (result.hit, result.missed, result.right, result.false) == ((), (), (), ())
    assert extraction.compare(argued, [fact("name", "Bo")]).false


@pytest.mark.parametrize(
    ("asked", "found", "is_right"),
    [
        (Label(0, "name", ("Dana Whitfield",)), fact("name", "dana  whitfield"), True),
        (Label(0, "name", ("Dana Whitfield",)), fact("name", "Dana"), False),
        (Label(0, "name", ("Ann", "Anne")), fact("name", "Anne"), True),
        (Label(0, "account_number", ("4821",)), fact("name", "4821"), False),
        (Label(0, "name", ("Ann",), ("person:mother",)), fact("name", "Ann"), False),
        (
            Label(0, "name", ("Ann",), ("person:mother", "person:ann")),
            fact("name", "Ann", subject="person:ann"),
            True,
        ),
        (Label(0, "name", ("Ann",)), fact("name", "Ann", is_withdrawal=True), False),
        (
            Label(0, "open_matter", ("router",), is_contained=True),
            fact("open_matter", "My Router is dead"),
            True,
        ),
        (
            Label(0, "open_matter", ("扣了我兩次",), is_contained=True),
            fact("open_matter", "帳單扣了 我兩次錢"),
            True,
        ),
        (
            Label(0, "open_matter", ("router", "*"), is_withdrawn=True),
            fact("open_matter", "any", is_withdrawal=True),
            True,
        ),
        (Label(0, "open_matter", ("router",)), fact("open_matter", "any"), False),
        (
            Label(0, "appointment", ("2026-03-06T14:00-06:00",)),
            fact("appointment", "2026-03-06T20:00:00+00:00"),
            True,
        ),
        (Label(0, "appointment", ("2026-03-06",)), fact("appointment", "2026-03-06"), True),
        (Label(0, "appointment", ("2026-03-06",)), fact("appointment", "2026-03-06T00:00"), False),
        (Label(0, "appointment", ("2026-03-06",)), fact("appointment", "Friday"), False),
        (Label(0, "phone", ("3125550142",)), fact("phone", "+13125550142"), True),
        (Label(0, "phone", ("0912345678",)), fact("phone", "+886912345678"), True),
        (Label(0, "phone", ("3125550142",)), fact("phone", "5550142"), False),
    ],
)
def test_two_values_are_the_same_when_people_would_say_so(tmp_path, asked, found, is_right):
    where = dialogue(tmp_path, "Hm.", facts=[])

    assert extraction.is_same(asked, found, where) is is_right
