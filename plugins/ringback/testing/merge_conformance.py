"""What every store knows about moving what it keeps between profiles, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta

from ringback.erasure import Erasure, Forgotten
from ringback.errors import StoreConflictError, UsageError
from ringback.moves import Move, MoveKind, Parting
from ringback.recollection import Cue
from ringback.records import Assurance, Call, Fact, Handle, HandleKind, JobKind, Status
from ringback.testing.made_index import index_all, near, text_of
from ringback.testing.made_records import (
    DANA,
    LATER_AT,
    START_AT,
    TENANT,
    Backend,
    added,
    attach,
    ended,
    fact,
    leased,
    opened,
    record,
    said,
    settle_all,
    updated,
    words_of,
)

SIP = Handle(HandleKind.SIP, "sip:dora@example.org")
DANAS = fact("4821")
DORAS = fact("5533", call_id="c2")


async def merging_gives_all_that_is_kept_to_the_other(store: Backend) -> None:
    await _two(store)

    await _merge(store)

    assert await _whose(store, "c2") == "dana"
    assert await _values(store, "dana") == ["4821", "5533"]
    assert await _values(store, "dora") == []
    assert [one.call_id for one in await store.summaries(TENANT, caller_id="dana")] == ["c2", "c1"]
    assert {one.call_id for one in await store.decisions(TENANT, caller_id="dana")} == {"c1", "c2"}
    assert [one.id for one in await store.callers(TENANT)] == ["dana"]
    assert await words_of(store, "c2") == ["it is 5533"]


async def merging_lets_the_handles_of_both_lead_to_one(store: Backend) -> None:
    await _two(store)

    await _merge(store)

    (found,) = await store.callers_of(TENANT, [SIP])
    assert (found.id, found.handles) == ("dana", (DANA, SIP))
    assert await store.caller(TENANT, "dora") is None


async def what_was_merged_is_found_under_the_other_only(store: Backend) -> None:
    await _two(store)
    await index_all(store)

    await _merge(store)

    assert await _found(store, "dana") == {"4821", "5533", "it is 4821", "it is 5533"}
    assert await _found(store, "dora") == set()
    assert await _near(store, "dora") == set()
    assert "it is 5533" in await _near(store, "dana")


async def merged_calls_are_extracted_again(store: Backend) -> None:
    await _two(store)

    await _merge(store)

    assert await store.open_count(kinds=[JobKind.EXTRACT]) == 1
    job = await store.lease(now_at=LATER_AT, lease_ms=1_000)
    assert job is not None
    assert (job.kind, job.call_id) == (JobKind.EXTRACT, "c2")


async def what_an_application_said_moves_as_well(store: Backend) -> None:
    await _two(store)
    noted = replace(fact("gold", key="tier", call_id="application:1"), caller_id="dora")
    await store.write(TENANT, added(noted))

    move = await _merge(store)

    assert await _values(store, "dana") == ["4821", "5533", "gold"]
    await _undo(store, move)
    assert await _values(store, "dora") == ["5533", "gold"]


async def undoing_a_merge_puts_everything_back(store: Backend) -> None:
    await _two(store)
    await index_all(store)
    before = await _all(store)

    await _undo(store, await _merge(store))

    assert await _all(store) == before
    assert await _found(store, "dora") == {"5533", "it is 5533"}
    assert "it is 5533" in await _near(store, "dora")
    assert "it is 5533" not in await _near(store, "dana")


async def undoing_keeps_what_came_since_with_the_other(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    await record(store, opened("c3"), said(0, "it is 9", call_id="c3"))
    await attach(store, "c3", "dana")

    await _undo(store, move)

    assert await _whose(store, "c3") == "dana"
    assert await _whose(store, "c2") == "dora"


async def a_call_that_is_somebody_elses_by_now_stays_theirs(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    await attach(store, "c2", "erik")

    await _undo(store, move)

    assert await _whose(store, "c2") == "erik"
    assert await _values(store, "erik") == ["5533"]


async def undoing_leaves_a_handle_that_both_had_before(store: Backend) -> None:
    await _two(store)
    await store.attach(TENANT, "c2", caller_id="dora", assurance=Assurance.CLAIMED, handles=(DANA,))

    await _undo(store, await _merge(store))

    assert {one.id for one in await store.callers_of(TENANT, [DANA])} == {"dana", "dora"}


async def facts_are_put_back_as_they_are_given(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    over = replace(DANAS, status=Status.SUPERSEDED, valid_to=LATER_AT, caller_id="dana")
    await store.write(TENANT, updated(replace(DORAS, id="f" * 32), over))
    assert "4821" not in await _values(store, "dana")

    await _undo(store, move, restored=(DANAS,))

    kept = {one.id: one for one in await store.facts(TENANT, caller_id="dana")}
    assert (kept[DANAS.id].status, kept[DANAS.id].valid_to) == (Status.ACTIVE, None)


async def the_history_says_what_was_moved_when_and_by_whom(store: Backend) -> None:
    await _two(store)

    move = await store.moves.merge(TENANT, "dora", "dana", at=LATER_AT, by="ops")
    undone = await store.moves.undo(TENANT, move.id, at=LATER_AT, by="lead")

    assert (move.kind, move.from_id, move.into_id) == (MoveKind.MERGE, "dora", "dana")
    assert (move.call_ids, move.handles, move.at, move.by) == (("c2",), (SIP,), LATER_AT, "ops")
    assert {one.fact_id for one in move.before} == {DANAS.id, DORAS.id}
    assert (undone.undone_at, undone.undone_by) == (LATER_AT, "lead")
    assert await store.moves.history(TENANT) == (undone,)
    assert await store.moves.history(TENANT, profile_id="dora") == (undone,)
    assert await store.moves.history(TENANT, profile_id="erik") == ()
    assert await store.moves.history("other") == ()


async def whoever_is_attached_to_one_that_was_merged_is_the_other(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    await record(store, opened("c3"))

    await attach(store, "c3", "dora")

    assert await _whose(store, "c3") == "dana"
    await _undo(store, move)
    await attach(store, "c4", "dora")
    assert await _whose(store, "c4") == "dora"


async def a_move_is_refused_that_cannot_be(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    await _undo(store, move)

    for refused in (
        store.moves.merge(TENANT, "dana", "dana", at=LATER_AT),
        store.moves.merge(TENANT, "dana", "nobody", at=LATER_AT),
        store.moves.merge(TENANT, "nobody", "dana", at=LATER_AT),
        store.moves.merge("other", "dora", "dana", at=LATER_AT),
        store.moves.undo(TENANT, move.id, at=LATER_AT),
        store.moves.undo(TENANT, "nothing", at=LATER_AT),
        store.moves.undo("other", move.id, at=LATER_AT),
        store.moves.split(Parting(TENANT, "dana", "erik", ("c2",)), at=LATER_AT),
        store.moves.split(Parting(TENANT, "dana", "dana", ("c1",)), at=LATER_AT),
    ):
        assert await _is_refused(refused)
    assert [one.id for one in await store.callers(TENANT)] == ["dora", "dana"]


async def an_earlier_move_waits_until_the_later_one_is_undone(store: Backend) -> None:
    await _two(store)
    await attach(store, "c3", "erik")
    first = await _merge(store)
    second = await store.moves.merge(TENANT, "dana", "erik", at=LATER_AT)

    assert await _is_refused(store.moves.undo(TENANT, first.id, at=LATER_AT))
    await _undo(store, second)
    await _undo(store, first)

    assert [await _whose(store, one) for one in ("c1", "c2", "c3")] == ["dana", "dora", "erik"]


async def a_merge_waits_until_the_calls_split_off_since_are_put_back(store: Backend) -> None:
    await _two(store)
    before = await _all(store)
    first = await _merge(store)
    split = await store.moves.split(Parting(TENANT, "dana", "erik", ("c2",)), at=LATER_AT)

    assert await _is_refused(store.moves.undo(TENANT, first.id, at=LATER_AT))
    await _undo(store, split)
    await _undo(store, first)

    assert await _all(store) == before


async def splitting_off_other_calls_keeps_no_merge_from_being_undone(store: Backend) -> None:
    await _two(store)
    first = await _merge(store)
    await store.moves.split(Parting(TENANT, "dana", "erik", ("c1",)), at=LATER_AT)

    await _undo(store, first)

    assert [await _whose(store, one) for one in ("c1", "c2")] == ["erik", "dora"]


async def whoever_got_a_call_back_since_a_merge_is_themselves_again(store: Backend) -> None:
    await _two(store)
    await _merge(store)
    back = await store.moves.split(Parting(TENANT, "dana", "dora", ("c2",)), at=LATER_AT)

    await attach(store, "c3", "dora")
    await _undo(store, back)
    await attach(store, "c4", "dora")

    assert await _whose(store, "c3") == "dora"
    assert await _whose(store, "c4") == "dana"


async def a_profile_that_is_forgotten_takes_along_what_was_merged_into_it(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)

    receipt = await store.forget(Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT))

    assert dict(receipt.removed)["move"] == 1
    assert await store.callers(TENANT) == ()
    assert await store.call(TENANT, "c2") is None
    assert await _is_refused(store.moves.undo(TENANT, move.id, at=LATER_AT))
    assert await store.moves.history(TENANT) == ()
    assert await store.residue(["5533", SIP.value]) == 0


async def a_chain_of_merges_is_forgotten_whole(store: Backend) -> None:
    await _two(store)
    await attach(store, "c3", "erik")
    await _merge(store)
    await store.moves.merge(TENANT, "dana", "erik", at=LATER_AT)

    await store.forget(Erasure(TENANT, Forgotten.PROFILE, "erik", "erik", LATER_AT))

    assert await store.moves.history(TENANT) == ()
    assert await store.residue([SIP.value]) == 0


async def a_call_that_was_forgotten_since_is_not_brought_back(store: Backend) -> None:
    await _two(store)
    move = await _merge(store)
    await store.forget(Erasure(TENANT, Forgotten.CALL, "c2", "dana", LATER_AT))

    await _undo(store, move)

    assert await store.call(TENANT, "c2") is None
    assert await _values(store, "dora") == []


async def splitting_makes_some_calls_anothers_as_claimed(store: Backend) -> None:
    await _two(store)
    await _merge(store)
    await settle_all(store)

    parting = Parting(TENANT, "dana", "beatrix", ("c2",), handles=(DANA,))
    move = await store.moves.split(parting, at=LATER_AT, by="ops")

    view = await store.call(TENANT, "c2")
    assert view is not None
    assert (view.call.caller_id, view.call.assurance) == ("beatrix", Assurance.CLAIMED)
    assert (await _values(store, "dana"), await _values(store, "beatrix")) == (["4821"], ["5533"])
    assert {one.id for one in await store.callers_of(TENANT, [DANA])} == {"dana", "beatrix"}
    assert await store.open_count(kinds=[JobKind.EXTRACT]) == 1
    assert (move.kind, move.call_ids, move.added) == (MoveKind.SPLIT, ("c2",), (DANA,))


async def undoing_a_split_leaves_nobody_behind(store: Backend) -> None:
    await _two(store)
    before = await _all(store)

    parting = Parting(TENANT, "dana", "beatrix", ("c1",), handles=(DANA,))
    move = await store.moves.split(parting, at=LATER_AT)
    await _undo(store, move)

    assert await _all(store) == before
    assert await store.caller(TENANT, "beatrix") is None


async def what_a_split_sets_free_is_current_again(store: Backend) -> None:
    await _two(store)
    over = replace(DANAS, status=Status.SUPERSEDED, valid_to=LATER_AT)
    newer = replace(fact("7777", call_id="c5"), caller_id="dana", supersedes=DANAS.id)
    await record(store, opened("c5"))
    await attach(store, "c5", "dana")
    await store.write(TENANT, updated(newer, over))
    before = await store.basis(TENANT, caller_id="dana")

    parting = Parting(
        TENANT, "dana", "beatrix", ("c5",), restored=(DANAS,), revision=before.revision
    )
    move = await store.moves.split(parting, at=LATER_AT)

    assert await _values(store, "dana") == ["4821"]
    states = {one.fact_id: one.status for one in move.before}
    assert states[DANAS.id] is Status.SUPERSEDED


async def a_plan_that_is_out_of_date_moves_nothing(store: Backend) -> None:
    await _two(store)
    basis = await store.basis(TENANT, caller_id="dana")
    await store.write(TENANT, added(replace(fact("8", key="tier"), caller_id="dana")))

    parting = Parting(TENANT, "dana", "beatrix", ("c1",), revision=basis.revision)
    try:
        await store.moves.split(parting, at=LATER_AT)
    except StoreConflictError:
        pass
    else:
        raise AssertionError("it was moved by an old plan")
    assert await _whose(store, "c1") == "dana"


async def a_split_of_claims_leaves_a_call_that_was_verified_meanwhile(store: Backend) -> None:
    await _two(store)
    await store.attach(TENANT, "c1", caller_id="dana", assurance=Assurance.VERIFIED)

    parting = Parting(TENANT, "dana", "beatrix", ("c1",), is_of_claims=True)
    try:
        await store.moves.split(parting, at=LATER_AT)
    except StoreConflictError:
        pass
    else:
        raise AssertionError("a verified call was taken out of its profile")
    view = await store.call(TENANT, "c1")
    assert view is not None
    assert (view.call.caller_id, view.call.assurance) == ("dana", Assurance.VERIFIED)
    assert await store.caller(TENANT, "beatrix") is None


async def a_call_that_is_parted_while_it_is_read_is_read_again_at_once(store: Backend) -> None:
    await record(store, opened("c9"), said(0, "I'm not Dana.", call_id="c9"))
    await attach(store, "c9", "dana")
    await leased(store, JobKind.EXTRACT)

    await store.moves.split(
        Parting(TENANT, "dana", "beatrix", ("c9",), is_of_claims=True), at=LATER_AT
    )

    assert (await leased(store, JobKind.EXTRACT)).call_id == "c9"


async def a_handle_that_several_have_leads_to_all_of_them(store: Backend) -> None:
    await attach(store, "c1", "dana")
    await attach(store, "c2", "beatrix")

    assert [one.id for one in await store.callers_of(TENANT, [DANA])] == ["dana", "beatrix"]
    assert await store.callers_of("other", [DANA]) == ()
    assert await store.callers_of(TENANT, []) == ()


async def _two(store: Backend) -> None:
    """Dana with c1 and 4821, Dora with c2 and 5533, both settled."""
    for call_id, caller_id, kept, handle in (
        ("c1", "dana", DANAS, DANA),
        ("c2", "dora", DORAS, SIP),
    ):
        at = START_AT + timedelta(minutes=1 if call_id == "c1" else 2)
        await record(
            store,
            opened(call_id, started_at=at, handles=(handle,)),
            said(0, f"it is {kept.value}", call_id=call_id),
            ended(call_id),
        )
        await store.attach(
            TENANT, call_id, caller_id=caller_id, assurance=Assurance.CLAIMED, handles=(handle,)
        )
        await settle_all(store, added(kept))


async def a_briefing_knows_which_calls_were_merged_in_and_not_put_back(store: Backend) -> None:
    await _two(store)
    asking = Call("asking", TENANT, LATER_AT, caller_id="dana")
    assert (await store.known(asking)).merged == ()

    move = await _merge(store)
    assert (await store.known(asking)).merged == ("c2",)

    await _undo(store, move)
    assert (await store.known(asking)).merged == ()


async def _merge(store: Backend) -> Move:
    return await store.moves.merge(TENANT, "dora", "dana", at=LATER_AT)


async def _undo(store: Backend, move: Move, restored: tuple[Fact, ...] = ()) -> None:
    await store.moves.undo(TENANT, move.id, restored=restored, at=LATER_AT)


async def _whose(store: Backend, call_id: str) -> str | None:
    view = await store.call(TENANT, call_id)
    return None if view is None else view.call.caller_id


async def _values(store: Backend, caller_id: str) -> list[str]:
    return sorted(one.value for one in await store.facts(TENANT, caller_id=caller_id))


async def _all(store: Backend) -> list[object]:
    """All that is kept of Dana and Dora."""
    return [
        (
            await store.caller(TENANT, one),
            set(await store.calls(TENANT, caller_id=one)),
            set(await store.facts(TENANT, caller_id=one, statuses=tuple(Status))),
            set(await store.summaries(TENANT, caller_id=one)),
            set(await store.decisions(TENANT, caller_id=one)),
        )
        for one in ("dana", "dora")
    ]


async def _found(store: Backend, caller_id: str) -> set[str]:
    hits = await store.find(Cue(TENANT, caller_id, ("4821", "5533"), LATER_AT))
    return {text_of(hit) for hit in hits}


async def _near(store: Backend, caller_id: str) -> set[str]:
    return {text_of(hit) for hit in await near(store, "it is 5533", caller_id=caller_id)}


async def _is_refused(verb: Awaitable[object]) -> bool:
    try:
        await verb
    except UsageError:
        return True
    return False
