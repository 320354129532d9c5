"""How a schema's phrase is recognised: "I'm allergic to {value}", 「我對{value}過敏」.

One phrase stands for the ways in which people vary it: "I am", "I'm also", "I might be",
"I'm not", "I used to be", "my mother is", "she isn't". What comes before the value is
matched with whatever auxiliary words there are, and those words are then read for what
they make of it: a statement, a guess, or the opposite.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ringback.core.relatives import CHINESE, ENGLISH, NAMED

VALUE = "{value}"
NO_LONGER = "no longer:"
"""Before a phrase: what it says is that the value does not hold, "no longer: I sold {value}"."""
PATTERNS_KEPT = 2_000  # compiled; a schema has some hundred phrases

_GAP = r"[\s,]{1,4}"  # bounded: a long run of signs must not cost time
_SOFT = (
    r"(?:also|just|really|very|quite|currently|now|still|actually|already|always|only|both|so|"
    r"mainly|mostly|slightly|badly|severely|extremely|highly|too|too much|unfortunately|sadly|"
    r"even|uh|um|er|erm|well|like)"
)
_HEDGE = (
    r"(?:probably|possibly|perhaps|maybe|presumably|apparently|likely|might|could|must|may(?!\s+(?:\d|the\b|\w+(?:st|nd|rd|th)\b))|"
    r"seems? to|appears? to|tend to|think)"
)
_NOT = r"(?:not|never|no longer|neither|hardly)"
_AUXILIARY = (
    r"(?:am|is|are|was|were|be|have|has|do|does|did|isn't|aren't|wasn't|weren't|haven't|hasn't|"
    r"don't|doesn't|didn't|ain't|used to)"
)
_GROUP = (
    rf"(?P<group>(?:'m|'ve|'s|'re)?"
    rf"(?:{_GAP}(?:{_AUXILIARY}|{_HEDGE}|{_NOT}|{_SOFT})\b(?!')){{0,6}})"
)
_I = rf"\b(?P<who>my\s+{ENGLISH}{NAMED}?|he|she|I)(?=\b)"
_MY = rf"\b(?P<who>my\s+{ENGLISH}{NAMED}?'s|his|her|my)\b"
_MINE = rf"\b(?P<who>my\s+{ENGLISH}{NAMED}?'s|his|hers|mine)\b"
_SAME_WORDS = {
    "don't": r"(?:don't|do not|doesn't|does not)",
    "can't": r"(?:can't|cannot|can not)",
    "won't": r"(?:won't|will not)",
    "isn't": r"(?:isn't|is not)",
    "it's": r"(?:it's|it is)",
    "that's": r"(?:that's|that is)",
    "was": r"(?:was|were)",
}

_CHINESE_SIGN = re.compile(r"[\u3400-\u9fff]")
_CHINESE_GROUP = (
    r"(?P<{name}>(?:(?:不再|從不|从不|從來不|从来不|沒有|没有|並不|并不|不會|不会|不|沒|没|可能|也許|"
    r"也许|或許|或许|好像|大概|應該|应该|說不定|说不定|也|都|很|真的|其實|其实|目前|現在|现在|已經|已经|"
    r"一直|有點|有点|嚴重|严重|會|会|比較|比较|最|更|非常|超|蠻|蛮|滿|满|挺|特別|特别|以前|從前|从前|原本|剛剛|刚刚|剛|刚|最近|"
    r"上個月|上个月|上週|上周|去年|今年|前陣子|前阵子|這個月|这个月)){{0,5}})"
)
_CHINESE_I = rf"(?P<who>我(?:的)?{CHINESE}|[他她]|我[們们]?)"
_CHINESE_MY = rf"(?P<who>我(?:的)?{CHINESE}|[他她]|我)的"

_CHINESE_NOT = re.compile(r"[不沒没]")
_CHINESE_OVER = re.compile(r"以前|從前|从前|原本")
_CHINESE_HEDGE = re.compile(r"可能|也許|也许|或許|或许|好像|大概|應該|应该|說不定|说不定")
_NOT_WORDS = re.compile(rf"(?:\b{_NOT}\b|n't\b)", re.IGNORECASE)
_HEDGE_WORDS = re.compile(rf"\b{_HEDGE}\b", re.IGNORECASE)
_SOFT_WORDS = re.compile(rf"\b{_SOFT}\b", re.IGNORECASE)
_USED_TO = re.compile(r"\bused to\b", re.IGNORECASE)


class Verb(StrEnum):
    """Which auxiliary words a phrase may be said with."""

    BE = "be"
    HAVE = "have"
    DO = "do"
    NONE = "none"


_AUXILIARIES = {
    Verb.BE: re.compile(r"(?:do |does |did )?(?:'m|'s|'re|am|is|are|be|ai)"),
    Verb.HAVE: re.compile(r"(?:do |does |did )?(?:'ve|'s|have|has)"),
    Verb.DO: re.compile(r"(?:do|does|did)?"),
    Verb.NONE: re.compile(r""),
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase of a field, ready to be looked for."""

    before: str
    """The pattern of what comes before the value, with the groups `who` and `group`."""
    after: str
    """The pattern of what comes after it; empty when nothing does."""
    verb: Verb
    anchor: str
    """What every way of saying it holds, in lower case; "" when there is nothing."""
    is_withdrawal: bool
    is_chinese: bool
    is_negative: bool
    """It is a denial by itself: "I don't like {value}"."""
    last_word: str
    """The word before the value, in lower case."""
    is_naming: bool = False
    """It names somebody in passing, without a verb: "my daughter {value}"."""


