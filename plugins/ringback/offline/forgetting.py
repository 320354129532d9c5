"""Forgets a fact, a call or a profile: plans it from what is kept, then has it deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from ringback.core import forgetting
from ringback.core.again import decided_again
from ringback.core.forgetting import Gone, Known
from ringback.erasure import Erased, Erasure, ErasureReceipt, Forgotten, Look, call_tombstone
from ringback.errors import UsageError
from ringback.protocols import Journal, Store
from ringback.records import CallView, Status
from ringback.schemas import Schema

ALL = 1_000_000  # calls of one profile; nobody has more


class Keeping(Journal, Store, Protocol):
    """A back-end, as far as forgetting needs it."""


async def known_of(keeping: Keeping, tenant: str, caller_id: str) -> Known:
    """Read all that is kept about a profile: facts of every status, calls, turns."""
    facts = await keeping.facts(tenant, caller_id=caller_id, statuses=tuple(Status))
    views: list[CallView] = []
    for call in await keeping.calls(tenant, caller_id=caller_id, limit=ALL):
        view = await keeping.call(tenant, call.id)
        if view is not None:
            views.append(view)
    summaries = await keeping.summaries(tenant, caller_id=caller_id, limit=ALL)
    return Known(facts, tuple(views), summaries)


async def forget_fact(
    keeping: Keeping, tenant: str, caller_id: str, fact_id: str, *, at: datetime, schema: Schema
) -> tuple[ErasureReceipt, Gone]:
    """Delete a fact with its versions, what repeats it, and its words in every turn.

    Returns:
        The receipt, and what must not be answered any more.

    Raises:
        UsageError: This profile has no such fact.
        StoreError: It could not be deleted; then nothing was.
    """

    async def forget() -> tuple[ErasureReceipt, Gone]:
        basis = await keeping.basis(tenant, caller_id=caller_id)
        known = await known_of(keeping, tenant, caller_id)
        target = next((fact for fact in known.facts if fact.id == fact_id), None)
        if target is None:
            raise UsageError(f"no fact {fact_id} in this profile: list them first")
        erasure = forgetting.fact_erasure(target, known, at=at, schema=schema)
        receipt = await keeping.forget(erasure, basis=basis)
        return receipt, forgetting.gone_with_fact(erasure, known)

    return await decided_again(forget)


async def forget_call(
    keeping: Keeping, tenant: str, caller_id: str, call_id: str, *, at: datetime, schema: Schema
) -> tuple[ErasureReceipt, Gone]:
    """Delete a call and all that was made of it; what it had replaced is current again.

    Raises:
        UsageError: This profile has no such call.
        StoreError: It could not be deleted; then nothing was.
    """

    async def forget() -> tuple[ErasureReceipt, Gone]:
        basis = await keeping.basis(tenant, caller_id=caller_id)
        known = await known_of(keeping, tenant, caller_id)
        if call_id not in {view.call.id for view in known.calls}:
            raise UsageError(f"no call {call_id} in this profile: list them first")
        erasure = forgetting.call_erasure(tenant, call_id, caller_id, known, at=at, schema=schema)
        receipt = await keeping.forget(erasure, basis=basis)
        return receipt, forgetting.gone_with_calls(erasure, known)

    return await decided_again(forget)


async def forget_profile(
    keeping: Keeping, tenant: str, caller_id: str, *, at: datetime
) -> tuple[ErasureReceipt, Gone]:
    """Delete a caller, an agent or a team: every call, every fact, every handle.

    Raises:
        StoreError: It could not be deleted; then nothing was.
    """
    known = await known_of(keeping, tenant, caller_id)
    erasure = forgetting.profile_erasure(tenant, caller_id, known, at=at)
    return await keeping.forget(erasure), forgetting.gone_with_calls(erasure, known)


async def forget_nobodys_call(keeping: Keeping, view: CallView, *, at: datetime) -> Erased:
    """Delete a call that is nobody's, and look for it once more.

    Raises:
        StoreError: It could not be deleted; then nothing was.
    """
    tenant, call_id = view.call.tenant, view.call.id
    facts = await keeping.facts(tenant, call_id=call_id, statuses=tuple(Status))
    known = Known(facts, (view,))
    receipt = await keeping.forget(
        Erasure(
            tenant, Forgotten.CALL, call_id, None, at, tombstones=(call_tombstone(tenant, call_id),)
        )
    )
    left = await keeping.facts(tenant, call_id=call_id, statuses=tuple(Status))
    telling = forgetting.telling_texts(known)
    residue = await keeping.residue(telling) if telling else 0
    is_there = await keeping.call(tenant, call_id) is not None
    return Erased(
        receipt,
        (
            Look("facts", not left, f"{len(left)} facts" if left else ""),
            Look("history", not is_there, "the call" if is_there else ""),
            Look("files", not residue, f"{residue} places" if residue else ""),
        ),
    )
