"""Several people call from one number: nobody is told of another, and each is known again."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, CallHandle, Memory, MemorySettings
from ringback.core import households
from ringback.records import Sensitivity, Source
from ringback.schemas import Field, Schema, ValueType
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+1 555 010 0199")]
SHARED = "Several people call from this number."
MEDICINES = Schema(
    name="medicines",
    fields=(
        Field(
            key="name",
            label="name",
            sentence="The caller's name is {value}",
            sources=(Source.CALLER,),
            type=ValueType.PERSON,
        ),
        Field(
            key="medicine",
            label="medicine",
            sentence="The caller takes {value}",
            sources=(Source.CALLER,),
            sensitivity=Sensitivity.PERSONAL,
            phrases=("I take {value}", "我在吃{value}"),
        ),
    ),
)


@pytest.fixture
async def memory(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    async with await Memory.open(
        url, schema=MEDICINES, settings=MemorySettings(drain_ms=5_000)
    ) as memory:
        yield memory


async def ring(memory: Memory, day: int) -> CallHandle:
    call = memory.ring(tenant="acme", handles=NUMBER, at=AT + timedelta(days=day))
    await call.briefed()
    return call


async def hear(call: CallHandle, memory: Memory, *lines: str) -> str:
    """Say something, and give what the model is told by then and once all is settled."""
    for line in lines:
        await call.observe(turn(line, call.call.started_at)).committed()
    at_once = call.context().briefing
    await memory.settle()
    await call.briefed()
    return f"{at_once}\n{call.context().briefing}"


async def whole_call(memory: Memory, day: int, *lines: str) -> CallHandle:
    call = await ring(memory, day)
    await hear(call, memory, *lines)
    await call.end()
    await memory.settle()
    return call


async def monday(memory: Memory) -> str | None:
    """Aurelio's first call."""
    call = await whole_call(memory, 0, "c: Hello, this is Aurelio.", "c: I take warfarin.")
    view = await memory.keeping.call("acme", call.call.id)
    assert view is not None
    return view.call.caller_id


async def owner(memory: Memory, call: CallHandle) -> str | None:
    view = await memory.keeping.call("acme", call.call.id)
    return None if view is None else view.call.caller_id


async def values(memory: Memory, caller_id: str | None) -> set[str]:
    assert caller_id is not None
    return {fact.value for fact in await memory.profile("acme", caller_id).facts()}


@pytest.mark.parametrize(
    "line",
    [
        "c: It's Beatrix this time, what medicine do I take?",
        "c: it's beatrix this time. what medicine do i take?",
        "c: This is Beatrix, his wife. What medicine do I take?",
        "c: I'm his wife. What medicine do I take?",
        "c: Hi, this is Aurelio's wife.",
        "c: Hello, I'm not Aurelio.",
        "c: 我是他太太,我在吃什麼藥?",
    ],
)
async def test_another_voice_on_the_number_is_told_nothing_of_the_first(memory: Memory, line: str):
    aurelio = await monday(memory)
    call = await ring(memory, 1)
    assert "warfarin" in call.context().briefing

    told = await hear(call, memory, line, "c: I take metformin.")
    await call.end()
    await memory.settle()

    assert "warfarin" not in told
    assert "Aurelio" not in told
    beatrix = await owner(memory, call)
    assert beatrix not in (aurelio, None)
    assert await values(memory, aurelio) == {"Aurelio", "warfarin"}
    assert "metformin" in await values(memory, beatrix)
    view = await memory.keeping.call("acme", call.call.id)
    assert view is not None
    assert view.call.assurance is Assurance.CLAIMED


@pytest.mark.parametrize(
    "line",
    [
        "c: Hello, this is Aurelio again.",
        "c: This is Orelio.",
        "c: My name is spelled A-U-R-E-L-I-O.",
        "c: You have my name wrong, my name is Marco.",
        "c: Beatrix said my name is on the list.",
        "c: She told me: my name is Rosa.",
        "c: My wife's name is Beatrix.",
        "c: My wife Beatrix called, I'm her husband.",
        "c: I'm calling for Beatrix.",
        "c: I am fine, thanks.",
        "c: 我太太叫美麗。",
    ],
)
async def test_the_same_person_stays_who_they_are(memory: Memory, line: str):
    aurelio = await monday(memory)
    call = await ring(memory, 1)

    told = await hear(call, memory, line)

    assert await owner(memory, call) == aurelio
    assert told.count("warfarin") == 2


@pytest.mark.parametrize(
    "lines",
    [
        ("c: My husband called yesterday.", "c: I'm his wife."),
        ("c: 我先生昨天打過電話。", "c: 我是他太太。"),
    ],
)
async def test_whoever_speaks_of_their_own_husband_first_is_told_of_themselves_again(
    memory: Memory, lines: tuple[str, ...]
):
    first = await whole_call(memory, 0, "c: Hello, this is Carla.", "c: I take warfarin.")
    carla = await owner(memory, first)
    call = await ring(memory, 1)

    for line in lines:
        await hear(call, memory, line)
    told = await hear(call, memory, "c: What medicine do I take?")

    assert await owner(memory, call) == carla
    assert "warfarin" in told


async def test_somebody_else_of_whom_it_stays_in_doubt_who_they_are_is_told_of_nobody(
    memory: Memory,
):
    first = await whole_call(memory, 0, "c: Hello, this is Carla.", "c: I take warfarin.")
    carla = await owner(memory, first)
    for one in ("alex-1", "alex-2"):
        other = await ring(memory, 1)
        await other.identify(one, Assurance.VERIFIED, handles=NUMBER)
        await hear(other, memory, "c: Hello, this is Alex.", "c: I take metformin.")
        await other.end()
    call = await ring(memory, 2)
    assert carla is not None
    await call.identify(carla, Assurance.CLAIMED)
    assert "warfarin" in await hear(call, memory, "c: Hello there.")

    told = await hear(call, memory, "c: This is Alex.", "c: What medicine do I take?")

    assert await owner(memory, call) == carla
    assert not any(word in told for word in ("warfarin", "metformin", "Carla"))


