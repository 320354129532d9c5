"""Moving between profiles in the state, as the SQLite back-end does it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ringback.errors import StoreConflictError, UsageError
from ringback.moves import FactState, Move, MoveKind, Parting
from ringback.records import Assurance, DecisionMade, Fact, Handle, Status, Summary, content_id
from ringback.stores.checks import checked_handles, in_utc, require_ids, storable
from ringback.stores.memory.happening import end_fact
from ringback.stores.memory.state import State

STANDING = (Status.ACTIVE, Status.PROVISIONAL, Status.RETIRED)


class MemoryMoves:
    """`Moves` in memory. Lives as long as its store.

    Args:
        state: What is kept.
        revision_of: A profile's revision, by tenant and id.
    """

    def __init__(self, state: State, revision_of: Callable[[str, str], int]) -> None:
        self._state = state
        self._revision_of = revision_of

    async def merge(
        self, tenant: str, from_id: str, into_id: str, *, at: datetime, by: str = ""
    ) -> Move:
        """Make all that is kept of one profile another's; see `Moves`."""
        require_ids(tenant=tenant, from_id=from_id, into_id=into_id)
        _require_two(from_id, into_id)
        for one in (from_id, into_id):
            if (tenant, one) not in self._state.callers:
                raise UsageError(f"no profile {one}: there is nothing to move")
        handles = tuple(self._state.callers[tenant, from_id])
        move = self._kept(
            Move("", tenant, MoveKind.MERGE, from_id, into_id, in_utc("at", at), storable(by)),
            call_ids=self._call_ids_of(tenant, from_id),
            handles=handles,
            added=handles,
        )
        for call_id in move.call_ids:
            self._rekey(tenant, call_id, from_id, into_id)
            self._extract_again(tenant, call_id, move.at)
        self._give(tenant, into_id, move.added)
        self._take(tenant, from_id, move.handles)
        self._drop_empty(tenant, from_id)
        return move

    async def split(self, parting: Parting, *, at: datetime, by: str = "") -> Move:
        """Make some calls of one profile another's; see `Moves`."""
        tenant, from_id, into_id = parting.tenant, parting.from_id, parting.into_id
        require_ids(tenant=tenant, from_id=from_id, into_id=into_id)
        _require_two(from_id, into_id)
        self._require_revision(tenant, from_id, parting.revision)
        for call_id in parting.call_ids:
            require_ids(call_id=call_id)
            whose = self._state.calls.get((tenant, call_id))
            claimed = (from_id, Assurance.CLAIMED)
            if parting.is_of_claims and (
                whose is None or (whose.call.caller_id, whose.call.assurance) != claimed
            ):
                raise StoreConflictError("somebody named the caller meanwhile: decide again")
            if self._state.caller_of_call(tenant, call_id) != from_id:
                raise UsageError(f"call {call_id} is not {from_id}'s: it cannot be taken out there")
        self._state.callers.setdefault((tenant, into_id), {})
        move = self._kept(
            Move("", tenant, MoveKind.SPLIT, from_id, into_id, in_utc("at", at), storable(by)),
            call_ids=tuple(sorted(set(parting.call_ids))),
            added=checked_handles(parting.handles),
            restored=parting.restored,
        )
        for call_id in move.call_ids:
            self._rekey(tenant, call_id, from_id, into_id)
            row = self._state.calls[tenant, call_id]
            row.call = replace(row.call, assurance=Assurance.CLAIMED)
            self._extract_again(tenant, call_id, move.at, is_read=parting.is_of_claims)
        self._give(tenant, into_id, move.added)
        self._restore(parting.restored)
        return move

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
        """Put back what a move moved; see `Moves`."""
        require_ids(tenant=tenant, move_id=move_id)
        move = self._state.moves.get((tenant, move_id))
        if move is None:
            raise UsageError(f"no move {move_id} of this tenant: it may have been forgotten")
        if move.undone_at is not None:
            raise UsageError(f"move {move_id} was undone already")
        self._require_last(move)
        self._require_revision(tenant, move.into_id, revision)
        self._state.callers.setdefault((tenant, move.from_id), {})
        for call_id in move.call_ids:
            self._rekey(tenant, call_id, move.into_id, move.from_id)
        self._give(tenant, move.from_id, move.handles)
        self._take(tenant, move.into_id, move.added)
        self._restore(restored)
        self._drop_empty(tenant, move.into_id)
        undone = replace(move, undone_at=in_utc("at", at), undone_by=by)
        self._state.moves[tenant, move_id] = undone
        return undone

    async def history(self, tenant: str, *, profile_id: str | None = None) -> tuple[Move, ...]:
        """Moves, newest first; see `Moves`."""
        require_ids(tenant=tenant, profile_id=profile_id)
        return tuple(
            move
            for (of, _), move in reversed(self._state.moves.items())
            if of == tenant and profile_id in (None, move.from_id, move.into_id)
        )

    def _kept(
        self,
        move: Move,
        *,
        call_ids: tuple[str, ...],
        added: Iterable[Handle],
        handles: tuple[Handle, ...] = (),
        restored: Sequence[Fact] = (),
    ) -> Move:
        """Write a move into the history; gives it its id."""
        tenant = move.tenant
        count = sum(of == tenant for of, _ in self._state.moves)
        named = content_id(tenant, move.from_id, move.into_id, move.at.isoformat(), count)
        known = self._state.callers[tenant, move.into_id]
        made_current = {fact.id for fact in restored}
        kept = replace(
            move,
            id=named,
            call_ids=call_ids,
            handles=handles,
            added=tuple(one for one in added if one not in known),
            before=tuple(
                FactState(fact.id, fact.status, fact.valid_to)
                for fact in self._state.facts.values()
                if fact.tenant == tenant and fact.caller_id in (move.from_id, move.into_id)
                if fact.status in STANDING or fact.id in made_current
            ),
        )
        self._state.moves[tenant, named] = kept
        return kept

    def _call_ids_of(self, tenant: str, caller_id: str) -> tuple[str, ...]:
        state = self._state
        kept: list[Fact | Summary | DecisionMade] = [
            *state.facts.values(),
            *state.summaries.values(),
            *state.decisions.values(),
        ]
        found = {one.call_id for one in kept if (one.tenant, one.caller_id) == (tenant, caller_id)}
        found |= {row.call.id for row in state.rows(tenant) if row.call.caller_id == caller_id}
        return tuple(sorted(found))

    def _rekey(self, tenant: str, call_id: str, from_id: str, into_id: str) -> None:
        row = self._state.calls.get((tenant, call_id))
        if row is not None and row.call.caller_id == from_id:
            row.call = replace(row.call, caller_id=into_id)
        self._state.rekey(tenant, call_id, into_id, of=from_id)

    def _extract_again(
        self, tenant: str, call_id: str, at: datetime, *, is_read: bool = False
    ) -> None:
        row = self._state.calls.get((tenant, call_id))
        made = self._state.decisions.values()
        was_decided_on = any((m.tenant, m.call_id) == (tenant, call_id) for m in made)
        if row is not None and (is_read or was_decided_on):
            self._state.extract_again(row, min(row.call.started_at, at))

    def _require_last(self, move: Move) -> None:
        later = list(self._state.moves.values())
        for other in later[later.index(move) + 1 :]:
            is_on = (other.tenant, other.from_id) == (move.tenant, move.into_id)
            takes = other.kind is MoveKind.MERGE or set(other.call_ids) & set(move.call_ids)
            if is_on and takes and other.undone_at is None:
                raise UsageError(f"undo the later move {other.id} first")

    def _require_revision(self, tenant: str, caller_id: str, revision: int | None) -> None:
        if revision is not None and revision != self._revision_of(tenant, caller_id):
            raise StoreConflictError("the profile was changed meanwhile: decide again")

    def _give(self, tenant: str, caller_id: str, handles: Iterable[Handle]) -> None:
        self._state.callers.setdefault((tenant, caller_id), {}).update(dict.fromkeys(handles))

    def _take(self, tenant: str, caller_id: str, handles: Iterable[Handle]) -> None:
        for handle in handles:
            self._state.callers[tenant, caller_id].pop(handle, None)

    def _restore(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            end_fact(self._state, fact)

    def _drop_empty(self, tenant: str, caller_id: str) -> None:
        if not self._state.callers[tenant, caller_id] and not self._call_ids_of(tenant, caller_id):
            del self._state.callers[tenant, caller_id]


def _require_two(from_id: str, into_id: str) -> None:
    if from_id == into_id:
        raise UsageError("one profile cannot be moved into itself")
