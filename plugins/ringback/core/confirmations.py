"""What a mere yes confirms: "Your account number is 4821, is that right?" — "Yes, that's right."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ringback.core import addresses, number_parts, numbers
from ringback.core.digit_runs import digit_run
from ringback.core.reading import ANSWERED, Found, Reading, statements
from ringback.core.spoken_codes import read_code
from ringback.records import SELF

_YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|correct|right|exactly|that's (?:right|correct|it|the one|me)|(?:that|the same) one|"
    r"it is|that is (?:right|correct)|please|thanks?(?: you)?)\W*)+",
    re.IGNORECASE,
)
_ASSENTS = re.compile(r"\b(?:yes|yeah|yep|yup|correct|right|exactly)\b", re.IGNORECASE)
_ASKS_BACK = re.compile(
    r"\b(?:is|was) (?:that|it|this)(?: still)? (?:right|correct|your)\b|\b(?:right|correct)\W*\?"
    r"|\b(?:is|was) your\b[^?]*\?|\byour [\w -]{0,30}(?:is|was)\b[^?]*\?",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_WORD_START = re.compile(r"(?<![\w'-])(?=\w)")
_TAG = re.compile(
    r"[,.]?\s*(?:(?:is|was) (?:that|it|this)(?: still)? )?(?:right|correct)?\W*\?\W*$",
    re.IGNORECASE,
)


def is_yes(text: str) -> bool:
    """Nothing but a yes, and thanks."""
    return bool(_YES.fullmatch(text)) and bool(_ASSENTS.search(text))


def read(reading: Reading) -> Iterator[Found]:
    """Find the number or address that the agent read back and the caller confirms or mends."""
    if is_yes(reading.text) and _ASKS_BACK.search(reading.asked):
        found = read_back(reading)
        end = len(reading.text.rstrip())
        if len(found) == 1:  # of two, nobody knows what the yes is to
            yield replace(found[0], start=0, end=end, confidence=ANSWERED)
        return
    yield from _mended(reading)


def read_back(reading: Reading) -> list[Found]:
    """What the agent has just said of the caller's numbers and address, asking whether it is so."""
    asked = reading.asked
    if _EITHER.search(asked):
        return []
    stated = re.sub(r"\byour\b", "my", _TAG.sub(".", asked), flags=re.IGNORECASE)
    stated = re.sub(
        r"^\W*(?:(?:and|so|okay|right)\W+)*is my ([\w -]+?) (?:still )?(?=\d|\w+ at )",
        r"my \1 is ",
        stated,
        flags=re.IGNORECASE,
    )
    said = replace(reading, text=stated, asked="")
    return [*numbers.read(said), *addresses.read(said)]


def _mended(reading: Reading) -> Iterator[Found]:
    """Read "no, the last digit is a 7": of what was read back, said before, or just now."""
    own = [one for one in numbers.read(reading) if one.subject == SELF]
    back = [one for one in _repeated(reading) if one.key in number_parts.KEYS]
    for span in statements(reading.text):
        said = own[0] if len(own) == 1 and own[0].start < span.end else None
        mended = number_parts.put_right(reading, span, said, back[0] if len(back) == 1 else None)
        if mended:
            yield mended
            return


def _repeated(reading: Reading) -> list[Found]:
    """The number that the agent has just said: by its name, or as the caller gave it."""
    named = read_back(reading)
    if named:
        return named
    spoken = set(_spoken(reading.asked))
    return [
        Found(key, reading.known[key], 0, 0, ANSWERED)
        for key in number_parts.KEYS
        if reading.known.get(key, "").lstrip("+") in spoken
    ]


def _spoken(text: str) -> Iterator[str]:
    """Every number and code of a text, as their signs."""
    place = 0
    for word in _WORD_START.finditer(text):
        if word.start() < place:
            continue
        run, code = digit_run(text, word.start(), is_grouped=True), read_code(text, word.start())
        if run:
            yield run.digits
        if code:
            yield code.value.replace("-", "")
        place = max((one.end for one in (run, code) if one), default=place)
