"""Signs of profiles' vectors, kept in this process for as long as they are those of the file."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ringback.stores.sqlite.signs import Signs, words_of
from ringback.stores.sqlite.statements import statements

SQL = statements("vectors")
COMPARED_WHOLE = 2_000  # vectors: of no more than these, nothing is picked out by signs

Key = tuple[int, int, int]  # owner, embedder, what


@dataclass(frozen=True, slots=True)
class Owned:
    """Whose vectors, as the file has them at this moment."""

    owner: int
    changed: int
    fewer: int
    """When it last lost a vector; since then there were only new ones."""
    embedder: int
    dimensions: int


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A profile's vectors of facts, or of turns; arrays of one length."""

    changed: int
    numbers: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]
    facets: npt.NDArray[np.uint8]
    at: npt.NDArray[np.int64]
    signs: Signs
    """uint64 [words, n]."""
    directions: npt.NDArray[np.float32] | None
    """float32 [n, dimensions], unit norm; None where there are too many."""

    @property
    def bytes(self) -> int:
        """What it takes."""
        arrays = (self.numbers, self.documents, self.facets, self.at, self.signs, self.directions)
        return sum(one.nbytes for one in arrays if one is not None)


class VectorCache:
    """Parts of profiles that were asked for last, up to a number of bytes.

    Lives as long as its store; any reading thread may ask. A part is read anew when its
    profile's number in the file says that it has changed, in whatever process; what was only
    added is read alone. What does not fit pushes out what was not asked for longest; a part
    larger than the whole bound is not kept at all.
    """

    def __init__(self, bound_bytes: int) -> None:
        self._bound_bytes = bound_bytes
        self._parts: OrderedDict[Key, Part] = OrderedDict()
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Let everything go: something was forgotten, here or in another process."""
        with self._lock:
            self._parts.clear()

    def part(self, connection: sqlite3.Connection, owned: Owned, what: int) -> Part:
        """The vectors of a profile as they are in this read's state of the file."""
        key = (owned.owner, owned.embedder, what)
        with self._lock:
            kept = self._parts.get(key)
            if kept is not None and kept.changed == owned.changed:
                self._parts.move_to_end(key)
                return kept
        if kept is None or kept.changed < owned.fewer or kept.changed > owned.changed:
            kept = None
        read = _read(connection, owned, what, kept)
        self._keep(key, read)
        return read

    def _keep(self, key: Key, part: Part) -> None:
        with self._lock:
            self._parts.pop(key, None)
            if part.bytes > self._bound_bytes:
                return
            self._parts[key] = part
            while sum(one.bytes for one in self._parts.values()) > self._bound_bytes:
                self._parts.popitem(last=False)


def _read(connection: sqlite3.Connection, owned: Owned, what: int, kept: Part | None) -> Part:
    after = int(kept.numbers[-1]) if kept is not None and kept.numbers.size else 0
    names = {"owner": owned.owner, "embedder": owned.embedder, "what": what, "after": after}
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: there may be many
    rows = cursor.execute(SQL["signs"], names).fetchall()
    columns = tuple(zip(*rows, strict=True)) or ((), (), (), (), ())
    signs = np.frombuffer(b"".join(columns[4]), np.uint64)
    words = words_of(owned.dimensions)
    new = Part(
        owned.changed,
        np.array(columns[0], np.int64),
        np.array(columns[1], np.int64),
        np.array(columns[2], np.uint8),
        np.array(columns[3], np.int64),
        np.ascontiguousarray(signs.reshape(len(rows), words).T),
        None,
    )
    many = len(rows) + (0 if kept is None else kept.numbers.size)
    directions = None
    if many <= COMPARED_WHOLE:
        codes = cursor.execute(SQL["codes_of_owner"], names).fetchall()
        directions = _directions(b"".join(one for (one,) in codes), owned.dimensions)
    if kept is None or not kept.numbers.size:
        return _with(new, directions)
    if kept.directions is None or directions is None:
        return _with(_joined(kept, new), None)
    return _with(_joined(kept, new), np.concatenate([kept.directions, directions]))


def _directions(codes: bytes, dimensions: int) -> npt.NDArray[np.float32]:
    read = np.frombuffer(codes, np.int8).reshape(-1, dimensions).astype(np.float32)
    unit: npt.NDArray[np.float32] = read / np.linalg.norm(read, axis=1, keepdims=True)
    return unit


def _joined(kept: Part, new: Part) -> Part:
    return Part(
        new.changed,
        np.concatenate([kept.numbers, new.numbers]),
        np.concatenate([kept.documents, new.documents]),
        np.concatenate([kept.facets, new.facets]),
        np.concatenate([kept.at, new.at]),
        np.concatenate([kept.signs, new.signs], axis=1),
        None,
    )


def _with(part: Part, directions: npt.NDArray[np.float32] | None) -> Part:
    return Part(
        part.changed, part.numbers, part.documents, part.facets, part.at, part.signs, directions
    )
