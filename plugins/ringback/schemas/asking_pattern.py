"""How a schema writes down what people ask: `where … (live/stay)`, `住…哪`."""

from __future__ import annotations

import re
from itertools import pairwise

ELLIPSIS = "…"
MAX_GAP = 40  # characters between two pieces

_PART = re.compile(r"\(([^()]*)\)|([^()]+)")

Part = tuple[str, ...]
"""Alternatives, one of which stands there; "" is nothing."""
Piece = tuple[Part, ...]
"""Parts that follow each other directly."""


def pieces(pattern: str) -> tuple[Piece, ...]:
    """Take a pattern apart.

    Raises:
        ValueError: A piece is empty or could be, or its parentheses do not fit; the
            message says which.
    """
    return tuple(_piece(text.strip(), pattern) for text in pattern.split(ELLIPSIS))


def fault_of(patterns: tuple[str, ...]) -> str:
    """What is wrong with the first bad pattern; "" where all can be read."""
    for pattern in patterns:
        try:
            pieces(pattern)
        except ValueError as error:
            return str(error)
    return ""


def _piece(text: str, pattern: str) -> Piece:
    matches = list(_PART.finditer(text))
    ends = [0, *(place for match in matches for place in match.span()), len(text)]
    if any(left != right for left, right in list(pairwise(ends))[::2]):
        raise ValueError(f"has parentheses that do not fit in {pattern!r}")
    parts = tuple(_part(match, pattern) for match in matches)
    if not any(all(option.strip() for option in part) for part in parts):
        raise ValueError(f"has an empty piece in {pattern!r}")
    return parts


def _part(match: re.Match[str], pattern: str) -> Part:
    if match[1] is not None:
        return tuple(match[1].split("/"))
    if "/" in match[2]:
        raise ValueError(f"has alternatives without parentheses in {pattern!r}")
    return (match[2],)
