"""Questions that a language model writes are found by, and go with what they were written for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ringback import Assurance, Memory, MemorySettings, OfferedTurn, Role, Turn
from ringback.background.indexer import Indexer
from ringback.background.question_writer import LOOKED_AT, QuestionWriter, question_index
from ringback.background.thinking import Thinking
from ringback.background.workplace import Workplace
from ringback.background.yielding import GiveWay
from ringback.clock import SystemClock
from ringback.errors import InferenceError, InferenceUnavailableError
from ringback.profile import Profile
from ringback.protocols import Completion
from ringback.recollection import Channel
from ringback.schemas import SUPPORT
from ringback.stores import MemoryStore
from ringback.testing import HashEmbedder
from ringback.testing.made_index import index_all
from ringback.testing.made_records import attach, ended, opened as opened_call, record, said

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
SAID = "Rosa: we painted the whole attic turquoise."
QUESTION = "Which colour did Rosa choose upstairs?"


class Asker:
    """Writes the same questions for every note."""

    def __init__(self, *questions: str, error: Exception | None = None, at_word: str = "") -> None:
        self.answer = json.dumps({"questions": questions})
        self.error = error
        self.at_word = at_word
        self.notes: list[str] = []

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        self.notes.append(text)
        json.dumps(shape)  # as every client does
        if self.error is not None and self.at_word in text:
            raise self.error
        return Completion(self.answer, prompt_tokens=100, completion_tokens=20)


@asynccontextmanager
async def opened(asker: Any, url: str = "memory:", **bounds: Any) -> AsyncIterator[Memory]:
    settings = MemorySettings(**{"poll_ms": 60_000, "first_pause_ms": 60_000, **bounds})
    async with await Memory.open(
        url, embedder=HashEmbedder(), question_writer=asker, settings=settings
    ) as memory:
        yield memory


async def told(memory: Memory, *lines: str) -> Profile:
    profile = memory.profile("acme", "dana")
    turns = [OfferedTurn(Role.CALLER, line, at=AT, speaker="Rosa") for line in lines]
    await profile.ingest(turns)
    await memory.settle()
    await memory.indexed()
    return profile


async def by_questions(profile: Profile) -> list[str]:
    answer = await profile.recall(QUESTION, channels=[Channel.QUESTIONS])
    return [one.text for one in answer.found]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_a_turn_is_found_by_a_question_that_was_written_for_it(kind: str, tmp_path: Any):
    url = "memory:" if kind == "memory" else f"sqlite:///{tmp_path / 'm.db'}"
    async with opened(Asker(QUESTION), url) as memory:
        profile = await told(memory, SAID)

        assert await by_questions(profile) == [SAID]
        assert memory.reading_counts() == {
            "questions_requests": 1,
            "questions_written": 1,
            "questions_capped": 0,
        }


async def test_without_a_writer_there_are_none():
    async with opened(None) as memory:
        profile = await told(memory, SAID)

        assert memory.reading_counts() == {}
        assert await by_questions(profile) == []


async def test_nothing_is_written_twice():
    asker = Asker(QUESTION)
    async with opened(asker) as memory:
        await told(memory, SAID)
        await memory.indexed()
        await memory.indexed()

    assert len(asker.notes) == 1


async def test_another_process_writes_nothing_twice_either(tmp_path: Any):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    async with opened(Asker(QUESTION), url) as memory:
        await told(memory, SAID)
        await memory.indexed()
    asker = Asker(QUESTION)
    async with opened(asker, url) as memory:
        await memory.indexed()
        found = await by_questions(memory.profile("acme", "dana"))

    assert (asker.notes, found) == ([], [SAID])


async def test_what_is_forgotten_takes_its_questions_along():
    async with opened(Asker(QUESTION)) as memory:
        profile = await told(memory, SAID)
        await memory.indexed()
        await profile.forget(everything=True)

        assert await by_questions(profile) == []


async def test_they_are_written_again_after_a_reindex():
    asker = Asker(QUESTION)
    async with opened(asker) as memory:
        await told(memory, SAID)
        await memory.indexed()
        await memory.reindex()
        await memory.indexed()

    assert len(asker.notes) == 2


@pytest.mark.parametrize("line", ["Thank you so much.", "When does the plumber come?", "Okay."])
async def test_courtesy_and_questions_are_not_worth_it(line: str):
    asker = Asker(QUESTION)
    async with opened(asker) as memory:
        await told(memory, line)
        await memory.indexed()

    assert asker.notes == []


async def test_no_call_costs_more_than_its_caps():
    asker = Asker(QUESTION)
    lines = [f"We painted room {n} turquoise in spring." for n in range(5)]
    async with opened(asker, reading_calls=2) as memory:
        await told(memory, *lines)
        counts = memory.reading_counts()

    assert len(asker.notes) == 2
    assert counts["questions_capped"] == 3


async def test_a_call_that_goes_on_is_not_written_for():
    asker = Asker(QUESTION)
    async with opened(asker) as memory:
        call = memory.ring(tenant="acme", call_id="c1")
        await call.identify("dana", Assurance.VERIFIED)
        call.observe(Turn(Role.CALLER, "We painted the attic turquoise.", at=AT))
        await memory.settle()
        await memory.indexed()
        during = len(asker.notes)
        await call.end()
        await memory.settle()
        await memory.indexed()

    assert (during, len(asker.notes) > 0) == (0, True)


async def test_a_long_call_that_goes_on_keeps_no_older_one_from_its_questions():
    asker = Asker(QUESTION)
    async with opened(asker) as memory:
        call = memory.ring(tenant="acme", call_id="c1")
        await call.identify("erik", Assurance.VERIFIED)
        for n in range(LOOKED_AT):
            later_at = AT + timedelta(minutes=1 + n)
            call.observe(Turn(Role.CALLER, f"We painted room {n} turquoise.", at=later_at))
        profile = await told(memory, SAID)

        assert await by_questions(profile) == [SAID]


async def test_a_model_that_does_not_answer_loses_nothing():
    asker = Asker(QUESTION, error=InferenceUnavailableError("nobody is there"))
    async with opened(asker) as memory:
        profile = await told(memory, SAID)
        await memory.indexed()
        asker.error = None
        await memory.indexed()

        assert await by_questions(profile) == [SAID]


async def test_a_memory_that_a_model_refuses_keeps_no_other_from_its_questions():
    asker = Asker(QUESTION, error=InferenceError("it is too long"), at_word="cellar")
    async with opened(asker, attempts=2) as memory:
        profile = await told(memory, SAID, "We painted the whole cellar grey.")
        for _ in range(3):
            await memory.indexed()

        assert await by_questions(profile) == [SAID]
        assert sum("grey" in note for note in asker.notes) == 2


async def test_vectors_of_an_older_embedder_go_without_the_questions_of_the_new_one():
    asker, embedder, store = Asker(QUESTION), HashEmbedder(), MemoryStore()
    await record(store, opened_call(), said(0, SAID), ended())
    await attach(store)
    await index_all(store, HashEmbedder("old", 32))
    settings = MemorySettings()
    at = Workplace(store, SUPPORT, SystemClock(), settings, Thinking(), GiveWay(1_000))
    await QuestionWriter(at, embedder, asker).finish()

    await Indexer(at, embedder).finish()

    assert set(await store.indexed_with()) == {"hash", question_index("hash")}
