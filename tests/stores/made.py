"""What tests of the SQLite store share: a locked file, child processes, counting."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPILL_AND_DIE = """
import asyncio, os, signal, sys
from ringback.stores import SqliteStore
from ringback.testing.made_records import ended, opened, record, said
from tests.stores.made import locked
from pathlib import Path

async def main(path, call_id):
    store = await SqliteStore.open(path)
    with locked(Path(path)):
        turns = [said(position, call_id=call_id) for position in range(5)]
        await record(store, opened(call_id), *turns, ended(call_id))
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock, as another process would."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def child(code: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
    """Start a Python process with the library on its path."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "plugins"), str(ROOT)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )


def died(process: subprocess.Popen[str]) -> bool:
    """Wait for a child that kills itself."""
    _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, err
    return True


def output_of(process: subprocess.Popen[str]) -> str:
    """Wait for a child that has to succeed."""
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - threads set no asyncio event
            await asyncio.sleep(0.005)


def spill_files(folder: Path) -> list[Path]:
    """The spill files beside a store."""
    return sorted(path for path in folder.iterdir() if ".spill-" in path.name)


def count(path: Path, table: str) -> int:
    """Rows of a table, seen from outside."""
    connection = sqlite3.connect(path)
    (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    connection.close()
    return rows
