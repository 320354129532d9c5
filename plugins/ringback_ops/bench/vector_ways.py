"""Ways to find the nearest of one caller's vectors, each built and asked the same way."""

from __future__ import annotations

import importlib
import math
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Signs = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.int64]

NEAREST = 20
SCALE = 127  # of int8 rows
SPREADS = 6.0  # standard deviations of a unit vector's numbers that int8 reaches
BLOCK_ROWS = 1_024  # widened at once: 1.5 MB, so that they stay in the cache


class Way(Protocol):
    """One way to search; made over all vectors of a caller."""

    held_bytes: int
    """What it keeps in this process."""

    def nearest(self, query: Vectors) -> Ids:
        """Return the rows nearest to a query, nearest first."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A caller's vectors as they lie in a SQLite file."""

    path: Path
    dimensions: int

    def codes(self) -> Codes:
        """Read all rows as int8."""
        with closing(sqlite3.connect(self.path)) as db:
            rows = db.execute("SELECT codes FROM vectors ORDER BY id").fetchall()
        return np.frombuffer(b"".join(row[0] for row in rows), np.int8).reshape(len(rows), -1)

    def signs(self) -> Signs:
        """Read all rows as sign bits."""
        with closing(sqlite3.connect(self.path)) as db:
            rows = db.execute("SELECT signs FROM vectors ORDER BY id").fetchall()
        return np.frombuffer(b"".join(row[0] for row in rows), np.uint64).reshape(len(rows), -1)


def keep(path: Path, vectors: Vectors) -> Kept:
    """Write vectors into a SQLite file: int8 rows and sign bits."""
    codes, signs = as_codes(vectors), as_signs(vectors)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE vectors (id INTEGER PRIMARY KEY, signs BLOB, codes BLOB)")
        rows = ((row, signs[row].tobytes(), codes[row].tobytes()) for row in range(len(vectors)))
        db.executemany("INSERT INTO vectors VALUES (?, ?, ?)", rows)
    return Kept(path, vectors.shape[1])


def as_codes(vectors: Vectors) -> Codes:
    """Round unit vectors to int8; one scale for all, so that products stay comparable."""
    largest = min(1.0, SPREADS / math.sqrt(vectors.shape[1]))
    codes: Codes = np.clip(np.rint(vectors * (SCALE / largest)), -SCALE, SCALE).astype(np.int8)
    return codes


def as_signs(vectors: Vectors) -> Signs:
    """Keep one bit of each number; uint64 [n, dimensions / 64]."""
    return np.packbits(vectors > 0, axis=1).view(np.uint64)


class ExactFloats:
    """Every row in float32: what all others are compared with."""

    def __init__(self, vectors: Vectors) -> None:
        self._rows = vectors
        self.held_bytes = vectors.nbytes

    def nearest(self, query: Vectors) -> Ids:
        """Multiply with all rows."""
        return best(self._rows @ query)


class ExactNarrow:
    """Every row in int8 or float16, widened block by block."""

    def __init__(self, rows: Codes | npt.NDArray[np.float16]) -> None:
        self._rows = rows
        self._wide = np.empty((BLOCK_ROWS, rows.shape[1]), np.float32)
        self.held_bytes = rows.nbytes + self._wide.nbytes

    def nearest(self, query: Vectors) -> Ids:
        """Widen and multiply all rows."""
        scores = np.empty(len(self._rows), np.float32)
        for start in range(0, len(self._rows), BLOCK_ROWS):
            block = self._rows[start : start + BLOCK_ROWS]
            wide = self._wide[: len(block)]
            np.copyto(wide, block)
            np.matmul(wide, query, out=scores[start : start + len(block)])
        return best(scores)


class SignsThenCodes:
    """Sign bits of every row; the nearest by them are ranked again by their int8 rows.

    Args:
        signs: uint64 [n, dimensions / 64].
        codes_of: Gives the int8 rows of some.
        rescored: How many are ranked again.
        held_bytes: What `codes_of` keeps in this process.
    """

    def __init__(
        self,
        signs: Signs,
        codes_of: Callable[[Ids], Codes],
        *,
        rescored: int,
        held_bytes: int = 0,
    ) -> None:
        self._columns = np.ascontiguousarray(signs.T)  # sums run along rows of memory
        self._codes_of = codes_of
        self._rescored = rescored
        self.held_bytes = self._columns.nbytes + held_bytes

    def nearest(self, query: Vectors) -> Ids:
        """Count the bits that differ, then rank the few that differ least."""
        asked = as_signs(query[np.newaxis])[0]
        differing = np.zeros(self._columns.shape[1], np.uint16)
        for column, word in zip(self._columns, asked, strict=True):
            differing += np.bitwise_count(column ^ word)
        if len(differing) > self._rescored:
            rows = np.argpartition(differing, self._rescored)[: self._rescored].astype(np.int64)
        else:
            rows = np.arange(len(differing))
        return rows[best(self._codes_of(rows).astype(np.float32) @ query)]


