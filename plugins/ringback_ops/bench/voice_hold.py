"""A memory that is held up: whatever it asks for comes eight seconds late, or after the call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from inspect import getmembers, iscoroutinefunction
from typing import Any

from ringback import Memory
from ringback.errors import InferenceUnavailableError
from ringback.protocols import Completion

HELD_S = 8.0
AT_ONCE = {"open", "close", "flush"}
"""Of a store's verbs: what was observed is written by its own thread."""


class HoldUp:
    """Holds up the store, the embedder and the reading model of one call's memory.

    Until the memory is asked to settle, which is when the call is over.
    """

    def __init__(self) -> None:
        self._is_over = asyncio.Event()
        self.held = 0
        """How often something was held up."""

    def over(self, memory: Memory) -> None:
        """Hold up a memory that was just opened."""
        opened: Any = memory  # its embedder has no public name
        for verb, _ in getmembers(type(opened.keeping), iscoroutinefunction):
            if not verb.startswith("_") and verb not in AT_ONCE:
                self._hold(opened.keeping, verb)
        if opened._embedder is not None:
            for verb in ("embed", "embed_query"):
                self._hold(opened._embedder, verb)
        settle = opened.settle

        async def let_go() -> None:
            self._is_over.set()
            await settle()

        opened.settle = let_go

    async def fill(
        self, _instruction: str, _text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Be a language model that sleeps and then is not there; see `Filler`."""
        await self._wait()
        raise InferenceUnavailableError(f"held up with {len(shape)} fields, {max_tokens} tokens")

    def _hold(self, part: Any, verb: str) -> None:
        ask: Callable[..., Awaitable[Any]] = getattr(part, verb)

        async def late(*given: Any, **named: Any) -> Any:
            await self._wait()
            return await ask(*given, **named)

        setattr(part, verb, late)

    async def _wait(self) -> None:
        self.held += not self._is_over.is_set()
        with suppress(TimeoutError):
            async with asyncio.timeout(HELD_S):
                await self._is_over.wait()
