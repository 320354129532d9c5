"""What the library asks of the outside: where things are kept, who writes prose, who embeds.

Each back-end in `ringback.stores` offers `Journal`, `Store` and `Jobs` over one place, so
that a turn and the job that follows from it are one transaction. All verbs may be called
from the loop that opened the back-end; `record_nowait` alone also from any thread.
Drivers' exceptions never leave a back-end: see `StoreError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from ringback.erasure import Erasure, ErasureReceipt
from ringback.index import Index as Index
from ringback.model_ports import (
    Completion as Completion,
    Embedder as Embedder,
    Filler as Filler,
    Generator as Generator,
    Hold as Hold,
    Holdable as Holdable,
)
from ringback.recollection import Cue, Heard, Hit
from ringback.records import (
    Assurance,
    Call,
    Caller,
    CallView,
    Decision,
    DecisionMade,
    Fact,
    Handle,
    Job,
    JobKind,
    ModelUse,
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


@dataclass(frozen=True, slots=True)
class TurnAmended:
    """What was heard later shows that a turn's words must not stand as they do.

    Its text is replaced by one of the same length; the old one is cleared from the file.
    """

    tenant: str
    call_id: str
    turn: Turn
    """The same position and role, with the text that may stand."""


@dataclass(frozen=True, slots=True)
class FactsUsed:
    """Facts were put before somebody: what is used fades later."""

    tenant: str
    fact_ids: tuple[str, ...]
    at: datetime


Entry: TypeAlias = CallOpened | TurnObserved | TurnAmended | FactsUsed | CallEnded


@dataclass(frozen=True, slots=True)
class Basis:
    """The state of a profile, or of a call that is nobody's, that decisions are made on."""

    caller_id: str | None
    call_id: str | None
    """The call's, where it is nobody's yet."""
    revision: int
    """Another number after each change of its facts."""


