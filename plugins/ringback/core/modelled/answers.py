"""What a language model answered: whole items out of JSON that may be broken or cut off.

A general repairer is no help here: it closes a string that was cut off, and half a value
is a wrong value that its line does hold. So an item counts only when it is closed by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

MAX_ITEMS = 100  # of one answer; a loop is no answer
MAX_CHARACTERS = 100_000

_LONE_SURROGATE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_BAD_ESCAPE = re.compile(r'\\(?![\\"/bfnrtu]|u[0-9a-fA-F]{4})')
_BAD_UNICODE = re.compile(r"\\u(?![0-9a-fA-F]{4})")
_CONTROL = re.compile(r"[\x00-\x1f]")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Answer:
    """What could be read of an answer."""

    items: tuple[dict[str, Any], ...] = ()
    repaired: int = 0
    """How many of them were not valid JSON as they stood."""
    lost: int = 0
    """How many began and could not be read: cut off, or beyond repair."""
    is_json: bool = True
    """False: it holds no item and no empty list; a refusal, an apology, a chat."""


def read_answer(text: str) -> Answer:
    """Take an answer apart.

    Args:
        text: What the model wrote: JSON, JSON in chatter or fences, or no JSON at all.
    """
    text = text[:MAX_CHARACTERS]
    whole = _loaded(text.strip())
    if isinstance(whole, dict) and isinstance(whole.get("facts"), list):
        whole_items = [item for item in whole["facts"] if _is_item(item)]
        lost = len(whole["facts"]) - len(whole_items)
        return Answer(tuple(whole_items[:MAX_ITEMS]), lost=lost)
    items: list[dict[str, Any]] = []
    repaired, lost = 0, 0
    for piece, is_closed in _objects(text):
        item = _loaded(piece) if is_closed else None
        if item is None and is_closed:
            item = _loaded(_mended(piece))
            repaired += _is_item(item)
        if _is_item(item):
            items.append(item)
        elif not is_closed or item is None:
            lost += 1
        if len(items) >= MAX_ITEMS:
            break
    is_empty = re.search(r'"facts"\s*:\s*\[\s*\]', text) is not None
    return Answer(tuple(items), repaired, lost, is_json=bool(items or lost) or is_empty)


def _objects(text: str) -> Iterator[tuple[str, bool]]:
    """Innermost objects, each with whether it was closed: items hold no objects themselves."""
    start, is_quoted, is_escaped = -1, False, False
    for place, sign in enumerate(text):
        if is_quoted:
            is_quoted = is_escaped or sign != '"'
            is_escaped = sign == "\\" and not is_escaped
        elif sign == '"':
            is_quoted = start >= 0
        elif sign == "{":
            start = place
        elif sign == "}" and start >= 0:
            yield text[start : place + 1], True
            start = -1
    if start >= 0 and '"' in text[start:]:
        yield text[start:], False


def _is_item(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and "key" in value


def _loaded(text: str) -> Any:
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError):
        return None
    return value


def _mended(piece: str) -> str:
    for pattern, right in (
        (_LONE_SURROGATE, _REPLACEMENT),
        (_BAD_UNICODE, _REPLACEMENT),
        (_BAD_ESCAPE, r"\\\\"),
        (_CONTROL, " "),
        (re.compile(r",\s*([}\]])"), r"\1"),
    ):
        piece = pattern.sub(right, piece)
    return piece
