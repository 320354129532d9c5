"""What stands at the place of a phrase's `{value}`, read as the field's type."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from ringback.core import phrase_text
from ringback.core.dates import find_dates, zone_of
from ringback.core.full_dates import read_full_date
from ringback.core.identity import normalise_handle
from ringback.core.number_values import CARD_DIGITS, PHONE_DIGITS, is_card_number
from ringback.core.phrase_text import Piece
from ringback.core.quantities import DOSES, read_quantity
from ringback.core.reading import LIKELY, SURE, Reading, last_said
from ringback.core.spoken_codes import read_code
from ringback.core.spoken_people import read_people
from ringback.records import Cardinality, HandleKind
from ringback.schemas import Field
from ringback.schemas.declaration import ValueType
from ringback.text import spoken_digits

MAX_DATE_LEAD = 12  # characters between a phrase and a date that lies ahead: "on the coming "
IBAN_MODULUS = 97  # ISO 13616: of the rearranged number, the remainder is 1

_LEAD_IN = re.compile(
    r"[\s,:]{0,3}(?:(?:uh|um|er|it's|it is|is|number|like|about|around|roughly|exactly|just|only|"
    r"an?|the|my)\b[\s,:]{1,3}){0,3}",
    re.IGNORECASE,
)
_CODE_LEAD_IN = re.compile(  # without articles: "A" may be the code's first letter
    r"[\s,:]{0,3}(?:(?:uh|um|er|it's|it is|is|number)\b[\s,:]{1,3}){0,3}", re.IGNORECASE
)
_UNIT_WORD = re.compile(r"\s{1,3}([a-z]{2,20})(?![\w'])", re.IGNORECASE)
_NO_UNIT = frozenset(
    "and or but in on at is are so please now today by of for no wait sorry actually to".split()  # noqa: SIM905
)
_OF = re.compile(r"[\s,]{0,3}of\s{1,3}", re.IGNORECASE)
_WORD_START = re.compile(r"(?<![\w.])(?=\w)")
_PHONE_GAP = re.compile(r"[\s().-]{0,4}")
_PLUS = re.compile(r"(\+|plus\s{1,3})", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}")
_SPOKEN_EMAIL = re.compile(
    r"((?:[a-z0-9]+ (?:dot|underscore|dash|plus) ){0,6}[a-z0-9]+) at ((?:[a-z0-9-]+ dot ){1,4}"
    r"[a-z]{2,10})\b",
    re.IGNORECASE,
)
_EMAIL_SIGNS = MappingProxyType({"dot": ".", "underscore": "_", "dash": "-", "plus": "+"})
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_CARD_GROUPS = re.compile(r"\d(?:[ -]?\d){12,18}(?!\d)")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a field, and the words that it was read from."""

    value: str
    """Normalised as its type asks for."""
    start: int
    end: int
    confidence: float = SURE
    name: str = ""
    """What it is called, where the value says more: of "metformin 500 mg", "metformin"."""
    is_alternative: bool = False
    """One of several that cannot all be meant."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is looked for."""

    start: int
    end: int
    """No value reaches beyond; the sentence's end, or where the phrase goes on."""
    word_before: str
    """The phrase's last word before the value, in lower case."""
    is_chinese: bool


_Reader: TypeAlias = Callable[[Field, Reading, Place], tuple[Value, ...]]


