"""Quantities with their units, spoken or written: "500 mg", "seventy kilos", "two point five ml"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType

from ringback.text import spoken_digits

MAX_DIGITS = 9  # a longer run is a code, not a quantity

_SPELLINGS = {
    "mg": "mg|milligrams?|milligrammes?|毫克",
    "mcg": "mcg|µg|micrograms?|微克",
    "g": "g|grams?|grammes?|公克|克",
    "kg": "kg|kgs|kilos?|kilograms?|公斤|千克",
    "ml": "ml|millilit(?:er|re)s?|毫升|cc",
    "l": "l|lit(?:er|re)s?|公升|升",
    "IU": "iu|international units?",
    "units": "units?|單位|单位",
    "tablets": "tablets?|tabs?|顆|颗|錠|片",
    "pills": "pills?",
    "capsules": "capsules?|膠囊|胶囊",
    "drops": "drops?|滴",
    "puffs": "puffs?",
    "cm": "cm|centimet(?:er|re)s?|公分|厘米",
    "km": "km|kilomet(?:er|re)s?|公里",
    "miles": "miles?|英里",
    "m": "m|met(?:er|re)s?|公尺|米",
    "lb": "lbs?|pounds?|磅",
    "in": "inch(?:es)?|英寸",
    "ft": "ft|foot|feet|英尺",
    "%": "%|percent|per cent",
    "years": "years?|歲|岁",
}
_UNITS = MappingProxyType(
    {
        unit: re.compile(rf"(?:{words})(?![a-z])", re.IGNORECASE)
        for unit, words in _SPELLINGS.items()
    }
)
DOSES = frozenset(
    {"mg", "mcg", "g", "ml", "IU", "units", "tablets", "pills", "capsules", "drops", "puffs"}
)
"""Units that a medicine is taken in."""

_WRITTEN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_POINT = re.compile(r"\s+point\s+", re.IGNORECASE)
_GAP = re.compile(r"[\s-]{0,3}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, and its unit where one was said."""

    number: str
    """Digits, with a decimal point where there is one: `2.5`."""
    unit: str
    """As in "mg"; "" when none of those known here follows."""
    start: int
    end: int

    @property
    def value(self) -> str:
        """Number and unit, with one space between: `500 mg`."""
        return f"{self.number} {self.unit}".strip()


def read_quantity(text: str, start: int) -> Quantity | None:
    """Read the quantity that begins exactly at an offset; None when there is none."""
    read = _number(text, start)
    if read is None or len(read[0]) > MAX_DIGITS:
        return None
    number, end = read
    gap = _GAP.match(text, end)
    place = gap.end() if gap else end
    for unit, words in _UNITS.items():
        match = words.match(text, place)
        if match:
            return Quantity(number, unit, start, match.end())
    return Quantity(number, "", start, end)


def _number(text: str, start: int) -> tuple[str, int] | None:
    written = _WRITTEN.match(text, start)
    if written:
        return written.group().replace(",", ""), written.end()
    whole = spoken_digits(text, start)
    if whole is None:
        return None
    point = _POINT.match(text, whole.end)
    part = spoken_digits(text, point.end()) if point else None
    if part is None:
        return whole.digits, whole.end
    return f"{whole.digits}.{part.digits}", part.end
