"""What the files of a store hold as bytes, read beside SQLite without breaking its locks."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TypeVar

CHUNK_BYTES = 1024 * 1024
PAGES_BETWEEN_LOOKS = 256  # at the clock: some milliseconds
DESCRIPTORS = Path("/dev/fd")
HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
"""The first byte of a page that is part of a tree, and how long its header is. See the file
format, https://www.sqlite.org/fileformat2.html, section 1.6: overflow pages begin with a page
number, which is below 2**24."""

IDS = re.compile(r"[0-9a-f]{32,}")
"""Ids are hashes: any four digits stand within one of some hundred by chance. At an end of
such a run they may be a value that SQLite keeps directly beside an id."""

T = TypeVar("T")


def residue(store: Path, words: Sequence[str]) -> int:
    """Count how often words stand in the store's files, in whatever case.

    Args:
        store: The database; its log and spill files lie beside it.
        words: As they were said. Escaped as in JSON counts too.
    """
    wanted = {form for word in words for form in _forms(word)}
    return sum(_count(path, wanted) for path in files_of(store)) if wanted else 0


def files_of(store: Path) -> list[Path]:
    """Every file that belongs to a store."""
    return sorted(
        path
        for path in store.parent.iterdir()
        if path.name == store.name
        or path.name in {f"{store.name}-wal", f"{store.name}-shm", f"{store.name}-journal"}
        or path.name.startswith(f"{store.name}.spill-")
    )


def drop_lines(store: Path, call_ids: Collection[str]) -> None:
    """Take the lines that name one of these calls out of files that were set aside.

    They could not be read, so that nobody knows what else they hold.

    Raises:
        OSError: A file could not be read or replaced.
    """
    names = [json.dumps(call_id).encode() for call_id in call_ids]
    for path in files_of(store):
        if path.name.endswith(".unreadable") and names:
            lines = path.read_bytes().splitlines(keepends=True)
            kept = [line for line in lines if not any(name in line for name in names)]
            if len(kept) < len(lines):
                path.write_bytes(b"".join(kept))


def chunks_of(path: Path, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """A file's bytes, in order; nothing when it has gone.

    SQLite's locks are the process's: they go when *any* descriptor of the file is closed.
    So a file that this process has open is read through that descriptor, and only one that
    it has not is opened and closed.
    """
    opened = _opened(path)
    try:
        descriptor = opened if opened is not None else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        place = 0
        while chunk := os.pread(descriptor, size, place):
            yield chunk
            place += len(chunk)
    finally:
        if opened is None:
            os.close(descriptor)


def stands_loose(store: Path, words: Collection[str], has_time: Callable[[], bool]) -> bool:
    """Any of these words lies in the database file where nothing is kept, and only there.

    SQLite overwrites rows that are deleted, but when it moves rows from one page to another
    it leaves the old bytes where they were, behind the rows of the page. A word that others
    say as well tells nothing there: it is as likely theirs.

    Args:
        store: The database, with nothing of it left in the log.
        words: Words, and pairs of words, as they stood in what was deleted; without any,
            whatever lies loose counts.
        has_time: Asked now and then.

    Raises:
        TimeoutError: There was no time to look at all of it.
    """
    if not words:
        return any(loose.strip(b"\0") for _, loose in _in_time(_pages(store), has_time))
    wanted = re.compile(b"(?=(" + _any_of(sorted(word.encode() for word in words)) + b"))")
    found: set[bytes] = set()
    for _, loose in _in_time(_pages(store), has_time):
        if loose.strip(b"\0"):
            found.update(wanted.findall(loose))
    for kept, _ in _in_time(_pages(store), has_time) if found else ():
        found = {word for word in found if word not in kept}
        if not found:
            return False
    return bool(found)


def _any_of(words: Sequence[bytes]) -> bytes:
    """A pattern for any of these words, the longest first, that shares their beginnings.

    Args:
        words: Sorted, without repeats.
    """
    if len(words) == 1:
        return re.escape(words[0])
    branches = [
        re.escape(first) + _any_of([word[1:] for word in group])
        for first, group in ((key, list(one)) for key, one in groupby(words, lambda w: w[:1]))
        if first
    ]
    end = b"?" if b"" in words else b""
    return b"(?:" + b"|".join(branches) + b")" + end


def _in_time(pages: Iterator[T], has_time: Callable[[], bool]) -> Iterator[T]:
    for number, page in enumerate(pages):
        if number % PAGES_BETWEEN_LOOKS == 0 and not has_time():
            raise TimeoutError
        yield page


def _pages(store: Path) -> Iterator[tuple[bytes, bytes]]:
    """Of each page, what is kept in it and what lies loose."""
    header = next(chunks_of(store, 100), b"")
    size = int.from_bytes(header[16:18])
    page_bytes = 65_536 if size == 1 else size
    if not page_bytes:
        return
    for number, page in enumerate(chunks_of(store, page_bytes)):
        start = 100 if number == 0 else 0
        header_bytes = HEADERS.get(page[start])
        if header_bytes is None:
            yield page, b""
            continue
        cells = int.from_bytes(page[start + 3 : start + 5])
        first = start + header_bytes + 2 * cells
        content = int.from_bytes(page[start + 5 : start + 7]) or 65_536
        yield page[content:], page[first:content]


def _opened(path: Path) -> int | None:
    """A descriptor of this process for a file, if it has one."""
    try:
        wanted = path.stat()
        descriptors = [int(one.name) for one in DESCRIPTORS.iterdir()]
    except OSError:
        return None
    for descriptor in descriptors:
        try:
            if os.path.samestat(os.fstat(descriptor), wanted):
                return descriptor
        except OSError:  # it was the one that listed them, or has been closed meanwhile
            continue
    return None


def _forms(word: str) -> Iterator[str]:
    if word:
        yield word.casefold()
        yield json.dumps(word)[1:-1].casefold()


def _count(path: Path, wanted: set[str]) -> int:
    """How often any of the words stands in a file, read in overlapping pieces."""
    longest = max(len(word.encode("utf-8", "surrogatepass")) for word in wanted)
    found, carried = 0, b""
    for chunk in chunks_of(path):
        piece = carried + chunk
        found += _in(piece, wanted) - _in(carried, wanted)
        carried = piece[-2 * longest :]
    return found


def _in(piece: bytes, wanted: set[str]) -> int:
    longest = max(map(len, wanted))
    text = IDS.sub(
        lambda run: f"{run.group()[:longest]} {run.group()[-longest:]}",
        piece.decode("utf-8", "replace"),
    ).casefold()
    return sum(text.count(word) for word in wanted)
