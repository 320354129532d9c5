"""One fetcher at a time: a file lock that goes away with its process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ringback_models.progress import Reporter

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: BinaryIO) -> bool:
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait_lock(handle: BinaryIO) -> None:
        while True:
            try:
                msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)  # gives up after 10 s
            except OSError:
                continue
            return

else:
    import fcntl

    def _try_lock(handle: BinaryIO) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait_lock(handle: BinaryIO) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)


@contextmanager
def held(path: Path, label: str, reporter: Reporter) -> Iterator[None]:
    """Hold a lock, waiting for whoever holds it now.

    The operating system lets go of it when the process ends, however it ends. The file
    stays: deleting it would let two processes each hold a lock of their own.

    Args:
        path: The lock's file; it is made where it is missing.
        label: What is fetched under it, for the line that says why we wait.
        reporter: Is told once if there is a wait.
    """
    with path.open("ab") as handle:
        if not _try_lock(handle):
            reporter.note(f"another process is fetching {label}; waiting for it")
            _wait_lock(handle)
        yield