class StoredCodes:
    """int8 rows that stay in the file; only those that are ranked again are read."""

    def __init__(self, kept: Kept) -> None:
        self._db = sqlite3.connect(kept.path)
        self._dimensions = kept.dimensions

    def __call__(self, rows: Ids) -> Codes:
        """Read these rows, in this order."""
        wanted = ",".join(map(str, rows.tolist()))  # numbers of our own
        found = self._db.execute(f"SELECT id, codes FROM vectors WHERE id IN ({wanted})")  # noqa: S608
        by_row = dict(found.fetchall())
        joined = b"".join(by_row[row] for row in rows.tolist())
        return np.frombuffer(joined, np.int8).reshape(len(rows), self._dimensions)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


class Graph:
    """A graph of neighbours over int8 rows (HNSW), from usearch."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self.held_bytes = int(index.memory_usage)

    @classmethod
    def saved_to(cls, path: Path, vectors: Vectors) -> Graph:
        """Build it, and write it to a file of its own."""
        usearch = importlib.import_module("usearch.index")
        index = usearch.Index(ndim=vectors.shape[1], metric="cos", dtype="i8")
        index.add(np.arange(len(vectors)), vectors, threads=1)
        index.save(str(path))
        return cls(index)

    @classmethod
    def loaded(cls, path: Path) -> Graph:
        """Read it from that file."""
        return cls(importlib.import_module("usearch.index").Index.restore(str(path)))

    def nearest(self, query: Vectors) -> Ids:
        """Walk the graph."""
        found = self._index.search(query, NEAREST, threads=1)
        return np.asarray(found.keys).astype(np.int64)


class Extension:
    """A table of the extension sqlite-vec, int8 rows, in memory."""

    def __init__(self, vectors: Vectors) -> None:
        self._db = with_extension()
        self._db.execute(f"CREATE VIRTUAL TABLE near USING vec0(codes int8[{vectors.shape[1]}])")
        codes = as_codes(vectors)
        rows = ((row, codes[row].tobytes()) for row in range(len(codes)))
        self._db.executemany("INSERT INTO near(rowid, codes) VALUES (?, vec_int8(?))", rows)
        self.held_bytes = codes.nbytes

    def nearest(self, query: Vectors) -> Ids:
        """Ask the table."""
        found = self._db.execute(
            "SELECT rowid FROM near WHERE codes MATCH vec_int8(?) AND k = ? ORDER BY distance",
            (as_codes(query[np.newaxis])[0].tobytes(), NEAREST),
        )
        return np.array([row[0] for row in found], np.int64)


def with_extension() -> sqlite3.Connection:
    """Open a database that has sqlite-vec.

    Raises:
        ImportError: The package is not installed.
        AttributeError: This Python's sqlite3 loads no extensions.
    """
    package = importlib.import_module("sqlite_vec")
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.enable_load_extension(True)
    package.load(db)
    return db


def best(scores: Vectors) -> Ids:
    """Return the rows with the highest scores, best first."""
    count = min(NEAREST, len(scores))
    top = np.argpartition(scores, -count)[-count:]
    return np.asarray(top[np.argsort(-scores[top], kind="stable")]).astype(np.int64)


def missing_ways() -> Sequence[str]:
    """Say which ways cannot be tried here, and why."""
    lines = []
    try:
        importlib.import_module("usearch.index")
    except ImportError:
        lines.append("graph: usearch is not installed (pip install usearch)")
    try:
        with_extension().close()
    except ImportError:
        lines.append("extension: sqlite-vec is not installed (pip install sqlite-vec)")
    except (AttributeError, sqlite3.Error):
        lines.append("extension: this Python's sqlite3 loads no extensions")
    return lines