@dataclass(frozen=True, slots=True)
class Known:
    """All that a briefing is made of, as of one moment."""

    caller: Caller | None
    unsettled: tuple[CallView, ...]
    """See `Journal.unsettled`."""
    facts: tuple[Fact, ...]
    """Of the caller, and of unsettled calls that are nobody's yet; of every status."""
    last_interaction: Summary | None
    is_behind: bool
    """See `Journal.is_behind`: whatever came after that question is in the rest."""
    is_shared: bool = False
    """The handles lead to several callers, and the call names none."""
    merged: tuple[str, ...] = ()
    """Calls that an operator merged into the caller's profile; see `Moves`."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep ended."""

    facts_expired: int = 0
    turns_deleted: int = 0


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

        Those that still have an open job of rules, and those that have not ended: they go on in
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

    async def decisions(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[DecisionMade, ...]:
        """What was decided about a profile's candidates, newest first.

        Kept by `Store.settle` and `Store.write`, in their transactions; a skipped
        candidate's value is not kept.
        """
        ...

    async def erasures(
        self, *, after: int = 0, limit: int = 1_000
    ) -> tuple[tuple[int, ErasureReceipt], ...]:
        """Receipts of what was forgotten, each with its number, in order from `after` on.

        By this every process learns what another one forgot, and drops it from its caches.
        """
        ...


class Store(Protocol):
    """What is known about profiles: callers, agents, teams."""

    async def callers_of(self, tenant: str, handles: Sequence[Handle]) -> tuple[Caller, ...]:
        """Every caller that one of these handles leads to: a family shares a phone."""
        ...

    async def caller(self, tenant: str, caller_id: str) -> Caller | None:
        """A caller by id."""
        ...

    async def callers(self, tenant: str, *, limit: int = 100) -> tuple[Caller, ...]:
        """Callers, the one with the newest call first."""
        ...

    async def known(self, call: Call) -> Known:
        """What is kept of whoever is on the line, in one read that nothing can come between.

        They are the call's caller, if there is such a one, else the one that its handles
        lead to. The call itself is not among the unsettled ones.
        """
        ...

    async def attach(
        self,
        tenant: str,
        call_id: str,
        *,
        caller_id: str,
        assurance: Assurance,
        handles: Sequence[Handle] = (),
        is_first: bool = False,
    ) -> str:
        """Make a call a caller's, in one transaction.

        Makes the caller if need be, adds the handles, and re-keys the call, its facts and
        its summary. What was the call's own stays with it. A caller who was merged into another
        is that other one. Where something was decided about the call already, its extraction
        comes due again: what was the call's alone has to be weighed against what is known of
        its caller.

        Args:
            tenant: Whose.
            call_id: Which call.
            caller_id: Whom it is made.
            assurance: How sure that is.
            handles: What leads to them from now on.
            is_first: Only a call that is nobody's yet.

        Returns:
            Whose it is now: the id, or the one that it was merged into.

        Raises:
            StoreConflictError: With `is_first`, somebody named its caller meanwhile.
        """
        ...

    async def facts(
        self,
        tenant: str,
        *,
        caller_id: str | None = None,
        call_id: str | None = None,
        statuses: Sequence[Status] = (Status.ACTIVE, Status.PROVISIONAL),
        keys: Sequence[str] | None = None,
    ) -> tuple[Fact, ...]:
        """Facts of a caller or of a call, oldest first; an empty selection is refused.

        Args:
            tenant: Whose.
            caller_id: Of this caller.
            call_id: Of this call.
            statuses: Of these statuses.
            keys: Under these keys of the schema; None is all.

        Raises:
            UsageError: Neither caller nor call is given.
        """
        ...

    async def basis(
        self, tenant: str, *, caller_id: str | None = None, call_id: str | None = None
    ) -> Basis:
        """What decisions about a profile, or about a call that is nobody's, will rest on.

        Ask before reading the facts: then no change in between goes unseen.

        Raises:
            UsageError: Neither caller nor call is given.
        """
        ...

    async def settle(
        self,
        job: Job,
        decisions: Sequence[Decision],
        *,
        basis: Basis | None = None,
        then: JobKind | None = None,
    ) -> None:
        """Write the facts that were decided on and finish their job, in one transaction.

        Each fact takes the caller that its call has now. A fact that is there already is
        left as it is, so that a job done twice changes nothing. What a tombstone covers is
        left out, and so is a decision whose `superseded` fact is gone. A job of the kind
        `then` is opened for the same call.

        Raises:
            StoreConflictError: The basis is not what it was, or the call is another one's
                now; nothing is written. Decide again.
        """
        ...

    async def put_summary(
        self, job: Job, summary: Summary | None, *, then: JobKind | None = None
    ) -> None:
        """Write a call's summary (None: there was nothing to say) and finish its job.

        A job of the kind `then` is opened for the same call.
        """
        ...

    async def note_use(self, tenant: str, call_id: str, use: ModelUse) -> None:
        """Add what a language model has cost a call; nothing for a call that is not kept."""
        ...

    async def model_use(self, tenant: str, call_id: str) -> ModelUse:
        """What language models have cost a call so far."""
        ...

    async def summaries(
        self, tenant: str, *, caller_id: str, limit: int = 1_000
    ) -> tuple[Summary, ...]:
        """Summaries of a profile's calls, the newest call's first."""
        ...

    async def last_interaction(self, tenant: str, caller_id: str) -> Summary | None:
        """The newest call's summary; None before the first."""
        ...

    async def write(
        self, tenant: str, decisions: Sequence[Decision], *, basis: Basis | None = None
    ) -> None:
        """Write decisions that no job led to: an application's, a person's; one transaction.

        Each fact keeps the caller it has, which is made if need be. What a tombstone
        covers is left out. A fact that is there already is left as it is.

        Raises:
            StoreConflictError: The basis is not what it was; nothing is written.
        """
        ...

    async def find(self, cue: Cue) -> tuple[Hit, ...]:
        """Full text over one profile's facts and turns: first narrowed, then ranked.

        Facts first, then turns, then exchanges where the cue asks for them; each best
        first, at most `cue.limit` of each. What holds none of the terms is not among them.
        A cue without terms but with a time finds all that was said in it, the newest first,
        each with a score of 0.
        """
        ...

    async def linked(
        self, tenant: str, caller_id: str, *, limit: int = 500, one_each: bool = False
    ) -> tuple[Fact, ...]:
        """Current facts that give names, or speak of or name others; oldest first.

        What entities are put together from. Of more than `limit` the newest. With `one_each`,
        of those that only speak of something the one that lasts longest stands for all that
        speak of the same: enough to know whom and what a profile knows, and by which names.
        """
        ...

    async def with_keys(
        self, tenant: str, caller_id: str, keys: Sequence[str], *, limit: int = 100
    ) -> tuple[Fact, ...]:
        """Current facts under these keys of the schema; oldest first, the newest `limit`."""
        ...

    async def heard(
        self, tenant: str, caller_id: str, *, names: Sequence[str]
    ) -> Mapping[str, Heard]:
        """Which of these names a profile knows: as who said a turn, or from what was said.

        Names that it never heard of are not among the keys.
        """
        ...

    async def forget(self, erasure: Erasure, *, basis: Basis | None = None) -> ErasureReceipt:
        """Delete, in one transaction; then clear indexes, logs and free pages of it.

        Of a fact: the facts named, their decisions and index entries; turns are redacted,
        other facts' evidence reworded, and every call that was redacted loses its summary
        and is summarised anew. Of a call: all of it, jobs and dead letters included, and
        what is `restored` is current again. Of a profile: all its calls, facts, summaries
        and handles, and calls that are nobody's and whose handles led to it alone.
        Tombstones keep late entries, jobs and spilled lines from bringing anything back,
        and work under way is discarded. What was written since the erasure was planned
        goes as well, where it is the profile's or the call's.

        Raises:
            StoreConflictError: The basis is not what it was when the erasure was planned;
                nothing is deleted. Plan again.
            StoreError: It could not be done; then nothing is deleted. Clearing may fail
                alone: then the receipt says so with `scrub_ms` -1, and the next one clears.
        """
        ...

    async def residue(self, words: Sequence[str]) -> int:
        """Count where any of these words still stand, as plain text, in any file or cache.

        For checks after an erasure; reads every file of the store whole.
        """
        ...


class Jobs(Protocol):
    """Work that waits, is leased, and is done, tried again or given up."""

    async def lease(
        self, *, now_at: datetime, lease_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)
    ) -> Job | None:
        """Take the job that is due longest; nobody else gets it before the lease ends.

        A summary is not leased while its call has an extraction open. What waits for a
        language model comes last.
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

    async def open_count(self, *, kinds: Sequence[JobKind] = tuple(JobKind)) -> int:
        """Jobs that are not done and not given up."""
        ...

    async def sweep(self, *, now_at: datetime, words_before: datetime | None) -> Swept:
        """Keep the house: end what has expired, and let old words go.

        Facts whose `expires_at` has passed become `EXPIRED`. Turns of settled calls that
        began before `words_before` are deleted, index entries included; the facts and the
        summary that were made of them stay. None keeps all words.
        """
        ...
