# ruff: noqa: RUF001 - Chinese signs are meant
"""Mask one call: a plain state machine, turns in, masked turns out.

It keeps the last turns with their numbers, in memory alone. Each new turn is read, joined
to the turns before it, and searched; what is found is marked on the items of the turns it
lies in, and those turns are written anew.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from ringback.core.masking.check_digits import Sensitive
from ringback.core.masking.labels import Topic
from ringback.core.masking.reading import BROKEN, LOOSE, Item, Reading, read
from ringback.core.masking.search import Found, find_checked, find_expected, rows_of
from ringback.records import Role, Turn
from ringback.schemas import Schema
from ringback.schemas.declaration import Promotion, ValueType

TURNS = 12  # that a number may run over, and that are kept
ITEMS = 64  # the last of an earlier turn; a card has at most 19 digits
TOPIC_TURNS = 5  # how long a topic lasts that nobody comes back to
CARD_TURNS = 6  # how long after a card "expires 12/26" is the card's
KNOWN = 16  # numbers that are recognised when they are read back
KNOWN_CODE_TURNS = 4  # how long a security code is: three digits are soon said by chance
LONGEST = 4_000  # characters that are read; whoever says more in one turn is no speaker
READ_BACK = 5  # digits in a row of a known number that are masked; the last four may be said

_ALLOWED = {
    ValueType.CARD: (Sensitive.CARD, Sensitive.CARD_EXPIRY),
    ValueType.NATIONAL_ID: (Sensitive.NATIONAL_ID, Sensitive.SSN),
    ValueType.BANK_ACCOUNT: (Sensitive.IBAN,),
    ValueType.PHONE: (Sensitive.PHONE,),
}
_LONG_NUMBER = re.compile(r"\d(?:[\s.,-]{0,3}\d){3,}")
_NUMBER = "[number]"
_LETTERED = frozenset({Sensitive.NATIONAL_ID, Sensitive.IBAN})


@dataclass(frozen=True, slots=True)
class Masked:
    """A turn as it may be written."""

    turn: Turn
    amended: tuple[Turn, ...] = ()
    """Earlier turns of this call that must be replaced by these, oldest first."""
    kinds: tuple[Sensitive, ...] = ()
    """What was masked now, in all of them; never the digits."""


def allowed_by(schema: Schema) -> frozenset[Sensitive]:
    """What a schema keeps, and so must not be masked: what it has a field for.

    A field that refuses its value keeps nothing. No schema may keep a security code.
    """
    return frozenset(
        kind
        for field in schema.fields
        if field.promotion is not Promotion.REFUSED
        for kind in _ALLOWED.get(field.type, ())
    )


def masked(text: str, schema: Schema) -> str:
    """Mask a text that stands by itself."""
    alone = Turn(Role.CALLER, text, at=datetime.min.replace(tzinfo=UTC), position=0)
    return Masker(allowed_by(schema)).mask(alone).turn.text


class _Known(NamedTuple):
    """A number that was masked, to recognise it when it is read back. Never written."""

    kind: Sensitive
    digits: str
    turn: int
    """The turn in which it was masked."""


class _Heard:
    """One turn with its numbers; lives as long as it is among the last `TURNS`."""

    def __init__(self, turn: Turn, reading: Reading) -> None:
        self.turn = turn
        self.masked = turn
        self.reading = reading
        self.items = reading.items
        self.marks: dict[int, Sensitive] = {}
        self._settled: list[tuple[int, int, Sensitive]] = []  # of items no longer kept

    def mark(self, place: int, kind: Sensitive) -> bool:
        """Have an item masked; False if it is already, or if it is no part of such a number."""
        before = self.marks.get(place)
        if before is kind or before not in {None, Sensitive.PHONE}:
            return False  # what looked like a phone number may turn out to be part of a card
        if self.items[place].is_letters and kind not in _LETTERED:
            return False
        self.marks[place] = kind
        return True

    def write(self) -> bool:
        """Write the turn anew; True if it has changed."""
        text, pieces, at = self.turn.text, [], 0
        for start, end, kind in [*self._settled, *self._spans()]:
            pieces += [text[at:start], kind.token]
            at = end
        written = "".join([*pieces, text[at:]])
        if written == self.masked.text:
            return False
        self.masked = replace(self.turn, text=written)
        return True

    def forget_all_but_the_last(self) -> None:
        """Keep no more than `ITEMS`; call it when the turn is written."""
        over = len(self.items) - ITEMS
        if over > 0:
            limit = self.items[over].start
            self._settled += [span for span in self._spans() if span[0] < limit]
            self.items = [self.items[over]._replace(gap=BROKEN), *self.items[over + 1 :]]
            self.marks = {at - over: kind for at, kind in self.marks.items() if at >= over}

    def _spans(self) -> list[tuple[int, int, Sensitive]]:
        """Where the text is masked; items side by side with nothing but pauses as one."""
        text = self.turn.text
        spans: list[tuple[int, int, Sensitive]] = []
        before, settled = -2, self._settled[-1][1] if self._settled else 0
        for place in sorted(self.marks):
            item, kind = self.items[place], self.marks[place]
            if item.start < settled:
                continue
            is_same = place == before + 1 and item.gap < LOOSE and not item.is_corrected
            if spans and is_same and spans[-1][2] is kind:
                spans[-1] = (spans[-1][0], item.end, kind)
            else:
                spans.append((item.start, item.end, kind))
            before = place
        return [(*_with_brackets(text, start, end), kind) for start, end, kind in spans]


class Masker:
    """What masks one call; lives as long as the call, and is used by one task.

    Holds the last `TURNS` turns and the last `KNOWN` masked numbers, in memory alone; the
    oldest go first. `mask()` takes any text and never raises; its time grows with how many
    numbers are said, and is bounded by `LONGEST`.

    Args:
        allowed: What is left as it is; see `allowed_by`.
    """

    def __init__(self, allowed: frozenset[Sensitive] = frozenset()) -> None:
        self._wanted = frozenset(Sensitive) - (allowed - {Sensitive.SECURITY_CODE})
        self._history: deque[_Heard] = deque(maxlen=TURNS)
        self._known: deque[_Known] = deque(maxlen=KNOWN)
        self._topic: Topic | None = None
        self._topic_count = 0
        self._card_count = -CARD_TURNS
        self._count = 0

    def mask(self, turn: Turn) -> Masked:
        """Mask what was said, and say which earlier turns have to be masked now.

        Args:
            turn: With its position in the call. A position that came before replaces what
                was said there.

        Returns:
            The same turn object where there was nothing to mask.
        """
        self._count += 1
        self._drop(turn.position)
        turn = _without_tail(turn)
        reading = read(turn.text[:LONGEST], self._topic)
        newest = _Heard(turn, reading)
        self._history.append(newest)
        if Topic.CARD in reading.labels:
            self._card_count = self._count
        kinds = dict.fromkeys(self._find(turn.role)) if newest.items else {}
        self._move_on(reading)
        amended = [heard for heard in self._history if heard.marks and heard.write()]
        newest.forget_all_but_the_last()
        earlier = tuple(heard.masked for heard in amended if heard is not newest)
        return Masked(newest.masked, earlier, tuple(kinds))

    def _drop(self, position: int) -> None:
        """Forget what stood at this place of the call, as it is being said anew."""
        if position >= 0:
            kept = [heard for heard in self._history if heard.turn.position != position]
            self._history = deque(kept, maxlen=TURNS)

    def _move_on(self, reading: Reading) -> None:
        if reading.labels:
            self._topic_count = self._count
        is_old = self._count - self._topic_count >= TOPIC_TURNS
        self._topic = None if is_old else reading.topic

    def _find(self, role: Role) -> Iterator[Sensitive]:
        """Mark every sensitive number; yields the kind of each item that is newly masked."""
        own, everyone = self._said_by(role), self._said_by(*Role)
        for stream in (own, everyone):
            for found in find_checked(stream.items):
                yield from self._take(stream, found)
        for topic, found in find_expected(own.items):
            is_card = self._count - self._card_count < CARD_TURNS
            if topic is not Topic.EXPIRY or is_card:
                yield from self._take(own, found)
        for one in Role:
            yield from self._find_read_back(self._said_by(one))

    def _take(self, stream: _Stream, found: Found) -> Iterator[Sensitive]:
        if found.kind not in self._wanted:
            return
        if found.kind is Sensitive.CARD:
            self._card_count = self._count
        said = stream.items[found.first : found.last]
        digits = "".join([item.value for item in said if not item.is_letters])
        if all(known.digits != digits for known in self._known):
            self._known.append(_Known(found.kind, digits, self._count))
        yield from stream.mark(found)

    def _find_read_back(self, stream: _Stream) -> Iterator[Sensitive]:
        """Mask what repeats a masked number, or enough of it; also what was said before it."""
        codes = {
            known.digits
            for known in self._known
            if known.kind is Sensitive.SECURITY_CODE and self._count - known.turn < KNOWN_CODE_TURNS
        }
        parts = {
            known.digits[start : start + READ_BACK]: known.kind
            for known in self._known
            for start in range(len(known.digits) - READ_BACK + 1)
        }
        for row in rows_of(stream.items) if self._known else ():
            if row.digits in codes and stream.is_new(row.last - 1, self._history[-1]):
                yield from stream.mark(Found(Sensitive.SECURITY_CODE, row.first, row.last))
            item_of = [
                place for place in range(row.first, row.last) for _ in stream.items[place].value
            ]
            for start in range(len(row.digits) - READ_BACK + 1):
                kind = parts.get(row.digits[start : start + READ_BACK])
                if kind:
                    last = item_of[start + READ_BACK - 1] + 1
                    yield from stream.mark(Found(kind, item_of[start], last))

    def _said_by(self, *roles: Role) -> _Stream:
        """What these roles said in the last turns, as if it had been said in one go."""
        stream = _Stream([], [])
        gap, is_corrected = 0, False
        for heard in self._history:
            is_theirs = heard.turn.role in roles
            if is_theirs and heard.items:
                first = heard.items[0]
                stream.items.append(
                    first._replace(
                        gap=max(gap, first.gap), is_corrected=is_corrected or first.is_corrected
                    )
                )
                stream.items.extend(heard.items[1:])
                stream.owners.extend((heard, place) for place in range(len(heard.items)))
                gap, is_corrected = heard.reading.gap, heard.reading.is_corrected
            else:
                gap = max(gap, heard.reading.gap) if is_theirs else gap
                gap = BROKEN if heard.reading.has_break else gap
                is_corrected |= is_theirs and heard.reading.is_corrected
        return stream


def _without_tail(turn: Turn) -> Turn:
    """A turn that is longer than anybody speaks, without any number behind what is read."""
    if len(turn.text) <= LONGEST:
        return turn
    tail = _LONG_NUMBER.sub(_NUMBER, turn.text[LONGEST:])
    return replace(turn, text=turn.text[:LONGEST] + tail)


class _Stream(NamedTuple):
    """Items of several turns, in the order in which they were said."""

    items: list[Item]
    owners: list[tuple[_Heard, int]]
    """The turn of each, and its place among the items of that turn."""

    def mark(self, found: Found) -> Iterator[Sensitive]:
        """Have a number masked; yields its kind for each item that was not yet."""
        for heard, place in self.owners[found.first : found.last]:
            if heard.mark(place, found.kind):
                yield found.kind

    def is_new(self, place: int, newest: _Heard) -> bool:
        """The item is one of the newest turn."""
        return self.owners[place][0] is newest


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the signs around a number that belong to it: "+1 …", "(555) …", "…(3)"."""
    inside = text[start:end]
    if text[start - 1 : start] in {"(", "（"} and {")", "）"} & set(inside):
        start -= 1
    if text[start - 1 : start] == "+":
        start -= 1
    if text[end : end + 1] in {")", "）"} and {"(", "（"} & set(inside):
        end += 1
    return start, end
