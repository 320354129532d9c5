"""SQL from the files beside this module: statements by name, and migrations by number."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from importlib.resources import files

_PACKAGE = "ringback.stores.sqlite"


def statements(name: str) -> dict[str, str]:
    """The statements of one file in `sql/`, each under the name in the comment above it."""
    text = files(_PACKAGE).joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))


def migrations() -> list[str]:
    """Every migration's text, in order: the first makes version 1 of an empty file."""
    folder = files(_PACKAGE).joinpath("migrations")
    names = sorted(one.name for one in folder.iterdir() if one.name.endswith(".sql"))
    return [folder.joinpath(name).read_text(encoding="utf-8") for name in names]


def split(script: str) -> Iterator[str]:
    """The single statements of a script; `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
