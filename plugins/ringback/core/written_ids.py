"""Ids that are written as one word of letters and digits: IBANs, and cards with two letters.

Letters that are spelled one by one are the business of `number_search`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.sensitive_numbers import (
    IBAN_LENGTHS,
    Sensitive,
    is_hong_kong_id,
    is_iban,
    is_taiwan_id,
)

_IBAN_START = re.compile(r"(?<![^\W_])[a-z]{2}(?=[0-9]{2})")
_REST = {
    length: re.compile(rf"(?:[ -]?[0-9a-z]){{{length - 2}}}(?![^\W_])")
    for length in set(IBAN_LENGTHS.values())
}
_TWO_LETTERS = re.compile(r"(?<![^\W_])[a-z]{2}[0-9]{6}(?:[0-9]{2}|[(-]?[0-9a]\)?)(?![^\W_])")
_BETWEEN = re.compile(r"[^0-9a-z]")


def written_ids(folded: str) -> Iterator[tuple[Sensitive, int, int]]:
    """Find ids in folded text (lower case, ASCII digits): what it is, start and end."""
    over = 0
    for start in _IBAN_START.finditer(folded):
        rest = _REST.get(IBAN_LENGTHS.get(start.group().upper(), 0))
        match = rest.match(folded, start.end()) if rest else None
        if match and start.start() >= over and is_iban(_bare(folded[start.start() : match.end()])):
            over = match.end()
            yield Sensitive.IBAN, start.start(), over
    for match in _TWO_LETTERS.finditer(folded):
        bare = _bare(match.group())
        if is_taiwan_id(bare) or (match.group()[-2] in "(-" + bare[-2:-1] and is_hong_kong_id(bare)):
            yield Sensitive.NATIONAL_ID, match.start(), match.end()


def _bare(text: str) -> str:
    return _BETWEEN.sub("", text).upper()
