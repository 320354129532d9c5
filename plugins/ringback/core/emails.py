"""E-mail addresses as they are spoken, spelled and put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from ringback.core.reading import AMBIGUOUS, ANSWERED, SURE, Found, Reading
from ringback.text import DIGITS, REPEATS, TEENS, TENS, Span, spoken_digits

_TOKEN = re.compile(
    r"(?P<spelled>(?<![\w.@-])[a-z0-9](?:-[a-z0-9]){2,}(?![\w-]))"
    r"|(?P<literal>(?<=\w)[.@_+-](?=\w))"
    r"|(?P<as_in>(?P<comma>,?)\s*(?P<that>(?:that's\s+|that is\s+)?)\b(?P<letter>[a-z])\s+(?:as in|like|for)\s+"
    r"[a-z]+\b,?)"
    r"|(?P<word>[a-z0-9]+(?:'[a-z]+)?)|(?P<other>[^\s,])",
    re.IGNORECASE,
)
_SIGNS = MappingProxyType(
    {
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
)
_TOP_LEVEL = frozenset(
    """
    com org net edu gov io co uk de us info biz eu fr es it nl pl ca au ch at be in me dev app
    cn tw hk jp kr ie nz se dk no fi pt br mx ru cz
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)
_NO_LOCALS = frozenset({"is", "are", "was", "me", "it", "that", "mail", "email", "address"})
_LEADS = frozenset(
    """
    is are it it's its that's that to at address email mail e on be uh um er yes yeah sure okay ok
    and or so well now was use using under no not wait sorry actually mean just then here from via
    s now's have as lowercase case contact me either my mine
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)
"""What may stand before an address: behind any other word, that word may be a part of it."""
_EMAIL_CONTEXT = re.compile(r"\be[- ]?mails?\b", re.IGNORECASE)
_GIVES = re.compile(
    r"\W{0,4}(?:(?:um|uh|well|yes|so)\s+)?(?:it's|it is|send it to)\s+(?=\w+ (?:dot|at|underscore)\b)",
    re.IGNORECASE,
)
_NOT_MINE = re.compile(
    r"\b(?:his|her|their|your|\w+'s|old|wrong)\s+(?:old\s+)?e-?mail|\b(?:isn't|is not|no longer)\b",
    re.IGNORECASE,
)
_ASKS_EMAIL = re.compile(r"\be[- ]?mail\b", re.IGNORECASE)
_ONE_WORD = re.compile(
    r"[\s,.]{0,3}\b(?:(?:that's|that is|it's|and|as|all|just)\s+){0,3}"
    r"(?:one word|no spaces?|without (?:a |any )?spaces?|written together)\b,?",
    re.IGNORECASE,
)
MOST_WORDS = 3  # of a name that is one word in an address
_WITHOUT = re.compile(r"\b([a-z]{2,}) without (?:the |an? )?([a-z])\b", re.IGNORECASE)
_OTHER_END = re.compile(
    r"\b(?:not|no|sorry|wait|actually|mean|it's|it is)\b[\s,]{1,3}(?:it's\s+)?(?:dot\s+|\.)(?P<end>[a-z]{2,4})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Token:
    value: str
    is_sign: bool
    start: int
    end: int


def read_email(reading: Reading, span: Span) -> Found | None:
    """Find the caller's e-mail address in one sentence; the last of several."""
    text = reading.text
    if _NOT_MINE.search(text, span.start, span.end):
        return None
    tokens = _tokens(text, span)
    is_asked = bool(_ASKS_EMAIL.search(reading.asked)) or "email" in reading.known
    has_context = (
        is_asked
        or bool(_GIVES.match(text, span.start))
        or bool(_EMAIL_CONTEXT.search(text, 0, span.end))
    )
    tokens, found = _joined(tokens, text, span), None
    for place, token in enumerate(tokens):
        if token.value != "@" or not token.is_sign:
            continue
        is_literal = text[token.start : token.end] == "@"
        if is_literal or has_context:
            confidence = SURE if is_literal else ANSWERED
            found = _address_around(text, tokens, place, confidence) or found
    if found:
        return _with_other_end(text, found, span)
    return _respelled(reading, span)


def _tokens(text: str, span: Span) -> list[_Token]:
    tokens: list[_Token] = []
    place = span.start
    while match := _TOKEN.search(text, place, span.end):
        place = match.end()
        word = match.group().lower()
        if match.group("spelled"):
            letters = zip(word[::2], range(match.start(), place, 2), strict=True)
            tokens += [_Token(letter, False, at, at + 1) for letter, at in letters]
        elif match.group("as_in"):
            letter = match.group("letter").lower()
            # "that's q as in quebec" is about what was said; "v as in victor" says it
            if not (match.group("that") or match.group("comma") or _begins(tokens, letter)):
                tokens.append(_Token(letter, False, match.start("letter"), match.end()))
        elif match.group("literal"):
            tokens.append(_Token(word, True, match.start(), match.end()))
        elif word in _SIGNS:
            tokens.append(_Token(_SIGNS[word], True, match.start(), match.end()))
        elif word in TEENS or word in TENS:
            run = spoken_digits(text, match.start())
            place = run.end if run else place
            tokens.append(_Token(run.digits if run else word, False, match.start(), place))
        else:
            tokens.append(_Token(DIGITS.get(word, word), False, match.start(), match.end()))
    return tokens


def _joined(tokens: list[_Token], text: str, span: Span) -> list[_Token]:
    """Put together what is said to be one word: "dana whitfield, all one word, at example dot com".

    It may also be said behind the address. The words begin behind the last that leads in.
    """
    cue = _ONE_WORD.search(text, span.start, span.end)
    at = next((place for place, token in enumerate(tokens) if token.value == "@"), None)
    if cue is None or at is None:
        return tokens
    said = [one for one in tokens if not (cue.start() <= one.start < cue.end())]
    at = next(place for place, token in enumerate(said) if token.value == "@")
    first = at
    while first > 0 and said[first - 1].value.isalpha() and said[first - 1].value not in _LEADS:
        first -= 1
    words = said[first:at]
    if len(words) < 2 or all(_is_spelled(word) for word in words):
        return said  # "dana, one word"; letters go together anyway
    if len(words) > MOST_WORDS:
        return []  # which of them belong to it is not clear
    whole = _Token("".join(word.value for word in words), False, words[0].start, words[-1].end)
    return [*said[:first], whole, *said[at:]]


def _begins(tokens: list[_Token], letter: str) -> bool:
    """The word just said begins with this letter, or is it."""
    return bool(tokens) and not tokens[-1].is_sign and tokens[-1].value.startswith(letter)


def _address_around(text: str, tokens: list[_Token], place: int, confidence: float) -> Found | None:
    """Walk from the "at" to both sides as far as signs and atoms take turns."""
    first = _walk(tokens, place, -1)
    last = _walk(tokens, place, +1)
    local = "".join(_merged(tokens[first:place]))
    domain = "".join(_merged(tokens[place + 1 : last + 1]))
    if local in _NO_LOCALS or not re.fullmatch(r"[a-z0-9]+(?:[._+-]+[a-z0-9]+)*", local):
        return None
    if not re.fullmatch(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", domain):
        return None
    if domain.rsplit(".", 1)[1] not in _TOP_LEVEL or _is_half(text, tokens, first):
        return None
    start, end = tokens[first].start, tokens[last].end
    return Found("email", f"{local}@{domain}", start, end, confidence)


def _is_half(text: str, tokens: list[_Token], first: int) -> bool:
    """A word stands before it that may be a part of it: "dana whitfield at"."""
    if first == 0 or tokens[first].start != tokens[first - 1].end + 1:
        return False
    before = tokens[first - 1]
    is_word = not before.is_sign and before.value.isalpha()
    return is_word and before.value not in _LEADS and text[before.end] == " "


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
    """Letters and digits are spelled, and digits end a word; words do not stand side by side."""
    if _is_spelled(one) and _is_spelled(other):
        return True
    early, late = sorted((one, other), key=lambda token: token.start)
    return early.value.isalpha() and early.value not in _LEADS and late.value.isdigit()


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


def _with_other_end(text: str, found: Found, span: Span) -> Found:
    """Follow a correction of the last part: "at example dot com, no, dot org"."""
    better = _OTHER_END.search(text, found.end, span.end)
    if better is None or better["end"].lower() not in _TOP_LEVEL:
        return found
    if re.match(r"not\b", better.group(), re.IGNORECASE):  # "dot org, not dot com"
        return found
    value = f"{found.value.rpartition('.')[0]}.{better['end'].lower()}"
    return Found("email", value, found.start, better.end(), found.confidence)


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
