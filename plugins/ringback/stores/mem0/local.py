"""mem0 on this machine: in this process, with our embedder, and without what it sends or keeps."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ringback.errors import StoreUnavailableError, UsageError
from ringback.protocols import Embedder
from ringback.stores.mem0.client import OWNER, Mem0Client

NOWHERE = "http://127.0.0.1:9"  # of the models that mem0 wants named and that are never asked
INSTALL = "scripts/install mem0"
FOLDER, VECTORS = "MEM0_DIR", "qdrant"


def opened(folder: Path, embedder: Embedder) -> Mem0Client:
    """Open or make a mem0 in a folder; see `Mem0.on_this_machine`."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("MEM0_TELEMETRY", "False")  # it is read when mem0 is imported
    os.environ.setdefault(FOLDER, str(folder))
    try:
        mem0: Any = import_module("mem0")
        telemetry: Any = import_module("mem0.memory.telemetry")
    except ImportError as error:
        raise UsageError(f"no mem0 here: {INSTALL} makes an environment that has it") from error
    if telemetry.MEM0_TELEMETRY:
        raise UsageError("mem0 would send telemetry: set MEM0_TELEMETRY=False")
    logging.getLogger("mem0").setLevel(logging.ERROR)  # below that it logs what is kept
    client = mem0.Memory.from_config(_settings(folder, embedder.dimensions))
    client.embedding_model = Embedding(embedder)
    client.db.close()
    client.db = _NoHistory()
    opened: Mem0Client = client
    return opened


def close(client: Any) -> None:
    """Give the files back; any thread."""
    client.vector_store.client.close()


def _settings(folder: Path, dimensions: int) -> dict[str, Any]:
    # mem0 wants a model of each sort named; this one is never asked.
    nobody = {"api_key": "none", "openai_base_url": NOWHERE}
    vectors = {
        "collection_name": OWNER,
        "embedding_model_dims": dimensions,
        "path": str(folder / VECTORS),
        "on_disk": True,  # or it is emptied when it is opened
    }
    return {
        "vector_store": {"provider": "qdrant", "config": vectors},
        "llm": {"provider": "openai", "config": nobody},
        "embedder": {"provider": "openai", "config": nobody},
        "history_db_path": ":memory:",
    }


class Embedding:
    """Our embedder as mem0 asks it, in mem0's thread."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._last: tuple[str, list[float]] = "", []

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """One text's vector."""
        is_question = memory_action == "search"
        if is_question and text == self._last[0]:  # each channel asks the same
            return self._last[1]
        ask = self._embedder.embed_query if is_question else self._embedder.embed
        vector: list[float] = asyncio.run(_first(ask([text])))
        self._last = (text, vector) if is_question else ("", [])
        return vector

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """One after another."""
        return [self.embed(text, memory_action) for text in texts]


async def _first(asked: Any) -> list[float]:
    vector: list[float] = (await asked)[0].tolist()
    return vector


class _NoHistory:
    """In place of mem0's history, which would keep the words of what is deleted."""

    def add_history(self, *_: Any, **__: Any) -> None:
        """Keep nothing."""

    def get_history(self, _: str) -> list[Any]:
        """There is none."""
        return []

    def reset(self) -> None:
        """There is none."""

    def close(self) -> None:
        """There is none."""


def clear(folder: Path) -> None:
    """Take the bytes of what was deleted out of the files.

    Raises:
        StoreUnavailableError: They are locked, or not as expected.
    """
    for file in sorted(folder.rglob("*.sqlite")):
        try:
            with closing(sqlite3.connect(file)) as connection:
                connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise StoreUnavailableError(f"{file.name} could not be cleared") from error


def count_in_files(folder: Path, words: Sequence[str]) -> int:
    """How often any of these words stand in the files, in whatever case."""
    wanted = {word.casefold().encode() for word in words if word}
    found = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            held = file.read_bytes().lower() if file.is_file() else b""
            found += sum(held.count(word) for word in wanted)
    return found
