"""The labelled questions are what the benchmark says they are."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from ringback.terms import terms
from ringback_ops.bench.precision_set import (
    CJK,
    Asked,
    Corrected,
    Remembered,
    Retired,
    Said,
    Scenario,
    read_set,
)

pytestmark = pytest.mark.unit

SCENARIOS = read_set()
QUESTIONS = [(scenario, asked) for scenario in SCENARIOS for asked in scenario.questions]
KINDS = {
    "absent",
    "alias",
    "drift",
    "isolation",
    "lookup",
    "negation",
    "paraphrase",
    "relation",
    "scope",
    "standing",
    "supersession",
    "time",
}
LANGUAGES = {"en", *CJK}


def known_before(scenario: Scenario, asked: Asked) -> set[str]:
    """Labels of what the asked profile had been told when it was asked."""
    before = scenario.steps[: scenario.steps.index(asked)]
    return {
        step.id
        for step in before
        if isinstance(step, (Remembered, Said, Corrected)) and step.profile == asked.profile
    }


def ended_before(scenario: Scenario, asked: Asked) -> set[str]:
    """Labels of what was corrected or retired when it was asked."""
    before = scenario.steps[: scenario.steps.index(asked)]
    return {step.of for step in before if isinstance(step, (Corrected, Retired))}


def test_there_are_enough_profiles_memories_and_questions():
    assert len(SCENARIOS) >= 18
    assert sum(len(scenario.memories) for scenario in SCENARIOS) >= 400
    assert len(QUESTIONS) >= 500


def test_each_kind_has_at_least_eight_questions():
    counts = Counter(asked.kind for _, asked in QUESTIONS)

    assert set(counts) == KINDS
    assert min(counts.values()) >= 8


def test_each_language_has_questions_and_sixty_are_not_in_english_alone():
    counts = Counter(asked.language for _, asked in QUESTIONS)

    assert set(counts) == LANGUAGES
    assert min(counts.values()) >= 8
    assert sum(counts[language] for language in CJK) >= 60


def test_about_a_third_is_frozen_by_a_rule_that_nobody_can_bend():
    for _, asked in QUESTIONS:
        number = int.from_bytes(hashlib.sha256(asked.id.encode()).digest(), "big")
        assert asked.split == ("tune" if number % 3 else "frozen"), asked.id
    frozen = sum(asked.split == "frozen" for _, asked in QUESTIONS)
    assert 0.25 <= frozen / len(QUESTIONS) <= 0.4


def test_a_quarter_of_the_questions_has_no_answer():
    unanswered = sum(not asked.needed for _, asked in QUESTIONS)

    assert 0.2 <= unanswered / len(QUESTIONS) <= 0.3


def test_at_least_eight_answers_come_after_a_stretch_off_topic():
    after = [asked for _, asked in QUESTIONS if asked.stretch]

    assert len(after) >= 8
    assert all(asked.kind == "drift" for asked in after)


def test_no_two_steps_of_a_scenario_have_one_label_and_no_two_questions_one_id():
    ids = [asked.id for _, asked in QUESTIONS]

    assert len(set(ids)) == len(ids)
    for scenario in SCENARIOS:
        labels = [
            step.id for step in scenario.steps if isinstance(step, (Remembered, Said, Corrected))
        ]
        assert len(set(labels)) == len(labels), scenario.name


def test_a_question_s_id_names_its_file_and_its_kind():
    for scenario, asked in QUESTIONS:
        assert asked.id.startswith(f"{scenario.name}-{asked.kind}-")


def test_no_profile_is_asked_the_same_twice():
    asked_of = [(scenario.name, asked.profile, asked.question) for scenario, asked in QUESTIONS]

    assert len(set(asked_of)) == len(asked_of)


def test_answers_are_memories_that_the_asked_profile_has_by_then():
    for scenario, asked in QUESTIONS:
        fair = {*asked.needed, *asked.allowed}
        assert fair <= known_before(scenario, asked), asked.id
        assert not fair & ended_before(scenario, asked), asked.id


def test_what_is_forbidden_or_left_behind_is_a_memory_of_the_scenario():
    for scenario, asked in QUESTIONS:
        assert {*asked.forbidden, *asked.stretch} <= scenario.memories.keys(), asked.id


def test_no_memory_is_both_an_answer_and_a_trap():
    for _, asked in QUESTIONS:
        assert not set(asked.needed) & set(asked.allowed), asked.id
        assert not {*asked.needed, *asked.allowed} & {*asked.forbidden, *asked.stretch}, asked.id


def test_all_that_is_needed_fits_into_a_recall():
    assert max(len(asked.needed) for _, asked in QUESTIONS) <= 5


def test_steps_come_in_order_of_time_and_in_the_scenario_s_zone():
    for scenario in SCENARIOS:
        for step, after in pairwise(scenario.steps):
            assert step.at < after.at, scenario.name
        for step in scenario.steps:
            there = step.at.astimezone(ZoneInfo(scenario.zone))
            assert there.utcoffset() == step.at.utcoffset(), scenario.name


def test_each_step_is_about_a_declared_profile_and_a_stated_fact():
    for scenario in SCENARIOS:
        stated = {
            label for label, memory in scenario.memories.items() if not isinstance(memory, Said)
        }
        for step in scenario.steps:
            assert step.profile in scenario.owners, scenario.name
            if isinstance(step, (Corrected, Retired)):
                assert step.of in stated, scenario.name


def test_a_stated_key_is_one_that_the_schema_keeps():
    for scenario in SCENARIOS:
        for memory in scenario.memories.values():
            if isinstance(memory, Remembered):
                assert scenario.schema.field(memory.key) is not None, memory.id


def test_a_paraphrase_has_no_word_of_the_value_that_answers_it():
    for scenario, asked in QUESTIONS:
        if asked.kind == "paraphrase":
            for label in asked.needed:
                words = set(terms(scenario.words_of(label)))
                assert not words & set(terms(asked.question)), asked.id


def test_what_is_needed_or_forbidden_is_known_among_others():
    """Where a single thing is known, returning all there is would be right."""
    for scenario, asked in QUESTIONS:
        if scenario.name != "single":
            assert len(known_before(scenario, asked)) >= 2, asked.id
