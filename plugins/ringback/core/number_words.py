"""The words that make numbers, lie between them, or only look like numbers.

English and Chinese, folded: lower case, plain quotes, half-width signs.
"""

from __future__ import annotations

import re

from ringback.text import DIGITS, REPEATS, TEENS, TENS

CJK = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # for a character class

UNITS = {word: digit for word, digit in DIGITS.items() if word != "oh"} | {
    "nought": "0",
    "naught": "0",
    "niner": "9",
}
TENS_ALONE = {word: tens + "0" for word, tens in TENS.items()}
NUMBERS = UNITS | TEENS | TENS_ALONE
MULTIPLES = REPEATS | {"treble": 3, "quadruple": 4}
PLURALS = {
    "zeros": "0",
    "zeroes": "0",
    "ohs": "0",
    "ones": "1",
    "twos": "2",
    "threes": "3",
    "fours": "4",
    "fives": "5",
    "sixes": "6",
    "sevens": "7",
    "eights": "8",
    "nines": "9",
}
SPELLED = {word: word[0] for word in ["alpha", "alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "juliett", "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "whisky", "xray", "yankee", "zulu"]}  # fmt: skip

FILLERS = frozenset(
    [
        "uh",
        "uhh",
        "um",
        "umm",
        "er",
        "erm",
        "ah",
        "eh",
        "hm",
        "hmm",
        "mm",
        "mhm",
        "mmhm",
        "uhhuh",
        "huh",
        "okay",
        "ok",
        "yes",
        "yeah",
        "yep",
        "yup",
        "right",
        "so",
        "well",
        "please",
        "thanks",
        "thank",
        "you",
        "then",
        "next",
        "followed",
        "by",
        "after",
        "that",
        "dash",
        "hyphen",
        "space",
        "dot",
        "comma",
        "slash",
        "it's",
        "it",
        "is",
        "its",
        "that's",
        "are",
        "was",
        "be",
        "the",
        "digit",
        "digits",
        "number",
        "numbers",
        "rest",
        "again",
        "go",
        "on",
        "continue",
        "here's",
        "here",
        "we",
        "got",
        "it",
        "alright",
        "sure",
        "now",
        "first",
        "final",
        "remaining",
        "group",
        "of",
        "with",
    ]
)
LISTING = frozenset({"and", "plus", "&"})
CORRECTIONS = frozenset(
    [
        "no",
        "nope",
        "not",
        "sorry",
        "wait",
        "actually",
        "correction",
        "mean",
        "rather",
        "oops",
        "whoops",
        "pardon",
        "mistake",
        "wrong",
        "scratch",
        "strike",
        "restart",
        "start",
        "over",
        "misread",
        "instead",
    ]
)

ONE_IDIOMS = frozenset(
    [
        "sec",
        "second",
        "moment",
        "minute",
        "more",
        "of",
        "thing",
        "last",
        "question",
        "other",
        "at",
        "by",
        "too",
        "way",
        "day",
    ]
)
BEFORE_ONE = frozenset(
    [
        "this",
        "that",
        "the",
        "another",
        "other",
        "which",
        "no",
        "wrong",
        "right",
        "new",
        "old",
        "first",
        "last",
        "next",
        "only",
        "each",
        "every",
        "any",
        "some",
    ]
)
COUNT_BEFORE = frozenset(["first", "next", "other", "final", "remaining", "last"])
COUNT_AFTER = frozenset(["numbers", "ones", "are", "is", "would"])
DIGIT_WORDS = frozenset({"digit", "digits"})
BIG = frozenset({"hundred", "thousand"})
ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th"})
MEASURES = frozenset(
    [
        "dollar",
        "dollars",
        "bucks",
        "euro",
        "euros",
        "pound",
        "pounds",
        "cent",
        "cents",
        "pence",
        "yen",
        "yuan",
        "rmb",
        "ntd",
        "usd",
        "eur",
        "gbp",
        "twd",
        "percent",
        "percentage",
        "days",
        "day",
        "weeks",
        "week",
        "months",
        "month",
        "years",
        "year",
        "hours",
        "hour",
        "hrs",
        "minutes",
        "minute",
        "mins",
        "min",
        "seconds",
        "secs",
        "moments",
        "times",
        "o'clock",
        "am",
        "pm",
        "a.m",
        "p.m",
        "kg",
        "km",
        "miles",
        "people",
        "persons",
        "adults",
        "children",
        "kids",
        "items",
        "pieces",
        "copies",
        "boxes",
        "bags",
        "units",
        "points",
        "nights",
        "tickets",
        "bedrooms",
    ]
)

