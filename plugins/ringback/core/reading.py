"""What an extractor is given, what it gives back, and cues that all of them heed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from ringback.core.chinese.clauses import is_instruction as is_chinese_instruction
from ringback.core.masking import Sensitive
from ringback.records import SELF
from ringback.text import Span, sentences

SURE = 0.9  # said in so many words
ANSWERED = 0.85  # the answer to the agent's question
LIKELY = 0.75  # said in passing
AMBIGUOUS = 0.6  # one reading of several; to be read back

ANY_VALUE = "any"
"""The value of a withdrawal that is of all values at once: "I have no allergies"."""

T = TypeVar("T")

_SEPARATOR = r"[\s,.;:-]{0,4}"  # bounded: a long run of signs must not cost time
CORRECTION = re.compile(
    rf"{_SEPARATOR}\b(?:(?:uh|um|er|oh){_SEPARATOR})*"
    r"(?:no|sorry|wait|actually|or rather|rather|i mean|i meant|make that|correction|"
    r"scratch that|oops|hang on|hold on)\b"
    rf"(?:{_SEPARATOR}\b(?:no|sorry|wait|actually|i mean|make that|uh|um|er|on|it's|it is|"
    r"that's|that is|that should be|it should be|is|hang on|hold on))*"
    rf"{_SEPARATOR}(?:\bthe number is\s+)?",
    re.IGNORECASE,
)
"""What comes between a value and the one that takes its place: ", no wait, "."""

_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|override|bypass)\s+(?:all|any|your|the|my|previous|every|these)\b"
    r"|\bforget\s+(?:all|your|the|every)\b.*\b(?:rule|instruction|prompt)"
    r"|\b(?:from now on|whenever (?:i|we) call|every time (?:i|we) call|each time (?:i|we) call)\b"
    r"|\bskip (?:the )?(?:verification|security|identification)"
    r"|^\W{0,8}(?:and |also |so |please )*(?:remember|note|memori[sz]e|store|save|learn)\b"
    r".*\b(?:always|never|whenever|every time|rule|must|free)\b"
    r"|^\W{0,8}(?:and |also |so |please )*(?:always|never)\s+(?:give|grant|tell|say|read|do|let|"
    r"allow|approve|offer|treat|act|obey|follow|ask|verify|waive|refund)\b"
    r"|\byou (?:are now|must now|must always|must never|should always|should never)\b"
    r"|\b(?:system|assistant|developer)\s*:|\bsystem prompt\b|\byour (?:instructions|rules)\b"
    r"|[<>{}\[\]|]",
    re.IGNORECASE,
)
_MASKED = re.compile("|".join(re.escape(kind.token) for kind in Sensitive))
_HYPOTHETICAL = re.compile(
    r"^\W{0,8}(?:and |but |so |well |okay |yes |no )*\W{0,8}"
    r"(?:if|unless|suppose|supposing|imagine|in case|when|whenever|what if|let's say(?!\s+(?:on\s+|next\s+|this\s+|tomorrow|"
    r"\w+day\b|the\s+\w+(?:st|nd|rd|th)\b|\d))|say that)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One turn, as extractors see it."""

    text: str
    """The turn's words with plain signs; same offsets as in the turn."""
    at: datetime
    zone: str
    asked: str = ""
    """What the other side said just before, while that is what is being answered."""
    before: str = ""
    """What this side said just before that."""
    lately: str = ""
    """The last few turns of either side, one a line."""
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values that this call gave so far, by key; the newest of each."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it stands in the turn."""

    key: str
    value: str
    start: int
    end: int
    confidence: float
    subject: str = SELF
    """The entity it speaks of."""
    object: str = ""
    """The entity that the value names, if it is called otherwise than the value."""
    is_withdrawal: bool = False
    is_speculation: bool = False
    valid_from: datetime | None = None


def is_instruction(text: str) -> bool:
    """Somebody tries to tell the agent how to behave, or to look like markup."""
    return bool(_INSTRUCTION.search(_MASKED.sub("", text))) or is_chinese_instruction(text)


def is_hypothetical(sentence: str) -> bool:
    """The sentence speaks of what might be."""
    return bool(_HYPOTHETICAL.match(sentence))


def is_question(sentence: str) -> bool:
    """The sentence is punctuated as a question."""
    return sentence.rstrip(" \"'").endswith("?")


def statements(text: str) -> tuple[Span, ...]:
    """Sentences that instruct nobody and suppose nothing."""
    return tuple(
        span
        for span in sentences(text)
        if not is_instruction(text[span.start : span.end])
        and not is_hypothetical(text[span.start : span.end])
    )


def last_said(
    text: str, first: T, end_of: Callable[[T], int], read: Callable[[int], T | None]
) -> T:
    """Follow corrections from a value on: of "the third, no wait, the fifth", the fifth.

    Args:
        text: Where the value stands.
        first: The value that was read first.
        end_of: Where a value ends.
        read: Reads a value that begins at an offset; None when there is none.
    """
    last = first
    while cue := CORRECTION.match(text, end_of(last)):
        following = read(cue.end())
        if following is None or end_of(following) <= end_of(last):
            break
        last = following
    return last
