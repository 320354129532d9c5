"""What a profile answers to questions that name no key."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from ringback import Memory
from ringback.profile import Profile
from ringback.recollection import Channel
from ringback.schemas.general import GENERAL

pytestmark = pytest.mark.framework


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
