"""What the library asks of the outside: where things are kept, and who writes prose.

Each back-end in `ringback.stores` offers `Journal`, `Store` and `Jobs` over one place, so
that a turn and the job that follows from it are one transaction. All verbs may be called
from the loop that opened the back-end; `record_nowait` alone also from any thread.
Drivers' exceptions never leave a back-end: see `StoreError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from ringback.records import (
    Assurance,
    Call,
    Caller,
    CallView,
    Decision,
    Fact,
    Handle,
    Job,
    JobKind,
    Status,
    Summary,
    Turn,
)


@dataclass(frozen=True, slots=True)
class CallOpened:
    """A call became known."""

    call: Call


@dataclass(frozen=True, slots=True)
class TurnObserved:
    """Somebody said something."""

    tenant: str
    call_id: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class CallEnded:
    """The line is closed."""

    tenant: str
    call_id: str
    at: datetime


Entry: TypeAlias = CallOpened | TurnObserved | CallEnded


class Receipt(Protocol):
    """Says when an entry is on disk. Any thread and any task may ask."""

    @property
    def is_committed(self) -> bool:
        """It is on disk: a process that dies now loses nothing of it."""
        ...

    async def committed(self) -> None:
        """Wait until it is on disk.

        Raises:
            StoreError: It could not be written before the store was closed.
        """
        ...


class Journal(Protocol):
    """What happened, in order, before anything is made of it."""

    def record_nowait(self, entry: Entry) -> Receipt:
        """Hand an entry over and return at once.

        Bounded: when the writer falls behind, the entry is spilled to a file beside the
        store in the calling thread, and counted; it is never dropped. The same entry
        twice is one entry. A `TurnObserved` brings its extraction job along and a
        `CallEnded` its summary job, each in the same transaction; a call has at most one
        open job of a kind.

        A call may go on after it was ended, by whoever took it for abandoned: later turns
        are kept, and bring both jobs along; of several ends the latest counts, in whatever
        order they come, and brings the summary job again.
        """
        ...

    async def flush(self) -> None:
        """Wait until all that was recorded so far is on disk."""
        ...

    async def call(self, tenant: str, call_id: str) -> CallView | None:
        """One call with all its turns in order of position; None when there is none."""
        ...

    async def calls(
        self, tenant: str, *, caller_id: str | None = None, limit: int = 100
    ) -> tuple[Call, ...]:
        """Calls, newest first; of one caller, or of all for None."""
        ...

    async def unsettled(
        self,
        tenant: str,
        *,
        caller_id: str | None,
        handles: Sequence[Handle],
        besides: str | None = None,
    ) -> tuple[CallView, ...]:
        """Calls of this caller, or with one of these handles, that are not settled.

        Those that still have an open job, and those that have not ended: they go on in
        another process or on another line, or their process died. Oldest first, with all
        their turns.

        Args:
            tenant: Whose caller.
            caller_id: Who it is; None when that is not known.
            handles: What else leads to calls.
            besides: The call that asks; it is never among them.
        """
        ...

    async def abandoned(self, *, quiet_since: datetime, limit: int = 100) -> tuple[Call, ...]:
        """Calls of all tenants without an end that began, and last heard a turn, before then.

        The one that began first comes first. Most were cut off by a crash; one may go on in
        another process, on hold.
        """
        ...

    async def is_behind(self) -> bool:
        """Something that was recorded is on disk, but not in the answers of the verbs yet.

        Of this process or of another one; what it is about is not known. Ask before what
        the answer is about is read: then nothing is folded in unseen in between.
        """
        ...


class Store(Protocol):
    """What is known about callers."""

    async def caller_of(self, tenant: str, handles: Sequence[Handle]) -> Caller | None:
        """The one caller that these handles lead to; None when none or several do."""
        ...

    async def caller(self, tenant: str, caller_id: str) -> Caller | None:
        """A caller by id."""
        ...

    async def callers(self, tenant: str, *, limit: int = 100) -> tuple[Caller, ...]:
        """Callers, the one with the newest call first."""
        ...

    async def attach(
        self,
        tenant: str,
        call_id: str,
        *,
        caller_id: str,
        assurance: Assurance,
        handles: Sequence[Handle] = (),
    ) -> None:
        """Make a call a caller's, in one transaction.

        Makes the caller if need be, adds the handles, and re-keys the call, its facts and
        its summary. What was the call's own stays with it.
        """
        ...

    async def facts(
        self,
        tenant: str,
        *,
        caller_id: str | None = None,
        call_id: str | None = None,
        statuses: Sequence[Status] = (Status.ACTIVE, Status.PROVISIONAL),
    ) -> tuple[Fact, ...]:
        """Facts of a caller or of a call, oldest first; an empty selection is refused.

        Raises:
            UsageError: Neither caller nor call is given.
        """
        ...

    async def settle(self, job: Job, decisions: Sequence[Decision]) -> None:
        """Write the facts that were decided on and finish their job, in one transaction.

        Each fact takes the caller that its call has now. A fact that is there already is
        left as it is, so that a job done twice changes nothing.
        """
        ...

    async def put_summary(self, job: Job, summary: Summary | None) -> None:
        """Write a call's summary (None: there was nothing to say) and finish its job."""
        ...

    async def last_interaction(self, tenant: str, caller_id: str) -> Summary | None:
        """The newest call's summary; None before the first."""
        ...


class Jobs(Protocol):
    """Work that waits, is leased, and is done, tried again or given up."""

    async def lease(
        self, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)
    ) -> Job | None:
        """Take the job that is due longest; nobody else gets it before the lease ends.

        A summary is not leased while its call has an extraction open.
        """
        ...

    async def retry(self, job: Job, *, due_at: datetime, reason: str) -> None:
        """Put a job back after a failure; its attempts count one more."""
        ...

    async def give_up(self, job: Job, *, reason: str) -> None:
        """Move a job to the dead letters."""
        ...

    async def dead(self) -> tuple[Job, ...]:
        """Dead letters, oldest first."""
        ...

    async def open_count(self) -> int:
        """Jobs that are not done and not given up."""
        ...


class Generator(Protocol):
    """A language model that writes prose, off the live path."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        """Answer an instruction about a text.

        Raises:
            InferenceError: It does not answer, or answers with nothing.
        """
        ...