async def test_a_shared_number_names_nobody_until_one_of_them_says_who_they_are(memory: Memory):
    aurelio = await monday(memory)
    first = await whole_call(memory, 1, "c: It's Beatrix this time.", "c: I take metformin.")
    beatrix = await owner(memory, first)

    call = await ring(memory, 2)
    unnamed = call.context().briefing
    told = await hear(call, memory, "c: Hello, Beatrix here.")

    assert SHARED in unnamed
    assert not any(word in unnamed for word in ("warfarin", "metformin", "Aurelio", "Beatrix"))
    assert "metformin" in told
    assert "warfarin" not in told
    assert await owner(memory, call) == beatrix
    again = await ring(memory, 3)
    assert "warfarin" in await hear(again, memory, "c: This is Aurelio.")
    assert await owner(memory, again) == aurelio


async def test_whoever_never_says_who_they_are_on_a_shared_number_is_nobody(memory: Memory):
    await monday(memory)
    await whole_call(memory, 1, "c: It's Beatrix this time.")

    call = await whole_call(memory, 2, "c: I take aspirin.")

    assert await owner(memory, call) is None
    assert SHARED in (await ring(memory, 3)).context().briefing


async def test_a_wife_without_a_name_is_the_same_wife_next_time(memory: Memory):
    await monday(memory)
    first = await whole_call(memory, 1, "c: 我是他太太。", "c: 我在吃阿斯匹靈。")

    call = await ring(memory, 2)
    told = await hear(call, memory, "c: 我是他太太。")

    assert await owner(memory, call) == await owner(memory, first)
    assert "阿斯匹靈" in told


async def test_what_the_other_said_first_does_not_stay_with_the_first(memory: Memory):
    aurelio = await monday(memory)
    call = await ring(memory, 1)
    await hear(call, memory, "c: I take metformin.")
    assert await values(memory, aurelio) == {"Aurelio", "metformin"}

    told = await hear(call, memory, "c: It's Beatrix this time.")

    assert "warfarin" not in told
    assert await values(memory, aurelio) == {"Aurelio", "warfarin"}
    assert await values(memory, await owner(memory, call)) == {"Beatrix", "metformin"}


async def test_two_who_only_say_that_they_are_not_the_first_share_nothing(memory: Memory):
    aurelio = await monday(memory)
    first = await whole_call(memory, 1, "c: I'm not Aurelio.", "c: I take metformin.")

    call = await ring(memory, 2)
    told = call.context().briefing + await hear(call, memory, "c: I'm not Aurelio.")
    await call.end()

    assert not any(word in told for word in ("metformin", "warfarin", "Aurelio"))
    assert await owner(memory, first) not in (aurelio, await owner(memory, call))
    assert await values(memory, aurelio) == {"Aurelio", "warfarin"}


async def test_two_on_the_line_at_once_who_are_both_not_the_first_share_nothing(memory: Memory):
    aurelio = await monday(memory)
    first, second = await ring(memory, 1), await ring(memory, 1)
    await hear(first, memory, "c: My internet is down.")
    await hear(second, memory, "c: My internet is slow.")

    await hear(first, memory, "c: I'm not Aurelio.", "c: I take metformin.")
    told = await hear(second, memory, "c: I'm not Aurelio.")

    assert not any(word in told for word in ("metformin", "warfarin", "Aurelio"))
    assert await owner(memory, first) not in (None, aurelio, await owner(memory, second))
    assert await owner(memory, second) not in (None, aurelio)


@pytest.mark.parametrize("again", ["c: This is Aurelio.", "c: This is Aurelio Moreno."])
async def test_another_person_after_the_first_has_said_their_own_name_is_told_nothing(
    memory: Memory, again: str
):
    aurelio = await monday(memory)
    call = await ring(memory, 1)
    first = await hear(call, memory, again)
    assert "warfarin" in first

    await call.end()
    await memory.settle()
    later = await ring(memory, 2)
    await hear(later, memory, again)
    told = await hear(later, memory, "c: This is Beatrix.")

    assert "warfarin" not in told
    assert await owner(memory, later) not in (None, aurelio)


async def test_whom_the_application_verified_no_spoken_name_moves(memory: Memory):
    aurelio = await monday(memory)
    assert aurelio is not None
    call = await ring(memory, 1)
    await call.identify(aurelio, Assurance.VERIFIED)

    told = await hear(call, memory, "c: It's Beatrix this time.")

    assert await owner(memory, call) == aurelio
    assert told.count("warfarin") == 2


async def test_whom_the_application_verifies_while_a_name_is_weighed_no_spoken_name_moves(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    aurelio = await monday(memory)
    assert aurelio is not None
    call = await ring(memory, 1)
    await hear(call, memory, "c: My internet is down.")
    weighed = households.another

    def another(*arguments: Any) -> str | None:
        nonlocal verified
        verified = verified or asyncio.ensure_future(call.identify(aurelio, Assurance.VERIFIED))
        return weighed(*arguments)

    verified: asyncio.Future[bool] | None = None
    monkeypatch.setattr(households, "another", another)
    told = await hear(call, memory, "c: It's Beatrix this time.")

    assert verified is not None
    assert await verified
    assert await owner(memory, call) == aurelio
    view = await memory.keeping.call("acme", call.call.id)
    assert view is not None
    assert view.call.assurance is Assurance.VERIFIED
    assert "warfarin" in told
