"""What kind of answer a question waits for: an amount, a time, a name; a text without is none.

"How much is my rent?" is not answered by how the rent is paid, however alike the words are.
"""

from __future__ import annotations

import re

from ringback.core.given_names import GIVEN_NAMES
from ringback.core.recall.timeframe import asks_when, tells_when
from ringback.core.relatives import CHINESE, ENGLISH

_AMOUNT_ASKED = re.compile(
    r"\bhow (?:much|many|old|long|far|tall|heavy|big)\b"
    r"|\b(?:cost|costs|price|fee|fees|balance|interest)\b"
    r"|多少|幾歲|几岁|多大|幾個|几个|幾次|几次|多久|費用|费用|いくら|何歳|何人|얼마|몇",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|quarter|double|twice|once"
    r"|couple|dozen|per cent|percent|free|none)\b|[一二三四五六七八九十百千萬万半兩两幾几]",
    re.IGNORECASE,
)
_TIME_ASKED = re.compile(
    r"\bhow soon\b|\bwhat days?\b|\bwhich days?\b|幾點|几点|哪幾天|哪几天", re.I
)
_TIME = re.compile(
    r"\b(?:mornings?|afternoons?|evenings?|nights?|noon|midnight|o'clock|[ap]\.?m\.?|daily|weekly"
    r"|monthly|weekdays?|weekends?|before|after|until|since|spring|summer|autumn|winter|always"
    r"|never|now|already|still|waiting|moment)\b|[早晚上下中]午|[早晚]上|點|点|時|时|週|周|季",
    re.IGNORECASE,
)
_NAME_ASKED = re.compile(r"\bwho(?:'s|se|m)?\b|\bname\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?<=[a-z0-9,;:'\"] )[A-ZÀ-ÖØ-Þ][\w'-]+|^[A-ZÀ-ÖØ-Þ][\w'-]+ [A-ZÀ-ÖØ-Þ]")
_RELATIVE = re.compile(rf"\b{ENGLISH}|{CHINESE}", re.IGNORECASE)
_NEIGHBOUR = re.compile(r"\b(?:neighbou?r|manager|nurse|doctor|agent|landlord|teacher)s?\b", re.I)


def may_answer(text: str, question: str) -> bool:
    """A text holds what the question waits for, as far as that can be told.

    Args:
        text: What is remembered.
        question: In English, Chinese, Japanese or Korean.
    """
    if _AMOUNT_ASKED.search(question) and not _AMOUNT.search(text):
        return False
    is_time = asks_when(question) or _TIME_ASKED.search(question)
    if is_time and not (tells_when(text) or _TIME.search(text) or _AMOUNT.search(text)):
        return False
    return not _NAME_ASKED.search(question) or _names_somebody(text)


def _names_somebody(text: str) -> bool:
    if _CAPITALISED.search(text) or _RELATIVE.search(text) or _NEIGHBOUR.search(text):
        return True
    if not text.isascii():
        return True
    return any(word in GIVEN_NAMES for word in re.findall(r"[a-z]+", text.lower()))
