"""The calls of one memory while they go on: what is read for them, and who tells them of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace

from ringback.background import identifying
from ringback.background.identifying import Asking, Identifier
from ringback.background.preload import build_briefing
from ringback.background.stager import Looking, Stager
from ringback.background.supervisor import Supervisor
from ringback.claims import Identity, LookUp, checked_caller_id, normalised
from ringback.core.staging import StagingCounts
from ringback.core.window import Compress
from ringback.erasure import ErasureReceipt
from ringback.errors import StoreError, UsageError
from ringback.handle import CallHandle, Line
from ringback.live.call import LiveCall
from ringback.moves import Move
from ringback.protocols import CallEnded, CallOpened, Entry, Receipt
from ringback.records import Assurance, Call, Fact, Handle, Job, JobKind


class Switchboard:
    """Holds the open calls of a memory, and reads in the background what they need.

    Lives as long as its memory, on its loop.

    Args:
        looking: Where memory is kept, and what retrieval looks with.
        supervisor: Owns the reading.
        wake: Tells the settler of new work.
        compress: Has digests made of what leaves a call's window.
        look_up: Is asked who is calling; None: nobody is.
    """

    def __init__(
        self,
        looking: Looking,
        supervisor: Supervisor,
        *,
        wake: Callable[[], None],
        compress: Compress,
        look_up: LookUp | None = None,
    ) -> None:
        self._looking = looking
        self._at = looking.at
        self._keeping = looking.at.keeping
        self._supervisor = supervisor
        self._wake = wake
        self._asking = None
        if look_up is not None:
            self._asking = Asking(look_up, looking.at.settings, supervisor)
        self._calls: dict[tuple[str, str], CallHandle] = {}
        self._tenants: set[str] = set()
        self._ended = StagingCounts()
        self._line = Line(
            record=self._record,
            attach=self._attach,
            end=self._record_end,
            let_go=self._let_go,
            give_way=looking.at.give_way,
            compress=compress,
            settings=looking.at.settings,
            tenants=self._tenants,
        )

    def connect(self, call: Call, *, may_go_on: bool) -> CallHandle:
        """Open the line of a call, note it in the journal, and start its preload.

        One that is open already stays as it is: two lines would number their turns alike.

        Args:
            call: As it rang.
            may_go_on: Its id is the host's: another line, now gone, may have had it before.

        Raises:
            UsageError: A call of this id and of other handles goes on here, or it cannot be noted.
        """
        if (known := self._calls.get((call.tenant, call.id))) is not None:
            if known.call.handles == call.handles:
                return known
            raise UsageError(
                f"call {call.id} goes on already, of other handles: one call is rung once, and "
                "agents that are to know nothing of each other each have a tenant of their own"
            )
        live = LiveCall(call, self._record, self._at.schema)
        live.retrieval = stager = Stager(self._looking, live, self._supervisor)
        handle = CallHandle(live, self._line)
        stager.on_busy = handle._is_looking
        opened = self._keeping.record_nowait(CallOpened(call))
        self._calls[call.tenant, call.id] = handle
        self._tenants.add(call.tenant)
        self._brief(handle)
        if may_go_on:
            self._number_on(handle, opened)
        if self._asking is not None:
            handle._identifier = Identifier(
                self._asking, live, lambda found: self._found(handle, found)
            )
            if call.handles:
                handle._identifier.ask({})
        return handle

    def open_calls(self) -> Collection[tuple[str, str]]:
        """Tenant and id of each call that goes on here."""
        return self._calls.keys()

    def counts(self) -> StagingCounts:
        """What became of what was retrieved for turns, over all calls so far."""
        total = replace(self._ended)
        for handle in self._calls.values():
            total.add(handle.counts)
        return total

    def settled(self, job: Job) -> None:
        """A job of a call was done: its facts are read again, and it may be settled."""
        handle = self._calls.get((job.tenant, job.call_id))
        if handle is not None:
            handle._heard_of(job)
            if job.kind is not JobKind.SUMMARISE:
                self._refresh(handle)

    def recognised(self, tenant: str, call_id: str, heeded_to: int, is_changed: bool) -> None:
        """It was decided whose a call is, by its words up to that turn: brief it again if need be."""
        handle = self._calls.get((tenant, call_id))
        if handle is not None and (is_changed or handle._live.is_in_question):
            self._refresh(handle, heeded_to=heeded_to)

    def moved(self, move: Move) -> None:
        """An operator moved calls between profiles; what they decided outweighs what was said."""
        for call_id in move.call_ids:
            handle = self._calls.get((move.tenant, call_id))
            if handle is not None:
                self._refresh(handle, heeded_to=handle._live.turns_observed)
        for profile_id in (move.from_id, move.into_id):
            self.changed(move.tenant, profile_id)

    def changed(self, tenant: str, profile_id: str) -> None:
        """A profile is not as it was: its calls are briefed again."""
        for handle in self._calls_of(tenant, profile_id):
            self._brief(handle)
            self._refresh(handle)
        self._brief_waiting(tenant)

    def erased(self, receipt: ErasureReceipt) -> None:
        """Drop what live calls know of a profile, at once; read again what is left."""
        for call_id in receipt.call_ids:
            handle = self._calls.get((receipt.tenant, call_id))
            if handle is not None:
                handle._was_forgotten()
        if receipt.caller_id is not None:
            for handle in self._calls_of(receipt.tenant, receipt.caller_id):
                handle._forget()
            self.changed(receipt.tenant, receipt.caller_id)
        else:
            self._brief_waiting(receipt.tenant)

    async def end_all(self) -> None:
        """End open calls within their drain."""
        async with asyncio.TaskGroup() as ending:
            for handle in list(self._calls.values()):
                ending.create_task(_end(handle))

    def _record(self, entry: Entry) -> Receipt:
        receipt = self._keeping.record_nowait(entry)
        self._wake()
        return receipt

    def _record_end(self, handle: CallHandle) -> None:
        call = handle.call
        self._record(CallEnded(call.tenant, call.id, self._at.clock.now_at()))

    def _let_go(self, handle: CallHandle) -> None:
        if self._calls.pop((handle.call.tenant, handle.call.id), None) is not None:
            handle._live.shelf.drop()  # what is left there was retrieved for nothing
            self._ended.add(handle.counts)

    def _brief(self, handle: CallHandle) -> None:
        handle._briefings += 1
        asked = handle._briefings

        async def preload() -> None:
            async with handle._reading():
                briefing, told = await build_briefing(
                    self._keeping,
                    handle.call,
                    self._at.schema,
                    now_at=self._at.clock.now_at(),
                    recent_turns=self._at.settings.recent_turns,
                    thinking=self._at.thinking,
                )
                if asked == handle._briefings:  # of an older question it may say too much
                    handle._briefed = asked
                    handle._live.take_briefing(briefing, told)

        handle._reads()
        self._supervisor.start_once(preload, name="preload")

    def _brief_waiting(self, tenant: str) -> None:
        """Ask again what is being read: it may be of anybody, as they were before a change."""
        for handle in self._calls.values():
            if handle.call.tenant == tenant and handle._briefed < handle._briefings:
                self._brief(handle)

    def _number_on(self, handle: CallHandle, opened: Receipt) -> None:
        """Have turns numbered behind those of an earlier line of the call.

        Until all of those are known, from a number that grows faster than anybody speaks: two
        turns of one place would be taken for one.
        """
        handle._live.number_from(int(self._at.clock.now_at().timestamp() * 1000))

        async def look() -> None:
            async with handle._reading():
                await opened.committed()  # and so is what an earlier line recorded here
                is_behind = await self._keeping.is_behind()
                view = await self._keeping.call(handle.call.tenant, handle.call.id)
                if not is_behind:
                    turns = () if view is None else view.turns
                    last = max((turn.position for turn in turns), default=-1)
                    handle._live.number_from(last + 1)

        handle._reads()
        self._supervisor.start_once(look, name="numbering")

    def _calls_of(self, tenant: str, profile_id: str) -> list[CallHandle]:
        return [
            handle
            for handle in self._calls.values()
            if (handle.call.tenant, handle.call.caller_id) == (tenant, profile_id)
        ]

    async def _attach(
        self,
        handle: CallHandle,
        caller_id: str,
        assurance: Assurance,
        handles: tuple[Handle, ...],
    ) -> None:
        call = handle.call
        kept_as = await self._keeping.attach(
            call.tenant, call.id, caller_id=caller_id, assurance=assurance, handles=handles
        )
        handle._identities += 1
        handle._live.take_identity(kept_as, assurance)
        self._brief(handle)

    async def _found(self, handle: CallHandle, found: Identity) -> None:
        """Make a call the caller's whom the application's own systems found."""
        tenant, region = handle.call.tenant, self._at.settings.region
        caller_id = checked_caller_id(found.caller_id, tenant=tenant, tenants=self._tenants)
        claims = normalised(found.handles, region)
        await self._attach(handle, caller_id, found.assurance, claims)

    async def _facts_of(self, handle: CallHandle) -> tuple[Fact, ...]:
        """A call's own facts; read again where something was forgotten meanwhile."""
        while True:
            forgettings = handle._forgettings
            facts = await self._keeping.facts(handle.call.tenant, call_id=handle.call.id)
            if forgettings == handle._forgettings:
                return facts

    def _refresh(self, handle: CallHandle, *, heeded_to: int = -1) -> None:
        async def refresh() -> None:
            async with handle._reading():
                call, live = handle.call, handle._live
                facts = await self._facts_of(handle)
                live.take_facts(facts)
                if handle._identifier is not None:
                    handle._identifier.ask(identifying.said_in(facts))
                if heeded_to >= 0 or (call.caller_id is None and call.handles):
                    identities = handle._identities
                    view = await self._keeping.call(call.tenant, call.id)
                    if view is None or identities != handle._identities:
                        return  # whom the application named meanwhile may not be in it
                    if live.take_call(view.call, heeded_to=heeded_to):
                        self._brief(handle)

        handle._reads()
        self._supervisor.start_once(refresh, name="refresh")


async def _end(handle: CallHandle) -> None:
    with suppress(StoreError):
        await handle.end()
