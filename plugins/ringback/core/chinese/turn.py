"""Reads one turn for everything that is said in Chinese."""

from __future__ import annotations

from collections.abc import Iterator

from ringback.core.chinese import (
    addresses,
    appointments,
    assent,
    contact,
    habits,
    languages,
    matters,
    names,
    numbers,
    promises,
)
from ringback.core.chinese.clauses import is_instruction, spoken
from ringback.core.chinese.signs import has_chinese
from ringback.core.reading import Found, Reading

_CALLER = (names, numbers, addresses, contact, languages, appointments, matters, habits, assent)


def read(reading: Reading) -> Iterator[Found]:
    """Find what a caller's turn says; nothing where no Chinese is spoken, or with instructions."""
    if not has_chinese(reading.text + reading.asked) or is_instruction(reading.text):
        return
    said = spoken(reading.text)
    for reader in _CALLER:
        yield from reader.read(reading, said)


def read_agent(reading: Reading) -> Iterator[Found]:
    """Find what an agent's turn settles and promises."""
    if not has_chinese(reading.text) or is_instruction(reading.text):
        return
    said = spoken(reading.text)
    yield from appointments.read_agent(reading, said)
    yield from promises.read_agent(reading, said)
    yield from assent.read_agent(reading, said)