def read_values(field: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    """Read what stands at a place; () when it does not fit the field's type.

    Args:
        field: Its type decides what fits; of a list, a field with one value takes none.
        reading: The turn.
        place: Where the value begins, and where it has to end.
    """
    near = replace(place, end=min(place.end, place.start + phrase_text.REACH))
    return _READERS[field.type](field, reading, near)


def _text(field: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text, start, end = reading.text, place.start, place.end
    if field.is_quoted:
        words = phrase_text.quoted(text, start, end)
        return _of_pieces((words,) if words else ())
    if place.is_chinese:
        pieces = phrase_text.chinese_items(text, start, end)
        return _of_pieces(pieces if field.cardinality is Cardinality.MANY else pieces[:1])
    before = place.word_before
    if field.cardinality is Cardinality.ONE:
        one = phrase_text.english_whole(text, start, end, word_before=before)
        return _of_pieces((one,) if one else ())
    return _with_doses(phrase_text.english_items(text, start, end, word_before=before), text)


def _of_pieces(pieces: tuple[Piece, ...]) -> tuple[Value, ...]:
    return tuple(
        Value(" ".join(piece.value.split()), piece.start, piece.end, SURE, "", piece.is_alternative)
        for piece in pieces
    )


def _with_doses(pieces: tuple[Piece, ...], text: str) -> tuple[Value, ...]:
    """Put a dose behind what it is of: "500 mg of metformin" is "metformin 500 mg"."""
    values: list[Value] = []
    for value in _of_pieces(pieces):
        dose = _dose_in(text, value.start, value.end)
        if dose is None:
            values.append(value)
        elif dose.name:
            values.append(replace(dose, is_alternative=value.is_alternative))
        elif values and not values[-1].name:  # "metformin, 500 mg"
            last = values.pop()
            values.append(
                replace(last, value=f"{last.value} {dose.value}", name=last.value, end=value.end)
            )
    if values and values[-1].name:
        values[-1] = _with_corrected_dose(values[-1], text)
    return tuple(values)


def _with_corrected_dose(value: Value, text: str) -> Value:
    """Follow corrections of the dose: "500 mg. No, sorry, 850 mg"."""
    last = last_said(
        text, value, lambda said: said.end, lambda at: _quantity_at(text, _led_from(text, at))
    )
    if last is value or last.name not in {*DOSES, ""}:
        return value
    unit = value.value.rpartition(" ")[2]
    dose = last.value if last.name else f"{last.value} {unit}"
    return replace(value, value=f"{value.name} {dose}", end=last.end)


def _dose_in(text: str, start: int, end: int) -> Value | None:
    for word in _WORD_START.finditer(text, start, end):
        dose = read_quantity(text, word.start())
        if dose is None or dose.unit not in DOSES or dose.end > end:
            continue
        of = _OF.match(text, dose.end, end)
        rest = text[of.end() if of else dose.end : end].strip(" ,")
        name = " ".join(f"{text[start : dose.start].strip(' ,')} {rest}".split())
        return Value(f"{name} {dose.value}".strip(), start, end, SURE, name)
    return None


def _person(field: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    if place.is_chinese:
        pieces = phrase_text.chinese_items(reading.text, place.start, place.end)
        named = tuple(piece for piece in pieces if len(piece.value) <= 4 or piece.value.isascii())
    else:
        named = read_people(reading.text, place.start, place.end, place.word_before)
    values = _of_pieces(named)
    return values if field.cardinality is Cardinality.MANY else values[:1]


def _number(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text = reading.text
    first = _quantity_at(text, _led(text, place))
    if first is None:
        return ()
    last = last_said(
        text, first, lambda value: value.end, lambda at: _quantity_at(text, _led_from(text, at))
    )
    if last is not first and not last.name:  # "two adults, I mean three"
        last = replace(last, value=f"{last.value} {first.name}".strip())
    return (replace(last, name=""),)


def _quantity_at(text: str, start: int) -> Value | None:
    """A quantity as a value; its unit stands in `name` for the time being."""
    found = read_quantity(text, start)
    if found is None:
        return None
    if not found.unit:
        word = _UNIT_WORD.match(text, found.end)
        if word and word.group(1).lower() not in _NO_UNIT:
            unit = word.group(1).lower()
            return Value(f"{found.number} {unit}", start, word.end(), SURE, unit)
    return Value(found.value, start, found.end, SURE, found.unit)


def _code(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text = reading.text
    first = read_code(text, _after(_CODE_LEAD_IN, text, place.start))
    if first is None:
        return ()
    last = last_said(text, first, lambda code: code.end, lambda at: read_code(text, at))
    return (Value(last.value, last.start, last.end),)


def _date(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text = reading.text
    first = _date_at(reading, place.start, place.end)
    if first is None:
        return ()
    limit = len(text)
    return (
        last_said(text, first, lambda value: value.end, lambda at: _date_at(reading, at, limit)),
    )


def _date_at(reading: Reading, start: int, end: int) -> Value | None:
    text = reading.text
    today = reading.at.astimezone(zone_of(reading.zone) or UTC).date()
    place = _led_from(text, start)
    full = read_full_date(text, place, today)
    if full is not None and full.has_year:
        return Value(full.day.isoformat(), full.start, full.end)
    ahead = next(find_dates(text, reading.at, reading.zone, start=place, end=end), None)
    if ahead is not None and ahead.start - place <= MAX_DATE_LEAD and full is None:
        return Value(ahead.value, ahead.start, ahead.end, ahead.confidence)
    return Value(full.day.isoformat(), full.start, full.end, LIKELY) if full else None


def _phone(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text = reading.text
    start = _led(text, place)
    plus = _PLUS.match(text, start)
    at = end = plus.end() if plus else start
    digits = ""
    while run := spoken_digits(text, _after(_PHONE_GAP, text, at)):
        digits, at = digits + run.digits, run.end
        end = run.end
    handle = normalise_handle(HandleKind.PHONE, ("+" if plus else "") + digits)
    if handle is None or not PHONE_DIGITS[0] <= len(digits) <= PHONE_DIGITS[1]:
        return ()
    return (Value(handle.value, start, end),)


def _email(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text, start = reading.text, _led(reading.text, place)
    written = _EMAIL.match(text, start)
    if written:
        return (Value(written.group().lower().rstrip("."), start, written.end()),)
    spoken = _SPOKEN_EMAIL.match(text, start)
    if spoken is None:
        return ()
    local, domain = (
        "".join(_EMAIL_SIGNS.get(word, word) for word in part.lower().split())
        for part in spoken.groups()
    )
    return (Value(f"{local}@{domain}", start, spoken.end(), LIKELY),)


def _choice(field: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text, start = reading.text, _led(reading.text, place)
    for at in dict.fromkeys((place.start, start)):
        for choice in sorted(field.choices, key=len, reverse=True):
            match = _choice_pattern(choice).match(text, at, place.end)
            if match:
                return (Value(choice, match.start("said"), match.end()),)
    return ()


@lru_cache(maxsize=1_000)
def _choice_pattern(choice: str) -> re.Pattern[str]:
    words = r"[\s-]{1,2}".join(re.escape(word) for word in re.split(r"[\s-]+", choice))
    edge = r"(?![\w-])" if choice.isascii() else ""
    return re.compile(rf"\s{{0,3}}(?P<said>{words}){edge}", re.IGNORECASE)


def _card(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text, start = reading.text, _led(reading.text, place)
    written = _CARD_GROUPS.match(text, start)
    spoken = spoken_digits(text, start)
    digits = re.sub(r"\D", "", written.group()) if written else spoken.digits if spoken else ""
    if not is_card_number(digits) or not CARD_DIGITS[0] <= len(digits) <= CARD_DIGITS[1]:
        return ()
    end = written.end() if written else spoken.end if spoken else start
    return (Value(digits, start, end),)


def _bank_account(_: Field, reading: Reading, place: Place) -> tuple[Value, ...]:
    text, start = reading.text, _led(reading.text, place)
    match = _IBAN.match(text, start)
    if match is None:
        return ()
    iban = re.sub(r"[ -]", "", match.group()).upper()
    turned = "".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])
    return (Value(iban, start, match.end()),) if int(turned) % IBAN_MODULUS == 1 else ()


_READERS: MappingProxyType[ValueType, _Reader] = MappingProxyType(
    {
        ValueType.TEXT: _text,
        ValueType.CODE: _code,
        ValueType.NUMBER: _number,
        ValueType.DATE: _date,
        ValueType.PHONE: _phone,
        ValueType.EMAIL: _email,
        ValueType.CHOICE: _choice,
        ValueType.PERSON: _person,
        ValueType.CARD: _card,
        ValueType.NATIONAL_ID: _code,
        ValueType.BANK_ACCOUNT: _bank_account,
    }
)


def _led(text: str, place: Place) -> int:
    return _led_from(text, place.start)


def _led_from(text: str, start: int) -> int:
    return _after(_LEAD_IN, text, start)


def _after(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start
