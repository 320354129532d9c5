"""What is known after labelled dialogues, in three languages: how much is right, how much found."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ringback.background.reading import read_call
from ringback.core.reading import ANY_VALUE
from ringback.records import Assurance, Call, CallView, Decision, Fact, Status
from ringback.schemas import Field, ValueType
from ringback.text import folded
from ringback_ops.bench.extraction_model import read_on
from ringback_ops.bench.extraction_set import DATA, Dialogue, Label, read_set

TENANT = "bench"
LEARNT_AFTER = timedelta(minutes=5)  # after the first turn
QUICK_DIALOGUES = 12  # about so many with a language model, which takes seconds for each
CURRENT = (Status.ACTIVE, Status.PROVISIONAL)
PHONE_DIGITS = 7  # a number has at least so many without its country's and trunk's digits
ANY = "*"  # a label's value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--errors",
        action="store_true",
        help="list each miss and false find of the tune part; those of the other parts stay unseen",
    )
    parser.add_argument(
        "--llm",
        metavar="URL",
        help="let a language model read on: an OpenAI-compatible address, or `local` for the "
        "small model in a process of its own; says what it adds and what it costs",
    )
    parser.add_argument("--model", default="local", help="the name that the address knows it by")
    parser.add_argument("--data", type=Path, default=DATA, help="a folder of your own dialogues")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Read each dialogue as a verified caller's call, compare, return the figures."""
    results = _read(read_set(arguments.data))
    fresh = _read(read_set(arguments.data, is_fresh=True))
    _print_table(results)
    print("written after the rules, and counted in none of the rows above:")
    _print_rows(fresh, lambda dialogue: dialogue.language)
    _print_rows(fresh, lambda _: "fresh")
    print()
    if arguments.errors:
        _print_errors(results)
    measured = {
        "rules": figures(results),
        "rules_tune": figures(_part(results, "tune")),
        "rules_frozen": figures(_part(results, "frozen")),
        "rules_fresh": figures(fresh),
        "by_language": _by(results, lambda dialogue: dialogue.language),
        "by_origin": _by(results, lambda dialogue: dialogue.origin),
    }
    if arguments.llm:
        step = len(results) // QUICK_DIALOGUES if arguments.quick else 1
        these = results[:: max(1, step)]
        dialogues = [result.dialogue for result in these]
        reading = asyncio.run(read_on(dialogues, arguments.llm, arguments.model))
        print(f"with {arguments.model} at {arguments.llm}, {len(reading.found)} dialogues")
        both = [compare(dialogue, facts) for dialogue, facts in reading.found]
        _print_table(both)
        measured["rules_llm"] = {**figures(both), **reading.cost}
        measured["rules_llm_frozen"] = figures(_part(both, "frozen"))
        measured["rules_of_these"] = figures(these)
        print(json.dumps(reading.cost))
    return measured


def _read(dialogues: Iterable[Dialogue]) -> list[Result]:
    return [compare(dialogue, known_after(dialogue)) for dialogue in dialogues]


def _part(results: Sequence[Result], split: str) -> list[Result]:
    return [result for result in results if result.dialogue.split == split]


@dataclass(frozen=True, slots=True)
class Result:
    """What was found in one dialogue, against what is true of it."""

    dialogue: Dialogue
    hit: tuple[Label, ...]
    missed: tuple[Label, ...]
    right: tuple[Fact, ...]
    false: tuple[Fact, ...]


def known_after(dialogue: Dialogue) -> tuple[Fact, ...]:
    """Read a dialogue as `ringback.background` does; nothing was known before.

    Returns:
        What is current, and what is known to hold no more; in the order it was said.
    """
    begin_at = dialogue.turns[0].at
    call = Call(
        id=dialogue.id,
        tenant=TENANT,
        started_at=begin_at,
        zone=dialogue.zone,
        caller_id="caller",
        assurance=Assurance.VERIFIED,
    )
    view = CallView(call, dialogue.turns)
    return current(read_call(view, (), dialogue.schema, begin_at + LEARNT_AFTER))


def current(decisions: Iterable[Decision]) -> tuple[Fact, ...]:
    """Keep what stands when all decisions are carried out: facts that hold, and withdrawals."""
    newest: dict[str, Fact] = {}
    for decision in decisions:
        for fact in (decision.superseded, decision.fact):
            if fact is not None:
                newest[fact.id] = fact
    return tuple(
        fact
        for fact in newest.values()
        if fact.status in CURRENT or (fact.is_withdrawal and fact.status is Status.RETIRED)
    )


