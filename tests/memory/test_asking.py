"""What a profile answers to questions that name no key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.profile import Profile
from ringback.recollection import Channel
from ringback.schemas.general import GENERAL
from ringback.testing import HashEmbedder

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


@pytest.fixture
async def dana() -> AsyncIterator[Profile]:
    async with await Memory.open("memory:", schema=GENERAL) as memory:
        profile = memory.profile("acme", "dana")
        await profile.remember("the new app", key="unhappy_with")
        await profile.remember("the technician", key="pleased_with")
        await profile.remember("never loses patience", key="trait")
        yield profile


async def test_how_somebody_feels_is_found_by_what_it_is_about(dana: Profile):
    answer = await dana.recall("Are they satisfied with the app?")

    assert [one.fact.value for one in answer.found if one.fact] == ["the new app"]
    assert Channel.PERSONA in answer.found[0].channels


async def test_what_somebody_is_like_is_found_by_the_trait(dana: Profile):
    answer = await dana.recall("Is she patient?")

    assert [one.fact.value for one in answer.found if one.fact] == ["never loses patience"]


async def test_a_feeling_answers_no_question_about_something_else(dana: Profile):
    answer = await dana.recall("When does the technician come with the new router?")

    assert answer.found == ()


async def test_the_way_can_be_left_out(dana: Profile):
    others = [channel for channel in Channel if channel is not Channel.PERSONA]

    answer = await dana.recall("Is she patient?", channels=others)

    assert answer.found == ()


async def answers_by(channel: Channel, question: str) -> list[str]:
    async with await Memory.open("memory:", schema=GENERAL, embedder=HashEmbedder()) as memory:
        profile = memory.profile("acme", "dana")
        turn = OfferedTurn(
            Role.CALLER, "Last spring I bought the green boat.", at=AT, speaker="Rosa"
        )
        await profile.ingest([turn])
        await memory.settle()
        await memory.indexed()
        answer = await profile.recall(question, channels=[channel])
    assert answer.missed == ()
    return [one.text for one in answer.found]


async def test_what_was_said_is_found_by_the_likely_answer():
    hits = await answers_by(Channel.HYPOTHESIS, "When did Rosa buy the green boat?")

    assert hits == ["Last spring I bought the green boat."]


async def test_without_a_likely_answer_there_is_nothing_to_look_for():
    assert await answers_by(Channel.HYPOTHESIS, "Rosa and the green boat") == []
