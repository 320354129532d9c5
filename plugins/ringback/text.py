"""Pure text work: one-line text, comparison forms, sentences, spoken numbers.

Spans are offsets into the text as given: `plain` replaces characters one for one, so a
span in the plain text is the same span in the original.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

DIGITS = {
    "zero": "0",
    "oh": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "nought": "0",
    "naught": "0",
}
TEENS = {
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "thirteen": "13",
    "fourteen": "14",
    "fifteen": "15",
    "sixteen": "16",
    "seventeen": "17",
    "eighteen": "18",
    "nineteen": "19",
}
TENS = {
    "twenty": "2",
    "thirty": "3",
    "forty": "4",
    "fifty": "5",
    "sixty": "6",
    "seventy": "7",
    "eighty": "8",
    "ninety": "9",
}
REPEATS = {"double": 2, "triple": 3}
_ORDINAL_ENDS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
    "twentieth": "twenty",
    "thirtieth": "thirty",
}

_EMPTY_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
    uh um er erm ah oh hm hmm mm mhm mmhm uhhuh huh okay ok yes yeah yep no nope hello hi hey
    bye goodbye thanks thank you right sure well so good morning evening afternoon alright all
    very much and please sorry
    你好 您好 早安 早上好 晚上好 晚安 再見 再见 拜拜 掰掰 謝謝 谢谢 謝謝你 谢谢你 謝謝您 谢谢您
    好 好的 可以 對 对 對的 对的 是 是的 不 不是 沒有 没有
    """,
    )
)
_HESITATION = re.compile("[嗯呃啊喔哦噢欸誒诶唉喂嘿]+")

_PLAIN = str.maketrans(
    {
        "’": "'",  # noqa: RUF001 - what speech recognition writes
        "‘": "'",  # noqa: RUF001
        "“": '"',
        "”": '"',
        "–": "-",  # noqa: RUF001
        "—": "-",
        "\u00a0": " ",
        "\n": " ",
        "\r": " ",
        "\t": " ",
    }
)
_NUMBER_WORD = "|".join([*DIGITS, *TEENS, *TENS, *REPEATS, "hundred"])
_STEP = re.compile(rf"(?:(\d+)|({_NUMBER_WORD})(?![a-z']))", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,?\s*\b(?:dash|hyphen)\b\s*,?|-|,)?\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Za-z])(?<!\b[DM]r)(?<!\bMrs)(?<!\bMs)[.!?]+(?=\s|$)|[!?]+(?=\s|$)"
)
_CJK_SIGN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_CONTROLS = dict.fromkeys([*range(32), 127], " ")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SpokenDigits:
    """A run of digits as it was spoken."""

    digits: str
    start: int
    end: int


def composed(text: str) -> str:
    """Put letters and their accents together, as readers expect: one "ë", not "e" and two dots."""
    return unicodedata.normalize("NFC", text)


def plain(text: str) -> str:
    """Replace typographic quotes, dashes and spaces, one character for one."""
    return text.translate(_PLAIN)


def one_line(text: str) -> str:
    """Take control and format characters out, and make every run of spaces one space."""
    if text.isascii():
        return " ".join(text.translate(_CONTROLS).split())
    visible = "".join(
        " " if unicodedata.category(sign) in {"Cc", "Zl", "Zp", "Cs"} else sign
        for sign in unicodedata.normalize("NFKC", text)
        if unicodedata.category(sign) != "Cf"
    )
    return _SPACES.sub(" ", visible).strip()


