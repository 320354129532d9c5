"""Who says they are calling: handles, normalised, without those that name nobody."""

from __future__ import annotations

import re
import unicodedata

from ringback.records import Handle, HandleKind

MAX_RAW_CHARACTERS = 512  # a longer claim is junk
MAX_ID_CHARACTERS = 200
PHONE_DIGITS = (3, 15)  # from an extension to ITU-T E.164's limit
SHORTEST_SPELLING = 7  # digits; a shorter keypad spelling may be somebody's number
SIP_PORTS = {"sip": ":5060", "sips": ":5061"}  # the defaults of RFC 3261

_NOBODY = (
    "anonymous",
    "restricted",
    "private",
    "unknown",
    "unavailable",
    "blocked",
    "withheld",
    "hidden",
    "suppressed",
    "undisclosed",
    "unidentified",
    "unlisted",
    "unassigned",
    "not available",
    "not provided",
    "out of area",
    "no number",
    "no caller id",
    "private number",
    "private caller",
    "unknown caller",
    "unknown number",
    "anonymous caller",
    "blocked number",
)
_NO_VALUE = frozenset(
    [
        "none",
        "null",
        "nil",
        "undefined",
        "nan",
        "na",
        "n/a",
        "guest",
        "default",
        "test",
        "user",
        "nobody",
        "noname",
        "invalid",
        "empty",
    ]
)
_KEYPAD = str.maketrans("abcdefghijklmnopqrstuvwxyz", "22233344455566677778889999")  # ITU-T E.161
_SPELLINGS = frozenset(
    spelling
    for word in _NOBODY
    if len(spelling := word.replace(" ", "").translate(_KEYPAD)) >= SHORTEST_SPELLING
)
_NOBODY_WORDS = frozenset(word for word in _NOBODY if " " not in word)
_SIP = re.compile(r"(?:(sips?):)?(?!sips?:)([^@\s<>]+)@([^@\s<>;?]+)(?:[;?].*)?", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?")


def normalise_handle(kind: HandleKind, raw: str) -> Handle | None:
    """Make equal claims of who is calling equal.

    Args:
        kind: What the claim is.
        raw: As it came from the line: `+1 (555) 123-4567`, `"Dana" <sip:dana@Example.ORG>`.

    Returns:
        None when the claim names nobody: withheld, a placeholder (as a word or spelled on
        the keypad), empty, or junk. Such a call is kept apart from every other call.
    """
    if len(raw) > MAX_RAW_CHARACTERS:
        return None
    text = unicodedata.normalize("NFKC", raw).strip()
    if not text or any(unicodedata.category(sign).startswith("C") for sign in text):
        return None
    if kind is HandleKind.PHONE or (kind is HandleKind.SIP and text.lower().startswith("tel:")):
        return _phone(text)
    return _sip(text) if kind is HandleKind.SIP else _id(kind, text)


def is_nobody(text: str) -> bool:
    """The text stands for a caller who is not named: a word for it, or its keypad spelling."""
    words = re.findall(r"[a-z/]+", text.lower())
    phrase = " ".join(words)
    if set(words) & _NOBODY_WORDS or phrase in _NOBODY or phrase in _NO_VALUE:
        return True
    digits = re.sub(r"\D", "", text)
    if words or not digits:
        return not any(sign.isalnum() for sign in text)
    return digits.lstrip("0") in _SPELLINGS or len(set(digits)) == 1


def _phone(text: str) -> Handle | None:
    number = re.sub(r"^tel:", "", text, flags=re.IGNORECASE)
    number = re.split(r"[;,]|\s*(?:ext\.?|extension|x)\s*\d", number, flags=re.IGNORECASE)[0]
    digits = re.sub(r"[\s()./-]", "", number)
    has_plus = digits.startswith(("+", "00"))
    if has_plus:
        digits = digits[1:] if digits.startswith("+") else digits[2:]
        digits = digits.removeprefix("(0)")
    if not re.fullmatch(r"[0-9]+", digits) or is_nobody(digits):
        return None
    if not PHONE_DIGITS[0] <= len(digits) <= PHONE_DIGITS[1]:
        return None
    return Handle(HandleKind.PHONE, f"+{digits}" if has_plus else digits)


def _sip(text: str) -> Handle | None:
    bracketed = re.search(r"<([^<>]*)>", text)
    match = _SIP.fullmatch(bracketed.group(1).strip() if bracketed else text)
    if match is None:
        return None
    scheme = (match.group(1) or "sip").lower()
    user = match.group(2).split(":")[0].split(";")[0]  # without password and parameters
    host = match.group(3).lower().rstrip(".").removesuffix(SIP_PORTS[scheme])
    is_reserved = host.split(":")[0].endswith(".invalid") or host == "invalid"  # RFC 2606
    if not user or is_nobody(user) or is_reserved or not _HOST.fullmatch(host):
        return None
    value = f"{scheme}:{user}@{host}"
    return Handle(HandleKind.SIP, value) if len(value) <= MAX_ID_CHARACTERS else None


def _id(kind: HandleKind, text: str) -> Handle | None:
    """An id of another system is taken as it is, unless it stands for nobody."""
    if len(text) > MAX_ID_CHARACTERS:
        return None
    phrase = re.sub(r"[\s_-]+", " ", text.lower()).strip()
    is_zero = not re.sub(r"[0\W_]", "", text)
    if phrase in _NOBODY or phrase in _NO_VALUE or is_zero:
        return None
    return Handle(kind, text)
