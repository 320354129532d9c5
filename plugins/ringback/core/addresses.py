"""Where to write to: e-mail addresses and postal addresses, as they are spoken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ringback.core.reading import (
    AMBIGUOUS,
    ANSWERED,
    SURE,
    Found,
    Reading,
    last_said,
    statements,
)
from ringback.text import DIGITS, REPEATS, Span, spoken_digits

_TOKEN = re.compile(
    r"(?P<literal>(?<=\w)[.@_+-](?=\w))"
    r"|(?P<as_in>,?\s*(?:that's\s+|that is\s+)?\b[a-z]\s+(?:as in|like|for)\s+[a-z]+\b,?)"
    r"|(?P<word>[a-z0-9]+(?:'[a-z]+)?)|(?P<other>[^\s,])",
    re.IGNORECASE,
)
_SIGNS = {
    "dot": ".",
    "point": ".",
    "period": ".",
    "underscore": "_",
    "dash": "-",
    "hyphen": "-",
    "minus": "-",
    "plus": "+",
    "at": "@",
}
_TOP_LEVEL = frozenset(
    [
        "com",
        "org",
        "net",
        "edu",
        "gov",
        "io",
        "co",
        "uk",
        "de",
        "us",
        "info",
        "biz",
        "eu",
        "fr",
        "es",
        "it",
        "nl",
        "pl",
        "ca",
        "au",
        "ch",
        "at",
        "be",
        "in",
        "me",
        "dev",
        "app",
    ]
)
_NO_LOCALS = frozenset({"is", "are", "was", "me", "it", "that", "mail", "email", "address"})
_EMAIL_CONTEXT = re.compile(r"\be-?mails?\b", re.IGNORECASE)
_NOT_MINE = re.compile(
    r"\b(?:his|her|their|your|\w+'s|old|wrong)\s+(?:old\s+)?e-?mail|\b(?:isn't|is not|no longer)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\b([a-z]{2,}) without (?:the |an? )?([a-z])\b", re.IGNORECASE)

_STREET = (
    "street|st|lane|ln|road|rd|avenue|ave|drive|dr|court|ct|place|boulevard|blvd|way|close|"
    "square|terrace|crescent|circle|parkway|highway|row|hill|gardens|mews|alley|trail"
)
_LIVES = re.compile(
    r"\b(?:i|we)(?:'m| am| are|'re)?\s+(?:now\s+|still\s+)?(?:live|living|(?:just |have |recently )*"
    r"moved)\s+(?:now\s+)?(?:at|to)\s+"
    r"|\b(?:my|our)\s+(?:(?:new|current|home|postal|mailing|street|billing|delivery)\s+)*address"
    r"(?:\s+is|'s|\s+has changed to)(?:\s+now)?\s+",
    re.IGNORECASE,
)
_ASKS_ADDRESS = re.compile(r"\byour (?:\w+ )?address\b|\bwhere do you live\b", re.IGNORECASE)
_ASKS_EMAIL = re.compile(r"\be-?mail\b", re.IGNORECASE)
_REST = re.compile(
    rf"[a-z]?\s+((?:[A-Za-z'.]+\s+){{1,4}}?(?i:{_STREET}))\b\.?"
    r"((?:,?\s+(?i:apartment|apt|unit|flat|suite)\s+\w+)?)"
    r"((?:,\s+(?:in\s+)?[A-Z][a-z]+(?:\s[A-Z][a-z]+){0,2})?(?:,?\s+(?:[A-Z]{2}\s+)?\d{5}\b)?)",
)
_NO_STREET = re.compile(r"\b(?:no|not|and|is|the|my|wait|sorry|minutes|miles|in|of)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Token:
    value: str
    is_sign: bool
    start: int
    end: int


def read(reading: Reading) -> Iterator[Found]:
    """Find the caller's e-mail address and postal address in one of the caller's turns."""
    newest: dict[str, Found] = {}
    for span in statements(reading.text):
        found = _email(reading, span)
        if found:
            newest["email"] = found
        found = _postal(reading, span)
        if found:
            newest["address"] = found
    yield from newest.values()


def _email(reading: Reading, span: Span) -> Found | None:
    text = reading.text
    if _NOT_MINE.search(text, span.start, span.end):
        return None
    tokens = _tokens(text, span)
    is_asked = bool(_ASKS_EMAIL.search(reading.asked)) or "email" in reading.known
    has_context = is_asked or bool(_EMAIL_CONTEXT.search(text, 0, span.end))
    found = None
    for place, token in enumerate(tokens):
        if token.value != "@" or not token.is_sign:
            continue
        is_literal = text[token.start : token.end] == "@"
        if is_literal or has_context:
            found = _address_around(tokens, place, SURE if is_literal else ANSWERED) or found
    return found or _respelled(reading, span)


def _tokens(text: str, span: Span) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(text, span.start, span.end):
        word = match.group().lower()
        if match.group("as_in"):
            continue
        if match.group("literal"):
            tokens.append(_Token(word, True, match.start(), match.end()))
        elif word in _SIGNS:
            tokens.append(_Token(_SIGNS[word], True, match.start(), match.end()))
        else:
            tokens.append(_Token(DIGITS.get(word, word), False, match.start(), match.end()))
    return tokens


def _address_around(tokens: list[_Token], place: int, confidence: float) -> Found | None:
    """Walk from the "at" to both sides as far as signs and atoms take turns."""
    first = _walk(tokens, place, -1)
    last = _walk(tokens, place, +1)
    local = "".join(_merged(tokens[first:place]))
    domain = "".join(_merged(tokens[place + 1 : last + 1]))
    if local in _NO_LOCALS or not re.fullmatch(r"[a-z0-9]+(?:[._+-]+[a-z0-9]+)*", local):
        return None
    if not re.fullmatch(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", domain):
        return None
    if domain.rsplit(".", 1)[1] not in _TOP_LEVEL:
        return None
    start, end = tokens[first].start, tokens[last].end
    return Found("email", f"{local}@{domain}", start, end, confidence)


def _walk(tokens: list[_Token], place: int, step: int) -> int:
    """The index of the last token that still belongs to the address."""
    at = place
    while 0 <= at + step < len(tokens):
        here, following = tokens[at], tokens[at + step]
        if following.is_sign and (here.is_sign or following.value == "@"):
            break
        if not following.is_sign and not re.fullmatch(r"[a-z0-9]+", following.value):
            break
        if not (here.is_sign or following.is_sign or _may_join(here, following)):
            break
        at += step
    return at


def _may_join(one: _Token, other: _Token) -> bool:
    """Single letters and digits are spelled; whole words do not stand side by side."""
    return _is_spelled(one) and _is_spelled(other)


def _is_spelled(token: _Token) -> bool:
    return len(token.value) == 1 or token.value.isdigit() or token.value in REPEATS


def _merged(tokens: list[_Token]) -> Iterator[str]:
    repeat = 1
    for token in tokens:
        if token.value in REPEATS:
            repeat = REPEATS[token.value]
            continue
        if repeat == 2 and token.value == "u":
            yield "w"  # "double u" is a letter
        else:
            yield token.value * repeat if _is_spelled(token) else token.value
        repeat = 1


def _respelled(reading: Reading, span: Span) -> Found | None:
    """Take the letter out of the known address that is to be "marlowe without the e"."""
    known = reading.known.get("email", "")
    match = _WITHOUT.search(reading.text, span.start, span.end) if known else None
    if match is None:
        return None
    word, letter = match.group(1).lower(), match.group(2).lower()
    if word not in known or word.count(letter) != 1:
        return None
    value = known.replace(word, word.replace(letter, ""), 1)
    return Found("email", value, match.start(), match.end(), AMBIGUOUS)


def _postal(reading: Reading, span: Span) -> Found | None:
    text = reading.text
    cue = _LIVES.search(text, span.start, span.end)
    if cue:
        first = _postal_at(text, cue.end(), SURE)
    elif _ASKS_ADDRESS.search(reading.asked) and not _ASKS_EMAIL.search(reading.asked):
        lead = re.compile(r"(?:(?:yes|it's|it is|sure)\b[\s,]*)*", re.I).match(text, span.start)
        first = _postal_at(text, lead.end() if lead else span.start, ANSWERED)
    else:
        return None
    if first is None:
        return None
    return last_said(text, first, lambda found: found.end, lambda at: _postal_at(text, at, SURE))


def _postal_at(text: str, start: int, confidence: float) -> Found | None:
    """A house number and a street with its kind; city and postcode if they follow."""
    house = spoken_digits(text, start)
    rest = _REST.match(text, house.end) if house else None
    if house is None or rest is None or _NO_STREET.search(rest.group(1)):
        return None
    suffix = text[house.end] if text[house.end].isalpha() else ""
    street = rest.group(1) if rest.group(1)[0].isupper() else rest.group(1).title()
    value = f"{house.digits}{suffix} {street}{rest.group(2)}{rest.group(3)}"
    return Found("address", value, start, rest.end(), confidence)
