"""Asks the application's own systems who is calling, beside the call: nobody ever waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ringback.background.supervisor import Supervisor
from ringback.claims import Identity, LookUp
from ringback.core.correction import CURRENT
from ringback.records import SELF, Assurance, Call, Fact, Source
from ringback.settings import MemorySettings

NAME = "identify"  # under which failures are told


class Identification(StrEnum):
    """What came of asking who is calling."""

    NOT_ASKED = "not asked"
    ASKING = "asking"
    FOUND = "found"
    NOBODY = "nobody"
    """The application's systems answered that they know nobody of that kind."""
    FAILED = "failed"
    """They raised, or did not answer in time, as often as they were asked: it is not known."""


def said_in(facts: Iterable[Fact]) -> dict[str, str]:
    """What a caller has said of themselves, by key; of several values the last.

    Args:
        facts: Of the call, oldest first.
    """
    return {
        fact.key: fact.value
        for fact in facts
        if fact.source is Source.CALLER and fact.subject == SELF and fact.status in CURRENT
    }


class Line(Protocol):
    """The call that is asked about."""

    call: Call


@dataclass(frozen=True, slots=True)
class Asking:
    """What all calls of a memory are identified with."""

    look_up: LookUp
    settings: MemorySettings
    supervisor: Supervisor


class Identifier:
    """Asks for one call.

    Lives as long as its call, and until what was asked is answered: a call that has ended
    meanwhile still becomes the caller's. One question at a time; what the caller says while
    it is asked is asked next, the newest alone. A question that fails is asked again, after
    growing pauses, `identify_attempts` times in all; then not before something new is said.

    Args:
        asking: Whom to ask, and how patiently.
        line: The call.
        attach: Makes it the caller's.
    """

    def __init__(
        self, asking: Asking, line: Line, attach: Callable[[Identity], Awaitable[None]]
    ) -> None:
        self._asking = asking
        self._line = line
        self._attach = attach
        self._asked: Mapping[str, str] | None = None
        self._next: Mapping[str, str] | None = None
        self._heeded: tuple[str, Assurance] | None = None  # the last answer
        self._is_running = False
        self._is_stopped = False
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self.state = Identification.NOT_ASKED

    def ask(self, said: Mapping[str, str]) -> None:
        """Ask with what the caller has said of themselves; not the same thing twice."""
        is_empty = not said and not self._line.call.handles
        if self._is_stopped or is_empty or said in (self._asked, self._next):
            return
        self._next = dict(said)
        if not self._is_running:
            self._is_running = True
            self._is_idle.clear()
            self._asking.supervisor.start_once(self._work, name=NAME)

    def forget(self) -> None:
        """Know nothing any more of what was asked with."""
        self._asked = self._next = None

    def stop(self) -> bool:
        """Somebody said who it is: what is asked now is not heeded any more.

        Returns:
            Whether it was heeded so far.
        """
        was_heeded = not self._is_stopped
        self._is_stopped, self._next = True, None
        return was_heeded

    def go_on(self) -> None:
        """What somebody said could not be kept: ask again."""
        said, self._asked, self._is_stopped = self._asked, None, False
        if said is not None:
            self.ask(said)

    async def idle(self) -> None:
        """Wait until nothing is asked."""
        await self._is_idle.wait()

    async def _work(self) -> None:
        try:
            while (said := self._next) is not None:
                self._asked, self._next = said, None
                await self._ask(said)
        finally:
            self._is_running = False
            self._is_idle.set()

    async def _ask(self, said: Mapping[str, str]) -> None:
        settings = self._asking.settings
        pause_s = settings.first_pause_ms / 1000
        self.state = Identification.ASKING
        for attempt in range(settings.identify_attempts):
            if attempt:
                await asyncio.sleep(pause_s)
                pause_s *= 2
            if self._next is not None:  # there is more to ask with
                return
            try:
                await self._answered(said)
            except Exception as error:  # noqa: BLE001 - an application's code raises anything
                self._asking.supervisor.note(NAME, error)
            else:
                return
        self.state = Identification.FAILED

    async def _answered(self, said: Mapping[str, str]) -> None:
        call = self._line.call
        async with asyncio.timeout(self._asking.settings.identify_ms / 1000):
            found = await self._asking.look_up(call, said)
        if self._is_stopped:
            return
        if found is None:
            self.state = Identification.NOBODY
            return
        call = self._line.call
        answer = (found.caller_id, found.assurance)
        # The same claim once more says nothing against what the caller said since.
        is_repeated = answer == self._heeded and found.assurance is not Assurance.VERIFIED
        is_news = answer != (call.caller_id, call.assurance) and not is_repeated
        if call.assurance is not Assurance.VERIFIED and is_news:
            await self._attach(found)
        self._heeded = answer
        self.state = Identification.FOUND
