"""What kind of answer a question waits for: an amount, a time, a name; a text without is none.

"How much is my rent?" is not answered by how the rent is paid, however alike the words are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """What a question waits for, as far as that can be told."""

    is_amount: bool = False
    is_time: bool = False
    is_name: bool = False
    number_of: frozenset[str] = frozenset()
    """Of what the number is: a contract's is not the number of a telephone."""

    @property
    def is_measured(self) -> bool:
        """Only something with a number or a time in it can be the answer."""
        return self.is_amount or self.is_time

    @property
    def is_any(self) -> bool:
        """Anything may be the answer."""
        return not (self.is_measured or self.is_name or self.number_of)

    def fits(self, text: str, *, is_of_person: bool = False) -> bool:
        """A text holds what is waited for.

        Args:
            text: What is remembered, with the key that it stands under.
            is_of_person: It is a fact about somebody, or names them: that tells who.
        """
        return (
            (not self.number_of or self.number_of <= set(terms(text)))
            and (not self.is_amount or bool(_AMOUNT.search(text)))
            and (not self.is_time or _tells_time(text))
            and (not self.is_name or is_of_person or _names_somebody(text))
        )


def awaited(question: str) -> AnswerKind:
    """Read what kind of answer a question waits for: English, Chinese, Japanese or Korean."""
    number = _NUMBER_ASKED.search(question)
    of = number["of"].lower() if number is not None else ""
    return AnswerKind(
        is_amount=bool(_AMOUNT_ASKED.search(question)),
        is_time=asks_when(question) or bool(_TIME_ASKED.search(question)),
        is_name=bool(_NAME_ASKED.search(question)),
        number_of=frozenset(terms(of)) if of not in _ANY_NUMBER else frozenset(),
    )


def _tells_time(text: str) -> bool:
    return tells_when(text) or bool(_TIME.search(text) or _AMOUNT.search(text))


def _names_somebody(text: str) -> bool:
    if not text.isascii() or _CAPITALISED.search(text) or _SOMEBODY.search(text):
        return True
    return any(word in GIVEN_NAMES for word in re.findall(r"[a-z]+", text.lower()))
