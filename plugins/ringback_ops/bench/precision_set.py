"""The labelled profiles and questions that precision is measured on; format in the data folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ringback.records import SELF, ProfileKind, Role
from ringback.schemas import GENERAL, MEDICAL_INTAKE, SUPPORT, Schema

DATA = Path(__file__).parent / "data" / "precision"
SCHEMAS = {schema.name: schema for schema in (GENERAL, MEDICAL_INTAKE, SUPPORT)}
FROZEN_OF = 3  # one question in so many is frozen
CJK = frozenset({"zh-Hant", "zh-Hans", "ja", "ko", "mixed"})


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memories a scenario has."""

    tenant: str
    kind: ProfileKind
    name: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """The application states a fact."""

    id: str
    profile: str
    at: datetime
    value: str
    key: str
    subject: str


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a conversation; what is extracted from it is the same memory."""

    id: str
    profile: str
    at: datetime
    text: str
    role: Role
    conversation: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A stated fact is put right: a memory of its own from then on."""

    id: str
    profile: str
    at: datetime
    value: str
    of: str


@dataclass(frozen=True, slots=True)
class Retired:
    """A stated fact is ended."""

    profile: str
    at: datetime
    of: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and which memories are its answer."""

    id: str
    kind: str
    language: str
    profile: str
    at: datetime
    question: str
    needed: tuple[str, ...]
    """Each of them is to be returned."""
    allowed: tuple[str, ...] = ()
    """Neither wrong to return nor wrong to leave out. Everything else is wrong."""
    forbidden: tuple[str, ...] = ()
    """Why the question is there: what an eager answer returns; wrong, and counted apart."""
    stretch: tuple[str, ...] = ()
    """What the talk before it was about, that it has left; only after a stretch off topic."""
    note: str = ""

    @property
    def split(self) -> str:
        """Which part it belongs to, by its id alone: `tune` or `frozen`."""
        return split_of(self.id)


Step = Remembered | Said | Corrected | Retired | Asked


@dataclass(frozen=True, slots=True)
class Scenario:
    """Some profiles in one store, and what happens to them in order of time."""

    name: str
    """The file it stands in."""
    schema: Schema
    zone: str
    owners: Mapping[str, Owner]
    steps: tuple[Step, ...]

    @property
    def questions(self) -> tuple[Asked, ...]:
        """All that is asked, in order."""
        return tuple(step for step in self.steps if isinstance(step, Asked))

    @property
    def memories(self) -> dict[str, Remembered | Said | Corrected]:
        """All that may be answered with, by its label."""
        return {
            step.id: step for step in self.steps if isinstance(step, (Remembered, Said, Corrected))
        }

    def words_of(self, label: str) -> str:
        """A memory as it was stated or said."""
        memory = self.memories[label]
        return memory.text if isinstance(memory, Said) else memory.value


def read_set(folder: Path = DATA) -> tuple[Scenario, ...]:
    """Read all scenarios of a folder, in order of the files' names."""
    return tuple(_scenario(path) for path in sorted(folder.glob("*.jsonl")))


def split_of(question_id: str) -> str:
    """Tell which part a question belongs to, by its id alone."""
    digest = hashlib.sha256(question_id.encode()).hexdigest()
    return "frozen" if int(digest, 16) % FROZEN_OF == 0 else "tune"


def _scenario(path: Path) -> Scenario:
    head, *lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return Scenario(
        name=path.stem,
        schema=SCHEMAS[head["schema"]],
        zone=head["zone"],
        owners={
            line["id"]: Owner(line["tenant"], ProfileKind(line["kind"]), line["name"])
            for line in lines
            if line["step"] == "profile"
        },
        steps=tuple(_READERS[line["step"]](line) for line in lines if line["step"] in _READERS),
    )


def _at(line: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(line["at"])


def _remembered(line: Mapping[str, Any]) -> Step:
    subject = line.get("subject", SELF)
    return Remembered(line["id"], line["profile"], _at(line), line["value"], line["key"], subject)


def _said(line: Mapping[str, Any]) -> Step:
    role, conversation = Role(line["role"]), line["conversation"]
    return Said(line["id"], line["profile"], _at(line), line["text"], role, conversation)


def _corrected(line: Mapping[str, Any]) -> Step:
    return Corrected(line["id"], line["profile"], _at(line), line["value"], line["of"])


def _retired(line: Mapping[str, Any]) -> Step:
    return Retired(line["profile"], _at(line), line["of"])


def _asked(line: Mapping[str, Any]) -> Step:
    return Asked(
        id=line["id"],
        kind=line["kind"],
        language=line["language"],
        profile=line["profile"],
        at=_at(line),
        question=line["question"],
        needed=tuple(line["exact"] if "exact" in line else line["needed"]),
        allowed=tuple(line.get("allowed", ())),
        forbidden=tuple(line.get("forbidden", ())),
        stretch=tuple(line.get("stretch", ())),
        note=line.get("note", ""),
    )


_READERS = {
    "remember": _remembered,
    "say": _said,
    "correct": _corrected,
    "retire": _retired,
    "ask": _asked,
}
