"""What a profile's answer looks like when it is laid before a language model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from ringback import Assurance, Memory, MemorySettings, Role
from ringback.core.alignment import OfferedTurn
from ringback.core.briefing import GUARD
from ringback.errors import InferenceUnavailableError
from ringback.profile import Profile
from ringback.schemas.general import GENERAL

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
QUESTION = "What is my dog called?"


class Scripted:
    """Writes what it is told to; an error is raised."""

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        self.asked.append(text)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Endless(Scripted):
    """Never answers."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        await asyncio.Event().wait()
        return ""


@asynccontextmanager
async def profile_of(generator: Any = None, **bounds: Any) -> AsyncIterator[Profile]:
    memory = await Memory.open(
        "memory:", schema=GENERAL, generator=generator, settings=MemorySettings(**bounds)
    )
    async with memory:
        profile = memory.profile("acme", "dana")
        await profile.remember("Biscuit", key="pet")
        await profile.remember("12 Oak Street", key="address")
        yield profile


async def synthesis_by(generator: Any, **bounds: Any) -> str:
    async with profile_of(generator, **bounds) as profile:
        return await profile.synthesis(QUESTION, assurance=Assurance.VERIFIED)


async def test_an_answer_is_lines_behind_a_guard():
    async with profile_of() as profile:
        text = await profile.recalled_text(QUESTION, assurance=Assurance.VERIFIED)

    guard, line = text.splitlines()
    assert guard == GUARD
    assert "Biscuit" in line


async def test_whoever_is_not_verified_is_not_told_what_is_sensitive():
    async with profile_of() as profile:
        asked = "What is my address?"
        claimed = await profile.recalled_text(asked, assurance=Assurance.CLAIMED)
        verified = await profile.recalled_text(asked, assurance=Assurance.VERIFIED)

    assert claimed == ""
    assert "12 Oak Street" in verified


async def test_an_answer_keeps_to_the_models_own_count_of_tokens():
    async with profile_of() as profile:
        text = await profile.recalled_text(
            QUESTION, assurance=Assurance.VERIFIED, max_tokens=3, count=lambda text: len(text)
        )

    assert text == ""


async def test_a_model_puts_what_was_found_into_a_sentence():
    generator = Scripted("The dog is called Biscuit.")

    assert await synthesis_by(generator) == "The dog is called Biscuit."
    assert QUESTION in generator.asked[0]
    assert "pet, Biscuit" in generator.asked[0]


@pytest.mark.parametrize(
    "generator",
    [
        None,
        Scripted("The dog is called Rex."),
        Scripted(""),
        Scripted(InferenceUnavailableError("nobody is there")),
    ],
)
async def test_without_a_grounded_sentence_the_lines_are_the_answer(generator: Any):
    text = await synthesis_by(generator)

    assert text.startswith(GUARD)
    assert "Biscuit" in text


async def test_a_model_that_takes_too_long_is_not_waited_for():
    assert (await synthesis_by(Endless(""), prose_ms=20)).startswith(GUARD)


async def test_where_nothing_is_known_no_model_is_asked():
    generator = Scripted("The dog is called Biscuit.")
    async with profile_of(generator) as profile:
        text = await profile.synthesis("How tall is Mount Fuji?", assurance=Assurance.VERIFIED)

    assert (text, generator.asked) == ("", [])


async def test_what_was_sensitive_and_ended_is_told_from_no_turn():
    async with await Memory.open("memory:", schema=GENERAL) as memory:
        profile = memory.profile("acme", "dana")
        await profile.ingest([OfferedTurn(Role.CALLER, "My address is 12 Oak Street.", at=AT)])
        await memory.settle()
        (fact,) = await profile.facts()
        await profile.retire(fact.id)
        late = OfferedTurn(Role.CALLER, "The van was at 12 Oak Street again.", at=AT)
        await profile.ingest([late], conversation="later")
        await memory.settle()

        asked = "What did I say on 3 March 2026?"
        claimed = await profile.recalled_text(asked, assurance=Assurance.CLAIMED)
        verified = await profile.recalled_text(asked, assurance=Assurance.VERIFIED)

    assert claimed == ""
    assert "12 Oak Street" in verified
