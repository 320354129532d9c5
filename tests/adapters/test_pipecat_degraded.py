"""Parts of memory that are down or stand still: the caller is answered, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, Memory, MemorySettings
from ringback.errors import InferenceUnavailableError, StoreUnavailableError
from ringback.protocols import Completion
from ringback.testing import HashEmbedder
from ringback_pipecat import PipecatCall
from tests.adapters.pipecat_app import app
from tests.made import llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
LINES = ("This is Dana Whitfield speaking.", "My account number is 4821.", "Thank you, goodbye.")
PRELOAD = ("known", "callers_of", "caller", "facts")
RECALL = ("find", "linked", "with_keys", "heard", "nearest")
SETTLING = ("lease", "call", "basis", "settle", "put_summary", "attach")
INDEXING = ("unindexed", "put_vectors", "index_state")

Verb = Callable[..., Awaitable[Any]]


async def stands_still(*_: Any, **__: Any) -> Any:
    await asyncio.Event().wait()


async def is_down(*_: Any, **__: Any) -> Any:
    raise StoreUnavailableError("the store is down")


class StuckEmbedder(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Any:
        return await stands_still()

    async def embed_query(self, texts: Sequence[str]) -> Any:
        return await stands_still()


class DownEmbedder(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Any:
        raise InferenceUnavailableError("the embedder is down")

    async def embed_query(self, texts: Sequence[str]) -> Any:
        raise InferenceUnavailableError("the embedder is down")


class Model:
    """A language model beside the call that never answers, or that is down."""

    def __init__(self, answer: Verb) -> None:
        self.write = answer
        self._fill = answer

    async def fill(self, *texts: str, **options: Any) -> Completion:
        completion: Completion = await self._fill(*texts, **options)
        return completion


async def unanswered(*_: Any, **__: Any) -> Any:
    raise InferenceUnavailableError("the model is down")


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'memory.db'}"


async def talked(memory: Memory, *, cancels: bool = True) -> list[dict]:
    """A call of three turns that ends as a hang-up does; the requests that the model got."""
    requests: list[dict] = []
    call = PipecatCall(memory.ring(tenant="acme", handles=NUMBER), memory=memory)
    with llm_server(answer="Thank you.", requests=requests) as address:
        async with app(call, llm_address=address) as bot:
            for line in LINES:
                await bot.say(line)
            await (bot.worker.cancel() if cancels else bot.worker.end())
            await bot.finish()
    return requests


async def known_afterwards(folder: Path) -> tuple[dict[str, str], int]:
    """What another process makes of it: facts, and how many turns of the caller there are."""
    async with await Memory.open(url(folder), settings=MemorySettings(abandoned_ms=1)) as memory:
        await memory.settle()
        (caller,) = await memory.keeping.callers_of(
            "acme", memory.ring(tenant="acme", handles=NUMBER).call.handles
        )
        facts = await memory.keeping.facts("acme", caller_id=caller.id)
        (call,) = await memory.keeping.calls("acme", caller_id=caller.id)
        view = await memory.keeping.call("acme", call.id)
        assert view is not None
        said = [turn.text for turn in view.turns if turn.role == "caller"]
        assert said == list(LINES)
        return {fact.key: fact.value for fact in facts}, len(said)


@pytest.mark.parametrize("fault", [stands_still, is_down], ids=["still", "down"])
@pytest.mark.parametrize(
    "verbs",
    [PRELOAD, RECALL, SETTLING, INDEXING, PRELOAD + RECALL + SETTLING + INDEXING],
    ids=["preload", "recall", "settling", "indexing", "everything"],
)
async def test_a_store_that_does_not_answer_costs_no_turn_and_what_was_said_is_caught_up(
    tmp_path: Path, monkeypatch, fault: Verb, verbs: tuple[str, ...]
):
    memory = await Memory.open(
        url(tmp_path), settings=MemorySettings(drain_ms=200), embedder=HashEmbedder()
    )
    for verb in verbs:
        monkeypatch.setattr(memory.keeping, verb, fault)

    requests = await talked(memory)

    sent = [request["messages"][-1]["content"] for request in requests]
    assert sent == list(LINES)
    facts, _ = await known_afterwards(tmp_path)
    assert facts["account_number"] == "4821"
    assert facts["name"] == "Dana Whitfield"


@pytest.mark.parametrize("embedder", [StuckEmbedder(), DownEmbedder()], ids=["still", "down"])
async def test_an_embedder_that_does_not_answer_leaves_the_call_its_words(tmp_path: Path, embedder):
    memory = await Memory.open(
        url(tmp_path), settings=MemorySettings(staging_ms=100), embedder=embedder
    )

    requests = await talked(memory)

    assert len(requests) == len(LINES)
    facts, _ = await known_afterwards(tmp_path)
    assert facts["account_number"] == "4821"


@pytest.mark.parametrize("answer", [stands_still, unanswered], ids=["still", "down"])
async def test_a_language_model_beside_the_call_that_does_not_answer_holds_nobody_up(
    tmp_path: Path, answer: Verb
):
    model = Model(answer)
    memory = await Memory.open(
        url(tmp_path), settings=MemorySettings(drain_ms=200), generator=model, extractor=model
    )

    requests = await talked(memory)

    assert len(requests) == len(LINES)
    facts, _ = await known_afterwards(tmp_path)
    assert facts["account_number"] == "4821"


async def test_what_a_store_did_not_give_in_time_is_there_when_it_answers_again(
    tmp_path: Path, monkeypatch
):
    async with await Memory.open(url(tmp_path)) as before:
        first = before.ring(tenant="acme")
        await first.identify("dana", Assurance.VERIFIED)
        profile = before.profile("acme", "dana")
        await profile.remember("4821", key="account_number")
    memory = await Memory.open(url(tmp_path))
    known, may_answer = memory.keeping.known, asyncio.Event()

    async def slow(*given: Any, **named: Any) -> Any:
        await may_answer.wait()
        return await known(*given, **named)

    monkeypatch.setattr(memory.keeping, "known", slow)
    requests: list[dict] = []
    ringing = memory.ring(tenant="acme")
    await ringing.identify("dana", Assurance.VERIFIED)
    call = PipecatCall(ringing, memory=memory)
    with llm_server(answer="Thank you.", requests=requests) as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("Hello.")
            may_answer.set()
            await ringing.briefed()
            await bot.say("What is my account number?")
            await bot.worker.end()
            await bot.finish()

    assert "4821" not in str(requests[0])
    assert "4821" in str(requests[1]["messages"][1])
