"""Mask personal numbers in what is said, before any of it is written.

A plain state machine: turns go in in the order in which they are said, masked turns come
out. Cards, ids and IBANs are known by their check digits, however they are grouped, worded
or spread over turns; the rest by what the talk is about. See docs/masking.md.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ringback.core.heard_numbers import DONE, OPEN, Heard, History, Stream
from ringback.core.number_search import Found, Row, find_numbers, rows_of
from ringback.core.number_topics import KINDS, NAMED, Topic
from ringback.core.said_numbers import JOINED, folded_signs, read_numbers
from ringback.core.sensitive_numbers import CARD_LENGTHS, Sensitive, is_phone
from ringback.core.written_ids import written_ids
from ringback.records import Role, Turn
from ringback.schemas import Schema
from ringback.schemas.declaration import ValueType

__all__ = ["Masked", "Masker", "Sensitive", "allowed_by"]

TOPIC_TURNS = 6  # how long a topic lasts that nobody comes back to
NAMED_TURNS = 2  # the same, of "what is your order number?"
SAID_TURNS = 2  # a number of a card's length was said, whether it checks or not
KNOWN_TURNS = 8  # how long a number is recognised when it is read back
KNOWN = 4  # numbers
SHORTEST = 4  # digits in a row that are masked when a card or an id is the topic
CODE_DIGITS = (3, 8)  # a card's code has 3 or 4; one-time codes have more
EXPIRY_DIGITS = (3, 6)  # 126, 1226, 122026
READ_BACK_NAMED = 8  # digits; under another name less than this may be that other number
_FULL_LENGTH = {  # digits after which a number has been said, whether it checks or not
    Sensitive.SECURITY_CODE: 3,
    Sensitive.CARD_EXPIRY: 3,
    Sensitive.NATIONAL_ID: 9,
    Sensitive.SSN: 9,
    Sensitive.IBAN: 20,
    Sensitive.PHONE: 8,
}
_MONTHS = (
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july "
    "august september october november december"
).replace(" ", "|")
_PLAIN_NUMBER = re.compile(
    r"[0-9]{1,2}[:.][0-9]{2}(?::[0-9]{2})?"  # a time
    r"|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}"  # a date
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"  # an amount
)
_YEAR = re.compile(r"(?:[0-9]{1,2}(?:st|nd|rd|th)?,?\s)?(?:19|20)[0-9]{2}")
_BEFORE_YEAR = re.compile(rf"(?:\b(?:in|since|until|by|of|year|{_MONTHS})\.?,?\s)$")
_BEFORE_YEAR_CHARACTERS = 12
_ALLOWED = {
    ValueType.CARD: {Sensitive.CARD, Sensitive.CARD_EXPIRY},
    ValueType.NATIONAL_ID: {Sensitive.NATIONAL_ID, Sensitive.SSN},
    ValueType.BANK_ACCOUNT: {Sensitive.IBAN},
    ValueType.PHONE: {Sensitive.PHONE},
}


@dataclass(frozen=True, slots=True)
class Masked:
    """A turn as it may be written."""

    turn: Turn
    amended: tuple[Turn, ...] = ()
    """Earlier turns of this call that must be replaced by these, oldest first."""
    kinds: tuple[Sensitive, ...] = ()
    """What was masked, in both; never the digits."""


def allowed_by(schema: Schema) -> frozenset[Sensitive]:
    """What a schema keeps, and so must not be masked: what it has a field for.

    A security code is never allowed by a schema: no one may keep it.
    """
    return frozenset(kind for field in schema.fields for kind in _ALLOWED.get(field.type, ()))


class _Known(NamedTuple):
    """A number that was masked, to recognise it when it is read back. Never written."""

    kind: Sensitive
    digits: str
    turn: int


class Masker:
    """What masks one call; lives as long as the call, and is used by one task.

    Keeps the numbers of the last `TURNS` turns, at most `ITEMS` of each, and of masked
    numbers the last `KNOWN`, in memory alone. `mask()` takes any text and never raises;
    its time grows with the length of the text.

    Args:
        allowed: What is left as it is; see `allowed_by`.
    """

    def __init__(self, allowed: frozenset[Sensitive] = frozenset()) -> None:
        self._wanted = frozenset(Sensitive) - allowed
        self._history = History()
        self._known: deque[_Known] = deque(maxlen=KNOWN)
        self._topic: Topic | None = None
        self._topic_turns = 0
        self._card_turns = 0
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
        self._history.drop(turn.position)
        folded = folded_signs(turn.text)
        reading = read_numbers(turn.text, self._topic)
        heard = Heard(turn, reading)
        said: set[Topic] = set(reading.masked)
        if heard.items:
            self._mask_written(heard, folded)
            self._mask_read_back(heard, self._known)
            for stream in self._streams(heard):
                said |= self._mask_checked(stream)
            said |= self._mask_expected(self._history.stream(heard, turn.role), folded)
        self._move_on(reading.topic, reading.labels, said)
        return self._settle(heard)