def capped(text: str, limit: int) -> str:
    """Cut a text at a word boundary so that it has at most `limit` characters."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def folded(text: str) -> str:
    """Make the form in which two texts are the same text.

    Case, spaces and closing punctuation do not count; every digit, sign and word does.
    """
    return one_line(plain(text)).casefold().rstrip(" .!?")


def is_filler(text: str) -> bool:
    """The text holds nothing but hesitation, greeting, thanks and assent; or nothing."""
    words = _HESITATION.sub(" ", text.lower().replace("-", ""))
    return all(word[0] in _EMPTY_WORDS for word in _WORD.finditer(words))


def sentences(text: str) -> tuple[Span, ...]:
    """Split at closing punctuation; text without any is one sentence."""
    spans: list[Span] = []
    start = 0
    for end in [match.end() for match in _SENTENCE_END.finditer(text)] + [len(text)]:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        if piece.strip():
            spans.append(Span(left, start + len(piece.rstrip())))
        start = end
    return tuple(spans)


def spoken_digits(text: str, start: int = 0) -> SpokenDigits | None:
    """Read the run of digits that begins exactly at `start`.

    Reads "4821", "4-8-2-1", "4, 8, 2, 1", "four eight two one", "forty eight twenty one",
    "four double two" and "four hundred" alike. The run ends before the first word that is
    no number.

    Returns:
        None when no number begins there, or when its words make no sense as digits.
    """
    digits = ""
    place = end = start
    while step := _STEP.match(text, place):
        read = _digits_of(text, step, is_first=not digits)
        if read is None:
            break
        added, end = read
        digits += added
        place = _next_place(text, end)
    return SpokenDigits(digits, start, end) if digits else None


def _next_place(text: str, end: int) -> int:
    gap = _BETWEEN.match(text, end)
    return gap.end() if gap else end


def _digits_of(text: str, step: re.Match[str], *, is_first: bool) -> tuple[str, int] | None:
    """The digits of one number word and where it ends."""
    if step.group(1):
        return step.group(1), step.end()
    word = step.group(2).lower()
    if word in REPEATS or word in TENS:
        return _digits_of_two(text, step, word)
    if word == "hundred":
        return None if is_first else _after_hundred(text, step.end())
    if word == "oh" and is_first and not _STEP.match(text, _next_place(text, step.end())):
        return None  # "oh" by itself is a sigh
    return (DIGITS | TEENS)[word], step.end()


def _digits_of_two(text: str, step: re.Match[str], word: str) -> tuple[str, int] | None:
    """Digits of a word that leans on the next one: "double two", "forty eight"."""
    following = _STEP.match(text, _next_place(text, step.end()))
    unit = _unit(following)
    if word in REPEATS:
        return (unit * REPEATS[word], following.end()) if following and unit else None
    if following and unit and unit != "0" and not following.group(1):
        return TENS[word] + unit, following.end()
    return TENS[word] + "0", step.end()


def _unit(step: re.Match[str] | None) -> str:
    if step is None:
        return ""
    if step.group(1):
        return step.group(1) if len(step.group(1)) == 1 else ""
    return DIGITS.get(step.group(2).lower(), "")


def _after_hundred(text: str, end: int) -> tuple[str, int]:
    """The two digits after a hundred: "four hundred (and) twelve" ends in 12."""
    joint = re.compile(r"\s+(?:and\s+)?", re.IGNORECASE).match(text, end)
    step = _STEP.match(text, joint.end()) if joint else None
    if step is None or step.group(1) or step.group(2).lower() in {*REPEATS, "hundred"}:
        return "00", end
    read = _digits_of(text, step, is_first=False)
    return (read[0].zfill(2), read[1]) if read else ("00", end)


def ordinal(word: str) -> int | None:
    """The number of an ordinal from 1 to 31: "third", "21st", "twenty-first"; else None."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", word, re.IGNORECASE)
    if match:
        number = int(match.group(1))
        return number if 1 <= number <= 31 else None
    *front, last = re.split(r"[\s-]+", word.lower())
    cardinal = _ORDINAL_ENDS.get(last, last.removesuffix("th"))
    run = spoken_digits(" ".join([*front, cardinal]))
    if cardinal == last or run is None or len(run.digits) > 2:
        return None
    number = int(run.digits)
    return number if 1 <= number <= 31 else None


def is_cjk(text: str) -> bool:
    """A third of its letters or more are Chinese, Japanese or Korean."""
    if text.isascii():
        return False
    return 0 < sum(map(str.isalpha, text)) <= 3 * len(_CJK_SIGN.findall(text))
