"""Who says they are calling: handles, normalised, without those that name nobody."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from ringback.core.phone_numbers import international
from ringback.core.withheld import is_nobody, is_word_for_nobody
from ringback.records import Handle, HandleKind

MAX_RAW_CHARACTERS = 512  # a longer claim is junk
MAX_ID_CHARACTERS = 200
PHONE_DIGITS = (3, 15)  # from an extension to ITU-T E.164's limit
SIP_PORTS = {"sip": ":5060", "sips": ":5061"}  # the defaults of RFC 3261

_SIP = re.compile(r"(?:(sips?):)?(?!sips?:)([^@\s<>]+)@([^@\s<>;?]+)(?:[;?].*)?", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?")


_ADDRESS = re.compile(r"<([^<>]*)>")
_SCHEME = re.compile(r"(?:tel|callto|whatsapp):", re.IGNORECASE)
_OF_A_PHONE = re.compile(r";user=phone(?:;|\?|$)", re.IGNORECASE)  # RFC 3261, 19.1.1


def normalise_handle(kind: HandleKind, raw: str, *, region: str = "") -> Handle | None:
    """Make equal claims of who is calling equal.

    A SIP address that says it is a phone's (`;user=phone`), and a `tel:` one, are the phone's
    handle: the same person calls by another line.

    Args:
        kind: What the claim is.
        raw: As it came from the line: `+1 (555) 123-4567`, `"Dana" <sip:dana@Example.ORG>`.
        region: Where national numbers are meant, e.g. `TW`; see
            `ringback.core.phone_numbers`. Without one they stay as they are.

    Returns:
        None when the claim names nobody: withheld, a placeholder (as a word or spelled on
        the keypad), empty, or junk. Such a call is kept apart from every other call.
    """
    if len(raw) > MAX_RAW_CHARACTERS:
        return None
    text = unicodedata.normalize("NFKC", raw).strip()
    if not text or any(unicodedata.category(sign).startswith("C") for sign in text):
        return None
    if kind not in (HandleKind.PHONE, HandleKind.SIP):
        return _id(kind, text)
    address = _address_in(text)
    is_phone = kind is HandleKind.PHONE or _SCHEME.match(address) or _OF_A_PHONE.search(address)
    return _phone(address, region) if is_phone else _sip(address)


def _address_in(text: str) -> str:
    """Of a header, the address: `"Dana" <sip:dana@example.org>;tag=1`; the first of several."""
    bracketed = _ADDRESS.search(text)
    return bracketed.group(1).strip() if bracketed else text


def _phone(text: str, region: str) -> Handle | None:
    sip = _SIP.fullmatch(text)
    if sip and _is_reserved(sip.group(3)):
        return None
    number = unquote(sip.group(2)) if sip else _SCHEME.sub("", text, count=1)
    number = re.split(r"[;,]|\s*(?:ext\.?|extension|x)\s*\d", number, flags=re.IGNORECASE)[0]
    if is_nobody(number):
        return None
    if region and not number.startswith("+") and (called := international(number, region)):
        number = called
    digits = re.sub(r"[\s()./-]", "", re.sub(r"^(\+\d+ ?)\(0\)", r"\1", number))
    has_plus = digits.startswith(("+", "00"))
    if has_plus:
        digits = digits[1:] if digits.startswith("+") else digits[2:]
    if not re.fullmatch(r"[0-9]+", digits) or is_nobody(digits):
        return None
    if not PHONE_DIGITS[0] <= len(digits) <= PHONE_DIGITS[1]:
        return None
    return Handle(HandleKind.PHONE, f"+{digits}" if has_plus else digits)


def _sip(text: str) -> Handle | None:
    match = _SIP.fullmatch(text)
    if match is None:
        return None
    scheme = (match.group(1) or "sip").lower()
    user = match.group(2).split(":")[0].split(";")[0]  # without password and parameters
    named = unquote(user)
    if not re.search(r"[\s@<>:;%]|[^\x21-\x7e]", named):  # else it is an address only as it is
        user = named
    host = match.group(3).lower().rstrip(".").removesuffix(SIP_PORTS[scheme])
    if not user or is_nobody(named) or _is_reserved(host) or not _HOST.fullmatch(host):
        return None
    value = f"{scheme}:{user}@{host}"
    return Handle(HandleKind.SIP, value) if len(value) <= MAX_ID_CHARACTERS else None


def _is_reserved(host: str) -> bool:
    """A name that is nobody's (RFC 2606): `anonymous.invalid`."""
    name = host.lower().split(":")[0].rstrip(".")
    return name.endswith(".invalid") or name == "invalid"


def _id(kind: HandleKind, text: str) -> Handle | None:
    """An id of another system is taken as it is, unless it stands for nobody."""
    if len(text) > MAX_ID_CHARACTERS:
        return None
    is_zero = not re.sub(r"[0\W_]", "", text) or text == "-1"
    return None if is_word_for_nobody(text) or is_zero else Handle(kind, text)
