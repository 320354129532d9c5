"""Whose words are whose: a device, an agent, a name that almost is another one, a name that is none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, Memory, StoreError, UsageError
from ringback.records import HandleKind
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

UNKNOWN = "There are no notes about this caller, who is unknown."
ACCOUNT = "4821"
SAID = f"c: My account number is {ACCOUNT}."


async def whose(memory: Memory, call_id: str) -> str | None:
    view = await memory.keeping.call("acme", call_id)
    assert view is not None
    return view.call.caller_id


async def values(memory: Memory, caller_id: str) -> set[str]:
    return {fact.value for fact in await memory.profile("acme", caller_id).facts()}


@pytest.mark.parametrize("kind", [HandleKind.DEVICE, HandleKind.WEB, HandleKind.SIP])
@pytest.mark.parametrize("assurance", [Assurance.CLAIMED, Assurance.VERIFIED])
async def test_who_used_a_station_seconds_ago_is_not_who_speaks_to_it_now(
    url: str, kind: HandleKind, assurance: Assurance
):
    station = [(kind, "sip:lobby@example.org" if kind is HandleKind.SIP else "station-7")]
    async with await Memory.open(url) as memory:
        first = memory.ring(tenant="acme", handles=station, at=AT)
        await first.identify("operator-1", assurance)
        first.observe(turn("c: Please announce the next train."))
        await first.end()
        await memory.settle()

        second = memory.ring(tenant="acme", handles=station, at=AT + timedelta(seconds=3))
        await second.briefed()
        told = second.context().briefing
        second.observe(turn(SAID, AT + timedelta(seconds=4)))
        await second.end()
        await memory.settle()

        assert told == UNKNOWN
        assert await whose(memory, second.call.id) != "operator-1"
        assert await values(memory, "operator-1") == set()
        again = memory.ring(tenant="acme", at=AT + timedelta(days=1))
        await again.identify("operator-1", Assurance.VERIFIED)
        await again.briefed()
        assert ACCOUNT not in again.context().briefing


async def test_a_station_that_was_used_while_the_first_call_still_goes_on_is_not_its_callers(
    url: str,
):
    async with await Memory.open(url) as memory:
        first = memory.ring(tenant="acme", handles=[("device", "station-7")], at=AT)
        await first.identify("operator-1", Assurance.VERIFIED)
        second = memory.ring(tenant="acme", handles=[("device", "station-7")], at=AT)
        second.observe(turn(SAID))
        await second.end()
        await first.end()
        await memory.settle()

        assert await whose(memory, second.call.id) != "operator-1"
        assert await values(memory, "operator-1") == set()


async def test_two_agents_in_one_room_with_one_caller_know_nothing_of_each_other(url: str):
    """An agent whose memory is its own is a tenant of its own; the same tenant is shared memory."""
    handles = [("phone", "+15550100199")]
    async with await Memory.open(url) as memory:
        billing = memory.ring(tenant="acme/billing", handles=handles, call_id="room-1", at=AT)
        clinic = memory.ring(tenant="acme/clinic", handles=handles, call_id="room-1", at=AT)
        for call in (billing, clinic):
            await call.identify("dana", Assurance.VERIFIED, handles=handles)
        billing.observe(turn(SAID))
        await billing.end()
        await memory.settle()
        await clinic.briefed()

        assert ACCOUNT not in "\n".join((clinic.context().briefing, clinic.context().block))
        asked = await memory.profile("acme/clinic", "dana").recall("What is the account number?")
        assert (asked.found, asked.missed) == ((), ())
        later = memory.ring(tenant="acme/clinic", handles=handles, call_id="room-2")
        await later.briefed()
        assert ACCOUNT not in later.context().briefing
        shared = memory.ring(tenant="acme/billing", handles=handles, call_id="room-2")
        await shared.briefed()
        assert ACCOUNT in shared.context().briefing


async def test_a_second_agent_cannot_take_up_a_call_that_another_one_is_in(url: str):
    async with await Memory.open(url) as memory:
        call = memory.ring(tenant="acme", call_id="room-1", at=AT)

        with pytest.raises(UsageError, match="goes on already"):
            memory.ring(tenant="acme", call_id="room-1", handles=[("phone", "+15550100199")])

        call.observe(turn(SAID))
        assert await call.end() is True
        memory.ring(tenant="acme", call_id="room-1")  # it goes on after its end


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "ana1"),
        ("a_na", "aXna"),
        ("u%", "user"),
        ("u*", "us"),
        ("test_user", "test_user1"),
        ("anA", "ana"),
        ("ana'--", "ana"),
        ("ána", "ana"),
        ("陳", "陳怡君"),
    ],
)
async def test_an_id_that_almost_is_anothers_finds_nothing_of_theirs(
    url: str, one: str, other: str
):
    async with await Memory.open(url) as memory:
        for asking, keeping in ((one, other), (other, one)):
            tenant = f"of {asking}"
            await memory.profile(tenant, keeping).remember(ACCOUNT, key="account_number")
            call = memory.ring(tenant=tenant, at=AT)
            await call.identify(asking, Assurance.VERIFIED)
            await call.briefed()

            profile = memory.profile(tenant, asking)
            assert ACCOUNT not in call.context().briefing
            assert await profile.facts(with_history=True) == ()
            assert (await profile.recall("account number")).found == ()
            await profile.forget(everything=True)
            kept = await memory.profile(tenant, keeping).facts()
            assert [fact.value for fact in kept] == [ACCOUNT]


@pytest.mark.parametrize(("one", "other"), [("ana", "ana1"), ("a_na", "aXna"), ("u%", "user")])
async def test_a_write_that_fails_is_told_and_answers_nothing_of_anybody_elses(
    tmp_path: Path, one: str, other: str
):
    file = tmp_path / "m.db"
    async with await Memory.open(f"sqlite:///{file}") as memory:
        await memory.profile("acme", one).remember(ACCOUNT, key="account_number")
        with sqlite3.connect(file) as elsewhere:
            elsewhere.execute(
                "CREATE TRIGGER full BEFORE INSERT ON fact WHEN new.caller_id = "
                f"'{other}' BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )

        with pytest.raises(StoreError):
            await memory.profile("acme", other).remember("5533", key="account_number")

        assert (await memory.profile("acme", other).recall("account number")).found == ()
        assert await memory.profile("acme", other).facts(with_history=True) == ()
        assert await values(memory, one) == {ACCOUNT}


NO_IDS = ["", " ", "u1 ", " u1", "\t", "u\0", None, 5, [], "agent:u1"]


@pytest.mark.parametrize("caller_id", NO_IDS)
async def test_what_is_nobodys_name_is_refused_everywhere_and_nothing_is_touched(
    url: str, caller_id: Any
):
    async with await Memory.open(url) as memory:
        await memory.profile("acme", "u1").remember(ACCOUNT, key="account_number")
        call = memory.ring(tenant="acme", at=AT)
        tries: list[Callable[[], Any]] = [
            lambda: memory.profile("acme", caller_id),
            lambda: call.identify(caller_id, Assurance.VERIFIED),
            lambda: memory.moves.merge("acme", caller_id, "u1"),
            lambda: memory.moves.merge("acme", "u1", caller_id),
        ]
        if caller_id != "agent:u1":
            tries.append(lambda: memory.profile(caller_id, "u1"))
        for attempt in tries:
            with pytest.raises(UsageError):
                await attempt()

        assert await values(memory, "u1") == {ACCOUNT}
        assert call.call.caller_id is None


@pytest.mark.parametrize(
    ("tenant", "name"), [("acme", "nope"), ("acme", "U1"), ("Acme", "u1"), ("acme2", "u1")]
)
async def test_forgetting_somebody_who_is_not_there_is_refused_and_touches_nobody(
    url: str, tenant: str, name: str
):
    async with await Memory.open(url) as memory:
        await memory.profile("acme", "u1").remember(ACCOUNT, key="account_number")

        with pytest.raises(UsageError, match="no such profile"):
            await memory.profile(tenant, name).forget(everything=True)

        assert await values(memory, "u1") == {ACCOUNT}
        assert (await memory.profile(tenant, name).recall("account number")).found == ()


BAD_RINGS: list[dict[str, Any]] = [
    {"tenant": 5},
    {"tenant": " "},
    {"tenant": "a\0b"},
    {"call_id": ""},
    {"call_id": "room "},
    {"call_id": 7},
    {"at": AT.replace(tzinfo=None)},
    {"handles": "phone"},
    {"handles": [("phone",)]},
    {"handles": [("phone", 15550100199)]},
    {"handles": [("fax", "+15550100199")]},
    {"handles": [None]},
]


@pytest.mark.parametrize("given", BAD_RINGS, ids=lambda given: str(*given.items()))
async def test_a_call_that_cannot_be_is_refused_when_it_rings_and_leaves_nothing_behind(
    url: str, given: dict[str, Any]
):
    async with await Memory.open(url) as memory:
        with pytest.raises(UsageError):
            memory.ring(**{"tenant": "acme", **given})

        call = memory.ring(tenant="acme", at=AT)
        call.observe(turn(SAID))
        assert await call.end() is True
        assert len(await memory.keeping.calls("acme")) == 1


async def test_a_host_that_has_no_number_rings_as_nobody(url: str):
    async with await Memory.open(url) as memory:
        call = memory.ring(tenant="acme", handles=[("phone", None)])  # type: ignore[list-item]

        assert call.call.handles == ()


@pytest.mark.parametrize("caller_id", ["globex:dana", "globex/dana", "globex|dana"])
async def test_another_tenants_caller_is_refused_by_name_and_the_call_stays_as_it_was(
    url: str, caller_id: str
):
    async with await Memory.open(url) as memory:
        memory.ring(tenant="globex", at=AT)
        call = memory.ring(tenant="acme", at=AT)

        with pytest.raises(UsageError, match="another tenant"):
            await call.identify(caller_id, Assurance.VERIFIED)

        assert call.call.caller_id is None
        await call.identify("acme:dana", Assurance.VERIFIED)
        assert call.call.caller_id == "acme:dana"


async def test_a_claim_in_mid_call_does_not_make_a_verified_callers_call_another_ones(url: str):
    async with await Memory.open(url) as memory:
        call = memory.ring(tenant="acme", at=AT)
        await call.identify("dana", Assurance.VERIFIED)
        call.observe(turn(SAID))

        assert await call.identify("erik", Assurance.CLAIMED) is False

        await call.end()
        await memory.settle()
        assert await values(memory, "dana") == {ACCOUNT}
        assert await values(memory, "erik") == set()