def compare(dialogue: Dialogue, found: Sequence[Fact]) -> Result:
    """Hold what was found against the labels.

    A fact is right if any label asks for it. What only an optional label asks for counts
    for nothing, and so does an optional label.
    """
    asked = [label for label in dialogue.labels if not label.is_optional]
    allowed = [label for label in dialogue.labels if label.is_optional]

    def answers(fact: Fact, labels: Sequence[Label]) -> bool:
        return any(is_same(label, fact, dialogue) for label in labels)

    right = tuple(fact for fact in found if answers(fact, asked))
    false = tuple(fact for fact in found if fact not in right and not answers(fact, allowed))
    hit = tuple(label for label in asked if any(answers(fact, [label]) for fact in right))
    missed = tuple(label for label in asked if label not in hit)
    return Result(dialogue, hit, missed, right, false)


def is_same(label: Label, fact: Fact, dialogue: Dialogue) -> bool:
    """Tell whether a fact is what a label says: key, subject, whether it holds, and value."""
    field = dialogue.schema.field(label.key)
    return (
        field is not None
        and fact.key == label.key
        and fact.is_withdrawal == label.is_withdrawn
        and folded(fact.subject) in {folded(subject) for subject in label.subjects}
        and any(_is_value(fact.value, value, label, field) for value in label.values)
    )


def _is_value(found: str, value: str, label: Label, field: Field) -> bool:
    if value == ANY:
        return found == ANY_VALUE
    if label.is_contained:
        return _closed_up(value) in _closed_up(found)
    if field.type is ValueType.DATE:
        return _date(found) == _date(value)
    if field.type is ValueType.PHONE:
        return _national(found, value)
    return _closed_up(found) == _closed_up(value)


def _closed_up(text: str) -> str:
    """Without case and spaces, which Chinese lines have where a speaker drew breath."""
    return "".join(folded(text).split())


def _date(value: str) -> tuple[bool, datetime] | None:
    """A day is not midnight; an instant is the same in every zone."""
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return ("T" in value, at)


def _national(found: str, value: str) -> bool:
    """The same number: with its country in front, as it is dialled there, or as it was said."""
    if found.startswith("+"):
        bare = value.lstrip("+").removeprefix("0")
        return len(bare) >= PHONE_DIGITS and found.endswith(bare)
    return found.lstrip("+") == value.lstrip("+")


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """Count over some dialogues.

    Returns:
        `precision` is None when nothing was found, `recall` when nothing was asked; `n` is
        the number of turns.
    """
    right = sum(len(result.right) for result in results)
    found = right + sum(len(result.false) for result in results)
    hit = sum(len(result.hit) for result in results)
    labels = hit + sum(len(result.missed) for result in results)
    return {
        "precision": _share(right, found),
        "recall": _share(hit, labels),
        "n": sum(len(result.dialogue.turns) for result in results),
        "dialogues": len(results),
        "labels": labels,
        "found": found,
        "false": found - right,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _by(results: Sequence[Result], name: Callable[[Dialogue], str]) -> dict[str, Any]:
    names = sorted({name(result.dialogue) for result in results})
    return {
        each: figures([result for result in results if name(result.dialogue) == each])
        for each in names
    }


def _print_table(results: Sequence[Result]) -> None:
    print(f"{'':<18}{'turns':>6}{'facts':>7}{'found':>7}{'false':>7}{'precision':>11}{'recall':>8}")
    for name in (
        lambda dialogue: dialogue.group,
        lambda dialogue: dialogue.language,
        lambda dialogue: dialogue.origin,
        lambda dialogue: dialogue.split,
        lambda _: "all",
    ):
        _print_rows(results, name)
        print()


def _print_rows(results: Sequence[Result], name: Callable[[Dialogue], str]) -> None:
    for row, counts in _by(results, name).items():
        print(
            f"{row:<18}{counts['n']:>6}{counts['labels']:>7}{counts['found']:>7}"
            f"{counts['false']:>7}{_shown(counts['precision']):>11}"
            f"{_shown(counts['recall']):>8}"
        )


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _print_errors(results: Sequence[Result]) -> None:
    """List what went wrong in the tune part, with the words; never in the frozen part."""
    for result in results:
        if result.dialogue.split != "tune" or not (result.missed or result.false):
            continue
        print(f"{result.dialogue.id} ({result.dialogue.schema.name})")
        for turn in result.dialogue.turns:
            print(f"    {turn.role}: {turn.text}")
        for label in result.missed:
            print(f"  missed {_said(label.key, label.values[0], label.subjects[0])}", end="")
            print(" (holds no more)" if label.is_withdrawn else "")
        for fact in result.false:
            print(f"  false  {_said(fact.key, fact.value, fact.subject)}", end="")
            print(" (holds no more)" if fact.is_withdrawal else "")
    print()


def _said(key: str, value: str, subject: str) -> str:
    return f"{key} = {value!r} of {subject}"
