"""Ids as a person reads and types them: the beginning of a hash, or a name as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ringback import RingbackError
from ringback.records import ID_CHARACTERS

SHOWN = 8  # characters of a hash: two of one profile hardly ever share them
TYPED = 4  # fewer are a slip of the finger, and something may be deleted by them

_HASH = re.compile(rf"[0-9a-f]{{{ID_CHARACTERS}}}")


def short(full: str) -> str:
    """An id for a person; what an application named itself stays whole."""
    return full[:SHOWN] if _HASH.fullmatch(full) else full


def full_id(typed: str, known: Iterable[str], *, what: str, listing: str) -> str:
    """Find the id that somebody means.

    Args:
        typed: An id, or the beginning of a hash.
        known: The ids that there are.
        what: What they are of, e.g. `fact`.
        listing: The command that lists them.

    Raises:
        RingbackError: None begins so, or several do, or it is too short to say.
    """
    ids = tuple(known)
    if typed in ids:
        return typed
    if len(typed) < TYPED:
        raise RingbackError(f"{typed!r} is too short: give {TYPED} characters of a {what}'s id")
    found = [one for one in ids if _HASH.fullmatch(one) and one.startswith(typed)]
    if not found:
        raise RingbackError(f"no {what} {typed!r} here: `{listing}` lists them")
    if len(found) > 1:
        raise RingbackError(f"{len(found)} {what}s begin with {typed!r}: give more of the id")
    return found[0]
