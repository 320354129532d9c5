"""Read every number in a turn as it was said, with what lies between one and the next.

"4111", "four one, one one", "double four", "forty-one eleven", "四一一一" and full-width
digits all become `Item`s. The text is folded sign for sign, so that a place in the folded
text is the same place in the original. One pass, in time proportional to the text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ringback.core import number_words as words
from ringback.core.number_topics import CJK_TOPICS, KINDS, Topic, after_mask, label_at, may_continue
from ringback.core.sensitive_numbers import CARD_LENGTHS, Sensitive, card_lengths, is_card
from ringback.text import plain

JOINED = 0  # nothing between two numbers but a space or a hyphen
PAUSED = 1  # a comma, "uh", "okay", the end of a turn
LISTED = 2  # "and": one number, or two of a list
LOOSE = 3  # a few other words
BROKEN = 4  # many words, another topic, something that was masked before

LOOSE_WORDS = 10  # more words than this and two numbers have nothing to do with each other
IBAN_CHARACTERS = 34  # ISO 13616: no id is longer
QUANTITY_DIGITS = 6  # "20 dollars" is a price; a longer number before "dollars" is looked at

_TOKEN = re.compile(
    r"\[(?:" + "|".join(re.escape(kind.value.lower()) for kind in Sensitive) + r")\]"
    r"|[0-9]+"
    rf"|[^\W\d_{words.CJK}]+(?:'[^\W\d_{words.CJK}]+)*"
    rf"|[{words.CJK}○]"
)
_PAUSE = re.compile(r"[,.;:!?](?:\s|$)|[;!?\u2026\u3001\u3002|]|\.\.|.{9}", re.DOTALL)
_PLAIN_GAPS = frozenset({"", " ", "-"})
_ROW_PAUSES = frozenset({", ", "\u3001"})
_CURRENCY = "$\u20ac\u00a3\u00a5\uffe5"
_KEPT = str.maketrans("，。；：！？", "、。、、、、")  # noqa: RUF001 - pauses, unlike "4,111"
_SPOKEN_AS = re.compile(r"\s{1,2}(?:as\s{1,2}in|like|for)\s{1,2}([a-z])[a-z]*")
_COPULA = re.compile(
    r"[\s,]{0,3}(?:is|was|are|'s|as|是|就是)\s{0,2}(?:my|the|your|our|a|我的|我|你的|您的)?"
    r"\s{0,2}(?:credit|debit|bank|visa|full|whole)?\s{0,2}"
)
_PHRASE_LENGTHS: dict[str, tuple[int, ...]] = {
    first: tuple(sorted({len(p) for p in _PHRASES if p[0] == first}, reverse=True))
    for _PHRASES in [(*CJK_TOPICS, *words.CJK_PHRASES)]
    for first in {p[0] for p in _PHRASES}
}
_TOKEN_TOPICS = {kind.token.lower(): topic for topic, kind in KINDS.items()}


class Item(NamedTuple):
    """One number as it was said: "4111", "four", "double two", or a letter that ends an id.

    A tuple, not a frozen record: a long turn has hundreds of thousands.
    """

    digits: str
    """Empty for letters that nothing follows."""
    start: int
    end: int
    gap: int
    """What lies before it, from `JOINED` to `BROKEN`; letters do not count."""
    is_corrected: bool = False
    """Something like "no, sorry" lies before it."""
    letters: str = ""
    """Spelled directly before it; lower case where it may as well be a word ("a", "i")."""
    letter_starts: tuple[int, ...] = ()
    topic: Topic | None = None
    stretch: int = 0
    """Counts the labels and masked numbers before it in its turn."""


class Reading(NamedTuple):
    """What one turn holds of numbers."""

    items: tuple[Item, ...]
    gap: int
    """What lies behind the last item, or the whole turn if there is none."""
    is_corrected: bool
    """The same, of "no, sorry"."""
    labels: tuple[Topic, ...]
    """In order."""
    topic: Topic | None
    """What the next number is, going by this turn."""
    masked: frozenset[Topic]
    """What was masked in the text before."""


def read_numbers(text: str, topic: Topic | None = None) -> Reading:
    """Read the numbers of a turn; `topic` is what its first number is, going by the talk."""
    reader = _Reader(text, topic)
    reader.read()
    return reader.reading()


def folded_signs(text: str) -> str:
    """Lower case, plain quotes, ASCII digits of any script: one sign for one sign."""
    if text.isascii():
        return text.lower()
    kept = plain(text.translate(_KEPT))
    return kept.translate({ord(sign): _folded(sign) for sign in set(kept)})


def _folded(sign: str) -> str:
    digit = unicodedata.digit(sign, None)
    if digit is not None:
        return str(digit)
    single = unicodedata.normalize("NFKC", sign).lower()
    return single if len(single) == 1 else sign


class _Reader:
    """The state of one reading; lives for one turn."""

    def __init__(self, text: str, topic: Topic | None) -> None:
        self._original = text
        self._text = folded_signs(text)
        self._topic = topic
        self._items: list[Item] = []
        self._labels: list[Topic] = []
        self._masked: set[Topic] = set()
        self._at = 0  # everything before this place has been heard
        self._level = PAUSED
        self._is_corrected = False
        self._loose = 0.0
        self._letters = ""
        self._letter_starts: tuple[int, ...] = ()
        self._stretch = 0
        self._last_word = ""
        self._items_end = -1

    def read(self) -> None:
        for token in _TOKEN.finditer(self._text):
            start = token.start()
            if start < self._at:
                continue  # part of a longer reading
            between = self._text[self._at : start]
            if between not in _PLAIN_GAPS and _PAUSE.search(between):
                self._pause(PAUSED)
            self._at = token.end()
            self._hear(start, token.group())
            if self._at == self._items_end:
                self._hear_row()
        self._flush_letters()

    def reading(self) -> Reading:
        return Reading(
            tuple(self._items),
            max(self._level, PAUSED),
            self._is_corrected,
            tuple(self._labels),
            self._topic,
            frozenset(self._masked),
        )

    def _hear(self, start: int, word: str) -> None:
        label = label_at(self._text, start, word)
        if label:
            self._hear_label(start, *label)
        elif word in words.NUMBERS:
            self._hear_number(start, word)
        elif word[0].isdecimal():
            self._hear_digits(start, word)
        elif word[0] == "[":
            self._hear_mask(word)
        elif word[0] in words.CJK_SIGNS:
            self._hear_cjk(start, word)
        elif not (self._hear_spelling(start, word) or self._hear_multiple(start, word)):
            self._hear_word(word)
        self._last_word = word

    # what makes numbers

    def _add(self, digits: str, start: int, end: int) -> None:
        item = Item(
            digits,
            start,
            end,
            self._level,
            self._is_corrected,
            self._letters,
            self._letter_starts,
            self._topic,
            self._stretch,
        )
        self._items.append(item)
        self._at = self._items_end = end
        self._level = JOINED
        if self._letters:
            self._letters, self._letter_starts = "", ()
        self._is_corrected = False
        self._loose = 0.0

    def _hear_row(self) -> None:
        """Take plain digits that stand between others, as fast as can be.

        What comes first and last in a row is looked at with care, "one second" above all.
        """
        text, items, topic, stretch = self._text, self._items, self._topic, self._stretch
        read = words.DIGIT_IN_ROW.match
        step = read(text, self._at)
        while step:
            digits, end = step.group(2), step.end()
            digits = words.UNITS.get(digits) or words.CJK_DIGITS.get(digits) or digits
            gap = PAUSED if step.group(1) in _ROW_PAUSES else JOINED
            items.append(Item(digits, step.start(2), end, gap, False, "", (), topic, stretch))
            self._at = self._items_end = end
            step = read(text, end)

    def _hear_number(self, start: int, word: str) -> None:
        following = words.NEXT_WORD.match(self._text, self._at)
        after = following.group(1) if following else ""
        if self._is_no_number(start, word, after):
            return
        if after in words.PLURALS and "2" <= words.NUMBERS[word] <= "6":
            times = int(words.NUMBERS[word])
            self._add(words.PLURALS[after] * times, start, following.end())  # type: ignore[union-attr]
            return
        digits, end = words.NUMBERS[word], self._at
        if after in words.BIG or word in words.TENS_ALONE:
            digits, end = words.number_at(self._text, word, self._at)
            following = words.NEXT_WORD.match(self._text, end)
            after = following.group(1) if following else ""
        if self._is_quantity(digits, end, after):
            self._at = end
            self._hear_word(word)
        else:
            self._add(digits, start, end)

    def _hear_digits(self, start: int, digits: str) -> None:
        if start and self._text[start - 1] in _CURRENCY and len(digits) <= QUANTITY_DIGITS:
            self._at = words.AMOUNT.match(self._text, start).end()  # type: ignore[union-attr]
            self._hear_word(digits)
            return
        following = words.NEXT_WORD.match(self._text, self._at)
        after = following.group(1) if following else ""
        if self._is_no_number(start, digits, after):
            return
        is_ordinal = after in words.ORDINAL_ENDS and following.start(1) == self._at  # type: ignore[union-attr]
        if is_ordinal or self._is_quantity(digits, self._at, after):
            self._hear_word(digits)
            return
        for piece in _cards_first(digits):
            self._add(piece, start, start + len(piece))
            start += len(piece)

    def _is_no_number(self, start: int, word: str, after: str) -> bool:
        """ "One second", "this one", "the next four are", "sixteen digits": heard as words."""
        if not after and self._last_word not in words.BEFORE_ONE:
            return False
        is_one = word in {"one", "1"}
        is_idiom = is_one and after in words.ONE_IDIOMS
        is_after = is_one and self._last_word in words.BEFORE_ONE and self._is_after_word(start)
        is_count = after in words.DIGIT_WORDS or (
            after in words.COUNT_AFTER
            and self._last_word in words.COUNT_BEFORE
            and self._is_after_word(start)
        )
        if is_count or is_idiom:
            self._pause(PAUSED)
            return True
        if is_after and not words.NUMBER_AHEAD.match(self._text, self._at):
            self._hear_word(word)
            return True
        return False

    def _is_after_word(self, start: int) -> bool:
        return self._text[max(0, start - 2) : start - 1].isalpha() and self._text[start - 1] == " "

    def _is_quantity(self, digits: str, end: int, after: str) -> bool:
        """ "Five dollars", "20%", "三個": a number by itself that counts something."""
        if (self._items and self._level == JOINED) or len(digits) > QUANTITY_DIGITS:
            return False
        return after in words.MEASURES or self._text[end : end + 1] in words.CJK_COUNTED

    def _hear_multiple(self, start: int, word: str) -> bool:
        if word in words.MULTIPLES:
            read = words.repeated_at(self._text, word, self._at)
            if read:
                self._add(read[0], start, read[1])
                return True
        is_joined = bool(self._items) and self._level == JOINED
        if word == "oh" and not words.SIGH_AHEAD.match(self._text, self._at):
            if is_joined or words.NUMBER_AHEAD.match(self._text, self._at):
                self._add("0", start, self._at)
                return True
        return False

    def _hear_cjk(self, start: int, sign: str) -> None:
        for length in _PHRASE_LENGTHS.get(sign, ()):
            phrase = self._text[start : start + length]
            topic, kind = CJK_TOPICS.get(phrase), words.CJK_PHRASES.get(phrase)
            if topic:
                self._hear_label(start, topic, start + length)
                return
            if kind:
                self._at = start + length
                self._hear_phrase(kind)
                return
        if not self._hear_cjk_number(start, sign):
            self._hear_loose(0.5)

    def _hear_phrase(self, kind: str) -> None:
        if kind == words.IDIOM:
            self._hear_loose(1)
        else:
            self._pause(PAUSED)
            self._is_corrected |= kind == words.CORRECTION

    def _hear_cjk_number(self, start: int, sign: str) -> bool:
        quantity = words.CJK_QUANTITY.match(self._text, start)
        if quantity:
            self._at = quantity.end()
            return False
        multiple = words.CJK_MULTIPLE.match(self._text, start)
        tens = words.CJK_TENS.match(self._text, start)
        digits, end = words.CJK_DIGITS.get(sign, ""), start + 1
        if multiple:
            end = multiple.end()
            digits = words.cjk_digit(multiple.group(2)) * words.cjk_times(multiple.group(1))
        elif tens:
            end = tens.end()
            digits = words.cjk_digit(tens.group(1) or "1") + words.cjk_digit(tens.group(2) or "0")
        if not digits:
            return False
        self._at = end
        if self._is_quantity(digits, end, ""):
            return False
        self._add(digits, start, end)
        return True

    def _hear_spelling(self, start: int, word: str) -> bool:
        """A letter of an id: "A123456789", "A as in apple", "a one two", "Bravo 4"."""
        if len(word) > 1:
            is_spelled = word in words.SPELLED and words.SPELLING_AHEAD.match(self._text, self._at)
            if is_spelled:
                self._add_letter(start, word[0].upper())
            return bool(is_spelled)
        if not "a" <= word <= "z":
            return False
        if word == "o" and self._items and self._level == JOINED and not self._letters:
            self._add("0", start, self._at)
            return True
        said_as = _SPOKEN_AS.match(self._text, self._at)
        if said_as and said_as.group(1) == word:
            self._at = said_as.end()
        is_upper = self._original[start : start + 1].isupper()
        is_ahead = bool(words.SPELLING_AHEAD.match(self._text, self._at))
        is_glued = self._text[self._at : self._at + 1].isdecimal() or (
            self._text[max(0, start - 1) : start].isdecimal()
        )
        is_sure = is_glued or said_as or (is_upper and (word not in "ai" or is_ahead))
        if is_sure or is_ahead:
            self._add_letter(start, word.upper() if is_sure else word)
        return bool(is_sure or is_ahead)

    def _add_letter(self, start: int, letter: str) -> None:
        self._letters = (self._letters + letter)[-IBAN_CHARACTERS:]
        self._letter_starts = (*self._letter_starts, start)[-IBAN_CHARACTERS:]

    def _flush_letters(self) -> None:
        """Keep letters that no digit follows, as they may end an id: "…002X"."""
        if self._letters and self._items and self._level <= LISTED:
            self._add("", self._letter_starts[0], self._at)
            self._pause(LOOSE)
        self._letters, self._letter_starts = "", ()

    # what lies between numbers

    def _pause(self, level: int) -> None:
        if level > self._level:
            self._level = level

    def _hear_loose(self, weight: float) -> None:
        if self._letters:
            self._flush_letters()
        self._loose += weight
        self._pause(BROKEN if self._loose > LOOSE_WORDS else LOOSE)

    def _hear_word(self, word: str) -> None:
        if word in words.FILLERS or word == "oh":
            self._pause(PAUSED)
        elif word in words.LISTING:
            self._pause(LISTED)
        elif word in words.CORRECTIONS:
            self._pause(PAUSED)
            self._is_corrected = True
        else:
            self._hear_loose(1)

    def _hear_mask(self, token: str) -> None:
        self._flush_letters()
        self._level = BROKEN
        self._is_corrected = False
        self._masked.add(_TOKEN_TOPICS[token])
        self._stretch += 1
        self._topic = after_mask(self._topic, _TOKEN_TOPICS[token])

    def _hear_label(self, start: int, topic: Topic, end: int) -> None:
        self._flush_letters()
        before = self._items[-1].topic if self._items else self._topic
        if self._items and _COPULA.fullmatch(self._text, self._items[-1].end, start):
            self._name_last_run(topic)
        self._pause(PAUSED if may_continue(before, topic) else BROKEN)
        self._at = end
        self._labels.append(topic)
        self._stretch += 1
        if topic is not Topic.ENDING or self._topic in {None, Topic.CARD, Topic.OTHER}:
            self._topic = topic

    def _name_last_run(self, topic: Topic) -> None:
        """ "4111 1111 is my card number": the number comes before its name."""
        place = len(self._items)
        while place:
            place -= 1
            item = self._items[place]
            self._items[place] = item._replace(topic=topic, stretch=self._stretch)
            if item.gap > LISTED or item.is_corrected:
                break


def _cards_first(digits: str) -> list[str]:
    """Cut cards off the front of a run that is too long for one: "4111…1111" | "1226"."""
    pieces: list[str] = []
    at = 0
    while len(digits) - at > CARD_LENGTHS[1]:
        lengths = card_lengths(digits[at : at + 6])
        length = next((n for n in lengths if is_card(digits[at : at + n])), 0)
        if not length:
            break
        pieces.append(digits[at : at + length])
        at += length
    return [*pieces, digits[at:]] if at < len(digits) else pieces
