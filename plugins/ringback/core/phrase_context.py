"""What the words around a phrase make of it: asked, supposed, denied, doubted, or said."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ringback.core.phrase_pattern import Stance
from ringback.core.reading import is_question, statements

REACH = 120  # characters before a phrase that can bear on it

_CHINESE_BREAK = re.compile(r"[。！？；]")
_CHINESE_QUESTION = re.compile(r"(?:嗎|吗|呢)\W*$|是不是|是否|會不會|会不会|有沒有|有没有|要不要")
_CHINESE_HYPOTHETICAL = re.compile(r"如果|要是|假如|假設|假设|萬一|万一|的話|的话|除非")
_PART = re.compile(
    r"[,;:()，；：]|\s-\s|\b(?:because|cause|so|and|but|since|although|though|as|or|then)\b"
    r"|因為|因为|所以|而且|但是|但|然後|然后",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:if|whether|unless|in case|suppose|supposing|imagine|wonder\w*|ask\w*|what|who|whose|"
    r"when|whenever|where|why|how|pretend|lie|lied|wish|hope|say|saying|until|till|before)\b"
    r"|\b(?:are|is|do|does|did|can|could|would|will|have|has) (?:you|we|they|he|she|it|i)\b"
    r"|\b(?:do|does|did|can|could|should|shall|may|must|will|would|is|are|was|have|has|am)\s*$"
    r"|\b(?:you|they) (?:think|say|said|thought|claim)\b|\"\s*$"
    r"|不知道|以為|以为|問|问|聽說|听说",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|nobody|no one|hardly|neither|nor|deny|denied)\b|n't\b", re.IGNORECASE
)
_BELIEVED = re.compile(
    r"\b(?:think|thinks|believe|believes|sure|certain|guess|suppose|suspect|suspects)\b"
    r"|覺得|觉得|認為|认为|猜|懷疑|怀疑|可能|也許|也许|好像|大概|應該|应该",
    re.IGNORECASE,
)
_SURE = re.compile(r"\b(?:sure|certain)\b", re.IGNORECASE)
_DOUBTED = re.compile(r"\b(?:maybe|perhaps|probably|possibly|apparently|might)\b", re.IGNORECASE)
_HEDGED_AFTER = re.compile(
    r"[\s,]{0,3}(?:or something|i think|i guess|i believe|i suppose|i suspect|maybe|probably|"
    r"perhaps|possibly|(?:but )?i'm not (?:\w+ )?sure|not sure)\b|[\s，]{0,2}(?:吧|我猜|我想|不確定|不确定)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence that states something."""

    start: int
    end: int
    lowered: str
    """Its words in lower case."""

    def part_start(self, text: str, place: int) -> int:
        """Where the part of it that holds `place` begins: behind a comma, "and", "because"."""
        start = max(self.start, place - REACH)
        for cut in _PART.finditer(text, start, place):
            start = cut.end()
        return start


def clauses(text: str) -> Iterator[Clause]:
    """Split a turn into sentences that ask, suppose and instruct nothing."""
    for span in statements(text):
        if is_question(text[span.start : span.end]):
            continue
        start = span.start
        cuts = [match.start() for match in _CHINESE_BREAK.finditer(text, span.start, span.end)]
        for cut in [*cuts, span.end]:
            words = text[start:cut]
            is_asked = text[cut : cut + 1] == "？" or _CHINESE_QUESTION.search(words)
            if words.strip() and not is_asked and not _CHINESE_HYPOTHETICAL.search(words):
                yield Clause(start, cut, words.lower())
            start = cut + 1


def lead_stance(text: str, clause: Clause, place: int) -> Stance | None:
    """Read the words before a phrase, in its own part of the sentence.

    Returns:
        None when the phrase states nothing there: "ask whether I'm", "I never said I'm".
    """
    lead = text[clause.part_start(text, place) : place]
    if _ASKED.search(lead):
        return None
    is_believed = bool(_BELIEVED.search(lead))
    if not _DENIED.search(lead):
        # "I'm sure that" doubts nothing.
        is_hedged = is_believed and not _SURE.search(lead)
        return Stance(is_hedged=is_hedged or bool(_DOUBTED.search(lead)))
    if not is_believed:
        return None
    # "I don't think I'm" leans to no; "I'm not sure I'm" leans to neither.
    return Stance(is_negated=not _SURE.search(lead), is_hedged=True)


def hedged_after(text: str, end: int) -> bool:
    """The words behind a statement take some of it back: ", I think"."""
    return bool(_HEDGED_AFTER.match(text, end))
