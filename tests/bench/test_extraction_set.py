"""The labelled dialogues are what the benchmark says they are."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ringback.schemas.declaration import ValueType
from ringback_ops.bench.extraction_set import DATA, read_set

pytestmark = pytest.mark.unit

DIALOGUES = read_set()
FRESH = read_set(is_fresh=True)
EVERY = (*DIALOGUES, *FRESH)
LABELS = [(dialogue, label) for dialogue in EVERY for label in dialogue.labels]
TURNS = sum(len(dialogue.turns) for dialogue in DIALOGUES)
FIELDS = ["id", "language", "origin", "split", "schema", "zone", "at", "turns", "facts", "note"]


def turns_by(name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for dialogue in DIALOGUES:
        counts[getattr(dialogue, name)] += len(dialogue.turns)
    return counts


def test_there_are_enough_turns_and_two_in_five_have_nothing_to_extract():
    assert TURNS >= 330
    assert sum(dialogue.empty_turns for dialogue in DIALOGUES) >= 0.4 * TURNS
    assert all(1 <= len(dialogue.turns) <= 6 for dialogue in DIALOGUES)


def test_the_languages_have_their_shares():
    turns = turns_by("language")

    assert set(turns) == {"en", "zh-Hant", "zh-Hans", "mixed"}
    assert 0.55 <= turns["en"] / TURNS <= 0.65
    assert 0.30 <= (turns["zh-Hant"] + turns["zh-Hans"]) / TURNS <= 0.40
    assert min(turns["zh-Hant"], turns["zh-Hans"]) >= 0.1 * TURNS
    assert 0.03 <= turns["mixed"] / TURNS <= 0.07


def test_forty_turns_are_what_the_speech_recognition_heard():
    turns = turns_by("origin")

    assert set(turns) == {"written", "stt"}
    assert turns["stt"] >= 40


def test_a_third_is_frozen_by_a_rule_that_nobody_can_bend():
    for dialogue in DIALOGUES:
        number = int.from_bytes(hashlib.sha256(dialogue.id.encode()).digest(), "big")
        assert dialogue.split == ("tune" if number % 3 else "frozen"), dialogue.id
    frozen = sum(dialogue.split == "frozen" for dialogue in DIALOGUES)
    assert 0.28 <= frozen / len(DIALOGUES) <= 0.38


def test_the_fresh_part_has_sixty_turns_in_three_languages_and_is_named_so():
    turns = Counter(dialogue.language for dialogue in FRESH for _ in dialogue.turns)
    empty = sum(dialogue.empty_turns for dialogue in FRESH)

    assert turns == {"en": 36, "zh-Hant": 12, "zh-Hans": 12}
    assert empty >= 0.4 * turns.total()
    assert {dialogue.split for dialogue in FRESH} == {"fresh"}


def test_no_two_dialogues_have_one_id_or_the_same_words():
    ids = [dialogue.id for dialogue in EVERY]
    words = [tuple(turn.text for turn in dialogue.turns) for dialogue in EVERY]

    assert len(set(ids)) == len(ids)
    assert len(set(words)) == len(words)
    assert all(dialogue.id.startswith(dialogue.group) for dialogue in EVERY)


def test_a_line_has_the_fields_in_order():
    for path in DATA.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = list(json.loads(line))
            assert fields == [name for name in FIELDS if name in fields]
            assert set(FIELDS) - {"note"} <= set(fields)


def test_turns_are_said_by_somebody_at_a_time_that_a_zone_knows():
    for dialogue in EVERY:
        first_at = dialogue.turns[0].at
        there = first_at.astimezone(ZoneInfo(dialogue.zone))
        assert there.utcoffset() == first_at.utcoffset(), dialogue.id
        assert all(turn.text.strip() for turn in dialogue.turns), dialogue.id


def test_each_label_names_a_turn_a_key_of_its_schema_and_a_value():
    for dialogue, label in LABELS:
        declared = {field.key for field in dialogue.schema.fields}
        assert label.key in declared, dialogue.id
        assert 0 <= label.turn < len(dialogue.turns), dialogue.id
        assert all(label.values), dialogue.id
        assert all(label.subjects), dialogue.id
        assert len(set(label.values)) == len(label.values), dialogue.id


def test_only_a_withdrawal_is_of_any_value():
    assert all(label.is_withdrawn for _, label in LABELS if "*" in label.values)


def test_somebody_s_own_words_are_matched_by_what_they_contain_and_nothing_typed_is():
    for dialogue, label in LABELS:
        field = dialogue.schema.field(label.key)
        assert field is not None
        if label.is_contained:
            assert field.type is ValueType.TEXT, dialogue.id
        if field.is_quoted and not label.is_withdrawn:
            assert label.is_contained, dialogue.id


def test_dates_choices_and_addresses_are_in_their_normal_form():
    for dialogue, label in LABELS:
        field = dialogue.schema.field(label.key)
        assert field is not None
        for value in label.values:
            if value == "*":
                continue
            if field.type is ValueType.DATE:
                at = datetime.fromisoformat(value)
                assert len(value) == 10 or at.utcoffset() is not None, dialogue.id
            elif field.type is ValueType.CHOICE:
                assert value in field.choices, dialogue.id
            elif field.type is ValueType.EMAIL:
                assert value == value.lower(), dialogue.id
                assert "@" in value, dialogue.id
            elif field.type is ValueType.PHONE:
                assert value.lstrip("+").isdigit(), dialogue.id
