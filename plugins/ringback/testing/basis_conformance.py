"""What every store refuses when it changed under a decision, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

from ringback.erasure import Erasure, Forgotten
from ringback.errors import StoreConflictError, UsageError
from ringback.records import Action, Assurance, Decision, JobKind, Status
from ringback.testing.made_records import (
    LATER_AT,
    TENANT,
    Backend,
    added,
    attach,
    fact,
    leased,
    made_candidate,
    opened,
    record,
    said,
    settle_all,
    updated,
)


async def a_decision_on_what_is_still_so_is_written(store: Backend) -> None:
    await record(store, opened(), said(0))
    await attach(store)
    basis = await store.basis(TENANT, caller_id="dana", call_id="c1")

    await store.settle(await leased(store), added(fact()), basis=basis)

    assert len(await store.facts(TENANT, caller_id="dana")) == 1
    assert await store.open_count() == 0


async def a_decision_is_refused_once_another_one_was_written(store: Backend) -> None:
    await record(store, opened(), said(0), opened("c2"), said(0, call_id="c2"))
    await attach(store)
    await attach(store, "c2")
    first, second = await leased(store), await leased(store)
    basis = await store.basis(TENANT, caller_id="dana")
    await store.settle(first, added(fact(call_id=first.call_id)), basis=basis)

    refused = await _is_refused(
        store.settle(second, added(fact("9", call_id=second.call_id)), basis=basis)
    )

    assert refused
    assert [one.value for one in await store.facts(TENANT, caller_id="dana")] == ["4821"]
    assert await store.open_count() == 1
    again = await store.basis(TENANT, caller_id="dana")
    await store.settle(second, added(fact("9", call_id=second.call_id)), basis=again)
    assert len(await store.facts(TENANT, caller_id="dana")) == 2


async def an_applications_decision_is_refused_as_well(store: Backend) -> None:
    mine = replace(fact(), caller_id="dana")
    await store.write(TENANT, added(mine))
    basis = await store.basis(TENANT, caller_id="dana")
    new = replace(fact("9000", position=2), caller_id="dana")
    await store.write(TENANT, updated(new, replace(mine, status=Status.SUPERSEDED)), basis=basis)

    third = replace(fact("7", position=4), caller_id="dana")

    assert await _is_refused(store.write(TENANT, added(third), basis=basis))
    assert [one.value for one in await store.facts(TENANT, caller_id="dana")] == ["9000"]


async def an_applications_refused_statement_is_kept_with_its_profile(store: Backend) -> None:
    basis = await store.basis(TENANT, caller_id="dana")
    skipped = Decision(Action.SKIP, "outside the schema", made_candidate())

    await store.write(TENANT, [skipped], basis=basis)

    (made,) = await store.decisions(TENANT, caller_id="dana")
    assert (made.action, made.reason) == (Action.SKIP, "outside the schema")


async def what_is_forgotten_expires_or_arrives_changes_the_basis(store: Backend) -> None:
    expiring = replace(fact(), caller_id="dana", expires_at=LATER_AT)
    await store.write(TENANT, added(expiring))
    bases = [await store.basis(TENANT, caller_id="dana")]
    await store.sweep(now_at=LATER_AT, words_before=None)
    bases.append(await store.basis(TENANT, caller_id="dana"))
    await record(store, opened(), said(0))
    await store.settle(await leased(store), added(fact("9000")))
    await attach(store)
    bases.append(await store.basis(TENANT, caller_id="dana"))
    await store.forget(
        Erasure(TENANT, Forgotten.FACT, expiring.id, "dana", LATER_AT, fact_ids=(expiring.id,))
    )
    bases.append(await store.basis(TENANT, caller_id="dana"))

    assert len(set(bases)) == len(bases)


async def an_erasure_that_was_planned_on_older_facts_is_refused(store: Backend) -> None:
    mine = replace(fact(), caller_id="dana")
    await store.write(TENANT, added(mine))
    basis = await store.basis(TENANT, caller_id="dana")
    await store.write(TENANT, added(replace(fact("9000", position=2), caller_id="dana")))
    planned = Erasure(TENANT, Forgotten.FACT, mine.id, "dana", LATER_AT, fact_ids=(mine.id,))

    assert await _is_refused(store.forget(planned, basis=basis))
    assert len(await store.facts(TENANT, caller_id="dana")) == 2
    assert await store.erasures() == ()

    again = await store.basis(TENANT, caller_id="dana")
    await store.forget(planned, basis=again)
    assert [one.value for one in await store.facts(TENANT, caller_id="dana")] == ["9000"]


async def a_decision_on_nobodys_call_is_refused_once_it_is_somebodys(store: Backend) -> None:
    await record(store, opened(), said(0))
    job, basis = await leased(store), await store.basis(TENANT, call_id="c1")
    await attach(store)

    assert await _is_refused(store.settle(job, added(fact()), basis=basis))
    assert await store.facts(TENANT, call_id="c1") == ()


async def a_call_that_was_decided_on_is_extracted_again_once_its_caller_is_known(
    store: Backend,
) -> None:
    await record(store, opened(), said(0))
    await settle_all(store)
    await record(store, said(1))
    await store.settle(await leased(store), added(fact()))
    assert await store.open_count() == 0

    await attach(store)

    assert (await leased(store)).kind is JobKind.EXTRACT


async def a_call_is_extracted_again_once_its_caller_is_verified(store: Backend) -> None:
    await record(store, opened(), said(0))
    await attach(store)
    await store.settle(await leased(store), added(fact()))

    await attach(store)
    assert await store.open_count() == 0
    await store.attach(TENANT, "c1", caller_id="dana", assurance=Assurance.VERIFIED)

    assert (await leased(store)).kind is JobKind.EXTRACT


async def a_basis_of_nothing_is_refused(store: Backend) -> None:
    try:
        await store.basis(TENANT)
    except UsageError as error:
        assert "caller" in str(error)  # noqa: PT017 - the suite knows no framework
    else:
        raise AssertionError("a basis of nothing was given")


async def _is_refused(writing: Awaitable[object]) -> bool:
    try:
        await writing
    except StoreConflictError:
        return True
    return False
