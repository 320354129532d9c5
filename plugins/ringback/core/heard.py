"""Whether numbers, names and dates of a value were said in a text, as digits or as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from ringback.core.chinese import dates as chinese_dates
from ringback.core.chinese.signs import runs_in, simplified
from ringback.core.dates import find_dates, read_time, zone_of
from ringback.core.digit_runs import digit_run
from ringback.core.full_dates import read_full_date
from ringback.core.number_parts import Part, with_part
from ringback.core.quantities import read_quantity
from ringback.core.spoken_codes import read_code
from ringback.core.timing import days_back, iso_day
from ringback.text import REPEATS, folded, ordinal, spoken_digits

SMALL_DIGITS = 2  # so few may be a part of a longer run: "apartment twelve, nine Quill Lane"
TELLING_LETTERS = 3  # a shorter part of an e-mail address is not looked for

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:[+-]\d\d:\d\d|Z)?)?")
_CLOCK = re.compile(r"\b\d\d:\d\d\b")
_NUMBERED = re.compile(r"\S*\d\S*")
_WHOLE_DIGITS = re.compile(r"(?<!\d)(?<!\d[-./,])\d+(?![-./,]?\d)")  # no part of "55810-7"
_GOES_ON = re.compile(r"[-./,]?\d")
_NAME = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ][^\W\d_]+(?:['-][^\W\d_]+)*(?!\w)")
_TITLES = frozenset("dr prof mr mrs ms doctor professor".split())  # noqa: SIM905
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_WORD_START = re.compile(r"(?<![A-Za-zÀ-ÿ\d])(?=\w)")  # Chinese has no spaces: each sign is one
_SPELLED = re.compile(
    r"(?<!\w)(?:double[ -])?[a-z](?:[\s,.-]{1,3}(?:double[ -])?[a-z](?![\w'])){1,30}", re.IGNORECASE
)
_LETTER = re.compile(r"(double[ -])?([a-z])(?!\w)", re.IGNORECASE)
_AS_IN = re.compile(r"\b([a-z])\s+(?:as in|like|for)\s+[a-z]+", re.IGNORECASE)
_REPEATED = re.compile(rf"\b({'|'.join(REPEATS)})[ -]([a-z])(?!\w)", re.IGNORECASE)
_PHONE_SIGNS = str.maketrans(dict.fromkeys("().+/", " "))
_CHINESE_DIGITS = str.maketrans("零〇一二兩两三四五六七八九", "0012223456789")
_CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that a text says."""

    runs: frozenset[str]
    """Digits of each number, whole, as written or as its words give them."""
    codes: frozenset[str]
    """Codes and quantities, in small letters and digits alone."""


def missing(value: str, text: str, *, at: datetime, zone: str) -> str:
    """What of a value was not said in a text.

    Args:
        value: Normalised: `4821`, `Dana Whitfield`, `2026-03-06T14:00-06:00`.
        text: What was said, with plain signs.
        at: When, aware.
        zone: The caller's, in which its dates are meant.

    Returns:
        "a date", "a time", "a number", "a name" or "an address"; empty when all is there.
    """
    if "@" in value:
        return "" if _is_address_heard(value, text) else "an address"
    for found in _ISO.findall(value):
        if not _is_date_heard(found, text, at, zone):
            return "a date"
    rest = _ISO.sub(" ", value)
    clocks = set(_CLOCK.findall(rest))
    if clocks and not clocks <= _clocks(text, at, zone):
        return "a time"
    rest = _CLOCK.sub(" ", rest)
    if not _are_numbers_heard(rest, text):
        return "a number"
    names = _NAME.findall(rest)
    words = _words(text) if names else frozenset()
    return "" if all(_is_name_heard(name, words) for name in names) else "a name"


def is_mended(value: str, part: Part, text: str) -> bool:
    """A number that a text says becomes this value when a part of it is put right."""
    said = numbers_in(text)
    return any(with_part(number, part) == _compact(value) for number in (*said.runs, *said.codes))


def has_chinese(text: str) -> bool:
    """It holds Chinese, Japanese or Korean, which names nobody in Latin letters."""
    return bool(_CJK.search(text))


def in_digits(text: str) -> str:
    """A text with its number words as digits: "two seconds" is "2 seconds"."""
    written, place = "", 0
    for start in _starts(text):
        run = spoken_digits(text, start) if start >= place else None
        if run is not None:
            written += text[place : run.start] + run.digits
            place = run.end
    return written + text[place:]


def numbers_in(text: str) -> Numbers:
    """Find every number of a text, as it is written, spoken or spelled."""
    runs: set[str] = set()
    codes: set[str] = set()
    latin = text.translate(_CHINESE_DIGITS)
    for form in {text, latin, latin.translate(_PHONE_SIGNS), latin.replace(",", ";")}:
        runs.update(_WHOLE_DIGITS.findall(form))
        place = 0
        for start in _starts(form):
            run = spoken_digits(form, start) if start >= place else None
            if run is not None:
                runs.add(run.digits)
                runs.update(whole.digits for whole in (digit_run(form, start),) if whole)
                place = run.end
    for start in _starts(text):
        quantity, code = read_quantity(text, start), read_code(text, start)
        if quantity is not None and not _GOES_ON.match(text, quantity.end):
            runs.add(quantity.number)
            codes.add(_compact(quantity.value))
        if code is not None:
            codes.add(_compact(code.value))
    if has_chinese(text):
        _add_chinese(text, runs, codes)
    return Numbers(frozenset(runs), frozenset(codes))


