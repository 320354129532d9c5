"""Whether everything a back-end keeps is in the register of places; for any back-end's tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ringback.places import Place

OWN_OF_SQLITE = re.compile(r"sqlite_(sequence|stat\d)")  # counters and statistics, no rows of ours


def unregistered(names: Iterable[str], places: Iterable[Place]) -> list[str]:
    """Names of tables, attributes or folders that no place is registered under.

    Args:
        names: What there is, e.g. every `name` in `sqlite_master` with type `table`.
        places: What is registered.
    """
    known = {place.name for place in places}
    return sorted(name for name in names if name not in known and not OWN_OF_SQLITE.match(name))


def unregistered_files(folder: Path, store: str, places: Iterable[Place]) -> list[str]:
    """Files and folders beside a store, and it itself, that no place is registered under.

    Args:
        folder: Where the store lies; it is to hold nothing else.
        store: The store's own name.
        places: Each named by what follows the store's name; `*` is digits and dashes.
    """
    known = [
        re.compile(re.escape(store) + re.escape(place.name).replace(r"\*", r"[\d-]+"))
        for place in places
    ]
    names = (path.name for path in folder.iterdir())
    return sorted(name for name in names if not any(one.fullmatch(name) for one in known))
