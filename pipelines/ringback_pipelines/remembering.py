"""A bot's memory: opened with what it is found and summed up by, closed with the bot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ringback import Clock, Memory
from ringback.inference import OnnxEmbedder, OpenAiGenerator
from ringback.schemas import SUPPORT, Schema
from ringback_models import (
    ModelChecksumError,
    ModelDiskError,
    ModelMissingError,
    ModelNetworkError,
    resolve,
)
from ringback_pipelines.part_names import DEFAULT_EMBEDDER
from ringback_voice.llm_endpoint import LlmEndpoint

log = logging.getLogger(__name__)

HAD_NOT = (ModelMissingError, ModelChecksumError, ModelDiskError, ModelNetworkError)


@asynccontextmanager
async def open_memory(
    url: str,
    *,
    schema: Schema = SUPPORT,
    clock: Clock | None = None,
    llm: LlmEndpoint | None = None,
    embedder: str = DEFAULT_EMBEDDER,
    **options: Any,
) -> AsyncIterator[Memory]:
    """Open a memory that also looks by meaning, where the embedding model is on this machine.

    Without it, or where its files are damaged, memory looks by keys and words, and says so
    once: a call is never held up by a download.

    Args:
        url: As for `Memory.open()`.
        schema: Which facts there may be.
        clock: Tells the time; the machine's where it is None.
        llm: Writes the prose of summaries; None leaves them plain.
        embedder: A manifest name, or a folder with `model.onnx` and `tokenizer.json`.
        options: Else what `Memory.open()` takes.

    Raises:
        RingbackError: The memory cannot be opened.
    """
    found = await asyncio.to_thread(_loaded, embedder)
    prose = OpenAiGenerator(llm.base_url, llm.model, api_key=llm.api_key) if llm else None
    try:
        opened = await Memory.open(
            url, schema=schema, clock=clock, generator=prose, embedder=found, **options
        )
        async with opened as memory:
            yield memory
    finally:
        if found is not None:
            await asyncio.to_thread(found.close)  # it waits for what it computes now


def _loaded(name: str) -> OnnxEmbedder | None:
    """The embedder, loaded off the loop; None where its model is not here."""
    try:
        return OnnxEmbedder(resolve(name, fetch=False))
    except HAD_NOT as error:
        reason = type(error).__name__
        log.warning("memory looks by words alone: no embedding model", extra={"reason": reason})
        return None