def _add_chinese(text: str, runs: set[str], codes: set[str]) -> None:
    """Digits that are said one by one: 四八 二一, 三個八."""
    for digits in runs_in(simplified(text)):
        (runs if digits.value.isdigit() else codes).add(_compact(digits.value))


def _starts(text: str) -> Iterator[int]:
    return (match.start() for match in _WORD_START.finditer(text))


def _are_numbers_heard(value: str, text: str) -> bool:
    tokens = _NUMBERED.findall(value)
    if not tokens:
        return True
    said = numbers_in(text)
    whole = "".join(re.findall(r"\d", value))
    is_of_digits = not re.search(r"[^\W\d_]", value)
    return (is_of_digits and whole in said.runs) or all(
        _is_number_heard(token, text, said) for token in tokens
    )


def _is_number_heard(token: str, text: str, said: Numbers) -> bool:
    bare = token.strip(".,;:!?()")
    digits = re.sub(r"\D", "", bare)
    if re.search(r"[^\W\d_]", bare):
        return _compact(bare) in said.codes or _stands_alone(bare, text, said)
    if bare in said.runs or digits in said.runs:
        return True
    return len(digits) <= SMALL_DIGITS and any(digits in run for run in said.runs)


def _stands_alone(token: str, text: str, said: Numbers) -> bool:
    """A token with letters, as it is written in the text; "3rd" also as "third"."""
    if re.search(rf"(?<![A-Za-z\d]){re.escape(token)}(?![A-Za-z\d])", text, re.IGNORECASE):
        return True
    number = ordinal(token)
    words = {ordinal(word) for word in _WORD.findall(text)}
    if number is not None:
        return number in words
    split = re.fullmatch(r"(\d{1,5})([a-z])", token, re.IGNORECASE)  # a house number: "nine b"
    return split is not None and split[1] in said.runs


def _is_date_heard(value: str, text: str, at: datetime, zone: str) -> bool:
    day = iso_day(value)
    if value in text or day is None:
        return value in text
    if "T" in value and value[11:16] not in _clocks(text, at, zone):
        return False
    return day in _days(text, at, zone)


def _days(text: str, at: datetime, zone: str) -> frozenset[date]:
    today = at.astimezone(zone_of(zone) or UTC).date()
    days = days_back(text, today)
    for found in find_dates(text, at, zone, start=0, end=len(text)):
        days.add(datetime.fromisoformat(found.value).date())
    if has_chinese(text):
        chinese = chinese_dates.find_dates(simplified(text), at, zone, start=0, end=len(text))
        days.update(datetime.fromisoformat(found.value).date() for found in chinese)
    for start in _starts(text):
        full = read_full_date(text, start, today)
        if full is not None:
            days.add(full.day)
    return frozenset(days)


def _clocks(text: str, at: datetime, zone: str) -> frozenset[str]:
    """Times of day that a text says, as HH:MM."""
    clocks = set(_CLOCK.findall(text))
    for found in find_dates(text, at, zone, start=0, end=len(text)):
        clocks.add(found.value[11:16])
    if has_chinese(text):
        clocks |= chinese_dates.clocks(simplified(text), at, zone)
    for start in _starts(text):
        clock = read_time(text, start)
        if clock is not None:
            clocks.add(clock.clock)
    return frozenset(clocks)


def _is_name_heard(name: str, words: frozenset[str]) -> bool:
    wanted = folded(name)
    if wanted in _TITLES:
        return True
    return wanted in words or all(part in words for part in re.split(r"['-]", wanted))


def _words(text: str) -> frozenset[str]:
    """Words of a text, and those that it spells, without case."""
    words = {word.removesuffix("'s") for word in map(folded, _WORD.findall(text))}
    words |= {part for word in words for part in re.split(r"['-]", word)}
    return frozenset(words | {word.replace("-", "") for word in words} | set(_spelled(text)))


def _spelled(text: str) -> Iterator[str]:
    for match in _SPELLED.finditer(_AS_IN.sub(r"\1", text)):
        yield "".join(
            letter.lower() * (2 if double else 1) for double, letter in _LETTER.findall(match[0])
        )


def _is_address_heard(value: str, text: str) -> bool:
    """Each longer part of an e-mail address, as words, spelled, or within a word."""
    plain_letters = _REPEATED.sub(_repeated, _AS_IN.sub(r"\1", text))
    forms = [plain_letters, plain_letters.lower().replace("uu", "w")]  # "double u"
    if has_chinese(text):
        forms.append(simplified(plain_letters).translate(_CHINESE_DIGITS))
    said = " ".join([*map(_compact, (*forms, in_digits(plain_letters))), *_spelled(text)])
    parts = re.split(r"[@._+-]", value.lower())
    numbers = numbers_in(text).runs
    return all(part in said or part in numbers for part in parts if len(part) >= TELLING_LETTERS)


def _repeated(match: re.Match[str]) -> str:
    return match[2] * REPEATS[match[1].lower()]


def _compact(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()
