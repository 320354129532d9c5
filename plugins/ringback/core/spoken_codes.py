"""Codes of digits and letters, written or spelled: "A-17", "B as in Bravo, four four one"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringback.core.digit_runs import digit_run
from ringback.core.number_values import is_card_number

CODE_CHARACTERS = (2, 24)

_WRITTEN = re.compile(
    r"(?=[A-Za-z-]{0,8}\d)(?:[A-Za-z]{1,6}\d{1,20}|\d{1,20}[A-Za-z]{1,6}|[A-Za-z0-9]{1,20}(?=-))"
    r"[A-Za-z0-9]{0,20}(?:-[A-Za-z0-9]{1,20}){0,5}(?![\w'])"
)
_LETTER = re.compile(
    r"(?P<letter>[a-z])(?![\w'])(?:[\s,]{1,3}(?:as in|like|for)\s{1,3}[a-z]{2,15})?", re.IGNORECASE
)
_LETTERS = re.compile(r"[A-Z]{2,4}(?![\w'])")
_GAP = re.compile(r"[\s,.-]{0,3}(?:(?:dash|hyphen)\s{1,3}(?=\w))?", re.IGNORECASE)
_SPELLED = re.compile(r"\w(?:-\w)+")


@dataclass(frozen=True, slots=True)
class Code:
    """A code in capitals, and where it stands."""

    value: str
    start: int
    end: int


def read_code(text: str, start: int) -> Code | None:
    """Read the code that begins exactly at an offset.

    A hyphen inside a written code stays (`A-17`, `55810-7`), one between spelled signs
    goes ("4-8-2-1" is `4821`).

    Returns:
        None when nothing begins there that holds a digit, has 2 to 24 signs and is no
        payment card's number.
    """
    parts: list[tuple[str, int]] = []
    place = start
    while part := _part(text, place):
        parts.append(part)
        gap = _GAP.match(text, part[1])
        place = gap.end() if gap else part[1]
    while parts and parts[-1][0] in {"I", "A"} and len(parts) > 1:
        parts.pop()  # "4821, I think"
    value = "".join(said for said, _ in parts).upper()
    is_long_enough = CODE_CHARACTERS[0] <= len(value) <= CODE_CHARACTERS[1]
    if not is_long_enough or not any(sign.isdigit() for sign in value):
        return None
    return None if is_card_number(value.replace("-", "")) else Code(value, start, parts[-1][1])


def _part(text: str, place: int) -> tuple[str, int] | None:
    """One written token, one letter, or one run of digits, and where it ends."""
    written = _WRITTEN.match(text, place)
    if written and not _SPELLED.fullmatch(written.group()):
        return written.group().upper(), written.end()
    run = digit_run(text, place)
    if run:
        return run.digits, run.end
    letters = _LETTERS.match(text, place)
    if letters:
        return letters.group(), letters.end()
    letter = _LETTER.match(text, place)
    return (letter["letter"].upper(), letter.end()) if letter else None
