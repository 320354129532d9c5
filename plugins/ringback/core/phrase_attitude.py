"""What an attitude is of and whether it is meant: "I can't stand it", "oh I just love waiting"."""

from __future__ import annotations

import re

from ringback.core.phrase_context import Clause
from ringback.core.phrase_text import REACH, english_items
from ringback.core.phrase_value import Value
from ringback.core.reading import Reading
from ringback.schemas import Field

THING = "thing"
"""The kind of entity that people like and dislike."""

_IT = re.compile(
    r"[\s,]{1,3}(?P<it>it|that|them|those)(?=\s{0,3}(?:$|[.,;!]|(?:any ?more|now|too|as well|a lot|very much|"
    r"so much|but|and|though|at all|either|myself)\b))",
    re.IGNORECASE,
)
_ATTITUDE = re.compile(
    r"\b(?:likes?|loves?|loved|liked|enjoys?|adores?|hates?|hated|dislikes?|can't stand|fond of|into|fan of)\s{1,3}",
    re.IGNORECASE,
)
_UNLIKELY = re.compile(
    r"[\s,]{1,3}(?:waiting|being (?:put|kept|charged|billed|told|transferred|ignored|on hold)|paying|"
    r"listening to (?:your|that|this|hold|the)|calling|having to|getting (?:charged|billed|transferred)|"
    r"repeating|talking to (?:a |your )?(?:machines?|robots?|computers?|bots?)|how you|when you|your)\b",
    re.IGNORECASE,
)
_LOVE = re.compile(r"\b(?:love|like|enjoy|adore)s?\b(?!.*\b(?:don't|not)\b)", re.IGNORECASE)
_MOCKING = re.compile(
    r"\b(?:oh|yeah|sure|great|wonderful|of course),?\s+(?:how\s+)?i\s+(?:just|so|really)\s", re.I
)


def just_named(
    reading: Reading, clause: Clause, match: re.Match[str], field: Field
) -> tuple[Value, ...]:
    """What "it" stands for behind an attitude: of "she likes jazz but I can't stand it", jazz."""
    text = reading.text
    it = _IT.match(text, match.end(), clause.end)
    if field.object_kind != THING or it is None:
        return ()
    start = max(0, match.start() - REACH)
    spoken_of = list(_ATTITUDE.finditer(text, start, match.start()))
    if not spoken_of:
        return ()
    pieces = english_items(text, spoken_of[-1].end(), match.start(), word_before="")
    if len(pieces) != 1:
        return ()
    return (Value(pieces[0].value, it.start("it"), it.end("it")),)


def is_mocking(text: str, clause: Clause, match: re.Match[str], field: Field) -> bool:
    """Nobody loves it: "oh I just love waiting on hold", "I love being charged twice"."""
    is_love = field.object_kind == THING and _LOVE.search(match.group())
    return bool(is_love) and bool(
        _UNLIKELY.match(text, match.end(), clause.end)
        or _MOCKING.search(text[clause.start : match.end()])
    )
