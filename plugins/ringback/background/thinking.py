"""A thread for decisions that take longer than a live loop may be held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Thought = TypeVar("Thought")


class Thinking:
    """Runs plain decisions of `ringback.core` one at a time, off the loop.

    Reading a turn takes about a millisecond, a long call's turns many; an audio frame is
    due every 20 ms. Lives as long as its memory; `close()` lets the thread go, and a
    decision that still runs ends unheard.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="ringback-think")

    async def about(self, decide: Callable[[], Thought]) -> Thought:
        """Decide something and come back with it."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, decide)

    def close(self) -> None:
        """Let the thread go. Idempotent."""
        self._executor.shutdown(wait=True, cancel_futures=True)
