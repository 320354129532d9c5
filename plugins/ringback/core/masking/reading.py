"""Read every number in a turn as it was said, with what lies between one and the next.

"4111", "four one, one one", "double four", "forty-one eleven", "四一一一" and full-width
digits all become `Item`s; so do letters that may belong to an id. The text is folded sign
for sign: a place in the folded text is the same place in the original. One pass.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ringback.core.masking import words
from ringback.core.masking.check_digits import Sensitive
from ringback.core.masking.labels import EXPECTED, SHORT, Topic, label_at
from ringback.text import plain

JOINED = 0  # nothing between two numbers but a space, a hyphen, a dot
PAUSED = 1  # a comma, "uh", "and then", the end of a turn
LOOSE = 2  # a few other words, a correction
BROKEN = 3  # many words, another label, something that was masked before

LOOSE_WORDS = 10  # more words than this and two numbers have nothing to do with each other
SHORT_WORDS = 7  # the same, between "security code" and the code
COUNTED_DIGITS = 6  # "20 dollars" is a price; a longer number before "dollars" is looked at
IBAN_GROUP = 4  # letters of a bank in a written IBAN

_TOKEN = re.compile(
    r"\[(?:" + "|".join(re.escape(kind.value.lower()) for kind in Sensitive) + r")\]"
    rf"|[0-9]+|[^\W\d_{words.CJK}]+(?:'[^\W\d_{words.CJK}]+)*|[{words.CJK}○]"
)
_PAUSE = re.compile(r"[,.;:!?](?:\s|$)|[;!?|\u2026\u3001\u3002]|\.\.|.{9}", re.DOTALL)
_MARKS = str.maketrans("，。；：！？", "、。、、、、")  # noqa: RUF001 - pauses, unlike "4,111"


class Item(NamedTuple):
    """One number as it was said: "4111", "four", "double two"; or letters of an id."""

    value: str
    """ASCII digits; or letters, in upper case only if they were written so."""
    start: int
    end: int
    gap: int
    """What lies before it, from `JOINED` to `BROKEN`."""
    is_corrected: bool
    """Something like "no, sorry" lies before it."""
    topic: Topic | None
    """What it is, going by the label before it."""
    is_labelled: bool
    """That label lies directly before it: no number in between."""
    is_first: bool
    """Nothing of its turn lies before it."""
    sign: str
    """The character directly before it."""

    @property
    def is_letters(self) -> bool:
        """Letters of an id, not digits."""
        return not self.value.isdecimal()


class Reading(NamedTuple):
    """What one turn holds of numbers."""

    items: list[Item]
    gap: int
    """What lies behind the last item, or the whole turn if there is none."""
    is_corrected: bool
    """The same, of "no, sorry"."""
    has_break: bool
    """It names a number of another kind than the one that was being said."""
    labels: frozenset[Topic]
    topic: Topic | None
    """What the next number is, going by this turn."""


def folded(text: str) -> str:
    """Lower case, plain quotes, ASCII digits of any script: one sign for one sign."""
    if text.isascii():
        return text.lower()
    kept = plain(text.translate(_MARKS))
    return kept.translate({ord(sign): _folded_sign(sign) for sign in set(kept)})


def _folded_sign(sign: str) -> str:
    digit = unicodedata.decimal(sign, None)
    if digit is not None:
        return str(digit)
    single = unicodedata.normalize("NFKC", sign).lower()
    return single if len(single) == 1 else sign


def read(text: str, topic: Topic | None) -> Reading:
    """Read the numbers of a turn; `topic` is what its first number is, going by the talk."""
    reader = _Reader(text, topic)
    return reader.read()


class _Reader:
    """The state of one reading; lives for one turn."""

    def __init__(self, text: str, topic: Topic | None) -> None:
        self._original = text
        self._text = folded(text)
        self._items: list[Item] = []
        self._at = 0  # everything before this place has been heard
        self._gap = PAUSED
        self._words = 0.0  # since the last number or label
        self._is_corrected = False
        self._topic = topic
        self._is_labelled = False
        self._said = 0  # digits since the label
        self._labels: set[Topic] = set()
        self._asked: list[Topic] = []  # labels since the last number
        self._has_break = False

    def read(self) -> Reading:
        for token in _TOKEN.finditer(self._text):
            start = token.start()
            if start < self._at:
                continue  # part of a longer reading
            if start - self._at > 1 and _PAUSE.search(self._text, self._at, start):
                self._gap = max(self._gap, PAUSED)
            self._at = token.end()
            self._hear(start, token.group())
        return Reading(
            self._items,
            max(self._gap, PAUSED),
            self._is_corrected,
            self._has_break,
            frozenset(self._labels),
            self._expected_next(),
        )

    def _expected_next(self) -> Topic | None:
        """What the answer is; of several, the shortest: "card number, expiry and code?"."""
        asked = [topic for topic in self._asked if topic in EXPECTED]
        if asked:
            return min(asked, key=lambda topic: EXPECTED[topic].least)
        expected = EXPECTED.get(self._topic) if self._topic else None
        return None if expected and self._said >= expected.full else self._topic

    def _hear(self, start: int, word: str) -> None:
        if word in words.CARDS:
            self._labels.add(Topic.CARD)  # "expires 12/26" is the card's, whatever comes between
        is_over = self._topic is not None and self._is_over(self._topic)
        label = label_at(self._text, start, word, None if is_over else self._topic)
        if label:
            self._hear_label(*label)
        elif word[0] == "[":
            self._gap, self._topic = BROKEN, None
        elif word[0].isdecimal():
            self._hear_digits(start, word)
        elif word in words.CJK_DIGITS:
            self._hear_number(words.CJK_DIGITS[word], start, self._at)
        elif not (self._hear_spoken(start, word) or self._hear_letters(start, word)):
            self._hear_word(word)

    def _hear_label(self, topic: Topic, end: int) -> None:
        is_same = topic is self._topic or topic in {Topic.CARD, Topic.ENDING}
        self._gap = max(self._gap, LOOSE if is_same else BROKEN)
        self._has_break |= not is_same
        self._labels.add(topic)
        self._asked.append(topic)
        self._topic, self._is_labelled = topic, True
        self._said, self._words, self._at = 0, 0.0, end

    def _hear_digits(self, start: int, digits: str) -> None:
        before = self._text[max(0, start - words.LOOK_BACK) : start]
        no_number = words.NO_NUMBER.match(self._text, start)
        if before.rstrip()[-1:] in {"$", "€", "£", "¥"} and len(digits) <= COUNTED_DIGITS:
            no_number = words.AMOUNT.match(self._text, start)
        elif no_number and self._items and not self._gap:
            no_number = None  # in the middle of a longer number
        elif words.YEAR.fullmatch(digits) and words.BEFORE_YEAR.search(before):
            no_number = words.YEAR.match(self._text, start)
        if no_number:
            self._at = no_number.end()
            self._hear_word(digits)
        else:
            self._hear_number(digits, start, self._at)

    def _hear_number(self, digits: str, start: int, end: int) -> None:
        """Add a number, unless it counts or measures something."""
        self._at = end
        is_in_number = bool(self._items) and self._gap == JOINED
        if len(digits) <= COUNTED_DIGITS and not is_in_number and self._is_counted(digits, start):
            self._hear_word(digits)
        else:
            self._add(digits, start, end)

    def _is_counted(self, digits: str, start: int) -> bool:
        """The words around a number, which ends here, say that it is an amount or an idiom."""
        if words.IS_COUNTED.match(self._text, self._at):
            return True
        if len(digits) > 1 or words.NUMBER_AFTER.match(self._text, self._at):
            return False
        before = self._text[max(0, start - words.LOOK_BACK) : start]
        return bool(words.IS_IDIOM.match(self._text, self._at) or words.BEFORE_COUNT.search(before))

    def _hear_spoken(self, start: int, word: str) -> bool:
        """Hear "four", "forty-one", "four hundred", "double two", "oh", or a month."""
        if word in words.NUMBERS and (spoken := words.SPOKEN.match(self._text, start)):
            hundreds, rest = (_value(part) for part in spoken.groups())
            has_hundred = "hundred" in spoken.group()
            digits = hundreds + (rest.zfill(2) if has_hundred else "")
            self._hear_number(digits, start, spoken.end())
        elif word in words.MULTIPLES and (twice := words.REPEATED.match(self._text, start)):
            unit = words.UNITS.get(twice.group(2), twice.group(2)).replace("oh", "0")
            digits = unit.replace("o", "0") * words.MULTIPLES[word]
            self._hear_number(digits, start, twice.end())
        elif word in {"oh", "o"} and self._is_zero():
            self._add("0", start, self._at)
        elif self._topic is Topic.EXPIRY and word[:3] in words.MONTHS:
            self._add(f"{words.MONTHS.index(word[:3]) + 1:02}", start, self._at)
        else:
            return False
        return True

    def _is_zero(self) -> bool:
        """An "oh" is a zero before another number, and at the end of one."""
        is_in_number = bool(self._items) and self._gap < LOOSE
        after = words.NUMBER_AFTER.match(self._text, self._at)
        return bool(after or (is_in_number and words.IS_END.match(self._text, self._at)))

    def _hear_letters(self, start: int, word: str) -> bool:
        """Hear letters that may belong to an id: spelled, glued to digits, or of a bank."""
        text, end = self._text, self._at
        is_glued = text[start - 1 : start].isdecimal() or text[end : end + 1].isdecimal()
        written = self._original[start:end]
        is_bank = len(word) == IBAN_GROUP and (written.isupper() or self._topic is Topic.IBAN)
        is_filler = word in words.FILLERS or word in words.CORRECTIONS
        if not word.isascii() or "'" in word or is_filler:
            return False
        if len(word) > 1 and not is_bank and not (is_glued and len(word) <= IBAN_GROUP):
            return False
        if word in {"a", "i"} and not is_glued and not words.SPELLED_ON.match(text, end):
            return False
        self._append(word.upper() if written.isupper() else word, start, end)
        return True

    def _hear_word(self, word: str) -> None:
        if word in words.CORRECTIONS or word in words.CJK_CORRECTIONS:
            self._gap, self._is_corrected = max(self._gap, LOOSE), True
        elif word in words.FILLERS or word in words.CJK_FILLERS:
            self._gap = max(self._gap, PAUSED)
        else:
            self._words += 1 if word.isascii() else 0.5
            self._gap = max(self._gap, LOOSE if self._words <= LOOSE_WORDS else BROKEN)

    def _add(self, digits: str, start: int, end: int) -> None:
        if self._topic and self._is_over(self._topic):
            self._topic = None
        self._append(digits, start, end)
        self._said += len(digits)
        self._asked = []
        self._words, self._is_corrected = 0.0, False

    def _append(self, value: str, start: int, end: int) -> None:
        self._items.append(
            Item(
                value,
                start,
                end,
                self._gap,
                self._is_corrected,
                self._topic,
                self._is_labelled,
                not self._items,
                self._text[start - 1 : start],
            )
        )
        self._at, self._gap, self._is_labelled = end, JOINED, False

    def _is_over(self, topic: Topic) -> bool:
        """So much was said since the label, or since its number, that this is another one."""
        if self._words > (SHORT_WORDS if topic in SHORT else LOOSE_WORDS):
            return True
        expected = EXPECTED.get(topic)
        is_said = self._said >= (expected.full if expected else 1)
        return is_said and self._gap >= LOOSE and not self._is_corrected


def _value(spoken: str | None) -> str:
    """The digits of a number below a hundred in words: "forty-one" is 41."""
    if not spoken:
        return ""
    first, *unit = re.split(r"[\s-]+", spoken)
    return words.NUMBERS[first][:-1] + words.UNITS[unit[0]] if unit else words.NUMBERS[first]
