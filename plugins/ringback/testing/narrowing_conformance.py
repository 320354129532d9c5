"""What every store narrows by: names it heard, keys, and what links a profile with others."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from dataclasses import replace

from ringback.protocols import TurnObserved
from ringback.recollection import Heard
from ringback.records import Fact, Status
from ringback.testing.made_records import (
    LATER_AT,
    TENANT,
    Backend,
    added,
    attach,
    fact,
    opened,
    record,
    said,
)


def _fact(value: str, *, key: str = "note", position: int = 0, **fields: object) -> Fact:
    made = fact(value, key=key, position=position, call_id="application:1")
    return replace(made, caller_id="dana", **fields)  # type: ignore[arg-type]


def _said_by(speaker: str, position: int, text: str) -> TurnObserved:
    entry = said(position, text)
    return replace(entry, turn=replace(entry.turn, speaker=speaker))


async def a_name_is_heard_as_a_speaker_and_as_a_mention(store: Backend) -> None:
    spoken = [_said_by("Rosa Alvarez", 0, "hello"), _said_by("Erik", 1, "Rosa, is that you?")]
    await record(store, opened(), *spoken)
    await attach(store)
    await store.write(TENANT, added(_fact("Rosa likes lamps")))

    heard = await store.heard(TENANT, "dana", names=("Rosa", "Rosa Alvarez", "erik", "Milo"))

    assert heard == {"Rosa": Heard(1, 2), "Rosa Alvarez": Heard(1, 0), "erik": Heard(1, 0)}


async def a_name_is_not_heard_of_elsewhere_or_after_it_is_gone(store: Backend) -> None:
    await record(store, opened(), _said_by("Rosa", 0, "hello"))
    before = await store.heard(TENANT, "dana", names=("Rosa",))

    await attach(store)
    there = await store.heard(TENANT, "dana", names=("Rosa",))
    await attach(store, caller_id="dora")

    assert (before, there) == ({}, {"Rosa": Heard(1, 0)})
    assert await store.heard(TENANT, "dana", names=("Rosa",)) == {}
    assert await store.heard(TENANT, "dora", names=("Rosa",)) == there
    assert await store.heard("other", "dora", names=("Rosa",)) == {}


async def facts_that_link_a_profile_with_others_are_told_apart(store: Backend) -> None:
    name = _fact("Dana", key="name")
    mother = _fact("Rosa", key="mother", position=2, object="person:rosa")
    hers = _fact("tea", position=4, subject="person:rosa")
    gone = _fact("Rosie", key="alias", position=6, status=Status.RETIRED)
    await store.write(TENANT, added(hers, mother, name, gone, _fact("a lamp", position=8)))

    assert await store.linked(TENANT, "dana") == (name, mother, hers)
    assert await store.linked(TENANT, "dana", limit=1) == (hers,)
    assert await store.linked(TENANT, "erik") == ()


async def one_fact_can_stand_for_all_that_speak_of_the_same(store: Backend) -> None:
    mother = _fact("Rosa", key="mother", object="person:rosa")
    alias = _fact("Rosie", key="alias", position=1, subject="person:rosa")
    lasting = _fact("tea", position=2, subject="person:rosa")
    passing = _fact("a cold", position=4, subject="person:rosa", expires_at=LATER_AT)
    denied = _fact("a dog", position=6, subject="person:milo", is_withdrawal=True)
    await store.write(TENANT, added(mother, alias, lasting, passing, denied))

    linked = await store.linked(TENANT, "dana", one_each=True)

    assert linked == (mother, alias, lasting)


async def facts_of_some_keys_are_of_every_status_that_is_asked_for(store: Backend) -> None:
    old = _fact("555", key="phone", status=Status.SUPERSEDED)
    phone, email = _fact("556", key="phone", position=2), _fact("a@b.example", key="email")
    await store.write(TENANT, added(old, phone, email))
    both = tuple(Status)

    assert await store.facts(TENANT, caller_id="dana", keys=("phone",)) == (phone,)
    assert await store.facts(TENANT, caller_id="dana", statuses=both, keys=("phone",)) == (
        old,
        phone,
    )
    assert await store.facts(TENANT, call_id=phone.call_id, keys=("phone",)) == (phone,)
    assert await store.facts(TENANT, caller_id="dana", keys=()) == ()


async def facts_are_looked_up_by_their_keys(store: Backend) -> None:
    phone = _fact("555", key="phone")
    newer = _fact("556", key="phone", position=2)
    old = _fact("554", key="phone", position=4, status=Status.SUPERSEDED)
    email = _fact("a@b.example", key="email", position=6)
    await store.write(TENANT, added(newer, phone, old, email, _fact("a lamp", position=8)))

    assert await store.with_keys(TENANT, "dana", ("phone", "email")) == (phone, newer, email)
    assert await store.with_keys(TENANT, "dana", ("phone",), limit=1) == (newer,)
    assert await store.with_keys(TENANT, "dana", ()) == ()
    assert await store.with_keys(TENANT, "erik", ("phone",)) == ()
