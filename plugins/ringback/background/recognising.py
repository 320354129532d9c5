"""Whose a call is, by the claims it came with and by what its caller says of themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from ringback.background.workplace import Workplace
from ringback.core import households, moving, summary
from ringback.core.households import Introduction
from ringback.moves import Movable, Move, MoveKind, Parting
from ringback.protocols import Journal, Store
from ringback.records import Assurance, Call, CallView, Status

BY = "what the caller said"


class Keeping(Journal, Store, Movable, Protocol):
    """A back-end, as far as names need it."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """Whose a call is, as far as its words tell."""

    view: CallView | None
    """The call as somebody's; None where it was taken out of a profile, to be read again."""
    is_in_doubt: bool = False
    """It stays whose it was, though somebody else speaks: it is not known who."""


async def recognised(at: Workplace, view: CallView) -> Recognition:
    """The call as somebody's.

    A call that nobody claims is a new caller's, or the one's that its claims lead to. Where
    they lead to several, it is nobody's until its caller says who they are. Where its caller
    says that they are another person, it is that one's from its beginning. Nobody is made of
    a call in which the caller said nothing, and whoever was verified stays who they are.

    Raises:
        StoreConflictError: Somebody else wrote meanwhile; the call is to be read again.
    """
    call = view.call
    is_open = call.caller_id is not None or bool(call.handles)
    if not is_open or call.assurance is Assurance.VERIFIED:
        return Recognition(view)
    has_content, said = await at.thinking.about(
        lambda: (summary.has_content(view.turns), households.introduced(view.turns))
    )
    if call.caller_id is None and not has_content:
        return Recognition(view)
    if call.caller_id is None:
        return Recognition(await _attached(at, view, said))
    if said is None:
        return Recognition(view)
    return await _moved(at, view, said)


async def names_of(
    keeping: Keeping, tenant: str, caller_id: str, *, besides: str = ""
) -> tuple[str, ...]:
    """What a profile's person goes by; also what calls gave that an operator merged into it.

    Args:
        keeping: Where memory is kept.
        tenant: Whose profile.
        caller_id: Which.
        besides: A call whose own word does not count.
    """
    merged: set[str] = set()
    for move in await keeping.moves.history(tenant, profile_id=caller_id):
        if (move.kind, move.into_id) == (MoveKind.MERGE, caller_id) and move.undone_at is None:
            merged.update(move.call_ids)
    facts = await keeping.facts(
        tenant, caller_id=caller_id, statuses=tuple(Status), keys=tuple(households.NAMES)
    )
    return households.names_of(facts, besides=besides, merged=merged)


async def _attached(at: Workplace, view: CallView, said: Introduction | None) -> CallView:
    call = view.call
    known = await at.keeping.callers_of(call.tenant, call.handles)
    names = {one.id: await names_of(at.keeping, call.tenant, one.id) for one in known}
    caller_id = households.whose(call, names, said)
    if caller_id is None:
        return view
    caller_id = await at.keeping.attach(
        call.tenant,
        call.id,
        caller_id=caller_id,
        assurance=Assurance.CLAIMED,
        handles=call.handles,
        is_first=True,  # whomever the application named meanwhile stays
    )
    return replace(view, call=replace(call, caller_id=caller_id, assurance=Assurance.CLAIMED))


async def _moved(at: Workplace, view: CallView, said: Introduction) -> Recognition:
    """Take the call out of a profile that is another person's."""
    keeping, call = at.keeping, view.call
    from_id = call.caller_id or ""
    own = await names_of(keeping, call.tenant, from_id, besides=call.id)
    beside = [
        one for one in await keeping.callers_of(call.tenant, call.handles) if one.id != from_id
    ]
    others = {one.id: await names_of(keeping, call.tenant, one.id) for one in beside}
    into_id = households.another(call, own, others, said)
    in_doubt = into_id is None and households.is_of_nobody_known(call, own, others, said)
    if into_id is None and not in_doubt:
        return Recognition(view)
    if into_id is None or await _was_put_there(keeping, call):
        return Recognition(view, in_doubt)

    basis = await keeping.basis(call.tenant, caller_id=from_id)
    facts = await keeping.facts(call.tenant, caller_id=from_id, statuses=tuple(Status))
    parting = Parting(
        call.tenant,
        from_id,
        into_id,
        (call.id,),
        handles=call.handles,
        restored=moving.current_without(facts, (call.id,), schema=at.schema),
        revision=basis.revision,
        is_of_claims=True,  # whom the application verified meanwhile stays who they are
    )
    await keeping.moves.split(parting, at=at.clock.now_at(), by=BY)
    return Recognition(None)


async def _was_put_there(keeping: Keeping, call: Call) -> bool:
    """An operator moved it in, or undid its being taken out: their word stands."""
    history = await keeping.moves.history(call.tenant, profile_id=call.caller_id)
    return any(call.id in move.call_ids and _stands_for(move, call) for move in history)


def _stands_for(move: Move, call: Call) -> bool:
    if move.kind is MoveKind.MERGE:
        return move.undone_at is None
    return move.undone_at is not None or (move.by != BY and move.into_id == call.caller_id)
