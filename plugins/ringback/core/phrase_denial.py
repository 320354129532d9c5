"""All values of a key denied at once: "I have no allergies", "I don't take any medication"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ringback.core.phrase_context import Clause, hedged_after, lead_stance
from ringback.core.phrase_pattern import NO_LONGER, VALUE, compiled
from ringback.core.reading import AMBIGUOUS, SURE
from ringback.core.relatives import CHINESE, ENGLISH, NAMED
from ringback.schemas import Field

_GAP = r"[\s,]{1,4}"
_VERBS = (
    r"(?:have|has|had|never|haven't|hasn't|got|don't|doesn't|do not|does not|not|am|is|isn't|take|takes|"
    r"taking|use|using|on|suffer|from|currently|really|know|of|aware|with)"
)
_ENDS = (  # "no allergies to food" leaves others, "no pet food" is of something else
    "that|which|at|right|now|as|so|and|but|or|because|though|currently|anymore|any more|except|"
    "besides|apart|aside|other|yet|since|whatsoever|i|whom|who"
)
_NEGATED = re.compile(r"\bno(?:t|ne)?\b|\bnever\b|n't\b", re.IGNORECASE)
_CHINESE_LITERAL = re.compile(r"[\u3400-\u9fff]{2,6}$")


@dataclass(frozen=True, slots=True)
class Denial:
    """How a field is denied as a whole."""

    patterns: tuple[str, ...]
    anchors: tuple[str, ...]
    """What the words must hold, one for each pattern."""


@dataclass(frozen=True, slots=True)
class Denied:
    """Where it was denied, and of whom."""

    who: str
    start: int
    end: int
    confidence: float


def denial(field: Field) -> Denial:
    """Make ready how a field's label, and the ends of its Chinese phrases, are denied."""
    patterns = [_english(field.label)]
    anchors = [field.label.lower().removesuffix("y")]
    for phrase in field.phrases:
        literal = _CHINESE_LITERAL.search(phrase.rpartition(VALUE)[2])
        if literal and not phrase.startswith(NO_LONGER) and phrase.startswith("我"):
            patterns.append(
                rf"(?P<who>我(?:的)?{CHINESE}|[他她]|我)(?:[並并从從]?[沒没]有?|[並并从從]?不會?)"
                rf"(?:任何|什麼|什么|對任何東西|对任何东西)?{re.escape(literal.group())}"
            )
            anchors.append(literal.group())
    return Denial(tuple(patterns), tuple(anchors))


def denied(text: str, clause: Clause, how: Denial) -> Iterator[Denied]:
    """Find where a clause denies all values of a field."""
    for pattern, anchor in zip(how.patterns, how.anchors, strict=True):
        if anchor not in clause.lowered:
            continue
        for match in compiled(pattern).finditer(text, clause.start, clause.end):
            sense = lead_stance(text, clause, match.start())
            if sense is None or _denies(match.group()) == sense.is_negated:
                continue
            is_hedged = sense.is_hedged or hedged_after(text, match.end())
            yield Denied(
                match.groupdict().get("who") or "",
                match.start(),
                match.end(),
                AMBIGUOUS if is_hedged else SURE,
            )


def _denies(words: str) -> bool:
    """The words deny by themselves: "I have no", "I don't have any", 我沒有."""
    return not words.isascii() or bool(_NEGATED.search(words))


def _english(label: str) -> str:
    """The pattern of "I have no known allergies", and of "no allergies" by itself."""
    some = label_pattern(label)
    stated = (
        rf"\b(?P<who>my\s+{ENGLISH}{NAMED}?|he|she|I)\b(?:'m|'ve|'s)?"
        rf"(?:{_GAP}{_VERBS}\b){{0,5}}{_GAP}(?:no|any)\s{{1,3}}(?:known\s{{1,3}})?{some}"
    )
    alone = (
        rf"(?<![\w'] )(?:there\s{{1,3}}are\s{{1,3}})?\bno\s{{1,3}}(?:known\s{{1,3}})?{some}"
        r"(?=\s{0,3}(?:[.!,]|$))"
    )
    end = rf"(?=\s{{0,3}}(?:$|[.,;:!?]|(?:{_ENDS})\b))"
    return rf"(?:{stated}{end}|{alone})"


def label_pattern(label: str) -> str:
    """The pattern of a label in the singular and the plural, in lower case."""
    words = r"\s{1,3}".join(re.escape(word) for word in label.lower().split())
    if words.endswith("child"):
        return rf"{words}(?:ren)?\b"
    if words.endswith("y"):
        return rf"{words[:-1]}(?:y|ies)\b"
    return rf"{words}(?:e?s)?\b"