CJK_DIGITS = dict(zip("零〇○一二三四五六七八九幺么两兩", "0001234567891122", strict=True)) | dict(
    zip("壹貳贰參叁肆伍陸陆柒捌玖", "122334566789", strict=True)
)
CJK_MEASURES = "個个次張张位天年月日點点分塊块元圓歲岁樓楼號号度倍本件人段"
CJK_COUNTED = frozenset(CJK_MEASURES) | {"%"}
_IDIOMS = [
    "一下",
    "一點",
    "一点",
    "一樣",
    "一样",
    "一起",
    "一個",
    "一个",
    "一直",
    "一定",
    "一些",
    "一般",
    "一共",
    "一次",
    "一位",
    "一張",
    "一张",
    "一邊",
    "一边",
    "一會",
    "一会",
    "一開始",
    "一开始",
    "一旦",
    "一切",
    "第一",
    "第二",
    "第三",
    "星期一",
    "星期二",
    "星期三",
    "星期四",
    "星期五",
    "星期六",
    "禮拜一",
    "禮拜二",
    "禮拜三",
    "禮拜四",
    "禮拜五",
    "禮拜六",
    "礼拜一",
    "礼拜二",
    "礼拜三",
    "礼拜四",
    "礼拜五",
    "礼拜六",
    "週一",
    "週二",
    "週三",
    "週四",
    "週五",
    "週六",
    "周一",
    "周二",
    "周三",
    "周四",
    "周五",
    "周六",
    "萬一",
    "万一",
    "唯一",
    "之一",
    "統一",
    "统一",
    "等一下",
    "等一等",
    "什么",
    "怎么",
    "那么",
    "这么",
    "多么",
    "要么",
    "甚么",
]
_CJK_FILLERS = [
    "嗯",
    "呃",
    "啊",
    "喔",
    "哦",
    "欸",
    "噢",
    "那",
    "那個",
    "那个",
    "就是",
    "是",
    "的",
    "對",
    "对",
    "好",
    "好的",
    "然後",
    "然后",
    "接著",
    "接着",
    "接下來",
    "接下来",
    "再來",
    "再来",
    "後面",
    "后面",
    "前面",
    "最後",
    "最后",
    "還有",
    "还有",
    "繼續",
    "继续",
    "請說",
    "请说",
    "號碼",
    "号码",
    "稍等",
    "我看一下",
    "看一下",
    "等一下",
    "等一等",
    "一下",
    "我",
    "你",
    "請",
    "请",
    "這",
    "这",
    "這邊",
    "这边",
    "了",
    "吧",
    "呢",
    "嘛",
    "唷",
]
_CJK_CORRECTIONS = [
    "不對",
    "不对",
    "不是",
    "抱歉",
    "對不起",
    "对不起",
    "不好意思",
    "說錯",
    "说错",
    "說錯了",
    "说错了",
    "講錯",
    "讲错",
    "講錯了",
    "讲错了",
    "更正",
    "應該是",
    "应该是",
    "等等",
    "錯了",
    "错了",
    "重來",
    "重来",
    "重說",
    "重说",
    "再一次",
]

FILLER = "filler"
CORRECTION = "correction"
IDIOM = "idiom"
CJK_PHRASES: dict[str, str] = (
    dict.fromkeys(_IDIOMS, IDIOM)
    | dict.fromkeys(_CJK_FILLERS, FILLER)
    | dict.fromkeys(_CJK_CORRECTIONS, CORRECTION)
)

CJK_SIGNS = frozenset(
    [*map(chr, [*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00)])]
) | set(CJK_DIGITS)

