"""Find the sensitive numbers among what was said, by their check digits.

Works on `Item`s, so that grouping, wording, fillers and ends of turns make no difference.
Numbers are looked for in rows (digits with at most pauses between them), over a few other
words, and over corrections ("4111, no sorry, 4112"). Time grows with the number of items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ringback.core.number_topics import NAMED, Topic
from ringback.core.said_numbers import BROKEN, JOINED, LISTED, LOOSE, Item
from ringback.core.sensitive_numbers import (
    CARD_LENGTHS,
    CARD_START,
    IBAN_LENGTHS,
    MAINLAND_ID_START,
    Sensitive,
    card_lengths,
    is_card,
    is_hong_kong_id,
    is_iban,
    is_mainland_id,
    is_ssn,
    is_taiwan_id,
)

GROUP_DIGITS = 4  # written digits that make a group of their own: a card may begin there
LEAD_DIGITS = 4  # an expiry date, or "to" heard as 2, directly before a card
TAIL_DIGITS = (3, 8)  # a security code, an expiry date or both, directly behind a card
SHORTEST_ROW = 2  # digits; a single "one" between other words is no part of a number
RESTART_DIGITS = 3  # a row that begins like the one it corrects says it all again
CORRECTED_ROWS = 4  # rows with corrections in between that may make one card
CORRECTIONS = 32  # per search; a turn with more of them is not speech
READINGS = 64  # of one corrected number
_LETTERED = (  # letters, digits
    (1, 9, is_taiwan_id),
    (2, 8, is_taiwan_id),
    (1, 7, is_hong_kong_id),
    (2, 7, is_hong_kong_id),
)
SEARCHES = 4  # what is found splits what is left, which is then searched again


class Row(NamedTuple):
    """Digits with nothing but pauses between them: items `first` to before `last`."""

    first: int
    last: int
    digits: str
    gap: int
    """What lies before it."""
    is_corrected: bool


class Found(NamedTuple):
    """A sensitive number: items `first` to before `last`."""

    kind: Sensitive
    first: int
    last: int
    digits: str
    letters_before: int = 0
    """How many of the letters of item `first` belong to it."""
    letters_after: int = 0
    """How many of the letters of item `last` belong to it."""
    is_complete: bool = True


def rows_of(items: Sequence[Item], taken: bytearray) -> list[Row]:
    """Split items into rows; `taken` marks items that are masked, which end a row."""
    cuts = [
        place
        for place, item in enumerate(items)
        if item.gap >= LOOSE
        or item.is_corrected
        or item.letters
        or taken[place]
        or not place
        or taken[place - 1]
    ]
    rows: list[Row] = []
    for first, last in zip(cuts, [*cuts[1:], len(items)], strict=True):
        if taken[first]:
            continue
        item = items[first]
        gap = BROKEN if not first or taken[first - 1] else max(item.gap, LOOSE * bool(item.letters))
        digits = "".join([other.digits for other in items[first:last]])
        rows.append(Row(first, last, digits, gap, item.is_corrected))
    return rows


def find_numbers(items: Sequence[Item], taken: bytearray, *, fresh: int = 0) -> list[Found]:
    """Find every number that its check digits give away.

    Args:
        items: In the order in which they were said; over turns where `fresh` is above 0.
        taken: One flag per item: masked before, and done with. What is found is added.
        fresh: The first item that is new. Only numbers that end there or later are found.
    """
    found: list[Found] = []
    for _ in range(SEARCHES):
        rows = rows_of(items, taken)
        count = len(found)
        for search in (_cards_in_rows, _mainland_ids, _lettered_ids, _written_ssns, _cards_over):
            for one in search(items, rows):
                if one.last > fresh and not any(taken[one.first : one.last]):
                    found.append(one)
                    taken[one.first : one.last] = b"\1" * (one.last - one.first)
        if len(found) == count:
            break
    return found


class _Digits:
    """A row's digits, with the places where its items begin, and Luhn sums over any part."""

    def __init__(self, items: Sequence[Item], row: Row) -> None:
        self.row = row
        self.offsets = [0, *accumulate(len(item.digits) for item in items[row.first : row.last])]
        self.item_at = dict(zip(self.offsets, range(row.first, row.last + 1), strict=True))
        values = list(map(int, row.digits))
        doubled = [value * 2 - 9 * (value > 4) for value in values]
        values[::2], doubled[::2] = doubled[::2], values[::2]
        self._doubled_at_even = [0, *accumulate(values)]
        self._doubled_at_odd = [0, *accumulate(doubled)]

    def passes_luhn(self, start: int, end: int) -> bool:
        sums = self._doubled_at_odd if end % 2 else self._doubled_at_even
        return (sums[end] - sums[start]) % 10 == 0


