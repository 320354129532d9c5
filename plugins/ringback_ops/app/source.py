"""An app's file, as text and as a syntax tree."""

from __future__ import annotations

import ast
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path

from ringback import UsageError

LARGEST_BYTES = 1_000_000  # no app is written by hand at this size


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file; nothing of it is run."""

    file: Path
    lines: tuple[str, ...]
    tree: ast.Module

    def text(self, node: ast.AST) -> str:
        """What stands in the file for a node, on one line."""
        return " ".join(ast.unparse(node).split())

    def line(self, number: int) -> str:
        """A line by its number, from 1."""
        return self.lines[number - 1]


def read_source(file: Path) -> Source:
    """Read and parse a file.

    Raises:
        UsageError: It is not there, too large, or no Python.
    """
    text = _text(file)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # the app's own matter
            tree = ast.parse(text)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise UsageError(f"{file} is not Python that can be read: {where}{error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        raise UsageError(f"{file} is not Python that can be read") from None
    return Source(file, tuple(text.splitlines()), tree)


def _text(file: Path) -> str:
    if not file.exists():
        raise UsageError(f"no such file: {file}")
    if not file.is_file():
        raise UsageError(f"{file} is not a file: give the one that makes the pipeline")
    size = file.stat().st_size
    if size > LARGEST_BYTES:
        raise UsageError(f"{file} has {size:,} bytes; an app may have {LARGEST_BYTES:,}")
    try:
        with tokenize.open(file) as opened:
            return opened.read()
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise UsageError(f"{file} is not Python that can be read: no text") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
