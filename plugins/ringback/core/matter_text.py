"""Where somebody's words about a matter end, and how they begin as a value."""

from __future__ import annotations

import re

_LOOSE_END = re.compile(r"(?:\s+(?:and|or|then|so|but))?\s*$", re.IGNORECASE)


def trimmed_end(text: str, least: int, end: int, tail: re.Pattern[str]) -> int:
    """Where words end that may reach up to `end`: before what is a request of its own.

    Args:
        text: What was said.
        least: They reach at least so far.
        end: They reach at most so far.
        tail: What is no part of them any more.
    """
    cut = tail.search(text, least, end)
    end = cut.start() if cut else end
    end -= len(_LOOSE_END.search(text[least:end]).group())  # type: ignore[union-attr]
    return least + len(text[least:end].rstrip(" .,;!-"))


def lower_first(value: str) -> str:
    """Begin in small letters, unless with "I"."""
    first = value.split()[0]
    return value if first.startswith("I") else value[0].lower() + value[1:]
