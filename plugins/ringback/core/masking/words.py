"""The words that make numbers, lie between them, or only look like numbers.

English and Chinese, folded: lower case, plain quotes, half-width signs.
"""

from __future__ import annotations

import re

from ringback.text import DIGITS, REPEATS, TEENS, TENS

CJK = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # for a character class

UNITS = {word: digit for word, digit in DIGITS.items() if word != "oh"} | {"nought": "0"}
MULTIPLES = REPEATS | {"treble": 3}
NUMBERS = UNITS | TEENS | {word: digit + "0" for word, digit in TENS.items()}
CJK_DIGITS = dict(zip("零〇○一二三四五六七八九幺两兩", "000123456789122", strict=True))


def _any(*words: str) -> str:
    return "|".join(words)


_UNIT = _any(*UNITS)
_BELOW_HUNDRED = rf"(?:{_any(*TENS)})(?:[\s-]{{1,2}}(?:{_UNIT})\b)?|{_any(*TEENS)}|{_UNIT}"
SPOKEN = re.compile(
    rf"({_BELOW_HUNDRED})\b(?:\s+hundred\b(?:\s+and)?(?:\s+({_BELOW_HUNDRED})\b)?)?"
)
REPEATED = re.compile(rf"({_any(*MULTIPLES)})[\s-]{{1,2}}(oh?|[0-9]|{_UNIT})\b")
NUMBER_AFTER = re.compile(rf"[\s,-]{{0,3}}(?:[0-9]|(?:{_any(*NUMBERS, *MULTIPLES, 'oh', 'o')})\b)")
IS_END = re.compile(r"\s{0,2}[,.;?!]?\s{0,2}$")
SPELLED_ON = re.compile(
    rf"[\s,.-]{{0,3}}(?:[0-9]|(?:{_any(*NUMBERS, *MULTIPLES)}|[a-z])\b|[{CJK}])"
)
"""What follows an "a" that is a letter of an id."""

_MEASURES = _any(
    r"dollars?|bucks|euros?|pounds?|cents?|pence|yen|yuan|rmb|ntd?|usd|eur|gbp|twd|percent",
    r"days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|secs?|moments?|times?",
    r"o'clock|am|pm|a\.m|p\.m|st|nd|rd|th|kg|km|miles?|people|persons?|adults|children|kids",
    r"items?|pieces?|copies|boxes|bags?|units?|points?|nights?|tickets?|digits?|numbers?",
    r"street|avenue|road",
)
_CJK_MEASURES = (
    "個个次張张位天年月日號号點点分塊块元圓歲岁樓楼度倍件人段下樣样起直定些般共邊边會会切碼码"
)
IS_COUNTED = re.compile(rf"%|[\s-]?(?:{_MEASURES})\b|\s?[{_CJK_MEASURES}]")
"""What follows a number that counts or measures: "20 dollars", "one moment", "三個"."""
IS_IDIOM = re.compile(r"[\s-](?:of|more|things?|questions?|other|last|by\sone|at\sa\stime|way)\b")
"""What follows a single digit that is no part of a number: "one more", "two of them"."""
BEFORE_COUNT = re.compile(
    r"(?:[$€£¥]\s?|\b(?:this|that|the|another|which|no|wrong|right|new|old|only|each|every|any)\s)$"
    r"|[第期週周拜]$"
)
"""What precedes one that does: "$20", "this one", "第一"."""
BEFORE_YEAR = re.compile(r"\b(?:in|since|until|by|from|of|year)\s$")
YEAR = re.compile(r"(?:19|20)[0-9]{2}")
LOOK_BACK = 8  # characters: the longest of what precedes
NO_NUMBER = re.compile(
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])"  # a time
    r"|(?:19|20)[0-9]{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:[0-2]?[0-9]|3[01])(?![-/.]?[0-9])"  # dates
    r"|[0-3]?[0-9]/[0-3]?[0-9]/(?:(?:19|20)[0-9]{2}|[0-9]{2})(?![-/.]?[0-9])"
)
AMOUNT = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FILLERS = _words(
    """
    uh uhh um umm er erm ah eh hm hmm mm mhm hmmm huh okay ok yes yeah yep yup right so well oh
    please thanks thank you then next and followed by after that dash hyphen space dot comma slash
    it's it is its that's are was be the rest again go on continue here's here we got alright sure
    now let me see group with plus ma'am sir
    """
)
CORRECTIONS = _words(
    "no nope not sorry wait actually correction mean rather oops whoops pardon mistake wrong scratch"
)
CARDS = frozenset({"card", "cards", "visa", "mastercard", "amex", "卡"})
CJK_FILLERS = frozenset("呃嗯啊喔哦噢欸那然後后接著着是好對对再來来就的了吧槓杠跟還还有")
CJK_CORRECTIONS = frozenset("不抱歉錯错更正")
