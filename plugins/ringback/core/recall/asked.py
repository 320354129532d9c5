"""What a question asks for: its terms, whom it names, which key, which code, which time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from ringback.core.dates import MONTHS, WEEKDAYS
from ringback.core.entities import PERSON, entity_ref
from ringback.core.given_names import GIVEN_NAMES
from ringback.core.recall.timeframe import Frame, asks_when, frames, without_times
from ringback.core.recall.topics import keys_asked
from ringback.core.relatives import CHINESE, ENGLISH, relation
from ringback.schemas import Schema
from ringback.terms import terms
from ringback.text import capped, one_line, plain

MAX_QUESTION = 1_000  # characters; nobody asks more in one breath, and 50 kB is no question
CODE_DIGITS = 4  # of a number that names one thing; fewer count or measure

_YEAR = re.compile(r"(?:19|20)\d\d")
_CAPITALISED = re.compile(r"(?<![\w'])(?-i:[A-ZÀ-ÖØ-Þ])[\w-]*[a-zà-ÿ][\w-]*(?=(?P<own>'s)?\b)")
_NOT_NAMES = frozenset(
    {"i", "mr", "mrs", "ms", "dr", "the", "a", "an", "my", "your", *WEEKDAYS, *MONTHS}
)
_ASKED_OF = re.compile(
    r"\b(?:did|does|do|is|was|are|were|has|have|had|will|would|could|can|should|might|and|or)"
    r"\s+$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(rf"(?<![\w-])(?P<english>{ENGLISH})|(?P<chinese>{CHINESE})", re.IGNORECASE)
_LABEL = re.compile(r"(?<![A-Za-z0-9-])[A-Za-z]{1,4}-?\d{1,6}(?![A-Za-z0-9-])")
_OWN = re.compile(rf"\b(?:my|our|mine|i|me|we)\b|我(?!的?{CHINESE})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a question, as it was written."""

    text: str
    is_asked_of: bool
    """It is somebody the question is about: "did Rosa", "Rosa's", or a known given name."""
    is_owner: bool = False
    """"Rosa's": what is asked for is theirs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read."""

    text: str
    """One line, capped."""
    terms: tuple[str, ...]
    """What full text is asked with."""
    names: tuple[Name, ...]
    relatives: tuple[str, ...]
    """References of people by what they are to the caller: `person:mother`."""
    keys: tuple[str, ...]
    """Keys of the schema that it asks for."""
    codes: frozenset[str]
    """Digits of codes that it names: an answer with another code of as many is none."""
    labels: frozenset[str]
    """Names of things such as "b-22", in lower case."""
    frames: tuple[Frame, ...]
    """Stretches of time that it asks about; any of them fits."""
    asks_when: bool
    is_of_self: bool
    """"My", "I", 我: what is the profile's own."""

    def without(self, names: Iterable[str]) -> str:
        """The question's words without some names and without times: its topic."""
        topic = without_times(self.text)
        for name in names:
            topic = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", " ", topic, flags=re.I)
        return " ".join(topic.split())


def read_question(text: str, schema: Schema, *, at: datetime, zone: str = "UTC") -> Asked:
    """Read a question.

    Args:
        text: Any text at all; what is over `MAX_QUESTION` characters is not looked at.
        schema: Its labels are keys.
        at: When it is asked, aware.
        zone: Whose days "yesterday" counts in, an IANA name.
    """
    line = capped(one_line(plain(text[: MAX_QUESTION * 4])), MAX_QUESTION)
    return Asked(
        text=line,
        terms=terms(line),
        names=tuple(_names(line)),
        relatives=tuple(relatives_in(line)),
        keys=keys_asked(line, schema),
        codes=codes(line),
        labels=frozenset(found.casefold() for found in _LABEL.findall(line)),
        frames=frames(line, at, zone),
        asks_when=asks_when(line),
        is_of_self=bool(_OWN.search(line)),
    )


def codes(text: str) -> frozenset[str]:
    """Digits of the codes in a text: numbers that name one thing; years are none."""
    digits = (re.sub(r"\D", "", term) for term in terms(text))
    return frozenset(
        code for code in digits if len(code) >= CODE_DIGITS and not _YEAR.fullmatch(code)
    )


def _names(line: str) -> Iterator[Name]:
    seen: set[str] = set()
    for match in _CAPITALISED.finditer(line):
        word = match[0].removesuffix("'s")
        is_given = word.lower() in GIVEN_NAMES
        if word.lower() in _NOT_NAMES | seen or not (is_given or _may_be_name(word, match.start())):
            continue
        seen.add(word.lower())
        asked_of = match["own"] or _ASKED_OF.search(line[: match.start()])
        yield Name(word, is_asked_of=is_given or bool(asked_of), is_owner=bool(match["own"]))
    for match in re.finditer(r"(?<![\w'])[a-z]+(?P<own>'s)?", line):
        word = match[0].removesuffix("'s")
        if word in GIVEN_NAMES and word not in seen:
            seen.add(word)  # "the max price" is about nobody
            asked_of = match["own"] or _ASKED_OF.search(line[: match.start()])
            yield Name(word, is_asked_of=bool(asked_of), is_owner=bool(match["own"]))


def _may_be_name(word: str, place: int) -> bool:
    """A capital at the beginning makes none, nor does one of "What's" after a greeting."""
    return place > 0 and bool(terms(word))


def relatives_in(line: str) -> Iterator[str]:
    """References of the people that a text speaks of by what they are, each once."""
    seen: set[str] = set()
    for match in _RELATIVE.finditer(line):
        role = relation(match["english"] or match["chinese"])
        if role not in seen:
            seen.add(role)
            yield entity_ref(PERSON, role)
