"""What is one thing is kept once, what is another stands beside it, and nothing merges them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ringback import Memory
from ringback.core.alignment import OfferedTurn
from ringback.core.decay import is_faded
from ringback.protocols import Swept
from ringback.records import Role, Source, Status
from ringback.schemas import GENERAL, SUPPORT, Field, Schema, ValueType
from tests.field.made import AT, SetClock, answers, briefing_of, current, dana, talk

pytestmark = pytest.mark.framework

CONTRACT = Field(
    key="contract",
    label="contract",
    sentence="The contract is {value}",
    sources=(Source.CALLER,),
    phrases=("mine is {value}", "my contract is {value}"),
)
REMINDER = Field(
    key="reminder",
    label="reminder",
    sentence="The reminder is set to {value}",
    sources=(Source.CALLER,),
    type=ValueType.NUMBER,
    phrases=("set the reminder to {value}",),
)
DESK = Schema(name="desk", fields=(*SUPPORT.fields, CONTRACT, REMINDER))
CODED = Schema(name="coded", fields=(replace(CONTRACT, type=ValueType.CODE),))


@pytest.mark.parametrize(
    ("schema", "line", "own", "mothers"),
    [
        (
            DESK,
            "Mine is Waterline North supply contract 55810-7 and my mother's is "
            "Waterline North supply contract 55810-8.",
            "Waterline North supply contract 55810-7",
            "Waterline North supply contract 55810-8",
        ),
        (
            SUPPORT,
            "My contract number is 55810-7 and my mother's contract number is 55810-8.",
            "558107",
            "558108",
        ),
        (CODED, "My mother's is 55810-8, mine is 55810-7.", "55810-7", "55810-8"),
    ],
)
async def test_two_codes_that_differ_in_a_digit_are_two_peoples(
    url: str, schema: Schema, line: str, own: str, mothers: str
):
    async with await Memory.open(url, schema=schema) as memory:
        await talk(memory, f"c: {line}")
        profile = dana(memory)

        facts = await profile.facts()
        asked = [one.fact for one in (await profile.recall("55810-8")).found if one.fact]

        assert {fact.subject: fact.value for fact in facts} == {
            "self": own,
            "person:mother": mothers,
        }
        assert [fact.value for fact in asked] == [mothers]


async def test_the_neighbour_of_a_code_is_not_found_though_nothing_else_is_known(url: str):
    async with await Memory.open(url) as memory:
        await talk(memory, "c: My account number is 55810-7.")

        assert await answers(dana(memory), "account number 55810-8") == []
        assert await answers(dana(memory), "account number 55810-7")


@pytest.mark.parametrize(
    ("schema", "line", "kept"),
    [
        (
            DESK,
            "Set the reminder to two seconds, yes two seconds, so two seconds then.",
            [("reminder", "2 seconds")],
        ),
        (DESK, "My account number is 4821, yes 4821, so 4821.", [("account_number", "4821")]),
        (GENERAL, "I love opera, yes opera, I really love opera.", [("likes", "opera")]),
    ],
)
async def test_what_is_said_again_and_again_is_one_fact_however_often_it_is_read(
    url: str, schema: Schema, line: str, kept: list[tuple[str, str]]
):
    said = OfferedTurn(Role.CALLER, line, at=AT)
    async with await Memory.open(url, schema=schema) as memory:
        profile = dana(memory)
        await profile.ingest([said], conversation="one")
        await memory.settle()
        first = await profile.facts(with_history=True)

        await profile.ingest([said], conversation="one")
        await profile.ingest(
            [said, OfferedTurn(Role.AGENT, "Thank you.", at=AT)], conversation="one"
        )
        await memory.settle()
        await memory.keeping.sweep(now_at=AT, words_before=None)

        assert await current(profile) == kept
        assert await profile.facts(with_history=True) == first


async def test_things_that_resemble_each_other_in_a_row_stay_apart(url: str):
    notes = {
        "oats": "eats oats before training",
        "basketball": "trains basketball at school",
        "school moved": "school moved to Porto",
        "flights": "Porto flights on Fridays",
    }
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        for note in notes.values():
            await profile.remember(note)
        await memory.keeping.sweep(now_at=AT, words_before=None)
        for note in notes.values():
            await profile.remember(note)

        assert await current(profile) == sorted(("note", note) for note in notes.values())
        for question, note in notes.items():
            (best, *_) = (await profile.recall(question)).found
            assert best.fact is not None
            assert best.fact.value == note


async def test_seven_nights_of_housekeeping_end_nothing_that_has_not_expired(url: str):
    clock = SetClock()
    topics = ("the boiler", "the garden", "the train to Ghent")
    notes = [f"{topics[place % 3]}, matter {place}" for place in range(100)]
    async with await Memory.open(url, schema=GENERAL, clock=clock) as memory:
        profile = dana(memory)
        for note in notes:
            await profile.remember(note)
        await talk(memory, "c: My heating is broken.")
        before = await profile.facts()

        swept = []
        for _ in range(7):
            clock.at += timedelta(days=1)
            swept.append(await memory.keeping.sweep(now_at=clock.at, words_before=None))

        assert swept == [Swept()] * 7
        assert await profile.facts() == before
        assert len(before) == 101
        assert len(await answers(profile, "garden matter")) == 5

        clock.at += timedelta(days=100)
        last = await memory.keeping.sweep(now_at=clock.at, words_before=None)

        assert last == Swept(facts_expired=1)
        ended = [
            fact for fact in await profile.facts(with_history=True) if fact.status is Status.EXPIRED
        ]
        assert [fact.key for fact in ended] == ["open_matter"]
        assert {fact.value for fact in await profile.facts()} == set(notes)


async def test_what_has_faded_is_no_longer_offered_but_answers_when_it_is_asked_for(url: str):
    clock = SetClock()
    async with await Memory.open(url, schema=GENERAL, clock=clock) as memory:
        await talk(memory, "c: I love opera.")
        profile = dana(memory)
        offered = await briefing_of(memory)

        clock.at += timedelta(days=5 * 365)
        await memory.keeping.sweep(now_at=clock.at, words_before=None)
        later = await briefing_of(memory)

        (fact,) = await profile.facts()
        assert is_faded(fact, now_at=clock.at)
        assert "likes opera" in offered
        assert "likes opera" not in later
        assert "The caller likes opera" in await answers(profile, "opera")
