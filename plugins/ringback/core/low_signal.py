"""Turns that say nothing memory could use: "okay", "嗯嗯", "uh-huh". History keeps them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ringback.records import Role, Turn
from ringback.text import is_filler, one_line, plain

_ASKS = re.compile(r"(?:[?？]|[嗎吗呢]|ですか|ますか|나요|가요|까요|습니까)\W*$")  # noqa: RUF001
_DENIES = re.compile(r"\b(?:no|nope)\b|不|沒有|没有", re.IGNORECASE)
_EMPTY = re.compile(  # beside what `is_filler` knows: English and Chinese
    r"[对對是好行]{2,}(?:的|了)?|はい|うん|ええ|あの|えっと|えーと|そうですね|なるほど|もしもし"
    r"|(?:どうも)?ありがとう(?:ございます)?|すみません"
    r"|네|예|응|음|그렇군요|여보세요|안녕하세요|감사합니다|고맙습니다"
    r"|\b(?:ja|jo|genau|gut|danke|bitte|hallo|ähm?|aha|s[ií]|vale|claro|bueno|gracias|hola|eh"
    r"|oui|d'accord|merci|bonjour|euh|ben|voilà|certo|grazie|pronto|uh|huh|mm+|hm+|mhm+)\b",
    re.IGNORECASE,
)


def is_low_signal(text: str, *, asked: str = "") -> bool:
    """A turn that says nothing: assent, thanks or hesitation that answer no question.

    A "no" says something whatever was said before it.

    Args:
        text: The turn's.
        asked: What the other one said last: to a question, "yes" is an answer.
    """
    if asks(asked):
        return not text.strip()
    said = one_line(plain(text))
    return is_filler(_EMPTY.sub(" ", said)) and not _DENIES.search(said)


def telling(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns that say something, in order."""
    kept: list[Turn] = []
    asked = ""
    for turn in turns:
        of_caller = turn.role is Role.CALLER
        if not is_low_signal(turn.text, asked=asked if of_caller else ""):
            kept.append(turn)
        if not of_caller:
            asked = turn.text
        elif not is_low_signal(turn.text):
            asked = ""  # it has been answered; a "hm" is none
    return tuple(kept)


def asks(text: str) -> bool:
    """It ends with a question."""
    return bool(_ASKS.search(plain(text)))
