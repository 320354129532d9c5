"""National phone numbers, in the form that they are called by from anywhere (E.164)."""

from __future__ import annotations

from types import ModuleType

from ringback.errors import UsageError

LEAST_DIGITS = 7  # a shorter one may be the extension of a house


def checked_region(region: str) -> str:
    """A region that numbers can be read in; its numbering plan is loaded: no call waits for it.

    Args:
        region: Two capital letters (ISO 3166): `TW`, `GB`; "" is none.

    Raises:
        UsageError: There is no such region.
    """
    if region and region not in _library().SUPPORTED_REGIONS:
        raise UsageError(f"no region {region!r}: give two capital letters, e.g. TW or GB")
    if region:
        international("0", region)
    return region


def international(number: str, region: str) -> str:
    """Put a number as it is dialled in a region into E.164.

    Returns:
        E.g. `+886912345678`; "" where it is no whole number there: an extension, an emergency
        number, one without its area code.
    """
    library = _library()
    try:
        parsed = library.parse(number, region)
    except library.NumberParseException:
        return ""
    if len(str(parsed.national_number)) < LEAST_DIGITS or not library.is_possible_number(parsed):
        return ""
    return str(library.format_number(parsed, library.PhoneNumberFormat.E164))


def _library() -> ModuleType:
    """Loaded by whoever has a region: it takes 50 ms."""
    import phonenumbers

    return phonenumbers
