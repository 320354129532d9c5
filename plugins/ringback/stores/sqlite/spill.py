"""Where entries go when the database cannot take them: files beside it.

A spill file belongs to the process that holds its lock (flock); when that process dies,
the lock goes, and whoever opens the store next takes the file over. A file that has been
folded into the database is deleted after the commit. If the process dies in between, the
file is folded again, which changes nothing, because every entry has a key.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Generator, Sequence
from pathlib import Path

from ringback.protocols import Entry
from ringback.stores.sqlite.spill_line import entry_of, line_of

UNREADABLE = ".unreadable"  # added to the name of a file with lines that make no sense


class SpillFile:
    """One spill file whose lock this process holds.

    Lives until it is closed or deleted. One thread at a time.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self.entries = 0
        self._descriptor = descriptor
        self._good_bytes = os.fstat(descriptor).st_size

    def append(self, lines: bytes, entries: int, *, is_synced: bool) -> None:
        """Add lines, and hand them to the operating system before returning.

        Raises:
            OSError: They are not in the file, not even in part.
        """
        is_whole = False
        try:
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            if is_synced:
                os.fsync(self._descriptor)
            is_whole = True
        finally:
            if not is_whole:
                os.ftruncate(self._descriptor, self._good_bytes)
        self._good_bytes += len(lines)
        self.entries += entries

    def read(self) -> Generator[Entry | None, None, None]:
        """The entries in order; None for a line that makes no sense, but for a torn last one."""
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return  # the process died in writing it: nobody was told it is there
                try:
                    entry: Entry | None = entry_of(line)
                except ValueError:
                    entry = None
                yield entry

    def delete(self) -> None:
        """Remove the file, then give up its lock: in this order, so that nobody folds it."""
        self.path.unlink(missing_ok=True)
        self.close()

    def set_aside(self) -> None:
        """Keep the file under another name, where nobody folds it again."""
        if self.path.exists():
            self.path.rename(self.path.with_name(self.path.name + UNREADABLE))
        self.close()

    def close(self) -> None:
        """Give up the lock and leave the file to whoever opens the store next."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Spill:
    """All spill files of one store in this process.

    Lives as long as the store. Any thread appends; only the writer's thread takes files.
    Bounded by the disk alone. Once closed, an append still works, in a file of its own.
    """

    def __init__(self, store: Path, *, is_synced: bool) -> None:
        self._store = store
        self._is_synced = is_synced
        self._lock = threading.Lock()
        self._current: SpillFile | None = None
        self._sealed: list[SpillFile] = []
        self._number = 0
        self._appended = 0

    @property
    def appended(self) -> int:
        """Entries appended since the store was opened."""
        return self._appended

    @property
    def pending(self) -> int:
        """Entries of this store that are in files and not in the database."""
        current = self._current
        sealed = sum(file.entries for file in tuple(self._sealed))
        return sealed + (current.entries if current else 0)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries and return when they are on disk.

        Raises:
            OSError: None of them is.
        """
        lines = b"".join(line_of(entry) for entry in entries)
        with self._lock:
            if self._current is None:
                self._current = self._create()
            self._current.append(lines, len(entries), is_synced=self._is_synced)
            self._appended += len(entries)

    def sealed(self) -> list[SpillFile]:
        """This store's own files, after which nothing is appended to them."""
        if self._current is not None:
            with self._lock:
                if self._current is not None:
                    self._sealed.append(self._current)
                    self._current = None
        return list(self._sealed)

    def forget(self, file: SpillFile) -> None:
        """Stop counting a file that has been folded."""
        with self._lock:
            if file in self._sealed:
                self._sealed.remove(file)

    def orphans(self) -> Generator[SpillFile, None, None]:
        """Files whose process is gone, each locked for the time that it is looked at."""
        for path in sorted(self._store.parent.iterdir()):
            if self._is_spill(path.name):
                file = _take(path, os.O_RDWR)
                if file is not None:
                    yield file

    def has_files(self) -> bool:
        """Any process has spilled what is not folded; a file goes once it is.

        Raises:
            OSError: The folder cannot be read.
        """
        with os.scandir(self._store.parent) as folder:
            return any(self._is_spill(one.name) for one in folder)

    def close(self) -> None:
        """Leave what is not folded to whoever opens the store next; idempotent."""
        for file in self.sealed():
            file.close()
            self.forget(file)

    def _is_spill(self, name: str) -> bool:
        return name.startswith(f"{self._store.name}.spill-") and name.endswith(".jsonl")

    def _create(self) -> SpillFile:
        while True:
            self._number += 1
            name = f"{self._store.name}.spill-{os.getpid()}-{self._number}.jsonl"
            file = _take(self._store.with_name(name), os.O_RDWR | os.O_CREAT | os.O_EXCL)
            if file is not None:
                return file


def _take(path: Path, flags: int) -> SpillFile | None:
    """Open and lock a file; None when it is another's, or not there (any more)."""
    try:
        descriptor = os.open(path, flags | os.O_APPEND | os.O_CLOEXEC, 0o600)
    except (FileExistsError, FileNotFoundError, PermissionError):
        return None
    is_ours = False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Between opening and locking, somebody may have folded and deleted the file.
        is_ours = os.path.samestat(os.stat(path), os.fstat(descriptor))  # noqa: PTH116
    except (BlockingIOError, FileNotFoundError):
        return None
    finally:
        if not is_ours:
            os.close(descriptor)
    return SpillFile(path, descriptor) if is_ours else None
