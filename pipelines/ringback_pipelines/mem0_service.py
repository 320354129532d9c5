"""Pipecat's own Mem0 service on a mem0 of this machine, at its best, to compare memory with.

As its users configure it: its defaults for search, storing and the place of what it recalls,
Qdrant's local mode, and a language model behind an OpenAI-compatible address. The embedder is
ours, in this process: the one of mem0 for this machine wants a download of two gigabytes.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from pipecat.processors.frame_processor import FrameProcessor

from ringback import UsageError
from ringback.protocols import Embedder
from ringback.stores.mem0 import local
from ringback_voice.llm_endpoint import LlmEndpoint

THREADS = 64
"""What it writes waits for its language model, in a thread for each turn. asyncio has six on two
cores: after six turns its own searches would stand behind that."""

BEHIND_ALL = 1_000_000  # a position: the end


def mem0_service(
    folder: Path,
    embedder: Embedder,
    llm: LlmEndpoint,
    *,
    user_id: str,
    position: int | None = None,
) -> FrameProcessor:
    """Make the service, on the running loop; it goes between the aggregator and the model.

    Args:
        folder: Where mem0 keeps everything; empty.
        embedder: Makes its vectors.
        llm: Reads what is said, for what it stores.
        user_id: Who is on the line.
        position: Where among the messages it puts what it recalls; None leaves its default.

    Raises:
        UsageError: mem0 is not installed here, or would send telemetry.
    """
    os.environ.setdefault("MEM0_TELEMETRY", "False")  # it is read when mem0 is imported
    os.environ.setdefault(local.FOLDER, str(folder))
    try:
        pipecat: Any = import_module("pipecat.services.mem0.memory")
        telemetry: Any = import_module("mem0.memory.telemetry")
    except ImportError as error:
        raise UsageError(f"no mem0 beside Pipecat here: {local.INSTALL} makes both") from error
    if telemetry.MEM0_TELEMETRY:
        raise UsageError("mem0 would send telemetry: set MEM0_TELEMETRY=False")
    logging.getLogger("mem0").setLevel(logging.ERROR)  # below that it logs what is kept
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
    given = {} if position is None else {"position": position}
    service: Any = pipecat.Mem0MemoryService(
        local_config=_settings(folder, embedder.dimensions, llm),
        user_id=user_id,
        params=pipecat.Mem0MemoryService.InputParams(**given),
    )
    service.memory_client.embedding_model = local.Embedding(embedder)
    made: FrameProcessor = service
    return made


async def fill_mem0(service: Any, said: Iterable[tuple[str, str]]) -> None:
    """Have it keep what was said in an earlier call, each turn word for word.

    Without its language model (`infer=False`): a small one loses most of it, in minutes.

    Args:
        service: From `mem0_service()`.
        said: A role and what it said, in order.
    """
    turns = [{"role": role, "content": text} for role, text in said]
    add = partial(service.memory_client.add, user_id=service.user_id, infer=False)
    await asyncio.to_thread(add, turns, metadata={"platform": "pipecat"})


def store_nothing(service: Any) -> None:
    """Have it recall only, as if storing cost nothing; it always stores otherwise."""
    service.memory_client.add = lambda **_: {"results": []}


def _settings(folder: Path, dimensions: int, llm: LlmEndpoint) -> dict[str, Any]:
    model = {"model": llm.model, "api_key": llm.api_key, "openai_base_url": llm.base_url}
    vectors = {"embedding_model_dims": dimensions, "path": str(folder / local.VECTORS)}
    nobody = {"api_key": "none", "openai_base_url": local.NOWHERE}  # put out of its place
    return {
        "vector_store": {"provider": "qdrant", "config": vectors},
        "llm": {"provider": "openai", "config": model},
        "embedder": {"provider": "openai", "config": nobody},
        "history_db_path": str(folder / "history.db"),
    }
