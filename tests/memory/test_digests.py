"""Digests of what leaves a window: made beside the calls, by a model if it is there and in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from ringback import CallHandle, InferenceUnavailableError, Memory, MemorySettings
from ringback.background.compressor import WAITING
from ringback.core.digest import HEAD
from ringback.core.window import UNTIMED, Digest, Passage
from ringback.protocols import Generator
from ringback.records import Role, Turn

pytestmark = pytest.mark.framework

SAID = "My router has dropped out every evening since Monday."
PROSE = "The caller reported a router that has dropped out every evening since Monday."
PASSAGE = Passage((Turn(Role.CALLER, SAID, at=UNTIMED),), 0, "", 1, object())
PLAIN = f'{HEAD}\nThe caller said: "{SAID}"\nNumbers and dates named: since Monday.'


class Writer:
    """A language model that answers one text, once it is let go."""

    def __init__(self, answer: str = PROSE, *, is_held: bool = False) -> None:
        self.answer = answer
        self.begun = 0
        self.shown = ""
        self.may_go, self.has_begun = asyncio.Event(), asyncio.Event()
        if not is_held:
            self.may_go.set()

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        self.begun += 1
        self.shown = text
        self.has_begun.set()
        await self.may_go.wait()
        return self.answer


class Failing:
    """A language model that does not answer."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        raise InferenceUnavailableError("the model is gone")


@asynccontextmanager
async def on_the_line(
    generator: Generator | None = None, *, prose_ms: int = 20_000
) -> AsyncIterator[CallHandle]:
    settings = MemorySettings(prose_ms=prose_ms, drain_ms=50)
    async with await Memory.open("memory:", generator=generator, settings=settings) as memory:
        call = memory.ring(tenant="acme")
        await call.briefed()
        yield call


async def digest_of(call: CallHandle, passage: Passage = PASSAGE) -> Digest:
    made: list[Digest] = []
    call.compress(passage, made.append)
    assert not made  # it never waits
    async with asyncio.timeout(10):
        await call.briefed()
    return made[0]


async def test_without_a_model_the_digest_is_the_plain_one():
    async with on_the_line() as call:
        assert (await digest_of(call)).text == PLAIN


async def test_a_model_writes_it_where_there_is_one():
    async with on_the_line(Writer()) as call:
        assert (await digest_of(call)).text == f"{HEAD}\n{PROSE}"


@pytest.mark.parametrize(
    "generator",
    [
        lambda: Writer("The caller reported a router that dropped out 4821 times."),
        lambda: Writer(is_held=True),
        Failing,
    ],
    ids=["invents a number", "hangs", "fails"],
)
async def test_a_model_that_fails_leaves_the_plain_digest(generator: Callable[[], Generator]):
    async with on_the_line(generator(), prose_ms=50) as call:
        assert (await digest_of(call)).text == PLAIN


async def test_a_model_writes_while_nobody_waits_for_a_reply():
    writer = Writer(is_held=True)
    async with on_the_line(writer) as call:
        made: list[Digest] = []
        call.compress(PASSAGE, made.append)
        await writer.has_begun.wait()
        writer.has_begun.clear()

        call.reply_is_due()
        writer.may_go.set()
        await asyncio.sleep(0)
        assert not made
        call.reply_is_heard()
        await call.briefed()

        assert made[0].text == f"{HEAD}\n{PROSE}"
        assert writer.begun == 2  # broken off for the reply, and begun again


async def test_nobody_waits_for_prose_behind_somebody_else():
    writer = Writer(is_held=True)
    async with on_the_line(writer) as call:
        made: list[str] = []
        call.compress(PASSAGE, lambda digest: made.append(digest.text))
        await writer.has_begun.wait()
        for _ in range(3):
            call.compress(PASSAGE, lambda digest: made.append(digest.text))
        writer.may_go.set()
        await call.briefed()

        assert writer.begun == 2  # the first and the last
        assert made.count(PLAIN) == 2


async def test_one_passage_too_many_is_refused_at_once():
    async with on_the_line(Writer(is_held=True)) as call:
        made: list[Digest] = []
        for _ in range(WAITING):
            call.compress(PASSAGE, lambda _: None)

        call.compress(PASSAGE, made.append)

        assert made == [Digest("")]


async def test_when_the_memory_closes_whoever_waits_gets_none():
    made: list[Digest] = []
    writer = Writer(is_held=True)
    async with on_the_line(writer) as call:
        call.compress(PASSAGE, made.append)
        await writer.has_begun.wait()
        for _ in range(3):
            call.compress(PASSAGE, made.append)

    assert made == [Digest("")] * 4


async def test_a_personal_number_is_masked_in_what_a_model_is_shown_and_in_the_digest():
    writer = Writer("")
    said = Turn(Role.CALLER, "My card number is 4111 1111 1111 1111, take that one.", at=UNTIMED)
    async with on_the_line(writer) as call:
        digest = await digest_of(call, Passage((said,), 0, "", 1, object()))

    assert "4111" not in digest.text + writer.shown + json.dumps(digest.turns[0].text)
    assert "card number" in writer.shown


async def test_a_digest_builds_on_what_the_one_before_it_remembered():
    async with on_the_line() as call:
        first = await digest_of(call)
        news = Turn(Role.CALLER, "Please send the invoice to my new address.", at=UNTIMED)
        second = await digest_of(call, Passage((*first.turns, news), 1, first.text, 2, object()))

    assert SAID in second.text
    assert news.text in second.text