def _cards_in_rows(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    for row in rows:
        if len(row.digits) >= CARD_LENGTHS[0] and CARD_START.search(row.digits):
            yield from _cards_in_row(items, _Digits(items, row))


def _cards_in_row(items: Sequence[Item], said: _Digits) -> Iterator[Found]:
    """Cards within one row, from the left; each begins and ends where an item does."""
    row, over, group = said.row, 0, 0
    for first, start in zip(range(row.first, row.last), said.offsets, strict=False):
        if items[first].gap > JOINED:
            group = start
        if start < over or not CARD_START.match(row.digits, start):
            continue
        is_start = start - max(group, over) <= LEAD_DIGITS or (
            len(items[first].digits) >= GROUP_DIGITS
        )
        end = _card_end(items, said, first, start) if is_start else 0
        if end:
            digits = row.digits[start:end]
            rest = len(row.digits) - end
            over = len(row.digits) if TAIL_DIGITS[0] <= rest <= TAIL_DIGITS[1] else end
            is_complete = len(digits) == card_lengths(digits)[0]
            last = said.item_at[over]
            yield Found(Sensitive.CARD, first, last, digits, is_complete=is_complete)


def _card_end(items: Sequence[Item], said: _Digits, first: int, start: int) -> int:
    """Where a card that begins with item `first` ends, as an offset; 0 where none does."""
    digits = said.row.digits
    for length in card_lengths(digits[start : start + 6]):
        end = start + length
        last = said.item_at.get(end)
        if last is None or not said.passes_luhn(start, end):
            continue
        is_by_itself = _is_by_itself(items, said.row, first, last)
        is_usual = length == card_lengths(digits[start : start + 6])[0]
        if is_by_itself or (is_usual and not _is_named(items[first:last])):
            return end
    return 0


def _is_named(items: Sequence[Item]) -> bool:
    """It was called something else: an order number, a phone number."""
    return any(item.topic in NAMED for item in items)


def _is_by_itself(items: Sequence[Item], row: Row, first: int, last: int) -> bool:
    """Nothing is said in the same breath, and it is no list of shorter numbers."""
    begins = first == row.first or items[first].gap > JOINED
    ends = last == row.last or items[last].gap > JOINED
    return begins and ends and all(item.gap < LISTED for item in items[first + 1 : last])


def _cards_over(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    """Cards that go on after other words, or after a correction."""
    corrections = 0
    for chain in _chains(rows):
        for place, row in enumerate(chain):
            after = chain[place + 1 : place + 1 + CARD_LENGTHS[1]]
            if not after or _is_named(items[row.first : row.first + 1]):
                continue
            yield from _card_over_words(items, row, after)
            if any(other.is_corrected for other in after[:CORRECTED_ROWS]):
                corrections += 1
                if corrections <= CORRECTIONS:
                    yield from _corrected_cards(items, row, after[:CORRECTED_ROWS])


def _chains(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that may belong together."""
    chain: list[Row] = []
    for row in rows:
        if row.gap == BROKEN and chain:
            yield chain
            chain = []
        if len(row.digits) >= SHORTEST_ROW:
            chain.append(row)
    yield chain


def _card_over_words(items: Sequence[Item], row: Row, after: Sequence[Row]) -> Iterator[Found]:
    """ "4111 1111 is the first half and 1111 1111 is the second"."""
    digits = row.digits
    lengths = card_lengths((digits + after[0].digits)[:6])
    for other in after if len(digits) < CARD_LENGTHS[1] else ():
        for length in lengths:
            last = _item_after(items, other, length - len(digits))
            said = (digits + other.digits)[:length]
            if last and is_card(said) and not _is_named(items[other.first : other.first + 1]):
                yield Found(Sensitive.CARD, row.first, last, said, is_complete=length == lengths[0])
        digits += other.digits
        if len(digits) >= CARD_LENGTHS[1]:
            return


def _item_after(items: Sequence[Item], row: Row, count: int) -> int:
    """The item behind the first `count` digits of a row; 0 if they end within an item."""
    for place in range(row.first, row.last):
        if count <= 0:
            break
        count -= len(items[place].digits)
        if not count:
            return place + 1
    return 0


def _corrected_cards(items: Sequence[Item], row: Row, after: Sequence[Row]) -> Iterator[Found]:
    """ "4111 1112, no sorry, 1111": what is said again replaces the end of what was said."""
    readings, is_corrected = [row.digits], False
    for other in after:
        longest = max(len(row.digits), len(other.digits))
        if longest > CARD_LENGTHS[1] or _is_named(items[other.first : other.first + 1]):
            return
        is_corrected |= other.is_corrected
        kept = _kept if other.is_corrected else _all_kept
        readings = [k + other.digits for said in readings for k in kept(said, other)][:READINGS]
        for said in readings if is_corrected else ():
            if is_card(said) and len(said) == card_lengths(said)[0]:
                yield Found(Sensitive.CARD, row.first, other.last, said)


def _kept(said: str, correction: Row) -> list[str]:
    """What may stay of the digits before a correction."""
    if said[:RESTART_DIGITS] == correction.digits[:RESTART_DIGITS]:
        return [""]
    room = CARD_LENGTHS[1] - len(correction.digits)
    return [said[:count] for count in range(min(len(said), room + 1))]


def _all_kept(said: str, more: Row) -> list[str]:
    return [said] if len(said) + len(more.digits) <= CARD_LENGTHS[1] else []


def _mainland_ids(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    for row in rows:
        if len(row.digits) < 17 or not MAINLAND_ID_START.search(row.digits):
            continue
        offsets = [0, *accumulate(len(item.digits) for item in items[row.first : row.last])]
        item_at = dict(zip(offsets, range(row.first, row.last + 1), strict=True))
        for match in MAINLAND_ID_START.finditer(row.digits):
            start = match.start()
            first, last = item_at.get(start), item_at.get(start + 18)
            if first is None:
                continue
            digits = row.digits[start : start + 18]
            if last is not None and is_mainland_id(digits):
                yield Found(Sensitive.NATIONAL_ID, first, last, digits)
            ends = item_at.get(start + 17)
            if ends == row.last and _is_x(items, ends) and is_mainland_id(digits + "X"):
                yield Found(Sensitive.NATIONAL_ID, first, ends, digits, letters_after=1)


def _is_x(items: Sequence[Item], place: int) -> bool:
    """An X is spelled directly before this item."""
    item = items[place] if place < len(items) else None
    return item is not None and item.gap <= LISTED and item.letters[:1] in {"X", "x"}


def _lettered_ids(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    """Ids that begin with letters: those of Taiwan and Hong Kong, and spelled IBANs."""
    for row in rows:
        item = items[row.first]
        if not item.letters:
            continue
        is_expected = item.topic is Topic.ID
        for count, length, is_id in _LETTERED:
            last, letters = _item_after(items, row, length), item.letters[-count:]
            is_sure = is_expected or letters.isupper()
            if is_id is is_hong_kong_id:
                is_sure = is_expected or _is_bracketed(items, row)
            digits = row.digits[:length]
            if last and is_sure and len(letters) == count and is_id(letters.upper() + digits):
                yield Found(Sensitive.NATIONAL_ID, row.first, last, digits, count)
        yield from _spelled_iban(items, row.first)


def _is_bracketed(items: Sequence[Item], row: Row) -> bool:
    """Written as six digits and one, glued to its letters: A123456(3)."""
    item = items[row.first]
    return (
        [len(other.digits) for other in items[row.first : row.first + 2]] == [6, 1]
        and item.end - item.start == 6
        and item.letter_starts[-1] == item.start - 1
    )


def _spelled_iban(items: Sequence[Item], first: int) -> Iterator[Found]:
    """ "G B eight two W E S T one two …": letters and digits in turn."""
    text = items[first].letters[-2:].upper()
    length = IBAN_LENGTHS.get(text, 0)
    for place in range(first, min(first + length, len(items))):
        item = items[place]
        if place > first:
            if item.gap > LISTED or item.is_corrected:
                return
            text += item.letters.upper()
        if is_iban(text):
            yield _iban(first, place, text, len(item.letters))
            return
        text += item.digits
        if is_iban(text):
            yield _iban(first, place + 1, text, 0)
            return


def _iban(first: int, last: int, text: str, letters_after: int) -> Found:
    digits = "".join(sign for sign in text if sign.isdecimal())
    return Found(Sensitive.IBAN, first, last, digits, 2, letters_after)


def _written_ssns(items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Found]:
    """123-45-6789, with hyphens, dots or spaces: written digits in threes, twos and fours."""
    for row in rows:
        if len(row.digits) < 9 or row.last - row.first < 3:
            continue
        for first in range(row.first, row.last - 2):
            if len(items[first].digits) == 3 and _is_ssn_at(items, row, first):
                digits = "".join(item.digits for item in items[first : first + 3])
                yield Found(Sensitive.SSN, first, first + 3, digits)


def _is_ssn_at(items: Sequence[Item], row: Row, first: int) -> bool:
    area, group, serial = items[first : first + 3]
    end = first + 3
    return (
        len(group.digits) == 2
        and len(serial.digits) == 4
        and all(len(item.digits) == item.end - item.start for item in (area, group, serial))
        and (group.gap, serial.gap) == (JOINED, JOINED)
        and (first == row.first or area.gap > JOINED)
        and (end == row.last or items[end].gap > JOINED)
        and is_ssn(area.digits + group.digits + serial.digits)
        and area.topic is not Topic.PHONE
    )
