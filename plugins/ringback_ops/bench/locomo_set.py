"""The LoCoMo conversations as this project's words have them: turns with speakers, questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ringback import OfferedTurn, Role
from ringback.errors import UsageError

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open domain", 4: "single-hop"}
"""Category 5 asks for what was never said, so that no turn answers it."""
TUNING = ("26", "41", "43", "47", "49")
"""Conversations that weights were fitted on; figures are of the others."""
BETWEEN = timedelta(seconds=20)  # turns of a session; only its beginning is known

_TURN_ID = re.compile(r"D\d+:\d+")
_WHEN = re.compile(r"(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d{4})")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, with the turns that answer it."""

    text: str
    evidence: frozenset[str]
    category: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two people over many sessions."""

    name: str
    sessions: tuple[tuple[str, tuple[OfferedTurn, ...]], ...]
    """Each with its name; a turn's id is the set's own."""
    questions: tuple[Question, ...]
    last_at: datetime

    @property
    def is_for_tuning(self) -> bool:
        """Weights were fitted on it."""
        return self.name in TUNING

    @property
    def turns(self) -> tuple[OfferedTurn, ...]:
        """Of all sessions, in order."""
        return tuple(turn for _, turns in self.sessions for turn in turns)


def read_conversations(folder: Path, *, corrected: bool) -> tuple[Conversation, ...]:
    """Read the conversations of a folder, by name.

    Args:
        folder: Holds `26.json` and so on, and `corrections/`.
        corrected: Take the audited citations where the set's own are wrong.

    Raises:
        UsageError: There are none.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise UsageError(f"no LoCoMo conversations in {folder}: give their folder with --data")
    return tuple(
        _conversation(file, _corrections(folder, number) if corrected else {})
        for number, file in enumerate(files)
    )


def _corrections(folder: Path, number: int) -> Mapping[str, frozenset[str]]:
    file = folder / "corrections" / f"errors_conv_{number}.json"
    if not file.is_file():
        return {}
    return {
        one["question"]: frozenset(one["correct_evidence"])
        for one in json.loads(file.read_text())
        if one.get("correct_evidence")
    }


def _conversation(file: Path, corrections: Mapping[str, frozenset[str]]) -> Conversation:
    data = json.loads(file.read_text())
    speakers = (data["speaker_a"], data["speaker_b"])
    sessions = tuple(_sessions(data, speakers))
    turns = [turn for _, said in sessions for turn in said]
    known = {turn.id for turn in turns}
    return Conversation(
        name=file.stem,
        sessions=sessions,
        questions=tuple(_questions(data["qa"], known, corrections)),
        last_at=max(turn.at for turn in turns if turn.at is not None),
    )


def _sessions(
    data: Mapping[str, Any], speakers: tuple[str, str]
) -> Iterator[tuple[str, tuple[OfferedTurn, ...]]]:
    number = 1
    while f"session_{number}_date_time" in data:
        begins_at = _read_time(data[f"session_{number}_date_time"])
        said = data.get(f"session_{number}", [])
        if said:
            yield (
                f"session-{number}",
                tuple(
                    OfferedTurn(
                        Role.CALLER if turn["speaker"] == speakers[0] else Role.AGENT,
                        turn["text"],
                        speaker=turn["speaker"],
                        at=begins_at + place * BETWEEN,
                        id=turn["dia_id"],
                    )
                    for place, turn in enumerate(said)
                ),
            )
        number += 1


def _questions(
    asked: list[Mapping[str, Any]], known: set[str], corrections: Mapping[str, frozenset[str]]
) -> Iterator[Question]:
    for one in asked:
        cited = {found for text in one["evidence"] for found in _TURN_ID.findall(text)}
        evidence = corrections.get(one["question"], frozenset(cited)) & known
        if one["category"] in CATEGORIES and evidence:
            yield Question(one["question"], frozenset(evidence), one["category"])


def _read_time(text: str) -> datetime:
    match = _WHEN.match(text)
    if match is None:
        raise UsageError(f"a session's time is not as expected: {text}")
    hour, minute, half, day, month, year = match.groups()
    at = datetime.strptime(f"{day} {month} {year}", "%d %B %Y").replace(tzinfo=UTC)
    return at.replace(hour=int(hour) % 12 + 12 * (half == "pm"), minute=int(minute))