@dataclass(frozen=True, slots=True)
class Stance:
    """What the auxiliary words make of a phrase."""

    is_negated: bool = False
    is_hedged: bool = False
    is_over: bool = False
    """"I used to"."""


@lru_cache(maxsize=PATTERNS_KEPT)
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern once, when a turn first holds its anchor."""
    return re.compile(pattern, re.IGNORECASE)


def parsed(text: str) -> Phrase:
    """Make a phrase of a schema ready to be looked for."""
    said = text.removeprefix(NO_LONGER).strip()
    before, _, after = said.partition(VALUE)
    is_withdrawal = text.startswith(NO_LONGER)
    if _CHINESE_SIGN.search(said):
        return _chinese(before.strip(), after.strip(), is_withdrawal)
    return _english(before.lower().split(), after.lower().split(), is_withdrawal)


def stance(group: str, verb: Verb) -> Stance | None:
    """Read the auxiliary words of a match.

    Args:
        group: As they were said: "'m probably not", "used to be", "don't".
        verb: Which of them the phrase may be said with.

    Returns:
        None when they do not go with the phrase: "I do allergic to".
    """
    words = " ".join(group.lower().replace(",", " ").split())
    hedged = bool(_HEDGE_WORDS.search(words))
    negated = bool(_NOT_WORDS.search(words))
    over = bool(_USED_TO.search(words))
    for pattern in (_USED_TO, _HEDGE_WORDS, _NOT_WORDS, _SOFT_WORDS):
        words = pattern.sub(" ", words)
    if not _AUXILIARIES[verb].fullmatch(" ".join(words.split())):
        return None
    return Stance(is_negated=negated, is_hedged=hedged, is_over=over)


def chinese_stance(group: str) -> Stance:
    """Read the words around a Chinese phrase: 不, 可能, 好像."""
    return Stance(
        is_negated=bool(_CHINESE_NOT.search(_CHINESE_HEDGE.sub("", group))),
        is_hedged=bool(_CHINESE_HEDGE.search(group)),
        is_over=bool(_CHINESE_OVER.search(group)),
    )


def _english(before: list[str], after: list[str], is_withdrawal: bool) -> Phrase:
    subject, verb, rest = _subject(before)
    parts = [subject, *(_GAP + _word(word) for word in rest)]
    if verb is Verb.DO and rest:
        parts[1] = _GAP + _inflected(rest[0])
    if subject == _MY:
        parts, verb = _possession(rest)
    elif subject == _MINE:
        parts, verb = [_MINE, _GROUP, *(_GAP + _word(word) for word in rest[1:])], Verb.BE
    elif subject:
        parts.insert(1, _GROUP)
    elif parts[1:]:
        parts[1] = r"\b" + parts[1].removeprefix(_GAP)
    return Phrase(
        before="".join(parts) + (r"\b" if before else ""),
        after=r"\b" + _GAP.join(_word(word) for word in after) + r"\b" if after else "",
        verb=verb,
        anchor=_anchor(rest, after, verb),
        is_withdrawal=is_withdrawal,
        is_chinese=False,
        is_negative=bool(_NOT_WORDS.search(" ".join(before)) or "can't" in before),
        last_word=before[-1] if before else "",
        is_naming=subject == _MY
        and not after
        and not {"is", "are"} & set(before)
        and len(before) == 2,
    )


def _subject(words: list[str]) -> tuple[str, Verb, list[str]]:
    """Take the subject and its auxiliary off the words before the value."""
    first, rest = (words[0], words[1:]) if words else ("", [])
    second = rest[0] if rest else ""
    if first == "i'm" or (first == "i" and second == "am"):
        return _I, Verb.BE, rest if first == "i'm" else rest[1:]
    if first == "i've" or (first == "i" and second == "have"):
        return _I, Verb.HAVE, rest if first == "i've" else rest[1:]
    if first == "i" and rest:
        return _I, Verb.DO, rest
    if first == "my" and rest:
        return _MY, Verb.NONE, rest
    if first == "mine" and second in {"is", "are"}:
        return _MINE, Verb.NONE, rest
    return "", Verb.NONE, words


def _possession(rest: list[str]) -> tuple[list[str], Verb]:
    """The parts of "my allergy is": "is" is where it may be denied or doubted."""
    place = next((at for at, word in enumerate(rest) if word in {"is", "are"}), -1)
    if place < 1:
        return [_MY, *(_GAP + _word(word) for word in rest)], Verb.NONE
    owned = [_GAP + _word(word) for word in rest[:place]]
    return [_MY, *owned, _GROUP, *(_GAP + _word(word) for word in rest[place + 1 :])], Verb.BE


def _word(word: str) -> str:
    return rf"(?:{_SOFT}{_GAP}){{0,2}}{_SAME_WORDS.get(word, re.escape(word))}"


def _inflected(verb: str) -> str:
    """A verb as "I" and as "she" says it: take, takes; carry, carries."""
    if verb in _SAME_WORDS:
        return _SAME_WORDS[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return rf"{re.escape(verb[:-1])}(?:y|ies)"
    return rf"{re.escape(verb)}(?:e?s)?"


def _anchor(rest: list[str], after: list[str], verb: Verb) -> str:
    words = [word for word in [*rest, *after] if word not in {*_SAME_WORDS, "is", "are"}]
    if verb is Verb.DO and words and words[0] == rest[0]:
        words[0] = words[0].removesuffix("y")
    return max(words, key=len, default="")


def _chinese(before: str, after: str, is_withdrawal: bool) -> Phrase:
    subject = next((one for one in ("我的", "我") if before.startswith(one)), "")
    rest = before.removeprefix(subject)
    said = re.escape(rest)
    if subject:
        owner = _CHINESE_MY if subject == "我的" else _CHINESE_I
        said = owner + _CHINESE_GROUP.format(name="group") + said
    return Phrase(
        before=said,
        after=_CHINESE_GROUP.format(name="tail") + re.escape(after) if after else "",
        verb=Verb.NONE,
        anchor=max(rest, after, key=len),
        is_withdrawal=is_withdrawal,
        is_chinese=True,
        is_negative=bool(_CHINESE_NOT.search(rest)),
        last_word=rest[-1:],
    )