NEXT_WORD = re.compile(r"[\s-]{0,2}([a-z][a-z'.]*[a-z]|[a-z]|%)")
_ANY_NUMBER = "|".join([*NUMBERS, *MULTIPLES, "oh"])
NUMBER_AHEAD = re.compile(rf"[\s,-]{{0,3}}(?:[0-9]|(?:{_ANY_NUMBER})(?![a-z']))")
_PLAIN_DIGIT = rf"(?:[0-9]{{1,19}}|(?:{'|'.join(UNITS)})|[{''.join(CJK_DIGITS)}])(?![a-z'0-9])"
DIGIT_IN_ROW = re.compile(
    rf"( |-|, |\u3001|(?<=[{''.join(CJK_DIGITS)}]))({_PLAIN_DIGIT})"
    rf"(?=(?: |-|, |\u3001|(?<=[{''.join(CJK_DIGITS)}])){_PLAIN_DIGIT})"
)
SPELLING_AHEAD = re.compile(
    rf"[\s.,-]{{0,3}}(?:[0-9]|(?:{_ANY_NUMBER}|[a-z]|{'|'.join(SPELLED)})(?![a-z'])"
    rf"|[{''.join(CJK_DIGITS)}])"
)
SIGH_AHEAD = re.compile(
    r"[\s,.!]{1,3}(?:sorry|no|wait|my|right|okay|ok|yes|yeah|god|dear|well|uh|um|hang|hold)\b"
)
_UNIT_AHEAD = re.compile(
    rf"[\s-]{{1,2}}({'|'.join(u for u in UNITS if UNITS[u] != '0')})(?![a-z'])"
)
_DIGIT_AHEAD = re.compile(rf"[\s,-]{{1,3}}(?:([0-9])(?![0-9])|({'|'.join(UNITS)}|oh|o)(?![a-z']))")
_BELOW_HUNDRED = re.compile(rf"[\s-]{{1,2}}(?:and[\s-]{{1,2}})?({'|'.join(NUMBERS)})(?![a-z'])")
_HUNDRED = re.compile(r"[\s-]{1,2}hundred(?![a-z'])")
_THOUSAND = re.compile(r"[\s-]{1,2}thousand(?![a-z'])")
AMOUNT = re.compile(r"[0-9]{1,6}(?:,[0-9]{3}){0,3}(?:\.[0-9]{1,2})?(?![0-9])|[0-9]+")
CJK_TENS = re.compile(rf"([{''.join(CJK_DIGITS)}]?)十([{''.join(CJK_DIGITS)}]?)")
CJK_QUANTITY = re.compile(
    rf"[{''.join(CJK_DIGITS)}十]{{0,8}}[百千萬万億亿][{''.join(CJK_DIGITS)}十百千萬万億亿]*"
)
CJK_MULTIPLE = re.compile(
    rf"(?:([兩两二三四])[個个]|[雙双])([0-9{''.join(CJK_DIGITS)}])(?![{CJK_MEASURES}])"
)


def number_at(text: str, word: str, end: int) -> tuple[str, int]:
    """Read on from a number word that ends at `end`: "forty" | "-one", "four" | " hundred".

    Returns:
        The digits as they are written down ("41", "400", "4012"), and where they end.
    """
    digits = NUMBERS[word]
    if word in TENS:
        unit = _UNIT_AHEAD.match(text, end)
        if unit:
            digits, end = TENS[word] + UNITS[unit.group(1)], unit.end()
    thousand = _THOUSAND.match(text, end)
    if thousand:
        rest, end = _below_thousand(text, thousand.end())
        return digits + rest, end
    hundred = _HUNDRED.match(text, end)
    if hundred:
        rest, end = _below_hundred(text, hundred.end())
        return digits + rest, end
    return digits, end


def repeated_at(text: str, word: str, end: int) -> tuple[str, int] | None:
    """Read "double" | " four": the digit that follows, as often as the word says."""
    digit = _DIGIT_AHEAD.match(text, end)
    if digit is None:
        return None
    return (digit.group(1) or UNITS.get(digit.group(2), "0")) * MULTIPLES[word], digit.end()


def cjk_digit(sign: str) -> str:
    """The digit that a sign stands for; a digit stands for itself."""
    return CJK_DIGITS.get(sign, sign)


def cjk_times(sign: str | None) -> int:
    """How often a digit is said: 兩個, 三個, 雙."""
    return int(CJK_DIGITS[sign]) if sign else 2


def _below_thousand(text: str, end: int) -> tuple[str, int]:
    first = _BELOW_HUNDRED.match(text, end)
    if first and first.group(1) in UNITS:
        hundred = _HUNDRED.match(text, first.end())
        if hundred:
            rest, end = _below_hundred(text, hundred.end())
            return UNITS[first.group(1)] + rest, end
    rest, end = _below_hundred(text, end)
    return "0" + rest, end


def _below_hundred(text: str, end: int) -> tuple[str, int]:
    found = _BELOW_HUNDRED.match(text, end)
    if found is None:
        return "00", end
    word, end = found.group(1), found.end()
    unit = _UNIT_AHEAD.match(text, end) if word in TENS else None
    if unit:
        return TENS[word] + UNITS[unit.group(1)], unit.end()
    return NUMBERS[word].zfill(2), end
