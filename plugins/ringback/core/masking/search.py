"""Find the sensitive numbers among what was said.

Works on `Item`s, so that grouping, wording, fillers and ends of turns make no difference.
Numbers are looked for in rows (digits with at most pauses between them), over a few other
words, and over a correction ("4111, no sorry, 4112"). Time grows with the number of items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ringback.core.masking.check_digits import (
    CARD_LENGTHS,
    IBAN_LENGTHS,
    Sensitive,
    card_lengths,
    is_card,
    is_hong_kong_id,
    is_iban,
    is_mainland_id,
    is_ssn,
    is_taiwan_id,
    passes_luhn,
)
from ringback.core.masking.labels import EXPECTED, Topic
from ringback.core.masking.reading import BROKEN, JOINED, LOOSE, PAUSED, Item

TAIL_DIGITS = 8  # an expiry date, a security code or both, said directly behind a card
SHORTEST_ROW = 2  # digits; a single "one" between other words is no part of a number
ID_CHARACTERS = 34  # ISO 13616: no id is longer than an IBAN may be
PHONE_DIGITS = range(8, 16)  # ITU-T E.164, after the +
_ID_START = re.compile(r"[A-Za-z]{1,2}[0-9]{2}")
_PHONE_GROUPS: dict[tuple[int, ...], str] = {  # how phone numbers are written, and begin
    (3, 3, 4): "23456789",
    (1, 3, 3, 4): "1",
    (4, 3, 3): "0",
    (2, 4, 4): "0",
    (2, 3, 4): "0",
    (3, 4, 4): "01",
    (5, 6): "0",
}
_PHONE_STARTS = {10: "09", 11: "13"}  # mobiles that are written in one: Taiwan, mainland China


class Row(NamedTuple):
    """Digits with nothing but pauses between them: items `first` to before `last`."""

    first: int
    last: int
    digits: str
    gap: int
    """What lies before it."""
    is_corrected: bool
    offsets: tuple[int, ...]
    """Where in `digits` its items begin, and where the last one ends."""
    is_other: bool
    """It was called something else: an order number, the last four."""

    def place(self, offset: int) -> int:
        """The item that begins at an offset, which is one of `offsets`."""
        return self.first + self.offsets.index(offset)


class Found(NamedTuple):
    """A sensitive number: items `first` to before `last`."""

    kind: Sensitive
    first: int
    last: int


def rows_of(items: Sequence[Item]) -> list[Row]:
    """Split items into rows; letters belong to none."""
    rows: list[Row] = []
    gap, first = JOINED, 0
    for place, item in enumerate([*items, None]):
        is_cut = item is None or item.is_letters or item.gap >= LOOSE or item.is_corrected
        if is_cut and first < place:
            rows.append(_row(items, first, place, gap))
            gap = JOINED
        if item and is_cut:
            first = place + item.is_letters
            gap = max(gap, item.gap, LOOSE if item.is_letters else JOINED)
    return rows


def _row(items: Sequence[Item], first: int, last: int, gap: int) -> Row:
    said = items[first:last]
    return Row(
        first,
        last,
        "".join([item.value for item in said]),
        gap,
        said[0].is_corrected,
        (0, *accumulate(len(item.value) for item in said)),
        any(item.topic in {Topic.OTHER, Topic.ENDING} for item in said),
    )


def find_checked(items: Sequence[Item]) -> Iterator[Found]:
    """Find every number that its check digits or its written shape give away."""
    rows = rows_of(items)
    yield from _lettered_ids(items)
    for row in rows:
        yield from _mainland_ids(items, row)
        yield from _cards_in(items, row)
    yield from _cards_over_words(items, rows)
    for first, last in _written_groups(items):
        kind = _written_kind(items[first:last])
        if kind:
            yield Found(kind, first, last)


def find_expected(items: Sequence[Item]) -> Iterator[tuple[Topic, Found]]:
    """Find what the talk says is a sensitive number, whether or not it checks."""
    first, digits = 0, 0
    for place, item in enumerate([*items, None]):
        topic = items[first].topic if items else None
        expected = EXPECTED.get(topic) if topic else None
        is_again = item and (item.is_labelled or item.is_corrected)
        is_complete = bool(expected and digits >= expected.least)
        if item and item.topic is topic and item.gap < BROKEN and not (is_again and is_complete):
            digits += 0 if item.is_letters else len(item.value)
            continue
        if topic and expected and is_complete:
            if digits <= expected.most:
                yield topic, Found(expected.kind, first, place)
            elif EXPECTED[Topic.CARD].least <= digits <= EXPECTED[Topic.CARD].most:
                yield Topic.CARD, Found(Sensitive.CARD, first, place)  # asked for with its code
        if item:
            first, digits = place, 0 if item.is_letters else len(item.value)


def _cards_in(items: Sequence[Item], row: Row) -> Iterator[Found]:
    """Cards within one row, from the left; each begins and ends where an item does."""
    size, over = len(row.digits), 0
    if size < CARD_LENGTHS[0]:
        return
    item_at = dict(zip(row.offsets, range(row.first, row.last + 1), strict=True))
    for start in row.offsets[:-1]:
        if start < over:
            continue
        for length in card_lengths(row.digits[start : start + 6]):
            end = start + length
            digits = row.digits[start:end]
            if end in item_at and _may_be_card(items, row, start, end) and passes_luhn(digits):
                yield Found(Sensitive.CARD, item_at[start], _with_tail(items, row, item_at[end]))
                over = end
                break


def _may_be_card(items: Sequence[Item], row: Row, start: int, end: int) -> bool:
    """Whether what else is in its row lets a part of it be a card, check digit or not.

    A card of its issuer's usual length may stand among other digits, unless they were called
    something else; a longer one begins its row; a shorter one is all that was said.
    """
    usual, length, after = (
        card_lengths(row.digits[start:end])[0],
        end - start,
        len(row.digits) - end,
    )
    if start == after == 0:
        is_one_turn = not any(item.is_first for item in items[row.first + 1 : row.last])
        return length >= usual or is_one_turn
    if row.is_other or length < usual:
        return False
    return length == usual or (start == 0 and after <= TAIL_DIGITS)


def _with_tail(items: Sequence[Item], row: Row, last: int) -> int:
    """Where a card ends together with its expiry and code, if they were said with it."""
    tail = items[last : min(row.last, last + TAIL_DIGITS + 1)]
    is_short = sum(len(item.value) for item in tail) <= TAIL_DIGITS
    return row.last if is_short and not any(item.is_first for item in tail) else last


def _cards_over_words(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    """Cards that go on after other words, or after a correction."""
    for place, row in enumerate(rows):
        said = row.digits
        if row.is_other or not SHORTEST_ROW <= len(said) <= CARD_LENGTHS[1]:
            continue
        for other in rows[place + 1 : place + CARD_LENGTHS[1]]:
            if other.gap == BROKEN or other.is_other or len(said) >= CARD_LENGTHS[1]:
                break
            if len(other.digits) < SHORTEST_ROW:
                continue
            if other.is_corrected and _is_corrected_card(row, said, other):
                yield Found(Sensitive.CARD, row.first, other.last)
            lengths = card_lengths((said + other.digits)[:6])
            for offset in (length - len(said) for length in lengths if length >= lengths[0]):
                if offset in other.offsets[1:] and is_card(said + other.digits[:offset]):
                    last = _with_tail(items, other, other.place(offset))
                    yield Found(Sensitive.CARD, row.first, last)
            said += other.digits


def _is_corrected_card(row: Row, said: str, correction: Row) -> bool:
    """In "4111 1112, no sorry, 1111", what is said again replaces the end of what was said."""
    kept = row.offsets[1:] if said == row.digits else (len(row.digits),)
    return any(is_card(said[:offset] + correction.digits) for offset in kept)


def _mainland_ids(items: Sequence[Item], row: Row) -> Iterator[Found]:
    if len(row.digits) < 17:
        return
    item_at = dict(zip(row.offsets, range(row.first, row.last + 1), strict=True))
    after = items[row.last] if row.last < len(items) else None
    has_x = after is not None and after.value in {"X", "x"} and after.gap <= PAUSED
    for start in row.offsets[:-1]:
        if start + 18 in item_at and is_mainland_id(row.digits[start : start + 18]):
            yield Found(Sensitive.NATIONAL_ID, item_at[start], item_at[start + 18])
        if has_x and start + 17 == len(row.digits) and is_mainland_id(row.digits[start:] + "X"):
            yield Found(Sensitive.NATIONAL_ID, item_at[start], row.last + 1)


def _lettered_ids(items: Sequence[Item]) -> Iterator[Found]:
    """Ids that begin with letters: those of Taiwan and Hong Kong, and IBANs."""
    for first, item in enumerate(items):
        if not item.is_letters or len(item.value) > 2:
            continue
        text = ""
        for place in range(first, min(first + ID_CHARACTERS, len(items))):
            if place > first and (items[place].gap >= LOOSE or items[place].is_corrected):
                break
            text += items[place].value
            if len(text) >= 4 and not _ID_START.match(text):
                break
            kind = _lettered_kind(text, items[place], is_labelled=item.topic is Topic.ID)
            if kind:
                yield Found(kind, first, place + 1)
                break


def _lettered_kind(text: str, last: Item, *, is_labelled: bool) -> Sensitive | None:
    """What a text of letters and digits is, going by its check digits."""
    upper = text.upper()
    if len(text) == IBAN_LENGTHS.get(upper[:2]) and is_iban(upper):
        return Sensitive.IBAN
    written = upper if is_labelled else text  # "a" and "i" may as well be words
    is_hong_kong = (is_labelled or last.sign == "(") and is_hong_kong_id(written)
    return Sensitive.NATIONAL_ID if is_hong_kong or is_taiwan_id(written) else None


def _written_groups(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Digits with nothing but spaces, hyphens and the like between them."""
    first = 0
    for place in range(1, len(items) + 1):
        if place == len(items) or items[place].gap > JOINED or items[place].is_first:
            yield first, place
            first = place


def _written_kind(said: Sequence[Item]) -> Sensitive | None:
    """What a number is, going by how it is written: 123-45-6789, +1 555 123 4567."""
    sizes = tuple(len(item.value) for item in said[:5])
    if len(said) > max(PHONE_DIGITS) or any(
        item.is_letters or item.topic is Topic.OTHER for item in said
    ):
        return None
    digits = "".join(item.value for item in said)
    if sizes == (3, 2, 4) and is_ssn(digits):
        return Sensitive.SSN
    is_international = said[0].sign == "+" and len(digits) in PHONE_DIGITS
    is_grouped = digits[0] in _PHONE_GROUPS.get(sizes, "")
    start = _PHONE_STARTS.get(len(digits)) if len(said) == 1 else None
    is_mobile = bool(start and digits.startswith(start))
    return Sensitive.PHONE if is_international or is_grouped or is_mobile else None
