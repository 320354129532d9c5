"""What is kept about callers, agents and teams: taken over, stated, put right, asked, ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, Memory, Role, Turn, UsageError
from ringback.core.alignment import OfferedTurn
from ringback.profile import Profile
from ringback.recollection import Channel
from ringback.records import Action, Fact, ProfileKind, Source, Status
from ringback.schemas import MEDICAL_INTAKE

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Memory]:
    url = "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'memory.db'}"
    async with await Memory.open(url) as opened:
        yield opened


@pytest.fixture
def dana(memory: Memory) -> Profile:
    return memory.profile("acme", "dana")


def offered(*lines: str) -> list[OfferedTurn]:
    return [
        OfferedTurn(
            Role.CALLER if line.startswith("c: ") else Role.AGENT,
            line[3:],
            at=AT + timedelta(seconds=5 * place),
        )
        for place, line in enumerate(lines)
    ]


async def only(profile: Profile, key: str) -> Fact:
    (fact,) = [one for one in await profile.facts() if one.key == key]
    return fact


# Taken over


async def test_overlapping_windows_of_a_conversation_are_stored_once(memory: Memory, dana: Profile):
    said = [
        OfferedTurn(Role.CALLER, "yes" if n in (3, 7) else f"This is line {n}.", at=AT)
        for n in range(15)
    ]

    first = await dana.ingest(said[:10])
    second = await dana.ingest(said[5:])
    again = await dana.ingest(said[5:])

    assert (first.stored, second.stored, second.known, again.stored) == (10, 5, 5, 0)
    view = await memory.keeping.call("acme", first.call_id)
    assert view is not None
    assert [turn.text for turn in view.turns] == [one.text for one in said]


async def test_what_a_conversation_said_is_known_once_it_is_settled(memory: Memory, dana: Profile):
    await dana.ingest(offered("c: This is Dana Whitfield.", "c: My account number is 4821."))
    await memory.settle()

    assert {(one.key, one.value) for one in await dana.facts()} == {
        ("name", "Dana Whitfield"),
        ("account_number", "4821"),
    }


async def test_two_conversations_of_one_profile_are_two_calls(memory: Memory, dana: Profile):
    one = await dana.ingest(offered("c: Hello."), conversation="monday")
    other = await dana.ingest(offered("c: Hello."), conversation="tuesday")

    assert one.call_id != other.call_id
    assert len(await memory.keeping.calls("acme", caller_id="dana")) == 2


# Stated


async def test_an_agents_and_a_teams_profile_are_not_a_callers_of_that_name(memory: Memory):
    agent = memory.profile("acme", "dana", "agent")
    team = memory.profile("acme", "dana", ProfileKind.TEAM)
    caller = memory.profile("acme", "dana")

    await agent.remember("Answers in short sentences.")

    assert [one.value for one in await agent.facts()] == ["Answers in short sentences."]
    assert await team.facts() == ()
    assert await caller.facts() == ()


@pytest.mark.parametrize(
    ("tenant", "name", "kind"),
    [
        ("", "dana", "caller"),
        ("acme", "", "caller"),
        ("acme", "dana", "customer"),
        ("acme", "agent:rex", "caller"),
        ("acme", "team:night", "caller"),
    ],
)
async def test_a_profile_of_nobody_or_of_no_kind_is_refused(memory, tenant, name, kind):
    with pytest.raises(UsageError):
        memory.profile(tenant, name, kind)


async def test_a_call_is_not_made_an_agents(memory: Memory):
    call = memory.ring(tenant="acme")

    with pytest.raises(UsageError, match="agent:"):
        await call.identify("agent:rex", Assurance.VERIFIED)


async def test_the_same_record_again_changes_nothing(dana: Profile):
    first = await dana.remember("4821", key="account_number", record="crm-1")
    again = await dana.remember("4821", key="account_number", record="crm-1")

    assert (first.action, again.action) == (Action.ADD, Action.SKIP)
    assert len(await dana.facts(with_history=True)) == 1


async def test_a_closed_schema_refuses_what_has_no_place_in_it():
    async with await Memory.open("memory:", schema=MEDICAL_INTAKE) as memory:
        patient = memory.profile("acme", "dana")

        decision = await patient.remember("likes opera", key="hobby")

        assert (decision.action, decision.reason) == (Action.SKIP, "outside the schema")
        (made,) = await patient.decisions()
        assert made.reason == "outside the schema"
        assert await patient.facts(with_history=True) == ()


async def test_a_system_of_record_outweighs_what_a_caller_says_later(memory: Memory, dana: Profile):
    await dana.remember("4821", key="account_number")

    call = memory.ring(tenant="acme")
    await call.identify("dana", Assurance.VERIFIED)
    later = datetime.now(UTC) + timedelta(days=1)
    call.observe(Turn(Role.CALLER, "My account number is 9000.", at=later))
    assert await call.end()

    assert (await only(dana, "account_number")).value == "4821"


# Put right


async def test_a_correction_takes_a_facts_place_and_history_keeps_it(memory: Memory, dana: Profile):
    await dana.ingest(offered("c: My account number is 4821."))
    await memory.settle()
    old = await only(dana, "account_number")

    decision = await dana.correct(old.id, "4822")

    new = await only(dana, "account_number")
    assert decision.action is Action.UPDATE
    assert (new.value, new.source, new.supersedes) == ("4822", Source.SYSTEM, old.id)
    history = await dana.facts(with_history=True)
    assert {(one.value, one.status) for one in history} == {
        ("4821", Status.SUPERSEDED),
        ("4822", Status.ACTIVE),
    }


async def test_a_retired_fact_is_not_taken_up_again_from_its_words(memory: Memory, dana: Profile):
    window = offered("c: My account number is 4821.")
    await dana.ingest(window)
    await memory.settle()

    await dana.retire((await only(dana, "account_number")).id)
    await dana.ingest([*window, OfferedTurn(Role.CALLER, "Thank you.", at=AT)])
    await memory.settle()

    assert await dana.facts() == ()
    assert [one.value for one in await dana.facts(with_history=True)].count("4821") >= 1


async def test_a_fact_of_nobody_is_one_clear_error(dana: Profile):
    for act in (dana.retire("f0"), dana.correct("f0", "1"), dana.forget(fact="f0")):
        with pytest.raises(UsageError, match="f0"):
            await act


async def test_two_calls_that_are_settled_at_once_leave_one_current_name(
    memory: Memory, dana: Profile
):
    for n in range(6):
        await dana.ingest(offered(f"c: This is Dana Holt{'abcdef'[n]}n."), conversation=str(n))

    async with asyncio.TaskGroup() as working:
        for _ in range(3):
            working.create_task(memory.settle())

    assert len([one for one in await dana.facts() if one.key == "name"]) == 1


# Asked


async def test_a_question_that_names_a_key_is_answered_by_it_first(memory: Memory, dana: Profile):
    await dana.ingest(offered("c: My account number is 4821.", "c: I live near the harbour."))
    await memory.settle()

    answer = await dana.recall("What is my account number?")

    best = answer.found[0]
    assert best.fact is not None
    assert best.fact.value == "4821"
    assert Channel.KEY in best.channels
    assert answer.missed == ()
    assert all(0 < one.score <= 1 for one in answer.found)


async def test_what_nobody_said_is_answered_with_nothing(memory: Memory, dana: Profile):
    await dana.ingest(offered("c: My account number is 4821."))
    await memory.settle()

    answer = await dana.recall("Which drawbridge toll is disputed?")

    assert answer.found == ()
    assert answer.missed == ()


async def test_what_could_not_be_looked_at_in_time_is_named(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch
):
    await dana.remember("4821", key="account_number")

    async def hangs(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(memory.keeping, "find", hangs)
    answer = await dana.recall("account number", deadline_ms=200)

    assert set(answer.missed) == {Channel.FACTS, Channel.TURNS, Channel.EXCHANGES}
    assert [one.fact.value for one in answer.found if one.fact is not None] == ["4821"]


async def test_an_answer_counts_as_a_use_of_its_facts(memory: Memory, dana: Profile):
    await dana.remember("4821", key="account_number")

    await dana.recall("account number")
    await memory.keeping.flush()

    assert (await only(dana, "account_number")).uses == 1


async def test_an_export_is_plain_data_and_holds_all_that_is_kept(memory: Memory, dana: Profile):
    call = memory.ring(tenant="acme", call_id="c1", handles=[("phone", "+15550100199")])
    await call.identify("dana", Assurance.VERIFIED, handles=[("phone", "+15550100199")])
    call.observe(Turn(Role.CALLER, "My account number is 4821.", at=AT))
    assert await call.end()

    exported = json.loads(json.dumps(await dana.export()))

    assert exported["caller"]["handles"] == [{"kind": "phone", "value": "+15550100199"}]
    assert exported["calls"][0]["turns"][0]["text"] == "My account number is 4821."
    assert exported["facts"][0]["evidence"]["words"]
    assert exported["decisions"][0]["reason"] == "new"
    assert "4821" in exported["summaries"][0]["text"]


async def test_an_export_has_the_summary_of_every_call(memory: Memory, dana: Profile):
    for name in ("monday", "tuesday"):
        await dana.ingest(offered(f"c: My account number is 4821 on {name}."), conversation=name)
    await memory.settle()

    assert len((await dana.export())["summaries"]) == 2


async def test_two_encodings_of_one_id_are_one_profile(memory: Memory):
    call = memory.ring(tenant="acme")
    await call.identify("jose\u0301", Assurance.VERIFIED)
    call.observe(Turn(Role.CALLER, "My account number is 4821.", at=AT))
    assert await call.end()

    one = await memory.profile("acme", "jos\u00e9").facts()
    other = await memory.profile("acme", "jose\u0301").facts()

    assert [fact.value for fact in one] == ["4821"]
    assert one == other
