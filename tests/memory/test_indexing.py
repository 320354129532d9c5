"""What is kept is embedded beside the calls, and again with another embedder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ringback import Assurance, Memory, MemorySettings, Role, Turn
from ringback.background.indexer import Indexer
from ringback.background.thinking import Thinking
from ringback.background.workplace import Workplace
from ringback.background.yielding import GiveWay
from ringback.clock import SystemClock
from ringback.errors import InferenceError, InferenceUnavailableError
from ringback.recollection import Hit, VectorCue
from ringback.schemas import SUPPORT
from ringback.stores import MemoryStore
from ringback.testing import HashEmbedder
from ringback.testing.made_records import attach, opened as opened_call, record, said

pytestmark = pytest.mark.server

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
LINES = ("My account number is 4821.", "The hallway lamp is green.")
QUICK = {"first_pause_ms": 10, "poll_ms": 10}


class Failing(HashEmbedder):
    """Fails so many times, or for so long as a text holds a word."""

    def __init__(self, times: int = 0, *, at_word: str = "", error: Any = InferenceError) -> None:
        super().__init__("failing", 64)
        self.times = times
        self.at_word = at_word
        self.error = error
        self.asked: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(list(texts))
        if self.times or (self.at_word and any(self.at_word in text for text in texts)):
            self.times = max(0, self.times - 1)
            raise self.error("no")
        return await super().embed(texts)


@asynccontextmanager
async def opened(embedder: Any, url: str = "memory:", **bounds: Any) -> AsyncIterator[Memory]:
    settings = MemorySettings(**{**QUICK, **bounds})
    async with await Memory.open(url, embedder=embedder, settings=settings) as memory:
        yield memory


async def call(memory: Memory, *lines: str, call_id: str = "c1") -> None:
    handle = memory.ring(tenant="acme", call_id=call_id)
    await handle.identify("dana", Assurance.VERIFIED)
    for place, line in enumerate(lines):
        handle.observe(Turn(Role.CALLER, line, at=AT + timedelta(seconds=place)))
    assert await handle.end()
    await memory.settle()


async def near(memory: Memory, text: str, embedder: HashEmbedder) -> tuple[Hit, ...]:
    vectors = tuple(await embedder.embed_query([text]))
    cue = VectorCue("acme", "dana", embedder.name, vectors, AT + timedelta(hours=1))
    return await memory.keeping.nearest(cue)


async def test_what_was_said_and_what_is_known_is_embedded():
    embedder = HashEmbedder()
    async with opened(embedder) as memory:
        await call(memory, *LINES)

        assert await memory.indexed()
        fact, *turns = await near(memory, "What is my account number?", embedder)
        state = await memory.index_state()

    assert fact.fact is not None
    assert fact.fact.value == "4821"
    assert {hit.turn.text for hit in turns if hit.turn} == set(LINES)
    assert (state.indexed, state.waiting) == (3, 0)


async def test_the_worker_embeds_without_being_asked():
    async with opened(HashEmbedder()) as memory:
        await call(memory, *LINES)

        async with asyncio.timeout(20):
            while (await memory.index_state()).waiting:  # noqa: ASYNC110 - a worker sets no event
                await asyncio.sleep(0.01)

        assert (await memory.index_state()).indexed == 3


async def test_settling_waits_for_no_embedder():
    class Stuck(HashEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:
            await asyncio.Event().wait()

    async with opened(Stuck(), settle_ms=1_000) as memory:
        await call(memory, *LINES)

        assert [fact.value for fact in await memory.profile("acme", "dana").facts()] == ["4821"]
        assert not await memory.indexed()
        assert (await memory.index_state()).waiting == 3


@pytest.mark.virtual_time
async def test_an_embedder_that_fails_is_asked_again_after_growing_pauses():
    embedder, settings, store = Failing(4), MemorySettings(first_pause_ms=10), MemoryStore()
    await record(store, opened_call(), said(0, "a red lamp"))
    await attach(store)
    at = Workplace(store, SUPPORT, SystemClock(), settings, Thinking(), GiveWay(1_000))
    begun_s = asyncio.get_running_loop().time()

    await Indexer(at, embedder).finish()

    took_s = asyncio.get_running_loop().time() - begun_s
    assert 0.149 < took_s < 0.151  # 10 + 20 + 40 + 80 ms, on a clock that jumps
    assert (await store.index_state(embedder.name)).waiting == 0


async def test_health_says_so_while_the_embedder_does_not_answer():
    embedder = Failing(10_000, error=InferenceUnavailableError)
    async with opened(embedder, settle_ms=100) as memory:
        await call(memory, LINES[1])

        assert not await memory.indexed()
        assert memory.health()["embedder"].endswith("x InferenceUnavailableError")


async def test_a_text_that_is_refused_keeps_no_other_from_being_embedded():
    embedder = Failing(at_word="lamp")
    async with opened(embedder, attempts=2) as memory:
        await call(memory, *LINES, "The cellar door is fine.")

        assert not await memory.indexed()
        state = await memory.index_state()

    assert state.waiting == 2  # the turn itself, and the one after it
    assert state.indexed == 2


async def test_embedding_waits_until_a_caller_has_their_reply():
    embedder = HashEmbedder()
    async with opened(embedder, yield_ms=60_000) as memory:
        line = memory.ring(tenant="acme")
        line.reply_is_due()
        await call(memory, *LINES)
        await asyncio.sleep(0.1)
        during = await memory.index_state()

        line.reply_is_heard()

        assert await memory.indexed()
    assert during.indexed == 0


async def test_vectors_that_point_nowhere_are_left_out():
    class Zeros(HashEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:
            return await super().embed(texts) * 0

    async with opened(Zeros()) as memory:
        await call(memory, *LINES)

        assert await memory.indexed()
        assert await near(memory, "lamp", HashEmbedder()) == ()


@pytest.mark.parametrize(
    "other", [HashEmbedder("other", 96), HashEmbedder("first", 96), HashEmbedder("other", 64)]
)
async def test_another_embedder_embeds_everything_anew_and_going_back_works(tmp_path, other):
    first, url = HashEmbedder("first", 64), f"sqlite:///{tmp_path / 'memory.db'}"
    async with opened(first, url) as memory:
        await call(memory, *LINES)
        await memory.profile("acme", "erik").remember("4822", key="account_number")
        assert await memory.indexed()
    async with opened(other, url) as memory:
        by_text = await memory.profile("acme", "dana").recall("What is the account number?")
        await call(memory, "The cellar door is open.", call_id="c2")
        assert await memory.indexed()
        moved = await memory.keeping.indexed_with()
        found = await near(memory, "cellar door", other)
    async with opened(first, url) as memory:
        assert await memory.indexed()
        back = await memory.keeping.indexed_with()
        again = await near(memory, "cellar door", first)

    assert by_text.found[0].fact is not None
    assert moved == {other.name: 5}
    assert back == {"first": 5}
    for hits in (found, again):
        best = max(hits, key=lambda hit: hit.similarity)
        assert best.turn is not None
        assert best.turn.text == "The cellar door is open."


async def test_without_an_embedder_vectors_stay_and_what_comes_waits(tmp_path):
    embedder, url = HashEmbedder(), f"sqlite:///{tmp_path / 'memory.db'}"
    async with opened(embedder, url) as memory:
        await call(memory, *LINES)
        assert await memory.indexed()
    async with opened(None, url) as memory:
        await call(memory, "The cellar door is open.", call_id="c2")
        assert await memory.indexed()
        kept = await memory.keeping.indexed_with()

    async with opened(embedder, url) as memory:
        assert await memory.indexed()
        assert await memory.keeping.indexed_with() == {"hash": 4}
    assert kept == {"hash": 3}


async def test_reindexing_drops_all_vectors_and_makes_them_again():
    embedder = Failing()
    async with opened(embedder) as memory:
        await call(memory, *LINES)
        assert await memory.indexed()
        embedder.asked.clear()

        await memory.reindex()

        assert await memory.indexed()
        assert sum(map(len, embedder.asked)) >= 3
        assert (await memory.index_state()).indexed == 3
