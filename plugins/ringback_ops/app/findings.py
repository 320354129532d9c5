"""What was found in an app, and the lines that mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ringback_ops.app.source import Source


class Severity(StrEnum):
    """How much it matters."""

    WRONG = "wrong"
    WORTH_KNOWING = "worth knowing"
    NOT_FOLLOWED = "not followed"
    RIGHT = "right"


class Where(StrEnum):
    """How a line to write goes with the one that is there."""

    BEFORE = "before"
    AFTER = "after"
    INSTEAD = "instead of"


@dataclass(frozen=True, slots=True)
class Edit:
    """One line to write."""

    line: int
    where: Where
    text: str
    """With the indentation of that line; empty to leave the line out."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    severity: Severity
    name: str
    """What was looked at, in short: the docs list them."""
    line: int
    text: str
    """What it is, and what it means for a caller."""
    edits: tuple[Edit, ...] = ()


def wrong(name: str, line: int, text: str, *edits: Edit) -> Finding:
    """Something that a caller will notice."""
    return Finding(Severity.WRONG, name, line, text, edits)


def worth_knowing(name: str, line: int, text: str, *edits: Edit) -> Finding:
    """Something that works, and could be better."""
    return Finding(Severity.WORTH_KNOWING, name, line, text, edits)


def right(name: str, line: int, text: str) -> Finding:
    """Something that is as it should be."""
    return Finding(Severity.RIGHT, name, line, text)


def not_followed(name: str, line: int, text: str) -> Finding:
    """Something that the file alone does not say."""
    return Finding(Severity.NOT_FOLLOWED, name, line, text)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The gravest first, each by its line, nothing twice."""
    once = {(one.name, one.severity, one.line): one for one in reversed(list(findings))}
    ranks = list(Severity)
    return sorted(once.values(), key=lambda one: (ranks.index(one.severity), one.line, one.name))


def indented(source: Source, number: int, text: str) -> str:
    """A text as far to the right as a line of the file."""
    line = source.line(number)
    margin = line[: len(line) - len(line.lstrip())]
    return "\n".join(margin + one if one else "" for one in text.splitlines())
