"""An app with the lines written that its findings ask for."""

from __future__ import annotations

from pathlib import Path

from ringback_ops.app.checking import check
from ringback_ops.app.findings import Edit, Finding, Severity, Where
from ringback_ops.app.reading import App

MOST_ROUNDS = 12
FAULTS = (Severity.WRONG, Severity.WORTH_KNOWING)


def looked_at(file: Path) -> list[Finding]:
    return check(App.read(file))


def faults(file: Path) -> list[Finding]:
    return [one for one in looked_at(file) if one.severity in FAULTS]


def written(text: str, edits: tuple[Edit, ...]) -> str:
    """The text as somebody has it who follows one finding to the letter."""
    instead = [edit.line for edit in edits if edit.where is Where.INSTEAD]
    assert len(instead) == len(set(instead)), "a line that is to be written twice"
    lines: list[list[str]] = [[line] for line in text.splitlines()]
    for edit in sorted(edits, key=lambda one: one.where is not Where.INSTEAD):
        place = lines[edit.line - 1]
        if edit.where is Where.BEFORE:
            place.insert(0, edit.text)
        elif edit.where is Where.AFTER:
            place.append(edit.text)
        else:
            place[:] = [edit.text] if edit.text else []
    return "\n".join(line for place in lines for line in place) + "\n"


def mend(file: Path) -> None:
    """Follow the findings that say what to write, one after another, until none does."""
    for _ in range(MOST_ROUNDS):
        asked = [one for one in faults(file) if one.edits]
        if not asked:
            return
        file.write_text(written(file.read_text(), asked[0].edits))
    raise AssertionError(f"still not mended: {asked[0]}")
