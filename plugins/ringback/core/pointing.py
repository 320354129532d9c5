"""Words that name nothing and point at what does: "that one", "the latter", 跟上次一樣."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from ringback.core.chinese.signs import simplified
from ringback.text import folded

T = TypeVar("T")

_NOUN = r"(?:one|option|choice|time|slot|date|day|number|code|place|address|person|thing)"
_ONCE = (
    r"(?:last (?:time|week|month|year|call|visit|one)|before|always|usual|ever|yesterday|"
    r"the (?:other|last|previous) (?:time|day|one|call)|previously|in the past)"
)
_EARLIER = "(?:上一?次|上回|之前|以前|先前|昨天|前天|上周|上个月|去年|平常|平时|往常|一直以来)"
_LIKE = "(?:一样|相同|同样|那样)"
_CHINESE_NOUN = "(?:那?个(?:时间|地址|地方|号码|电话)?|时间|地址|地方|号码|电话)"
_ELSEWHERE = re.compile(
    rf"(?:(?:the|my|our) )?(?:very )?same(?: {_NOUN})?,? (?:as|like) {_ONCE}"
    rf"|(?:just )?(?:as|like) {_ONCE}|(?:the|my|our) usual(?: {_NOUN})?"
    rf"|(?:the |my )?(?:last|previous|old) (?:time|one)(?:'s)?(?: {_NOUN})?"
    rf"|[跟和同与像照]{_EARLIER}的?{_LIKE}?的?{_CHINESE_NOUN}?(?:就好|就行)?"
    rf"|{_EARLIER}(?:的?{_LIKE}的?{_CHINESE_NOUN}?|的?{_CHINESE_NOUN})"
    r"|老样子|照旧|照常"
)
"""What was in another call, or on file: this call does not say it."""
_THIS = re.compile(
    rf"(?:this|that)(?: same)? {_NOUN}|(?:the|that) (?:very )?same(?: {_NOUN})?|(?:the )?{_NOUN} you (?:said|mentioned)"
    r"|[这那](?:一?个|支|组)(?:时间|时段|时候|日期|号码|地址)?|同[样一]?个?的?(?:时间|时段|日期|号码)?|一样的?(?:时间|时段|日期|号码)?"
)
_NTH = MappingProxyType(
    {
        0: re.compile(
            rf"(?:the )?(?:first|former)(?: {_NOUN})?|第一[个支组]|前者|前[面一]的?那?个"
        ),
        1: re.compile(rf"(?:the )?second(?: {_NOUN})?|第二[个支组]"),
        2: re.compile(rf"(?:the )?third(?: {_NOUN})?|第三[个支组]"),
        -1: re.compile(rf"(?:the )?(?:latter|last)(?: {_NOUN})?|后者|后[面一]的?那?个|最后一?个"),
    }
)
_BY_TIME = MappingProxyType(
    {
        0: re.compile(rf"(?:the )?earlier(?: {_NOUN})?|早一?点?的(?:那个)?"),
        -1: re.compile(rf"(?:the )?later(?: {_NOUN})?|晚一?点?的(?:那个)?"),
    }
)


class Aim(StrEnum):
    """Where words point."""

    CALL = "what this call said"
    CHOICE = "one of several that this call said"
    ELSEWHERE = "what another call said"


@dataclass(frozen=True, slots=True)
class Pointer:
    """What words that name nothing point at."""

    aim: Aim
    place: int = 0
    """Of a choice: which, from 0; -1 is the last."""
    is_by_time: bool = False
    """The choice is counted as the dates come, not as they were said."""


def pointer(words: str) -> Pointer | None:
    """Tell where words point that name nothing themselves; None for all other words."""
    plain = simplified(folded(words)).strip(" ,.!。")
    if _ELSEWHERE.fullmatch(plain):
        return Pointer(Aim.ELSEWHERE)
    if _THIS.fullmatch(plain):
        return Pointer(Aim.CALL)
    for counted, is_by_time in ((_NTH, False), (_BY_TIME, True)):
        for place, pattern in counted.items():
            if pattern.fullmatch(plain):
                return Pointer(Aim.CHOICE, place, is_by_time)
    return None


def pointed_at(
    pointing: Pointer, options: Sequence[T], *, time_of: Callable[[T], str] | None = None
) -> T | None:
    """The one of some different values that is meant; None where that is not clear.

    Args:
        pointing: Where words point.
        options: What was said last, each once, in the order it was said.
        time_of: When they are, as ISO 8601; None where they are no dates.
    """
    if pointing.is_by_time:
        if time_of is None:
            return None
        options = sorted(options, key=time_of)
    if pointing.aim is Aim.CALL:
        return options[0] if len(options) == 1 else None
    if pointing.aim is Aim.ELSEWHERE or len(options) < 2 or pointing.place >= len(options):
        return None
    return options[pointing.place]
