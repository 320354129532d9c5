"""What every store forgets, and keeps forgotten, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace

from ringback.erasure import Erasure, Forgotten, Redaction, call_tombstone, fact_tombstone
from ringback.errors import UsageError
from ringback.protocols import TurnAmended
from ringback.recollection import Cue
from ringback.records import Fact, JobKind, Status
from ringback.testing.made_records import (
    DANA,
    LATER_AT,
    LEASE_MS,
    START_AT,
    TENANT,
    Backend,
    added,
    attach,
    ended,
    fact,
    leased,
    made_candidate,
    opened,
    record,
    said,
    settle_all,
    summary,
    updated,
    words_of,
)

SAID = said(0, "my zanzibarite is 4821")
REDACTED = Redaction("c1", 0, SAID.turn.role, "my ███████████ is ████")
WORD = "zanzibarite"


def _resting(value: str, start: int, **fields: object) -> Fact:
    made = fact(value, key=f"key_{value}")
    evidence = replace(made.evidence, start=start, end=start + len(value))
    return replace(made, evidence=evidence, **fields)  # type: ignore[arg-type]


GOES = _resting(WORD, 3)
STAYS = _resting("4821", 18)


def _of(what: Forgotten, target_id: str, **fields: object) -> Erasure:
    known = {"tenant": TENANT, "caller_id": "dana", "at": LATER_AT, **fields}
    return Erasure(what=what, target_id=target_id, **known)  # type: ignore[arg-type]


def _of_fact(**fields: object) -> Erasure:
    tombstone = fact_tombstone(TENANT, "c1", 0, GOES.key, GOES.subject)
    plan = {"fact_ids": (GOES.id,), "redactions": (REDACTED,), "tombstones": (tombstone,)}
    return _of(Forgotten.FACT, GOES.id, **{**plan, **fields})


async def _a_settled_call(store: Backend) -> None:
    await record(store, opened(), SAID, said(1, "thank you"), ended())
    await attach(store)
    await settle_all(store, added(GOES, STAYS))


async def a_forgotten_fact_is_gone_and_its_words_are_blotted_out(store: Backend) -> None:
    await _a_settled_call(store)

    receipt = await store.forget(_of_fact())

    facts = await store.facts(TENANT, caller_id="dana", statuses=tuple(Status))
    assert [one.value for one in facts] == ["4821"]
    assert await words_of(store, "c1") == ["my ███████████ is ████", "thank you"]
    assert await store.find(Cue(TENANT, "dana", (WORD,), LATER_AT)) == ()
    assert await store.residue([WORD]) == 0
    assert dict(receipt.removed) == {"fact": 1, "decision": 1, "turn": 1, "summary": 1}
    assert receipt.call_ids == ()
    assert receipt.scrub_ms >= 0


async def other_facts_evidence_is_reworded_and_found_by_what_is_left(store: Backend) -> None:
    whole = replace(STAYS, evidence=replace(STAYS.evidence, words="is 4821 zanzibarite"))
    await record(store, opened(), SAID)
    await attach(store)
    await store.settle(await leased(store), added(GOES, whole))

    await store.forget(_of_fact(reworded=((whole.id, "is 4821 ███████████"),)))

    (kept,) = await store.facts(TENANT, caller_id="dana")
    assert kept.evidence.words == "is 4821 ███████████"
    assert await store.find(Cue(TENANT, "dana", (WORD,), LATER_AT)) == ()
    assert len(await store.find(Cue(TENANT, "dana", ("4821",), LATER_AT))) == 1


async def a_redacted_call_is_read_and_summarised_anew(store: Backend) -> None:
    await _a_settled_call(store)

    await store.forget(_of_fact())

    assert await store.last_interaction(TENANT, "dana") is None
    assert (await leased(store)).kind is JobKind.EXTRACT
    assert await store.open_count() == 2


async def work_under_way_for_a_redacted_call_writes_nothing(store: Backend) -> None:
    await record(store, opened(), SAID, ended())
    await attach(store)
    await store.settle(await leased(store), added(GOES))
    early = await leased(store)

    await store.forget(_of_fact())
    await store.put_summary(early, summary(text=f"Has a {WORD}."))
    await store.retry(early, due_at=LATER_AT, reason="A")
    await store.give_up(early, reason="A")

    assert await store.last_interaction(TENANT, "dana") is None
    assert await store.dead() == ()
    assert await store.open_count() == 2
    assert await store.residue([WORD]) == 0


async def a_forgotten_fact_does_not_come_back_by_a_later_job(store: Backend) -> None:
    await _a_settled_call(store)
    await store.forget(_of_fact())

    again = replace(GOES, value="zanzibarites", id="another")
    candidate = replace(made_candidate("zanzibarites"), key=GOES.key)
    decided = replace(added(again)[0], candidate=candidate)
    await store.settle(await leased(store), [decided, *added(_resting("thank", 0))])
    await store.write(TENANT, [replace(decided, fact=replace(again, caller_id="dana"))])

    facts = await store.facts(TENANT, caller_id="dana", statuses=tuple(Status))
    assert [one.value for one in facts] == ["4821", "thank"]
    assert await store.residue([WORD]) == 0


async def a_redacted_turn_is_not_restored_by_late_entries(store: Backend) -> None:
    await _a_settled_call(store)
    await store.forget(_of_fact())

    await record(store, SAID, TurnAmended(TENANT, "c1", said(0, "my zanzibarite is ****").turn))

    assert (await words_of(store, "c1"))[0] == "my ███████████ is ████"
    assert await store.residue([WORD]) == 0


async def a_turn_amended_since_an_erasure_was_planned_keeps_both_changes(store: Backend) -> None:
    await record(store, opened(), SAID)
    await record(store, TurnAmended(TENANT, "c1", said(0, "my zanzibarite is ****").turn))

    await store.forget(_of_fact(redactions=(replace(REDACTED, text="my ███████████ is 4821"),)))

    assert await words_of(store, "c1") == ["my ███████████ is ****"]


async def a_fact_written_of_the_same_words_since_the_plan_goes_as_well(store: Backend) -> None:
    late = replace(GOES, id="late", value="zanzibarites")
    await record(store, opened(), SAID)
    await attach(store)
    await store.settle(await leased(store), added(GOES, late, STAYS))

    receipt = await store.forget(_of_fact())

    assert [one.value for one in await store.facts(TENANT, caller_id="dana")] == ["4821"]
    assert dict(receipt.removed)["fact"] == 2


async def nobody_names_a_forgotten_fact_any_more(store: Backend) -> None:
    newer = replace(_resting("4821", 18), supersedes=GOES.id)
    await record(store, opened(), SAID)
    await attach(store)
    over = replace(GOES, status=Status.SUPERSEDED)
    await store.settle(await leased(store), [*added(GOES), *updated(newer, over)])

    await store.forget(_of_fact())

    (kept,) = await store.facts(TENANT, caller_id="dana", statuses=tuple(Status))
    (made,) = await store.decisions(TENANT, caller_id="dana")
    assert kept.supersedes is None
    assert (made.fact_id, made.superseded_id) == (newer.id, None)


async def a_forgotten_call_is_gone_with_all_that_was_made_of_it(store: Backend) -> None:
    await _a_settled_call(store)
    await record(store, opened("c2"), said(0, "stays", call_id="c2"))
    await attach(store, "c2")

    receipt = await store.forget(_of(Forgotten.CALL, "c1"))

    assert await store.call(TENANT, "c1") is None
    assert await store.facts(TENANT, call_id="c1", statuses=tuple(Status)) == ()
    assert await store.decisions(TENANT, caller_id="dana") == ()
    assert await store.last_interaction(TENANT, "dana") is None
    assert await store.residue([WORD]) == 0
    assert await words_of(store, "c2") == ["stays"]
    assert await store.callers_of(TENANT, [DANA])
    assert receipt.call_ids == ("c1",)
    assert dict(receipt.removed) == {
        "call": 1, "call_handle": 1, "decision": 2, "fact": 2, "summary": 1, "turn": 2,
    }  # fmt: skip


async def nothing_of_a_forgotten_call_comes_back(store: Backend) -> None:
    await record(store, opened(), SAID, ended())
    job = await leased(store)
    await store.forget(_of(Forgotten.CALL, "c1", tombstones=(call_tombstone(TENANT, "c1"),)))

    await record(store, opened(), SAID, said(1, WORD), ended())
    await record(store, TurnAmended(TENANT, "c1", SAID.turn))
    await store.settle(job, added(GOES))
    await store.write(TENANT, added(replace(STAYS, caller_id="dana")))
    await attach(store)

    assert await store.call(TENANT, "c1") is None
    assert await store.facts(TENANT, call_id="c1") == ()
    assert await store.caller(TENANT, "dana") is None
    assert await store.open_count() == 0
    assert await store.residue([WORD]) == 0


async def jobs_and_dead_letters_of_a_forgotten_call_go(store: Backend) -> None:
    await record(store, opened(), SAID, ended())
    await store.give_up(await leased(store), reason="A")
    await record(store, said(1))

    receipt = await store.forget(_of(Forgotten.CALL, "c1"))

    assert await store.dead() == ()
    assert await store.open_count() == 0
    assert await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS) is None
    assert dict(receipt.removed)["job"] == 2
    assert dict(receipt.removed)["dead_letter"] == 1


async def what_a_forgotten_call_had_replaced_is_current_again(store: Backend) -> None:
    old = fact("4821")
    new = replace(fact("9000", position=2, call_id="c2"), supersedes=old.id)
    await record(store, opened(), said(0), opened("c2"), said(2, call_id="c2"))
    await attach(store)
    await attach(store, "c2")
    await store.settle(await leased(store), added(old))
    over = replace(old, status=Status.SUPERSEDED, valid_to=LATER_AT)
    await store.settle(await leased(store), updated(new, over))

    await store.forget(_of(Forgotten.CALL, "c2", restored=(old,)))

    (current,) = await store.facts(TENANT, caller_id="dana")
    assert (current.id, current.valid_to) == (old.id, None)


async def a_forgotten_profile_is_gone_with_its_calls_and_handles(store: Backend) -> None:
    await _a_settled_call(store)
    await store.write(TENANT, added(replace(fact(WORD, call_id="application:1"), caller_id="dana")))
    await record(store, opened("theirs", handles=()), said(0, "stays", call_id="theirs"))
    await attach(store, "theirs", "erik")

    receipt = await store.forget(_of(Forgotten.PROFILE, "dana"))

    assert await store.caller(TENANT, "dana") is None
    assert await store.callers_of(TENANT, [DANA])  # Erik has it as well
    assert await store.facts(TENANT, caller_id="dana", statuses=tuple(Status)) == ()
    assert await store.calls(TENANT, caller_id="dana") == ()
    assert await store.call(TENANT, "c1") is None
    assert await store.residue([WORD]) == 0
    assert await words_of(store, "theirs") == ["stays"]
    assert receipt.call_ids == ("c1",)
    assert dict(receipt.removed)["fact"] == 3
    assert dict(receipt.removed)["caller"] == 1
    assert dict(receipt.removed)["caller_handle"] == 1


async def calls_of_nobody_go_with_the_one_profile_their_handles_lead_to(store: Backend) -> None:
    await record(store, opened("known"))
    await attach(store, "known")
    await record(store, opened("nobodys"), said(0, WORD, call_id="nobodys"))
    await record(store, opened("silent", handles=()), said(0, "stays", call_id="silent"))

    receipt = await store.forget(_of(Forgotten.PROFILE, "dana"))

    assert receipt.call_ids == ("known", "nobodys")
    assert await words_of(store, "silent") == ["stays"]
    assert await store.residue([WORD]) == 0


async def a_call_of_somebody_else_with_the_profiles_handle_stays(store: Backend) -> None:
    await record(store, opened("known"), opened("lent", caller_id="erik"))
    await attach(store, "known")

    receipt = await store.forget(_of(Forgotten.PROFILE, "dana"))

    assert receipt.call_ids == ("known",)
    assert await store.call(TENANT, "lent") is not None


async def calls_whose_handles_lead_to_somebody_else_too_stay(store: Backend) -> None:
    await record(store, opened("known"), opened("other"))
    await attach(store, "known")
    await attach(store, "other", "erik")
    await record(store, opened("nobodys"), said(0, "stays", call_id="nobodys"))

    receipt = await store.forget(_of(Forgotten.PROFILE, "dana"))

    assert receipt.call_ids == ("known",)
    assert await words_of(store, "nobodys") == ["stays"]


async def what_was_written_since_the_plan_goes_with_the_profile(store: Backend) -> None:
    planned = _of(Forgotten.PROFILE, "dana")
    await record(store, opened(), SAID)
    await attach(store)
    mine = replace(GOES, call_id="application:1", caller_id="dana")
    mine = replace(mine, evidence=replace(mine.evidence, call_id="application:1"))
    await store.write(TENANT, added(mine))

    await store.forget(planned)
    await record(store, said(1, WORD))
    await store.write(TENANT, added(mine))

    assert await store.call(TENANT, "c1") is None
    assert await store.facts(TENANT, caller_id="dana") == ()
    assert await store.residue([WORD]) == 0


async def a_forgotten_caller_may_call_again(store: Backend) -> None:
    await record(store, opened(), SAID)
    await attach(store)
    await store.forget(_of(Forgotten.PROFILE, "dana"))

    await record(store, opened("c2"), said(0, "hello again", call_id="c2"))
    await attach(store, "c2")

    assert await words_of(store, "c2") == ["hello again"]
    hits = await store.find(Cue(TENANT, "dana", ("hello",), LATER_AT))
    assert [hit.call_id for hit in hits] == ["c2"]


async def nothing_of_another_tenant_is_forgotten(store: Backend) -> None:
    await record(store, opened(tenant="other"), said(0, "stays", tenant="other"))
    await record(store, opened(), SAID)

    await store.forget(_of(Forgotten.CALL, "c1"))

    view = await store.call("other", "c1")
    assert view is not None
    assert [turn.text for turn in view.turns] == ["stays"]


async def receipts_are_numbered_and_told_to_everybody(store: Backend) -> None:
    await record(store, opened(), SAID, opened("c2"))
    first = await store.forget(_of(Forgotten.CALL, "c1"))
    second = await store.forget(_of(Forgotten.CALL, "c2", at=START_AT))

    (one, told), (two, _) = await store.erasures()

    assert one < two
    assert (told.what, told.target_id, told.at) == (Forgotten.CALL, "c1", LATER_AT)
    assert told.removed == first.removed
    assert [receipt.at for _, receipt in await store.erasures(after=one)] == [second.at]
    assert len(await store.erasures(limit=1)) == 1
    assert await store.erasures(after=two) == ()


async def forgetting_what_is_not_there_is_a_receipt_of_nothing(store: Backend) -> None:
    receipt = await store.forget(_of(Forgotten.PROFILE, "nobody"))

    assert receipt.removed == ()
    assert receipt.call_ids == ()


async def erasures_without_names_or_with_naive_times_are_refused(store: Backend) -> None:
    for erasure in (
        _of(Forgotten.CALL, ""),
        _of(Forgotten.CALL, "c1", tenant=""),
        _of(Forgotten.CALL, "c1", at=LATER_AT.replace(tzinfo=None)),
    ):
        try:
            await store.forget(erasure)
        except UsageError:
            continue
        raise AssertionError("was not refused")


async def residue_is_counted_in_any_case_and_script(store: Backend) -> None:
    await record(store, opened(), said(0, "Zanzibarite and 花生"))

    assert await store.residue(["zanzibarite"]) > 0
    assert await store.residue(["ZANZIBARITE"]) > 0
    assert await store.residue(["花生"]) > 0
    assert await store.residue(["peanut", ""]) == 0
    assert await store.residue([]) == 0
