"""What a mere yes confirms: "Your account number is 4821, is that right?" — "Yes, that's right."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ringback.core import addresses, numbers
from ringback.core.reading import ANSWERED, Found, Reading

_YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|correct|right|exactly|that's (?:right|correct|it|the one|me)|"
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
_TAG = re.compile(
    r"[,.]?\s*(?:(?:is|was) (?:that|it|this)(?: still)? )?(?:right|correct)?\W*\?\W*$",
    re.IGNORECASE,
)


def is_yes(text: str) -> bool:
    """Nothing but a yes, and thanks."""
    return bool(_YES.fullmatch(text)) and bool(_ASSENTS.search(text))


def read(reading: Reading) -> Iterator[Found]:
    """Find the number or address that the agent read back and the caller confirms."""
    asked = reading.asked
    if not is_yes(reading.text) or not _ASKS_BACK.search(asked) or _EITHER.search(asked):
        return
    stated = re.sub(r"\byour\b", "my", _TAG.sub(".", asked), flags=re.IGNORECASE)
    stated = re.sub(
        r"^\W*(?:(?:and|so|okay|right)\W+)*is my ([\w -]+?) (?:still )?(?=\d|\w+ at )",
        r"my \1 is ",
        stated,
        flags=re.IGNORECASE,
    )
    said = replace(reading, text=stated, asked="")
    found = [*numbers.read(said), *addresses.read(said)]
    end = len(reading.text.rstrip())
    if len(found) == 1:  # of two, nobody knows what the yes is to
        yield replace(found[0], start=0, end=end, confidence=ANSWERED)
