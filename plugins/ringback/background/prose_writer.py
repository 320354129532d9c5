"""Has a language model write a few sentences, beside the calls and within its time."""

from __future__ import annotations

import asyncio

from ringback.background.workplace import Workplace
from ringback.errors import InferenceError
from ringback.model_ports import hold_of
from ringback.protocols import Generator


class ProseWriter:
    """Asks for prose that nobody waits for on the line; replies go first.

    Args:
        at: Where it works; its settings say how long prose may take.
        generator: Writes; None: there is none, and nothing is ever written.
    """

    def __init__(self, at: Workplace, generator: Generator | None) -> None:
        self._at = at
        self._generator = generator

    @property
    def is_there(self) -> bool:
        """There is a model to ask."""
        return self._generator is not None

    async def written(self, instruction: str, text: str, *, max_tokens: int) -> str:
        """What the model writes; empty where there is none, or it does not answer in time."""
        generator = self._generator
        if generator is None:
            return ""
        try:
            async with asyncio.timeout(self._at.settings.prose_ms / 1000):
                return await self._at.give_way.beside(
                    lambda: generator.write(instruction, text, max_tokens=max_tokens),
                    hold=hold_of(generator),
                )
        except (InferenceError, TimeoutError):
            return ""
