"""Whether a value is what its field asks for, and its normal form if it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from ringback.core.dates import zone_of
from ringback.core.identity import normalise_handle
from ringback.core.masking.check_digits import is_iban
from ringback.core.number_values import is_card_number
from ringback.core.quantities import read_quantity
from ringback.core.spoken_codes import read_code
from ringback.core.timing import iso_day
from ringback.records import HandleKind
from ringback.schemas import Field
from ringback.schemas.declaration import ValueType
from ringback.text import folded, one_line

MAX_CODE_CHARACTERS = 40
_CODE = re.compile(rf"\w[\w./#-]{{0,{MAX_CODE_CHARACTERS - 1}}}")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_SEPARATORS = re.compile(r"[\s.-]+")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a value has to fit."""

    field: Field
    zone: str


def fitted(value: str, field: Field, zone: str) -> str | None:
    """Put a value into the form that its field's type asks for.

    Args:
        value: As it was read.
        field: Its type and choices.
        zone: In which a time without an offset is meant.

    Returns:
        None when it is nothing of that type: the value is then not this field's.
    """
    return _FITS[field.type](value, _Asked(field, zone))


def _text(value: str, _: _Asked) -> str | None:
    return value


def _code(value: str, asked: _Asked) -> str | None:
    if _card(value, asked) is not None:
        return None  # it has a type of its own, and is masked
    code = read_code(value, 0)
    if code is not None and code.end == len(value):
        return code.value
    return value if _CODE.fullmatch(value) else None


def _number(value: str, _: _Asked) -> str | None:
    if any(map(str.isdigit, value)):
        return value
    quantity = read_quantity(value, 0)
    if quantity is None:
        return None
    return f"{quantity.value}{value[quantity.end :]}"


def _date(value: str, asked: _Asked) -> str | None:
    if iso_day(value) is None:
        return None
    if "T" not in value:
        return value
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is not None:
        return value
    local = moment.replace(tzinfo=zone_of(asked.zone) or UTC)
    return local.isoformat(timespec="minutes")


def _phone(value: str, _: _Asked) -> str | None:
    handle = normalise_handle(HandleKind.PHONE, value)
    return handle.value if handle else None


def _email(value: str, _: _Asked) -> str | None:
    address = value.strip().lower()
    return address if _EMAIL.fullmatch(address) else None


def _choice(value: str, asked: _Asked) -> str | None:
    return next((one for one in asked.field.choices if folded(one) == folded(value)), None)


def _person(value: str, _: _Asked) -> str | None:
    name = one_line(value).strip(" ,;:")
    is_name = any(map(str.isalpha, name)) and not any(map(str.isdigit, name))
    return name if is_name else None


def _card(value: str, _: _Asked) -> str | None:
    digits = _SEPARATORS.sub("", value)
    return digits if digits.isdigit() and is_card_number(digits) else None


def _national_id(value: str, _: _Asked) -> str | None:
    compact = _SEPARATORS.sub("", value).upper()
    return compact if compact.isalnum() and any(map(str.isdigit, compact)) else None


def _bank_account(value: str, _: _Asked) -> str | None:
    compact = _SEPARATORS.sub("", value).upper()
    return compact if is_iban(compact) else None


_FITS: MappingProxyType[ValueType, Callable[[str, _Asked], str | None]] = MappingProxyType(
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
        ValueType.NATIONAL_ID: _national_id,
        ValueType.BANK_ACCOUNT: _bank_account,
    }
)
