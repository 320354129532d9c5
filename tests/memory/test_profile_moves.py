"""An operator makes one person of two, or two of one; calls that go on hear of it; all is undone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from ringback import Assurance, CallHandle, Memory, UsageError
from ringback.moves import MoveKind
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

MOBILE, OFFICE = ("phone", "+15550100199"), ("phone", "+15550100200")


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        yield memory


async def whole_call(
    memory: Memory, caller_id: str, number: tuple[str, str], *lines: str, day: int = 0
) -> CallHandle:
    call = memory.ring(tenant="acme", handles=[number], at=AT + timedelta(days=day))
    await call.identify(caller_id, Assurance.CLAIMED, handles=[number])
    for line in lines:
        call.observe(turn(line, call.call.started_at))
    await call.end()
    await memory.settle()
    return call


async def values(memory: Memory, caller_id: str) -> set[str]:
    return {fact.value for fact in await memory.profile("acme", caller_id).facts()}


async def briefing_for(memory: Memory, number: tuple[str, str]) -> str:
    call = memory.ring(tenant="acme", handles=[number], at=AT + timedelta(days=9))
    await call.briefed()
    await call.end()
    return call.context().briefing


async def two(memory: Memory) -> None:
    """One person, kept as two: an older account number at the office, a newer one since."""
    await whole_call(memory, "d-office", OFFICE, "c: My account number is 4821.")
    await whole_call(
        memory,
        "d-mobile",
        MOBILE,
        "c: My account number is 5533. My email is dana at example dot org.",
        day=1,
    )


async def test_merging_makes_both_numbers_one_person_and_the_newer_statement_counts(
    memory: Memory,
):
    await two(memory)

    move = await memory.moves.merge("acme", "d-office", "d-mobile", by="rosa")
    await memory.settle()

    assert await values(memory, "d-mobile") == {"5533", "dana@example.org"}
    assert "dana@example.org" in await briefing_for(memory, OFFICE)
    assert await memory.keeping.caller("acme", "d-office") is None
    (made,) = await memory.moves.history("acme", profile_id="d-mobile")
    assert (made, made.kind, made.by) == (move, MoveKind.MERGE, "rosa")


async def test_a_merge_that_is_undone_leaves_both_as_they_were(memory: Memory):
    await two(memory)
    before = [await values(memory, one) for one in ("d-office", "d-mobile")]
    move = await memory.moves.merge("acme", "d-office", "d-mobile")
    await memory.settle()

    undone = await memory.moves.undo("acme", move.id, by="rosa")
    await memory.settle()

    assert [await values(memory, one) for one in ("d-office", "d-mobile")] == before
    assert "dana@example.org" not in await briefing_for(memory, OFFICE)
    (made,) = await memory.moves.history("acme")
    assert (made.undone_by, made.undone_at) == ("rosa", undone.undone_at)


async def test_a_call_taken_out_of_a_profile_takes_what_it_said_and_gives_back_what_it_replaced(
    memory: Memory,
):
    await whole_call(memory, "dana", MOBILE, "c: My account number is 4821.")
    wrong = await whole_call(memory, "dana", MOBILE, "c: My account number is 5533.", day=1)
    assert await values(memory, "dana") == {"5533"}

    move = await memory.moves.split("acme", "dana", [wrong.call.id], into_id="erik")
    await memory.settle()
    parted = [await values(memory, one) for one in ("dana", "erik")]
    await memory.moves.undo("acme", move.id)
    await memory.settle()

    assert parted == [{"4821"}, {"5533"}]
    assert await values(memory, "dana") == {"5533"}
    assert await values(memory, "erik") == set()


async def test_a_call_that_goes_on_is_told_as_its_new_callers(memory: Memory):
    await two(memory)
    call = memory.ring(tenant="acme", handles=[OFFICE], at=AT + timedelta(days=2))
    await call.identify("d-office", Assurance.CLAIMED)
    await call.briefed()
    before = call.context().briefing

    await memory.moves.merge("acme", "d-office", "d-mobile")
    await call.briefed()

    assert "dana@example.org" not in before
    assert "dana@example.org" in call.context().briefing
    assert call.call.caller_id == "d-mobile"


async def test_an_id_that_was_merged_still_leads_to_whom_it_was_merged_into(memory: Memory):
    await two(memory)
    await memory.moves.merge("acme", "d-office", "d-mobile")

    await whole_call(memory, "d-office", OFFICE, "c: My address is 9 Quill Lane.", day=3)

    assert "9 Quill Lane" in await values(memory, "d-mobile")
    assert await memory.keeping.caller("acme", "d-office") is None


async def test_moves_that_cannot_be_are_refused_and_change_nothing(memory: Memory):
    await two(memory)
    moves = memory.moves

    for refused in (
        moves.merge("acme", "d-office", "d-office"),
        moves.merge("acme", "d-office", "nobody"),
        moves.merge("acme", "", "d-mobile"),
        moves.merge("acme", "agent:front", "d-mobile"),
        moves.merge("other", "d-office", "d-mobile"),
        moves.split("acme", "d-office", [], into_id="erik"),
        moves.split("acme", "d-office", ["no such call"], into_id="erik"),
        moves.undo("acme", "no such move"),
    ):
        with pytest.raises(UsageError):
            await refused

    assert await values(memory, "d-office") == {"4821"}
    assert await memory.moves.history("acme") == ()


async def test_a_call_that_an_operator_took_out_stays_out_whatever_its_caller_says(memory: Memory):
    await whole_call(memory, "dana", MOBILE, "c: This is Dana Whitfield.")
    call = await whole_call(
        memory, "dana", MOBILE, "c: This is Dana Whitfield. My account number is 5533.", day=1
    )
    await memory.moves.split("acme", "dana", [call.call.id], into_id="erik", by="rosa")
    await memory.settle()

    assert "5533" in await values(memory, "erik")
    assert "5533" not in await values(memory, "dana")
    assert len(await memory.moves.history("acme")) == 1
