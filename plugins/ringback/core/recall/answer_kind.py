"""What kind of answer a question waits for: an amount, a time, a name; a text without is none.

"How much is my rent?" is not answered by how the rent is paid, however alike the words are.
"""

from __future__ import annotations

import re

from ringback.core.given_names import GIVEN_NAMES
from ringback.core.recall.timeframe import asks_when, tells_when
from ringback.core.relatives import CHINESE, ENGLISH
from ringback.terms import terms

_AMOUNT_ASKED = re.compile(
    r"\bhow (?:much|many|old|far|tall|heavy|big)\b"
    r"|\b(?:cost|costs|price|fee|fees|balance|interest)\b"
    r"|多少|幾歲|几岁|多大|幾個|几个|幾次|几次|費用|费用|いくら|何歳|何人|얼마|몇",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|quarter|double|twice|once"
    r"|couple|dozen|per cent|percent|free|none"
    r"|\w*(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|teenth|tieth))\b"
    r"|[一二三四五六七八九十百千萬万半兩两幾几]",
    re.IGNORECASE,
)
_TIME_ASKED = re.compile(
    r"\bhow (?:soon|long)\b|\b(?:what|which) days?\b|幾點|几点|哪幾天|哪几天|多久", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(?:mornings?|afternoons?|evenings?|nights?|noon|midnight|o'clock|[ap]\.?m\.?|daily|weekly"
    r"|monthly|weekdays?|weekends?|before|after|until|since|spring|summer|autumn|winter|always"
    r"|never|now|already|still|waiting|moment|christmas|easter)\b"
    r"|[早晚上下中]午|[早晚]上|點|点|時|时|週|周|季",
    re.IGNORECASE,
)
_NUMBER_ASKED = re.compile(r"\b(?P<of>[a-z]+) (?:number|code|id|reference)\b", re.IGNORECASE)
_ANY_NUMBER = frozenset({"my", "our", "your", "his", "her", "their", "the", "that", "a", "which"})
_WHO = re.compile(r"\bwho(?:'s| is| are| was)\b|誰|谁|だれ|누구", re.IGNORECASE)
_NAME_ASKED = re.compile(r"\bwho(?:'s|se|m)?\b|\bname\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?<=[a-z0-9,;:'\"] )[A-ZÀ-ÖØ-Þ][\w'-]+|^[A-ZÀ-ÖØ-Þ][\w'-]+ [A-ZÀ-ÖØ-Þ]")
_SOMEBODY = re.compile(
    rf"\b{ENGLISH}|{CHINESE}"
    r"|\b(?:neighbou?r|manager|nurse|doctor|agent|landlord|teacher|boss|colleague)s?\b",
    re.IGNORECASE,
)


def asks_who(question: str) -> bool:
    """It asks who somebody is."""
    return bool(_WHO.search(question))


def asks_for_amount_or_time(question: str) -> bool:
    """Only something with a number or a time in it can be the answer."""
    asked = _AMOUNT_ASKED.search(question) or _TIME_ASKED.search(question)
    return bool(asked) or asks_when(question)


def may_answer(text: str, question: str, *, is_of_person: bool = False) -> bool:
    """A text holds what the question waits for, as far as that can be told.

    Args:
        text: What is remembered, with the key that it stands under.
        question: In English, Chinese, Japanese or Korean.
        is_of_person: It is a fact about somebody, or names them: that tells who.
    """
    return (
        _is_of_the_number(text, question)
        and (not _AMOUNT_ASKED.search(question) or bool(_AMOUNT.search(text)))
        and (not _asks_time(question) or _tells_time(text))
        and (is_of_person or not _NAME_ASKED.search(question) or _names_somebody(text))
    )


def _is_of_the_number(text: str, question: str) -> bool:
    """A contract's number is not the number of a telephone."""
    asked = _NUMBER_ASKED.search(question)
    if asked is None or asked["of"].lower() in _ANY_NUMBER:
        return True
    return set(terms(asked["of"])) <= set(terms(text))


def _asks_time(question: str) -> bool:
    return asks_when(question) or bool(_TIME_ASKED.search(question))


def _tells_time(text: str) -> bool:
    return tells_when(text) or bool(_TIME.search(text) or _AMOUNT.search(text))


def _names_somebody(text: str) -> bool:
    if not text.isascii() or _CAPITALISED.search(text) or _SOMEBODY.search(text):
        return True
    return any(word in GIVEN_NAMES for word in re.findall(r"[a-z]+", text.lower()))
