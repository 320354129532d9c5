"""The call handle: what an application holds while somebody is on the line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from ringback.background.identifying import Identification, Identifier
from ringback.background.yielding import GiveWay
from ringback.claims import HandleLike, checked_assurance, checked_caller_id, normalised
from ringback.core.cases import CaseRecord
from ringback.core.staging import StagingCounts
from ringback.core.window import Compress, Digest, Passage
from ringback.errors import StoreError
from ringback.live.call import LiveCall, Record
from ringback.live.shelf import LATE_MS
from ringback.protocols import Receipt
from ringback.records import (
    Assurance,
    Call,
    Context,
    Handle,
    Job,
    JobKind,
    ToolUse,
    Turn,
)
from ringback.settings import MemorySettings


@dataclass(frozen=True, slots=True)
class Line:
    """What a call handle hands on to its memory."""

    record: Record
    attach: Callable[[CallHandle, str, Assurance, tuple[Handle, ...]], Awaitable[None]]
    end: Callable[[CallHandle], None]
    let_go: Callable[[CallHandle], None]
    give_way: GiveWay
    compress: Compress
    settings: MemorySettings
    tenants: Collection[str]
    """All that calls were rung for here."""


class _Pending:
    """How much the background still has to do for a call."""

    def __init__(self) -> None:
        self.count = 0
        self.none = asyncio.Event()
        self.none.set()

    def more(self) -> None:
        self.count += 1
        self.none.clear()

    def less(self) -> None:
        self.count -= 1
        if not self.count:
            self.none.set()


class CallHandle:
    """One call, for as long as it lasts.

    Made by `Memory.ring()`, ended by `end()`; on the loop that opened the memory. While
    the line is open its `observe()` and `context()` never wait and never raise.
    """

    def __init__(self, live: LiveCall, line: Line) -> None:
        self._line = line
        self._live = live
        self._settled = asyncio.Event()
        self._unread = _Pending()  # of what memory holds
        self._undone = _Pending()  # digests, and looking things up for the next turn
        self._briefings = 0  # asked for; only the newest is taken
        self._briefed = 0  # the newest that was taken
        self._forgettings = 0
        self._identities = 0  # that the application gave
        self._has_ended = False
        self._identifier: Identifier | None = None

    @property
    def call(self) -> Call:
        """Who is on the line, as far as is known now."""
        return self._live.call

    @property
    def has_briefing(self) -> bool:
        """The briefing has arrived; until then `context()` gives an unknown caller's."""
        return self._live.has_briefing

    def observe(self, turn: Turn) -> Receipt:
        """Hand over a turn; its receipt says when it is on disk."""
        return self._live.observe(turn)

    def observe_tool(self, use: ToolUse) -> None:
        """Hand over what a tool of the agent returned: the records that this call is about."""
        self._live.observe_tool(use)

    def hear(self, words: str) -> None:
        """Hand over words that are not settled yet; what they are about is looked up meanwhile.

        Each time with the words of the turn so far. They are not kept.
        """
        self._live.hear(words)

    def follow_topic(self, topic: str) -> None:
        """Say what the call is about now, where the application knows: it is looked up."""
        self._live.follow_topic(topic)

    def context(self, said: str = "", *, turn: Hashable | None = None) -> Context:
        """What memory adds to the next request; also before the briefing and after the end.

        Reads what is in this process, and no more.

        Args:
            said: The newest words of the caller: what was retrieved for something else is
                left out. Without them nothing is checked, e.g. to prime the next request.
            turn: Names the turn, so that further requests in it (after a tool) get the same.
        """
        return self._live.context(said, turn=turn)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have it told, on the loop, when the next request will be sent something else."""
        self._live.on_change(listener)

    @property
    def case(self) -> tuple[CaseRecord, ...]:
        """The records that tools returned in this call, for people to see."""
        return self._live.case

    @property
    def counts(self) -> StagingCounts:
        """What became of what was retrieved for this call's turns."""
        return self._live.shelf.counts

    def prompt_speed(self, tokens_per_s: float) -> None:
        """Say how fast the language model reads a prompt, as measured.

        So many tokens may still be added once the caller has stopped as cost them no time.
        """
        self._live.shelf.late_tokens = int(tokens_per_s * LATE_MS / 1000)

    def compress(self, passage: Passage, done: Callable[[Digest], None]) -> None:
        """Have a digest made of turns that leave a window; never waits.

        Args:
            passage: The turns.
            done: Gets the digest, on the loop; an empty one where none could be made.
        """

        def take(digest: Digest) -> None:
            self._undone.less()
            done(digest)

        self._undone.more()
        self._line.compress(passage, take)

    async def identify(
        self, caller_id: str, assurance: Assurance, *, handles: Iterable[HandleLike] = ()
    ) -> bool:
        """Make this call a caller's, with what was said so far; brief it in the background.

        What `Memory.open(identify=…)` is still asking about this call is not heeded any more.

        Args:
            caller_id: Who it is, from the application; never from a language model.
            assurance: How sure that is.
            handles: Further claims that lead to this caller from now on.

        Returns:
            False where the call was verified as another caller's and this is a claim: the call
            stays as it was.

        Raises:
            UsageError: The id can be no caller's of this tenant, the assurance is `UNKNOWN`,
                or a handle is none.
            StoreError: It could not be written; the call goes on as it was.
        """
        assurance = checked_assurance(assurance)
        claims = normalised(handles, self._line.settings.region)
        checked = checked_caller_id(caller_id, tenant=self.call.tenant, tenants=self._line.tenants)
        is_verified = self.call.assurance is Assurance.VERIFIED
        if is_verified and assurance is not Assurance.VERIFIED and checked != self.call.caller_id:
            return False
        identifier = self._identifier
        is_asking = identifier is not None and identifier.stop()  # before an answer can come
        try:
            await self._line.attach(self, checked, assurance, claims)
        except StoreError:
            if identifier is not None and is_asking:
                identifier.go_on()
            raise
        return True

    @property
    def identification(self) -> Identification:
        """What came of asking `Memory.open(identify=…)` who is calling."""
        if self._identifier is None:
            return Identification.NOT_ASKED
        return self._identifier.state

    async def identified(self) -> None:
        """Wait until it is answered who is calling, as far as it is asked; not for a live path."""
        if self._identifier is not None:
            await self._identifier.idle()

    def reply_is_due(self) -> None:
        """The caller has stopped speaking and waits: model work beside the call gives way.

        Call it at the end of each turn of the caller, where models share a machine with
        the call; an adapter does.
        """
        if not self._has_ended:  # nobody is left to wait
            self._live.pause()
            self._line.give_way.reply_is_due(self)

    def reply_is_heard(self) -> None:
        """The first sound of the answer is out, or there will be none."""
        self._line.give_way.reply_is_heard(self)
        self._live.answered()

    async def end(self) -> bool:
        """Close the line; wait a bounded time until the call is settled. Idempotent.

        Returns:
            True when it is settled, or was forgotten; False when the rest is left to any later worker.
        """
        try:
            if not self._has_ended:
                self._has_ended = True
                self.reply_is_heard()
                self._line.end(self)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._line.settings.drain_ms / 1000):
                    await self._settled.wait()
        finally:  # a hang-up may be broken off as well
            self._line.let_go(self)
        return self._settled.is_set()

    async def briefed(self) -> None:
        """Wait until what the background reads for this call is in place; not for a live path."""
        while self._unread.count or self._undone.count:
            await self._unread.none.wait()
            await self._undone.none.wait()

    async def _informed(self) -> None:
        """Wait until what memory holds of the caller is in place, for a tool of a reply.

        Not for digests: they give way to that very reply.
        """
        await self._unread.none.wait()

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            self._unread.less()

    def _reads(self) -> None:
        self._unread.more()

    def _is_looking(self, is_looking: bool) -> None:
        self._undone.more() if is_looking else self._undone.less()

    def _forget(self) -> None:
        """Drop what is known in this process; the call goes on."""
        self._forgettings += 1
        self._live.forget()
        if self._identifier is not None:
            self._identifier.forget()

    def _was_forgotten(self) -> None:
        """The call was forgotten: it goes on, but there is nothing left to settle."""
        self._forget()
        self._settled.set()

    def _heard_of(self, job: Job) -> None:
        if job.kind is JobKind.SUMMARISE and self._has_ended:
            self._settled.set()  # before the end it is of a call that was taken for abandoned
