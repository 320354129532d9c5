"""Of two statements that cannot both hold, one is current and the other is history."""

from __future__ import annotations

import pytest

from ringback import Memory
from ringback.records import Action
from ringback.schemas import GENERAL, SUPPORT, Schema
from tests.field.made import briefing_of, current, dana, past, summary_of, talk

pytestmark = pytest.mark.framework


@pytest.mark.parametrize(
    ("schema", "january", "june", "key", "old", "new"),
    [
        (
            GENERAL,
            "I'm vegetarian.",
            "I've gone back to eating meat.",
            "diet",
            "vegetarian",
            "meat",
        ),
        (GENERAL, "I live in Porto.", "I moved to Lisbon.", "home_town", "Porto", "Lisbon"),
        (
            SUPPORT,
            "Text me, don't call.",
            "Please call me, don't text.",
            "contact_preference",
            "text",
            "phone call",
        ),
    ],
)
async def test_the_newer_statement_is_current_and_the_older_one_history(
    url: str, schema: Schema, january: str, june: str, key: str, old: str, new: str
):
    async with await Memory.open(url, schema=schema) as memory:
        await talk(memory, f"c: {january}")
        await talk(memory, f"c: {june}", days=150)
        profile = dana(memory)

        (label,) = [field.label for field in schema.fields if field.key == key]
        named = [one.fact for one in (await profile.recall(label)).found if one.fact]

        assert await current(profile) == [(key, new)]
        assert await past(profile) == [(key, old)]
        assert {fact.value for fact in named} == {new}
        told = await briefing_of(memory)
        assert new in told
        assert old not in told.replace(june, "")


async def test_what_no_longer_holds_leaves_nothing_in_its_place(url: str):
    async with await Memory.open(url, schema=GENERAL) as memory:
        await talk(memory, "c: I'm vegan.")
        await talk(memory, "c: I'm not vegan any more.", days=150)

        assert await current(dana(memory)) == []
        assert await past(dana(memory)) == [("diet", "vegan")]


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        ((["c: I love opera."], ["c: I can't stand opera any more."]), ("dislikes", "opera")),
        ((["c: I love opera.", "c: I can't stand opera any more."],), ("dislikes", "opera")),
        ((["c: I don't like jazz."], ["c: I love jazz now."]), ("likes", "jazz")),
        ((["c: 我喜歡咖啡。"], ["c: 我討厭咖啡。"]), ("dislikes", "咖啡")),
    ],
)
async def test_a_change_of_mind_leaves_one_attitude_and_never_none(
    url: str, calls: tuple[list[str], ...], left: tuple[str, str]
):
    async with await Memory.open(url, schema=GENERAL) as memory:
        for place, lines in enumerate(calls):
            await talk(memory, *lines, days=30 * place)
            kept = await current(dana(memory))
            assert len(kept) == 1

        assert kept == [left]


@pytest.mark.parametrize(
    ("caller", "agent", "kept"),
    [
        (
            "did my parcel clear customs?",
            "Actually yes. Quick update: it left Leipzig at noon.",
            [],
        ),
        (
            "My account number is 4821.",
            "Actually, sorry, correction: I mean 4812, no wait.",
            [("account_number", "4821")],
        ),
        (
            "Text me, please.",
            "Actually no, I'd rather call you instead.",
            [("contact_preference", "text")],
        ),
    ],
)
async def test_an_agents_actually_corrects_nothing_that_the_caller_said(
    url: str, caller: str, agent: str, kept: list[tuple[str, str]]
):
    async with await Memory.open(url, schema=SUPPORT) as memory:
        await talk(memory, f"c: {caller}", f"a: {agent}")
        profile = dana(memory)

        made = {decision.action for decision in await profile.decisions()}

        assert await current(profile) == kept
        assert made <= {Action.ADD}
        assert "correct" not in await summary_of(memory)
