"""An operator's moves between profiles: two become one, calls are taken out, either is put back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ringback.background.workplace import Keeping
from ringback.claims import HandleLike, checked_caller_id, checked_id, normalised
from ringback.clock import Clock
from ringback.core import moving
from ringback.core.again import decided_again
from ringback.moves import Move, Parting
from ringback.records import Fact, Status
from ringback.schemas import Schema

OPERATOR = "operator"


class ProfileMoves:
    """Moves what is kept between the callers of one tenant, and keeps a history of it.

    Made by its memory, `Memory.moves`; lives as long as that, on its loop. Each verb is one
    transaction, may wait, and tells the calls that go on. What was forgotten stays so: a
    profile that is gone can be neither moved nor brought back.

    Args:
        keeping: Where memory is kept.
        schema: Says what is a version of what.
        clock: Tells the time.
        region: Where national numbers are meant.
        on_moved: Is told of each move, when it was made or put back.
    """

    def __init__(
        self,
        keeping: Keeping,
        schema: Schema,
        clock: Clock,
        *,
        region: str,
        on_moved: Callable[[Move], None],
    ) -> None:
        self._keeping = keeping
        self._schema = schema
        self._clock = clock
        self._region = region
        self._on_moved = on_moved

    async def merge(self, tenant: str, from_id: str, into_id: str, *, by: str = OPERATOR) -> Move:
        """Make all that is kept of one caller another's: they are one person.

        What led to the first leads to the other, also ids that the application still has.
        Where facts of both contradict each other, the calls are read again and the usual rules
        decide.

        Raises:
            UsageError: They are the same, or one of them is not there.
            StoreError: It could not be written; then nothing was.
        """
        _checked(tenant, from_id, into_id)
        moves, now_at = self._keeping.moves, self._clock.now_at()
        return self._told(await moves.merge(tenant, from_id, into_id, at=now_at, by=by))

    async def split(
        self,
        tenant: str,
        from_id: str,
        call_ids: Collection[str],
        *,
        into_id: str,
        handles: Iterable[HandleLike] = (),
        by: str = OPERATOR,
    ) -> Move:
        """Make some calls of one caller another's: somebody else was on the line.

        What these calls had replaced is current again.

        Args:
            tenant: Whose callers.
            from_id: Whose calls they are.
            call_ids: Which.
            into_id: Whose they become; who is made if need be.
            handles: What leads to the other from now on as well. Where nothing does, only
                your code finds them.
            by: Who does it.

        Raises:
            UsageError: They are the same, no call is given, or one is not the first one's.
            StoreError: It could not be written; then nothing was.
        """
        _checked(tenant, from_id, into_id)
        for call_id in call_ids or ("",):
            checked_id("the id of a call to take out", call_id)
        claims = normalised(handles, self._region)

        async def parted() -> Move:
            basis = await self._keeping.basis(tenant, caller_id=from_id)
            parting = Parting(
                tenant,
                from_id,
                into_id,
                tuple(call_ids),
                handles=claims,
                restored=await self.current_without(tenant, from_id, call_ids),
                revision=basis.revision,
            )
            return await self._keeping.moves.split(parting, at=self._clock.now_at(), by=by)

        return self._told(await decided_again(parted))

    async def undo(self, tenant: str, move_id: str, *, by: str = OPERATOR) -> Move:
        """Put back what a move moved, and facts as they stood; what came since stays.

        Raises:
            UsageError: There is no such move, it was undone, or a later one has to be first.
            StoreError: It could not be written; then nothing was.
        """
        checked_id("a move's tenant", tenant)
        checked_id("a move's id", move_id)
        known = {move.id: move for move in await self.history(tenant)}

        async def undone() -> Move:
            move, revision = known.get(move_id), None
            restored: tuple[Fact, ...] = ()
            if move is not None:
                basis = await self._keeping.basis(tenant, caller_id=move.into_id)
                revision, restored = basis.revision, await self._as_before(move)
            return await self._keeping.moves.undo(
                tenant,
                move_id,
                restored=restored,
                revision=revision,
                at=self._clock.now_at(),
                by=by,
            )

        return self._told(await decided_again(undone))

    async def history(self, tenant: str, *, profile_id: str | None = None) -> tuple[Move, ...]:
        """Moves, newest first, those that were undone included; of one profile, or of all."""
        return await self._keeping.moves.history(tenant, profile_id=profile_id)

    async def current_without(
        self, tenant: str, from_id: str, call_ids: Collection[str]
    ) -> tuple[Fact, ...]:
        """Facts of a caller that are current again once these calls are somebody else's."""
        facts = await self._keeping.facts(tenant, caller_id=from_id, statuses=tuple(Status))
        return moving.current_without(facts, call_ids, schema=self._schema)

    async def _as_before(self, move: Move) -> tuple[Fact, ...]:
        facts = [
            fact
            for one in (move.from_id, move.into_id)
            for fact in await self._keeping.facts(
                move.tenant, caller_id=one, statuses=tuple(Status)
            )
        ]
        return moving.as_before(move, facts, schema=self._schema)

    def _told(self, move: Move) -> Move:
        self._on_moved(move)
        return move


def _checked(tenant: str, from_id: str, into_id: str) -> None:
    checked_id("a move's tenant", tenant)
    checked_caller_id(from_id)
    checked_caller_id(into_id)
