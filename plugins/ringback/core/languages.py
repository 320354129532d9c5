"""The language that a caller wants to speak in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.reading import LIKELY, SURE, Found
from ringback.text import Span

LANGUAGES = tuple(
    """
    english spanish french german italian polish portuguese dutch russian ukrainian mandarin
    cantonese chinese japanese korean arabic hindi urdu turkish greek swedish danish norwegian
    finnish czech hungarian romanian vietnamese tagalog hebrew bengali punjabi persian farsi
    bulgarian croatian serbian slovak thai indonesian tamil somali swahili welsh irish
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)
_ANY = f"(?:{'|'.join(LANGUAGES)})"
_LANGUAGE = re.compile(
    r"\b(?:i(?:'d| would)?\s+(?:prefer|rather|like|feel (?:more comfortable|better))\s+(?:to\s+)?"
    r"(?:speak(?:ing)?\s+|talk(?:ing)?\s+|continue\s+|do this\s+)?(?:in\s+)?"
    r"|(?:can|could|may|shall) we\s+(?:please\s+)?(?:speak|talk|continue|do (?:this|it)|switch)\s+"
    r"(?:in\s+|to\s+)?"
    r"|(?:can|could) you\s+(?:please\s+)?(?:speak|talk|answer)\s+(?:to me\s+|with me\s+)?(?:in\s+)?"
    r"|(?:can|could|may) i\s+(?:please\s+)?(?:speak|talk|continue|do this)\s+"
    r"(?:to|with)?\s?(?:some(?:one|body)\s+)?(?:who speaks\s+|in\s+)?"
    r"|(?:is there|do you have|have you got)\s+(?:any(?:one|body)|some(?:one|body))\s+(?:there\s+)?"
    r"(?:who|that)\s+(?:speaks|can speak)\s+"
    r"|(?:i|we) (?:only|just) speak\s+|please speak\s+|let's (?:speak|talk|switch to)\s+(?:in\s+)?"
    r"|my (?:preferred |first )?language is\s+"
    r"|(?:need|want|like|have|get|with) (?:an? )?(?=\w+[ -]speak(?:er|ing)\b))"
    rf"({_ANY})\b",
    re.IGNORECASE,
)
_IN_LANGUAGE = re.compile(
    rf"(?:\bin|^|(?<=[,.!?]\s)) ?({_ANY}),?\s+(?:please|if possible|would be (?:better|easier|best))\b",
    re.IGNORECASE,
)
_POOR_ENGLISH = re.compile(
    r"\bmy english (?:isn't|is not|is)\s+(?:so |very |that |really |too |not )*"
    r"(?:good|bad|poor|great|terrible|limited|weak)\b|\bi (?:don't|do not|can't) speak (?:much |good )?english\b",
    re.IGNORECASE,
)
_SPEAKS = re.compile(rf"\b(?:do you speak|i speak|anyone speak)\s+({_ANY})\b", re.IGNORECASE)
_ASKS_LANGUAGE = re.compile(r"\b(?:which|what) language\b|\blanguage\b[^.]*\?", re.IGNORECASE)
_ANSWER = re.compile(
    rf"^\W{{0,8}}(?:(?:yes|well|uh|um|in|just|i'd say|it's)\s+){{0,3}}({_ANY})(?:,?\s+(?:please|is (?:fine|best|better)|"
    r"would be (?:better|best|great|good)))?\W*$",
    re.IGNORECASE,
)
_NOT_ASKED_FOR = re.compile(
    r"\b(?:not|don't|used to|in school|learning|learn)\b[^,.;]*$", re.IGNORECASE
)


def read_language(text: str, span: Span, asked: str) -> Iterator[Found]:
    """Find the language that one sentence asks for, or gives as an answer."""
    for pattern in (_LANGUAGE, _IN_LANGUAGE):
        for match in pattern.finditer(text, span.start, span.end):
            if not _NOT_ASKED_FOR.search(text[span.start : match.start(1)]):
                yield _found(match, SURE)
    if _POOR_ENGLISH.search(text):  # only then is "do you speak Spanish?" more than a question
        for match in _SPEAKS.finditer(text, span.start, span.end):
            yield _found(match, LIKELY)
    answer = _ANSWER.match(text[span.start : span.end])
    if answer and _ASKS_LANGUAGE.search(asked):
        place = Span(span.start + answer.start(1), span.start + answer.end(1))
        yield Found("language", answer.group(1).capitalize(), place.start, place.end, SURE)


def _found(match: re.Match[str], confidence: float) -> Found:
    return Found("language", match.group(1).capitalize(), match.start(), match.end(), confidence)
