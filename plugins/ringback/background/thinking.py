"""A thread for decisions that take longer than a live loop may be held up."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from collections.abc import Callable, Sized
from concurrent.futures import Future
from typing import Any, TypeVar

from ringback.errors import ClosedError

SWITCH_S = 0.001  # how long a thread that decides may keep the loop from going on; Python: 5 ms
FEW = 50  # facts; a millisecond or two

Thought = TypeVar("Thought")

Piece = tuple[Callable[[], Any], "Future[Any]"]


class Thinking:
    """Runs plain decisions of `ringback.core` one at a time, off the loop.

    Reading a turn takes about a millisecond, a long call's turns many; an audio frame is
    due every 20 ms. Lives as long as its memory, which closes it; tasks of its loop may ask.
    Holds what its askers wait for, and they are bounded: workers and open calls.
    Shortens the interpreter's switch interval for the whole process: else each decision would
    hold a loop up by 5 ms whenever it wakes.

    A thread of its own, and not an executor of the standard library: that one refuses work as
    soon as the interpreter begins to shut down, when calls are still to be drained.
    """

    def __init__(self) -> None:
        sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
        self._queue: queue.SimpleQueue[Piece | None] = queue.SimpleQueue()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="ringback-think", daemon=True)
        self._thread.start()

    async def over(self, things: Sized, decide: Callable[[], Thought]) -> Thought:
        """Decide something about so many things; a few take less time than a thread to wake."""
        return decide() if len(things) <= FEW else await self.about(decide)

    async def about(self, decide: Callable[[], Thought]) -> Thought:
        """Decide something and come back with it; not begun if whoever asks was cancelled.

        Raises:
            ClosedError: The memory was closed.
        """
        if self._is_closed:
            raise ClosedError("the memory was closed: nothing is decided any more")
        answer: Future[Thought] = Future()
        self._queue.put((decide, answer))
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Let the thread go; a decision that still runs ends unheard. Idempotent.

        Does not wait for it: other calls of this process have their sound on the same loop.
        """
        self._is_closed = True
        self._queue.put(None)

    def _run(self) -> None:
        while (piece := self._queue.get()) is not None:
            if self._is_closed:
                piece[1].cancel()
            else:
                _decide(*piece)
            del piece  # or an idle thread would keep what was said last


def _decide(decide: Callable[[], Any], answer: Future[Any]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    try:
        thought = decide()
    except Exception as error:  # noqa: BLE001 - whoever asked hears of it; the next one is decided
        answer.set_exception(error)
    else:
        answer.set_result(thought)
