"""Forgetting reaches what is easily overlooked: swept calls, withdrawals, nobody's calls, hashes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Memory, OfferedTurn, Profile, Role, Turn, UsageError
from ringback.records import Action, Status

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Memory]:
    url = "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'memory.db'}"
    async with await Memory.open(url) as opened:
        yield opened


async def told(memory: Memory, *lines: str, conversation: str = "one") -> Profile:
    dana = memory.profile("acme", "dana")
    window = [
        OfferedTurn(Role.CALLER, line, at=AT + timedelta(seconds=n)) for n, line in enumerate(lines)
    ]
    await dana.ingest(window, conversation=conversation)
    await memory.settle()
    return dana


async def test_the_summary_of_a_call_whose_words_were_swept_goes_with_its_fact(memory: Memory):
    dana = await told(memory, "My account number is 4821.")
    later = AT + timedelta(days=1)
    await memory.keeping.sweep(now_at=later, words_before=later)
    (fact,) = await dana.facts()

    erased = await dana.forget(fact=fact.id)
    await memory.settle()

    assert erased.is_clean, erased.looks
    assert (await dana.export())["summaries"] == []


async def test_a_retirement_that_repeats_a_forgotten_calls_words_goes_with_the_call(memory: Memory):
    dana = await told(memory, "My internet has dropped every evening.")
    (fact,) = await dana.facts()
    await dana.retire(fact.id)

    erased = await dana.forget(call=fact.call_id)

    assert erased.is_clean, erased.looks
    assert await dana.facts(with_history=True) == ()


async def test_a_retirement_stays_while_another_call_said_the_same(memory: Memory):
    dana = await told(memory, "My account number is 4821.")
    await told(memory, "My account number is 4821.", conversation="two")
    (fact,) = await dana.facts()
    await dana.retire(fact.id)
    history = await dana.facts(with_history=True)
    first = min(history, key=lambda one: one.observed_at)

    await dana.forget(call=first.call_id)
    await memory.settle()

    assert await dana.facts() == ()  # what was ended stays ended


async def test_a_record_that_was_forgotten_is_not_said_to_be_kept(memory: Memory):
    dana = memory.profile("acme", "dana")
    added = await dana.remember("4821", key="account_number", record="crm-1")
    assert added.fact is not None
    await dana.forget(fact=added.fact.id)

    again = await dana.remember("4821", key="account_number", record="crm-1")

    assert (again.action, again.reason, again.fact) == (Action.SKIP, "it was forgotten", None)
    assert await dana.facts(with_history=True) == ()


async def test_a_call_from_a_withheld_number_can_be_forgotten(memory: Memory):
    call = memory.ring(tenant="acme", call_id="nobodys")
    call.observe(Turn(Role.CALLER, "This is Zanzi Barite, my account number is 4821.", at=AT))
    await call.end()
    await memory.settle()
    assert await memory.keeping.facts("acme", call_id="nobodys")

    erased = await memory.forget_call("acme", "nobodys")
    await memory.settle()

    assert erased.is_clean, erased.looks
    assert await memory.keeping.call("acme", "nobodys") is None
    statuses = tuple(Status)
    assert await memory.keeping.facts("acme", call_id="nobodys", statuses=statuses) == ()
    assert await memory.keeping.residue(["Zanzi Barite"]) == 0


async def test_a_callers_call_is_forgotten_through_the_caller(memory: Memory):
    await told(memory, "My account number is 4821.")
    (call,) = await memory.keeping.calls("acme", caller_id="dana")

    with pytest.raises(UsageError, match="dana"):
        await memory.forget_call("acme", call.id)
    with pytest.raises(UsageError, match="no call"):
        await memory.forget_call("acme", "none")


async def test_digits_that_nobody_said_are_in_no_file_by_chance(memory: Memory):
    for n in range(40):
        await told(memory, "My internet has dropped every evening.", conversation=str(n))

    found = [await memory.keeping.residue([f"{n:04}"]) for n in range(9_000, 9_040)]

    assert found == [0] * 40
