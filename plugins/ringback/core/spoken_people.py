"""Names of people behind a phrase: "Rosa", "Dr. Okafor", "my husband Tom", "Ana and Ben"."""

from __future__ import annotations

import re

from ringback.core.phrase_text import Piece, english_whole
from ringback.core.relatives import ENGLISH, relation

MAX_NAME_WORDS = 3
NAMING_WORDS = frozenset({"is", "are", "called", "named", "name", "be"})
"""Behind one of these a word in small letters is a name, where all letters are small."""

_LEAD_IN = re.compile(
    r"[\s,:]{0,3}(?:(?:uh|um|er|also|called|named|now)\b[\s,]{1,3}){0,2}", re.IGNORECASE
)
_TITLE = r"(?:(?:[Dd]r|[Pp]rof|[Mm]rs?|[Mm]s)\.?\s{1,2}|[Dd]octor\s|[Pp]rofessor\s)?"
_NAME = re.compile(
    rf"(?P<name>{_TITLE}[A-ZÀ-ÖØ-Þ][\w'-]{{0,30}}(?:\s[A-ZÀ-ÖØ-Þ][\w'-]{{0,30}}){{0,{MAX_NAME_WORDS - 1}}})"
)
_RELATIVE = re.compile(rf"(?:my\s{{1,3}})(?P<word>{ENGLISH})[\s,]{{0,3}}", re.IGNORECASE)
_BETWEEN = re.compile(r",?\s{1,3}and\s{1,3}|,\s{1,3}", re.IGNORECASE)
_NO_NAME = re.compile(
    r"(?:I|I'\w+|The|And|But|Yes|No|Okay|OK|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|"
    r"February|March|April|June|July|August|September|October|November|December)\b"
)


def read_people(text: str, start: int, end: int, word_before: str) -> tuple[Piece, ...]:
    """Read the names that begin at an offset.

    Args:
        text: What was said.
        start: Where the first name is to begin, a lead-in not counted.
        end: The end of the sentence; "Dr." ends none.
        word_before: The word before the name, see `NAMING_WORDS`.

    Returns:
        A relative without a name goes by the relation: "my mother" is `mother`.
    """
    people: list[Piece] = []
    place = start
    while (one := _person_at(text, place)) and one.start < end:
        people.append(one)
        joint = _BETWEEN.match(text, one.end, end)
        if joint is None:
            break
        place = joint.end()
    if people or any(sign.isupper() for sign in re.sub(r"\bI\b", "", text)):
        return tuple(people)
    return _in_small_letters(text, start, end) if word_before in NAMING_WORDS else ()


def _person_at(text: str, start: int) -> Piece | None:
    lead = _LEAD_IN.match(text, start)
    begin = lead.end() if lead else start
    relative = _RELATIVE.match(text, begin)
    match = _NAME.match(text, relative.end() if relative else begin)
    if match and not _NO_NAME.match(match["name"]):
        name = match["name"].removesuffix("'s")
        return Piece(name, match.start("name"), match.start("name") + len(name))
    if relative:
        return Piece(relation(relative["word"]), begin, relative.end("word"))
    return None


def _in_small_letters(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """A name where speech recognition writes no capitals: one word, or two."""
    piece = english_whole(text, start, end, word_before="")
    if piece is None or len(piece.value.split()) > 2:
        return ()
    return (Piece(piece.value.title(), piece.start, piece.end),)
