"""What is moved between profiles: two become one, calls are taken out, and either is undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from ringback.records import Fact, Handle, Status


class MoveKind(StrEnum):
    """What a move did."""

    MERGE = "merge"
    """All of one profile became another's."""
    SPLIT = "split"
    """Some calls of one profile became another's."""


@dataclass(frozen=True, slots=True)
class FactState:
    """How a fact stood."""

    fact_id: str
    status: Status
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One move, with what it takes to put back exactly what it moved; no words."""

    id: str
    tenant: str
    kind: MoveKind
    from_id: str
    into_id: str
    at: datetime
    by: str
    """Who did it: an operator's name, or what decided it."""
    call_ids: tuple[str, ...] = ()
    """The calls that moved, and what stands for one where an application spoke."""
    handles: tuple[Handle, ...] = ()
    """What led to `from_id` and leads to it no more."""
    added: tuple[Handle, ...] = ()
    """What led to `into_id` only since."""
    before: tuple[FactState, ...] = ()
    """How the facts of both stood that were current, or that this move made current."""
    undone_at: datetime | None = None
    undone_by: str = ""


@dataclass(frozen=True, slots=True)
class Parting:
    """Calls to be taken out of a profile."""

    tenant: str
    from_id: str
    """Whose calls they are."""
    into_id: str
    """Whose they become, as claimed."""
    call_ids: tuple[str, ...]
    handles: tuple[Handle, ...] = ()
    """What leads to the other as well from now on."""
    restored: tuple[Fact, ...] = ()
    """Facts that stay and are current again, because what had replaced them goes."""
    revision: int | None = None
    """Of `from_id` when `restored` was decided; see `Store.basis`."""
    is_of_claims: bool = False
    """Only calls that are claimed to be `from_id`'s: a conflict where one is not by now."""


class Moves(Protocol):
    """Moving what is kept between profiles of one tenant; each verb is one transaction.

    Calls are re-keyed with their turns, facts, summaries, decisions and index entries, as
    `Store.attach` does it. What was forgotten is not there to be moved, and a move of a
    profile that was forgotten is gone with it.
    """

    async def merge(
        self, tenant: str, from_id: str, into_id: str, *, at: datetime, by: str = ""
    ) -> Move:
        """Make all that is kept of one profile another's.

        Its handles lead to the other from now on, and whoever attaches a call to it attaches
        it to the other. Calls that something was decided about are extracted again, so that
        facts which meet are weighed against each other.

        Raises:
            UsageError: They are the same, or one of them is not there.
        """
        ...

    async def split(self, parting: Parting, *, at: datetime, by: str = "") -> Move:
        """Make some calls of one profile another's, who is made if need be.

        Raises:
            UsageError: They are the same, or a call is not the first one's.
            StoreConflictError: The revision is another one by now; nothing is written.
        """
        ...

    async def undo(
        self,
        tenant: str,
        move_id: str,
        *,
        restored: Sequence[Fact] = (),
        revision: int | None = None,
        at: datetime,
        by: str = "",
    ) -> Move:
        """Put back what a move moved, as far as it is still there; what came since stays.

        Args:
            tenant: Whose.
            move_id: Which move.
            restored: Facts as they stand again.
            revision: Of the move's `into_id` when `restored` was decided.
            at: When.
            by: Who did it.

        Raises:
            UsageError: There is no such move, it was undone, or what it moved was moved on by a
                later one.
            StoreConflictError: The revision is another one by now; nothing is written.
        """
        ...

    async def history(self, tenant: str, *, profile_id: str | None = None) -> tuple[Move, ...]:
        """Moves, newest first, those that were undone included; of one profile, or of all."""
        ...


class Movable(Protocol):
    """A back-end that moves what it keeps."""

    @property
    def moves(self) -> Moves:
        """What moves it."""
        ...
