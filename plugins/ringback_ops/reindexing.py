"""Dropping a memory file's vectors and making them again, with a bar."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ringback import Memory, MemorySettings, RingbackError, UsageError
from ringback.protocols import Embedder
from ringback.recollection import IndexState
from ringback.schemas import Schema
from ringback_ops.memory_file import memory_url

LOOK_MS = 1_000  # between looks at how far it is
LOOKS_WITHOUT_PROGRESS = 60  # until whoever waits is told


def add_embedder_argument(parser: argparse.ArgumentParser) -> None:
    """Add --embedder."""
    parser.add_argument(
        "--embedder",
        metavar="MODULE:NAME",
        help="what makes your application's embedder, called without arguments; without it "
        "vectors are only dropped, and your application makes them again when it is started",
    )


def embedder_named(name: str) -> Embedder:
    """Make the embedder that an option names.

    Raises:
        UsageError: There is nothing of this name, or it makes no embedder.
    """
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise UsageError(f"no embedder {name!r}: give MODULE:NAME")
    sys.path.insert(0, "")  # as `python -m` does: the module may lie where the command is run
    try:
        found: Any = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        raise UsageError(f"no embedder {name!r}: no module {error.name}") from None
    finally:
        sys.path.remove("")
    made: Any = found() if callable(found) else found
    if not all(hasattr(made, verb) for verb in ("name", "dimensions", "embed", "embed_query")):
        raise UsageError(f"no embedder {name!r}: {module} makes none under that name")
    embedder: Embedder = made
    return embedder


async def reindex(file: Path, schema: Schema, embedder: Embedder | None) -> int:
    """Drop all vectors of a file; make them again where there is an embedder.

    Raises:
        RingbackError: The embedder does not answer; what it has made is kept.
    """
    settings = MemorySettings(settle_ms=LOOK_MS)
    url = memory_url(file)
    async with await Memory.open(
        url, schema=schema, embedder=embedder, settings=settings
    ) as memory:
        await memory.reindex()
        if embedder is None:
            print("vectors dropped; what text is found by stays")
            return 0
        state = await _embedded(memory)
    print(f"{state.indexed} facts and turns embedded with {embedder.name}")
    if state.waiting:
        print(f"{state.waiting} were refused by the embedder; text finds them", file=sys.stderr)
    return 1 if state.waiting else 0


async def _embedded(memory: Memory) -> IndexState:
    state, idle = await memory.index_state(), 0
    with tqdm(total=state.indexed + state.waiting, unit="passage", disable=None) as bar:
        while True:
            is_done = await memory.indexed()
            before, state = state, await memory.index_state()
            bar.update(state.indexed - bar.n)
            trouble = memory.health().get("embedder")
            if is_done or (state == before and not trouble):
                return state
            idle = idle + 1 if state.indexed == before.indexed else 0
            if idle >= LOOKS_WITHOUT_PROGRESS:
                raise RingbackError(f"the embedder does not answer ({trouble}): try again later")
