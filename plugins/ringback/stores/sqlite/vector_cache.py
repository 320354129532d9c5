"""Profiles' vectors, kept in this process for as long as they are those of the file."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from ringback.stores.sqlite.signs import Signs, words_of
from ringback.stores.sqlite.statements import statements
from ringback.stores.vectors import FACETS, Codes

SQL = statements("vectors")
COMPARED_WHOLE = 2_000  # vectors: of no more than these, nothing is picked out by signs
CODES_KEPT = 32_768  # vectors: of more, the near ones' codes are read from the file

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
class Side:
    """Vectors of one facet of a profile's facts, or of its turns; of one length, by number."""

    numbers: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]
    at: npt.NDArray[np.int64]
    signs: Signs
    """uint64 [words, n]."""
    codes: Codes | None
    """int8 [n, dimensions]; None where there are too many."""
    directions: npt.NDArray[np.float32] | None
    """float32 [n, dimensions], unit norm; None where there are too many."""

    @property
    def bytes(self) -> int:
        """What it takes."""
        arrays = (getattr(self, one.name) for one in fields(self))
        return sum(one.nbytes for one in arrays if one is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A profile's vectors of facts, or of turns."""

    changed: int
    last: int
    """The highest number among them; 0 where there are none."""
    sides: tuple[Side, ...]
    """By the place of their facet in `FACETS`."""

    @property
    def bytes(self) -> int:
        """What it takes."""
        return sum(side.bytes for side in self.sides)

    @property
    def size(self) -> int:
        """How many vectors."""
        return sum(side.numbers.size for side in self.sides)


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
        self._cleared = 0

    @property
    def cleared(self) -> int:
        """How often it was cleared; a read asks before it sees its state of the file."""
        return self._cleared

    @property
    def bytes(self) -> int:
        """What it holds."""
        with self._lock:
            return self._held()

    def clear(self) -> None:
        """Let everything go: something was forgotten, here or in another process."""
        with self._lock:
            self._parts.clear()
            self._cleared += 1

    def part(
        self, connection: sqlite3.Connection, owned: Owned, what: int, *, cleared: int
    ) -> Part:
        """The vectors of a profile as they are in this read's state of the file.

        What a read saw before the cache was cleared may be forgotten by now: it is not kept.
        """
        key = (owned.owner, owned.embedder, what)
        with self._lock:
            kept = self._parts.get(key)
            if kept is not None and kept.changed == owned.changed:
                self._parts.move_to_end(key)
                return kept
        if kept is None or kept.changed < owned.fewer or kept.changed > owned.changed:
            kept = None
        read = _read(connection, owned, what, kept)
        self._keep(key, read, cleared)
        return read

    def _keep(self, key: Key, part: Part, cleared: int) -> None:
        with self._lock:
            if cleared != self._cleared:
                return
            self._parts.pop(key, None)
            if part.bytes > self._bound_bytes:
                return
            self._parts[key] = part
            while self._held() > self._bound_bytes:
                self._parts.popitem(last=False)

    def _held(self) -> int:
        return sum(one.bytes for one in self._parts.values())


def _read(connection: sqlite3.Connection, owned: Owned, what: int, kept: Part | None) -> Part:
    """Read what is there beyond what is kept."""
    names = {
        "owner": owned.owner,
        "embedder": owned.embedder,
        "what": what,
        "after": 0 if kept is None else kept.last,
    }
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: there may be many
    rows = cursor.execute(SQL["signs"], names).fetchall()
    numbers, documents, facets, at, signs = zip(*rows, strict=True) if rows else ((),) * 5
    codes = None
    if len(rows) + (0 if kept is None else kept.size) <= CODES_KEPT:
        read = cursor.execute(SQL["codes_of_owner"], names).fetchall()
        codes = np.frombuffer(b"".join(one for (one,) in read), np.int8)
        codes = codes.reshape(-1, owned.dimensions)
    words = np.frombuffer(b"".join(signs), np.uint64).reshape(-1, words_of(owned.dimensions))
    columns = tuple(np.array(one, np.int64) for one in (numbers, documents, at))
    new = _sides(np.array(facets, np.uint8), columns, words, codes)
    sides = new if kept is None else map(_joined, kept.sides, new)
    last = int(rows[-1][0]) if rows else names["after"]
    return Part(owned.changed, last, tuple(_with_directions(side) for side in sides))


def _sides(
    facets: npt.NDArray[np.uint8],
    columns: tuple[npt.NDArray[np.int64], ...],
    words: Signs,
    codes: Codes | None,
) -> Iterator[Side]:
    for facet in range(len(FACETS)):
        mine = facets == facet
        numbers, documents, at = (one[mine] for one in columns)
        signs = np.ascontiguousarray(words[mine].T)
        yield Side(numbers, documents, at, signs, None if codes is None else codes[mine], None)


def _joined(kept: Side, new: Side) -> Side:
    if not new.numbers.size:
        return kept if new.codes is not None else replace(kept, codes=None)
    codes = None
    if kept.codes is not None and new.codes is not None:
        codes = np.concatenate([kept.codes, new.codes])
    return Side(
        np.concatenate([kept.numbers, new.numbers]),
        np.concatenate([kept.documents, new.documents]),
        np.concatenate([kept.at, new.at]),
        np.concatenate([kept.signs, new.signs], axis=1),
        codes,
        kept.directions,  # of those that are not new
    )


def _with_directions(side: Side) -> Side:
    """The side with a direction for each of its vectors, or for none."""
    if side.codes is None or side.numbers.size > COMPARED_WHOLE:
        return replace(side, directions=None)
    known = side.directions if side.directions is not None else np.empty((0, 1), np.float32)
    if len(known) == len(side.codes):
        return side
    new = side.codes[len(known) :].astype(np.float32)
    new /= np.linalg.norm(new, axis=1, keepdims=True)
    return replace(side, directions=np.concatenate([known, new]) if len(known) else new)
