"""Takes a conversation over from outside: what is new of it, once, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from ringback.core.alignment import OfferedTurn, turns_to_append
from ringback.core.masking import Masker, allowed_by, masked
from ringback.errors import StoreConflictError
from ringback.protocols import (
    CallEnded,
    CallOpened,
    Journal,
    Store,
    TurnAmended,
    TurnObserved,
)
from ringback.records import Assurance, Call, CallView, Turn, content_id
from ringback.schemas import Schema
from ringback.text import composed

TRIES = 3  # two processes may ingest one conversation at once; each looks again


class Keeping(Journal, Store, Protocol):
    """A back-end, as far as ingestion needs it."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of the turns that were offered."""

    call_id: str
    """The call that stands for the conversation."""
    stored: int
    known: int
    """They were there already."""
    refused: int = 0
    """They lie before everything that is known, or the conversation was forgotten."""


class Ingestion:
    """One conversation of one profile, taken over window by window."""

    def __init__(
        self,
        keeping: Keeping,
        schema: Schema,
        *,
        tenant: str,
        profile_id: str,
        conversation: str,
        zone: str,
    ) -> None:
        self._keeping = keeping
        self._tenant = tenant
        self._profile_id = profile_id
        self._zone = zone
        self._schema = schema
        self.call_id = content_id("conversation", tenant, profile_id, conversation)

    async def take(self, window: Sequence[OfferedTurn], *, now_at: datetime) -> Ingested:
        """Store what is new; returns when it is on disk.

        Turns without a time take the one of the turn before, the first of them `now_at`.
        Personal numbers are masked, and what identifies a turn is made of its masked words.

        Raises:
            StoreConflictError: Another process ingests the same conversation all the time.
            StoreError: It could not be written.
        """
        stored = 0
        # By itself first: what identifies a turn must not depend on the turns around it.
        window = [replace(one, text=masked(one.text, self._schema)) for one in window]
        for _ in range(TRIES):
            view = await self._keeping.call(self._tenant, self.call_id)
            known = view.turns if view is not None else ()
            placement = turns_to_append([turn.ref for turn in known], window)
            if not placement.new:
                return self._told(window, stored, len(placement.earlier))
            new = [window[place] for place in placement.new]
            stored = await self._append(view, new, now_at)
            if not stored:
                return Ingested(self.call_id, 0, len(window) - len(new), refused=len(new))
            if stored == len(new):
                return self._told(window, stored, len(placement.earlier))
        raise StoreConflictError("another process ingests the same conversation; try again")

    def _told(self, window: Sequence[OfferedTurn], stored: int, earlier: int) -> Ingested:
        return Ingested(self.call_id, stored, len(window) - stored - earlier, refused=earlier)

    async def _append(
        self, view: CallView | None, new: Sequence[OfferedTurn], now_at: datetime
    ) -> int:
        """Append turns; how many of them are there afterwards, in their places."""
        at = view.turns[-1].at if view is not None and view.turns else now_at
        first_position = view.turns[-1].position + 1 if view is not None and view.turns else 0
        if view is None:
            self._keeping.record_nowait(CallOpened(self._call(new[0].at or now_at)))
        masker = Masker(allowed_by(self._schema))
        for turn in view.turns if view is not None else ():
            masker.mask(turn)
        turns: list[Turn] = []
        for position, offered in enumerate(new, start=first_position):
            at = offered.at or at
            result = masker.mask(_turn(offered, position, at))
            for earlier in result.amended:
                self._keeping.record_nowait(TurnAmended(self._tenant, self.call_id, earlier))
            turns.append(result.turn)
            self._keeping.record_nowait(TurnObserved(self._tenant, self.call_id, result.turn))
        self._keeping.record_nowait(CallEnded(self._tenant, self.call_id, at))
        await self._keeping.flush()
        if view is None:
            await self._keeping.attach(
                self._tenant,
                self.call_id,
                caller_id=self._profile_id,
                assurance=Assurance.VERIFIED,
            )
        return await self._count(turns)

    async def _count(self, turns: Sequence[Turn]) -> int:
        view = await self._keeping.call(self._tenant, self.call_id)
        there = {(turn.position, turn.ref) for turn in view.turns} if view is not None else set()
        return sum((turn.position, turn.ref) in there for turn in turns)

    def _call(self, started_at: datetime) -> Call:
        return Call(
            id=self.call_id,
            tenant=self._tenant,
            started_at=started_at,
            zone=self._zone,
            caller_id=self._profile_id,
            assurance=Assurance.VERIFIED,
        )


def _turn(offered: OfferedTurn, position: int, at: datetime) -> Turn:
    return Turn(
        role=offered.role,
        text=composed(offered.text),
        at=at,
        position=position,
        speaker=offered.speaker,
        ref=offered.ref,
    )
