"""How many tokens a text takes, and what is left of one that takes too many."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ringback.text import capped

Count: TypeAlias = Callable[[str], int]
"""Counts a text's tokens; a model's own tokenizer where there is one."""

CHARACTERS_PER_TOKEN = 4  # of English; of scripts beyond Latin each sign is one, or more
LEAST_RESULT_TOKENS = 24  # what says that a result was left out, and how long it was
LEAST_DIFFERENCE = 200  # tokens between two requests that show what a rough token is worth
RATIOS = (0.5, 4.0)  # real tokens of a rough one; what lies outside is another request's count
GENEROSITY = ((400, 40), (200, 20), (120, 10), (80, 6), (40, 4), (24, 2), (12, 1))
"""How long a result's texts and how many its rows may be, ever less until it fits."""


def rough_count(text: str) -> int:
    """Count tokens roughly, without a tokenizer; for CJK text as well."""
    beyond_latin = 0 if text.isascii() else sum(sign >= "\u0250" for sign in text)
    return beyond_latin - (-(len(text) - beyond_latin) // CHARACTERS_PER_TOKEN)


class Gauge:
    """What counted tokens are worth, learnt from what a model says it has read.

    A request holds more than its messages (instructions, tools, a template), and a rough
    count is off by a factor: the first shows as a fixed surplus, the second as two requests
    of different length are compared. One per call; holds two pairs of numbers.
    """

    def __init__(self) -> None:
        self.fixed = 0
        self.ratio = 1.0
        self._first: tuple[int, int] | None = None

    def learn(self, counted: int, real: int) -> None:
        """Take in how many tokens a request was counted to have, and how many it had."""
        first = self._first or (counted, real)
        longer = counted - first[0]
        if abs(longer) >= LEAST_DIFFERENCE:
            ratio = (real - first[1]) / longer
            self.ratio = min(max(ratio, RATIOS[0]), RATIOS[1])
        self.fixed = max(0, round(real - self.ratio * counted))
        self._first = first

    def counted(self, real: int) -> int:
        """How many counted tokens of messages fit into so many real ones; at least none."""
        return max(0, int((real - self.fixed) / self.ratio))


def fitted_lines(text: str, limit: int, count: Count) -> str:
    """The first lines of a text that fit; none where not even the first does."""
    lines = text.split("\n")
    while lines and count("\n".join(lines)) > limit:
        lines.pop()
    return "\n".join(lines)


def cut_result(text: str, limit: int, count: Count) -> str:
    """Cut a tool's result to what matters.

    JSON stays JSON: long texts are shortened and rows left out, with a note of how many,
    until it fits; then its longest fields go. Other text keeps its beginning.

    Args:
        text: The result.
        limit: In tokens; a few more are used where it is below `LEAST_RESULT_TOKENS`.
        count: Counts tokens.
    """
    if count(text) <= limit:
        return text
    value, write = _read(text)
    shrink = _shrunk_text if isinstance(value, str) else _shrunk
    for longest, rows in GENEROSITY:
        told = write(shrink(value, longest, rows))
        if count(told) <= limit:
            return told
    if isinstance(value, dict):
        return _least(value, limit, count) or write({"left_out": _left_out(text)})
    return write(_left_out(text))


def _read(text: str) -> tuple[Any, Callable[[Any], str]]:
    """What a result holds, and how to write it again."""
    try:
        return json.loads(text), _told
    except (ValueError, RecursionError):
        return text, str


def _left_out(text: str) -> str:
    return f"{len(text)} characters left out"


def _told(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shrunk_text(text: str, longest: int, rows: int) -> str:
    """The beginning of a text, and how much follows."""
    whole = longest * rows // 2
    if len(text) <= whole:
        return text
    kept = capped(text, whole)
    return f"{kept} ({len(text) - len(kept) + 1} more characters left out)"


def _shrunk(value: Any, longest: int, rows: int) -> Any:
    """A value with shorter texts and fewer rows; what has no length stays."""
    if isinstance(value, str):
        return capped(value, longest)
    if isinstance(value, list):
        kept = [_shrunk(one, longest, rows) for one in value[:rows]]
        left = len(value) - len(kept)
        return [*kept, f"{left} more left out"] if left else kept
    if isinstance(value, dict):
        return {name: _shrunk(one, longest, rows) for name, one in value.items()}
    return value


def _least(value: dict[str, Any], limit: int, count: Count) -> str:
    """The shortest fields that fit, where all of them are too long; empty where none does."""
    longest, rows = GENEROSITY[-1]
    short = {name: _shrunk(one, longest, rows) for name, one in value.items()}
    names = sorted(short, key=lambda name: len(_told(short[name])))
    for kept in range(len(names) - 1, 0, -1):
        told = _told(_fields(short, names[:kept]))
        if count(told) <= limit:
            return told
    return ""


def _fields(value: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Some fields of a value in their own order, and how many others there were."""
    kept = {name: one for name, one in value.items() if name in names}
    return {**kept, "left_out": f"{len(value) - len(kept)} fields"}
