"""The language model of the bots: found at an address or served here, also beside the calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from ringback.inference.openai import OpenAiGenerator
from ringback_models import resolve_file
from ringback_pipecat import WindowSettings
from ringback_pipelines.part_names import PartNames
from ringback_voice.llm_endpoint import LlmEndpoint, find_endpoint
from ringback_voice.llm_server import LlamaServer


@asynccontextmanager
async def open_llm(names: PartNames) -> AsyncIterator[LlmEndpoint]:
    """Find or start the language model alone; a local server ends with this block.

    Raises:
        ModelError: A local model is not here and cannot be had.
        UsageError: The engine is not installed, or the address is none.
        InferenceUnavailableError: The server does not answer or start.
    """
    if names.llm_is_address:
        key = {"api_key": names.llm_api_key} if names.llm_api_key else {}
        there = await find_endpoint(names.llm, model=names.llm_model, **key)
        yield replace(there, priming={}) if names.llm_primes else there
        return
    # One slot: a request waits for the one before it, and never reads a prompt anew in another.
    async with LlamaServer(resolve_file(names.llm), slots=1) as server:
        yield server.endpoint


@asynccontextmanager
async def open_reader(names: PartNames) -> AsyncIterator[OpenAiGenerator]:
    """Have the language model beside the calls: `Memory.open(extractor=…, generator=…)`.

    A local one is served a second time, with the same file in memory once: in idle time
    only, and it stands still while a caller waits. One at an address is asked there, and
    its requests are broken off for a reply. Close the memory before this block ends.

    Raises:
        ModelError: A local model is not here and cannot be had.
        UsageError: The engine is not installed, or the address is none.
        InferenceUnavailableError: The server does not answer or start.
    """
    if names.llm_is_address:
        async with open_llm(names) as there:
            yield OpenAiGenerator(there.base_url, there.model, api_key=there.api_key)
        return
    async with LlamaServer.beside_calls(resolve_file(names.llm)) as server:
        here = server.endpoint
        yield OpenAiGenerator(here.base_url, here.model, hold=server.hold)


def window_of(at: LlmEndpoint) -> WindowSettings:
    """So much of a long call as the language model can read."""
    known = at.context_tokens
    return WindowSettings() if known is None else WindowSettings(context_tokens=known)
