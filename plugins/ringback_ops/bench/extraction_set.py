"""The labelled dialogues that extraction is measured on; their format is in the data folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ringback.records import SELF, Role, Turn
from ringback.schemas import GENERAL, SUPPORT, Schema

DATA = Path(__file__).parent / "data" / "extraction"
SCHEMAS = {schema.name: schema for schema in (SUPPORT, GENERAL)}
FROZEN_OF = 3  # one dialogue in so many is frozen
FRESH = "fresh-"  # files that begin so were written after the rules, and are reported apart
TURN_S = 5  # a turn begins so long after the one before


@dataclass(frozen=True, slots=True)
class Label:
    """One thing that is known when a dialogue is over."""

    turn: int
    """Where it was said last, from 0."""
    key: str
    values: tuple[str, ...]
    """Each of them is right; the first is the plainest."""
    subjects: tuple[str, ...] = (SELF,)
    """Each of them is right."""
    is_withdrawn: bool = False
    """It holds no more."""
    is_contained: bool = False
    """The value is somebody's own words, and contains one of `values`."""
    is_optional: bool = False
    """Neither wrong to find nor wrong to miss."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A short conversation with its labels."""

    id: str
    group: str
    """The file it stands in: a language and an idea."""
    language: str
    origin: str
    """`written`, or `stt` for what speech recognition heard."""
    split: str
    """`tune` or `frozen`; `fresh` for what was written after the rules."""
    schema: Schema
    zone: str
    turns: tuple[Turn, ...]
    labels: tuple[Label, ...]
    note: str = ""

    @property
    def empty_turns(self) -> int:
        """How many turns have nothing to extract."""
        return len(self.turns) - len({label.turn for label in self.labels})


def read_set(folder: Path = DATA, *, is_fresh: bool = False) -> tuple[Dialogue, ...]:
    """Read a folder's dialogues, in order of the files' names: the set, or its fresh part."""
    return tuple(
        _dialogue(json.loads(line), path.stem)
        for path in sorted(folder.glob("*.jsonl"))
        if path.name.startswith(FRESH) == is_fresh
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def split_of(dialogue_id: str) -> str:
    """Tell which part a dialogue belongs to, by its id alone."""
    digest = hashlib.sha256(dialogue_id.encode()).hexdigest()
    return "frozen" if int(digest, 16) % FROZEN_OF == 0 else "tune"


def _dialogue(line: Mapping[str, Any], group: str) -> Dialogue:
    begin_at = datetime.fromisoformat(line["at"])
    return Dialogue(
        id=line["id"],
        group=group,
        language=line["language"],
        origin=line["origin"],
        split=line["split"],
        schema=SCHEMAS[line["schema"]],
        zone=line["zone"],
        turns=tuple(
            Turn(
                Role(turn["role"]),
                turn["text"],
                at=begin_at + timedelta(seconds=TURN_S * place),
                position=place,
            )
            for place, turn in enumerate(line["turns"])
        ),
        labels=tuple(_label(fact) for fact in line["facts"]),
        note=line.get("note", ""),
    )


def _label(fact: Mapping[str, Any]) -> Label:
    return Label(
        turn=fact["turn"],
        key=fact["key"],
        values=(fact["value"], *fact.get("or", ())),
        subjects=(fact["subject"], *fact.get("or_subject", ())),
        is_withdrawn=fact["withdrawn"],
        is_contained=fact.get("match") == "contains",
        is_optional=fact.get("optional", False),
    )
