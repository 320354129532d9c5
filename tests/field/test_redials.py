"""Who is cut off and rings again at once meets an agent that knows what was just said."""

# ruff: noqa: RUF001 - full-width signs are meant

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pipecat.frames.frames import LLMFullResponseEndFrame, TTSSpeakFrame

from ringback import Memory, MemorySettings, Role, Turn
from ringback.errors import StoreUnavailableError
from ringback_pipecat import PipecatCall
from tests.adapters.voice_app import VoiceApp, voice_app
from tests.field.workers import TALK, LaterClock, worker
from tests.stores.made import count

pytestmark = pytest.mark.server

HANDLES = {"first": "+1 555 010 0199", "again": "tel:+1-555-010-0199"}
CLAIM = "My claim number is R as in Romeo, 4-4-1-7."
CASES = [
    (CLAIM, "4-4-1-7"),
    ("my account number is 4821 and the router has", "4821"),
    ("我的理赔号是四四一七，我还没", "四四一七"),
    ("Mi número de póliza es 4417 y quería", "4417"),
]
IDS = ["a claim", "cut off", "Chinese", "Spanish"]


def said(words: str) -> Turn:
    return Turn(Role.CALLER, words, at=datetime.now(UTC))


async def rung(file: Path, number: str = "again", **settings: int) -> PipecatCall:
    memory = await Memory.open(f"sqlite:///{file}", settings=MemorySettings(**settings))
    ringing = memory.ring(tenant="acme", handles=[("phone", HANDLES[number])])
    return PipecatCall(ringing, memory=memory)


@asynccontextmanager
async def dropped(file: Path) -> AsyncIterator[VoiceApp]:
    """A call whose line goes dead, in a process that gets round to reading nothing of it."""

    async def nothing_is_leased(**_: object) -> None:
        return None

    call = await rung(file, "first", drain_ms=1)
    assert call._memory is not None
    call._memory.keeping.lease = nothing_is_leased  # type: ignore[method-assign]
    async with voice_app(call, "One moment.", is_open=False) as bot:
        yield bot
        await bot.worker.cancel()
        await bot.over()


@dataclass(frozen=True)
class Kept:
    """What is on record of all calls in the end; they are one caller's."""

    said: list[str]
    facts: list[str]
    summaries: int


async def kept(file: Path) -> Kept:
    async with await Memory.open(f"sqlite:///{file}", clock=LaterClock()) as memory:
        await memory.settle()
        calls = sorted(await memory.keeping.calls("acme"), key=lambda call: call.started_at)
        views = [await memory.keeping.call("acme", call.id) for call in calls]
        (caller_id,) = {call.caller_id for call in calls}
        assert caller_id is not None
        facts = await memory.keeping.facts("acme", caller_id=caller_id)
    turns = [turn for view in views if view is not None for turn in view.turns]
    return Kept(
        [turn.text for turn in turns if turn.role == "caller"],
        sorted(fact.value for fact in facts),
        count(file, "summary"),
    )


async def answer_again(file: Path) -> str:
    """Take the second call; the request that it is answered with."""
    call = await rung(file)
    await call.call.briefed()
    async with voice_app(call, "Welcome back.") as bot:
        await bot.say("We were cut off.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()
    return str(bot.llm.requests[0])


@pytest.mark.parametrize(("line", "code"), CASES, ids=IDS)
@pytest.mark.parametrize("is_final", [True, False], ids=["final", "interim"])
async def test_the_second_call_is_told_what_the_first_one_said_before_it_was_read(
    tmp_path: Path, line: str, code: str, is_final: bool
):
    async with dropped(tmp_path / "m.db") as bot:
        await bot.begin()
        await (bot.hear(line) if is_final else bot.hear_interim(line))

    request = await answer_again(tmp_path / "m.db")

    left = await kept(tmp_path / "m.db")
    assert code in request
    assert left.said == [line, "We were cut off."]
    assert len(left.facts) == len(set(left.facts))
    assert left.summaries == 2


async def test_what_the_bot_had_promised_before_the_cut_is_told_as_well(tmp_path: Path):
    async with dropped(tmp_path / "m.db") as bot:
        await bot.queue(TTSSpeakFrame("I have cancelled order 7714. Your money comes on Friday."))
        await bot.line.play(5)
        await bot.begin()
        await bot.hear(CLAIM)

    request = await answer_again(tmp_path / "m.db")

    assert "I have cancelled order 7714" in request
    assert "Friday" not in request


async def test_a_second_call_that_rings_while_the_first_one_still_drains_knows_it(tmp_path: Path):
    file = tmp_path / "m.db"
    async with dropped(file) as bot:
        await bot.begin()
        await bot.hear(CLAIM)
        await bot.seen_by_aggregator()
        hanging_up = asyncio.create_task(bot.worker.cancel())
        request = await answer_again(file)
        await hanging_up
        assert "4-4-1-7" in request

    assert (await kept(file)).said == [CLAIM, "We were cut off."]


async def test_a_second_call_that_another_process_takes_knows_the_first_whose_process_died(
    tmp_path: Path,
):
    file = tmp_path / "m.db"
    async with worker(TALK, file, 1, "nothing", "My account number is 4821.") as process:
        process.kill()
        await process.wait()

    request = await answer_again(file)

    left = await kept(file)
    assert "4821" in request
    assert "not fully on record" in request
    assert left.said == ["My account number is 4821.", "We were cut off."]
    assert (left.facts.count("4821"), left.summaries) == (1, 2)


async def call_on(file: Path, call_id: str, line: str, *, is_dead: bool) -> None:
    """A line of a call on which somebody says something; its process may die before any end."""
    memory = await Memory.open(f"sqlite:///{file}")
    ringing = memory.ring(tenant="acme", handles=[("phone", HANDLES["first"])], call_id=call_id)
    await ringing.briefed()
    async with voice_app(PipecatCall(ringing), "I note that.") as bot:
        await bot.say(line)
        await bot.passed(LLMFullResponseEndFrame)
        if is_dead:
            await memory.keeping.flush()
            await memory.keeping.close()  # nothing of the end is kept
        await bot.worker.end()
        await bot.over()
    if not is_dead:
        await memory.close()


@pytest.mark.parametrize("is_dead", [True, False], ids=["died", "ended"])
async def test_a_call_that_goes_on_under_its_id_on_another_line_keeps_what_both_lines_heard(
    tmp_path: Path, is_dead: bool
):
    file = tmp_path / "m.db"
    await call_on(file, "CA17", "My account number is 4821.", is_dead=is_dead)
    await call_on(file, "CA17", "My email is dana at example dot org.", is_dead=False)

    left = await kept(file)
    assert left.said == ["My account number is 4821.", "My email is dana at example dot org."]
    assert left.facts == ["4821", "dana@example.org"]
    assert left.summaries == 1


async def test_a_line_that_cannot_read_how_far_its_call_has_come_loses_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "m.db"
    await call_on(file, "CA17", "My account number is 4821.", is_dead=True)

    async with await Memory.open(f"sqlite:///{file}") as memory:

        async def fails(*_: object) -> None:
            raise StoreUnavailableError("the disk is gone")

        with monkeypatch.context() as broken:
            broken.setattr(memory.keeping, "call", fails)
            call = memory.ring(tenant="acme", handles=[("phone", HANDLES["again"])], call_id="CA17")
            await call.briefed()
        call.observe(said("My email is dana at example dot org."))
        await call.end()

    assert (await kept(file)).said == [
        "My account number is 4821.",
        "My email is dana at example dot org.",
    ]


async def test_a_line_on_which_somebody_speaks_at_once_loses_no_turn(tmp_path: Path):
    file = tmp_path / "m.db"
    lines = ["My account number is 4821.", "Are you there?", "Hello?"]
    for line in lines:
        async with await Memory.open(f"sqlite:///{file}") as memory:
            call = memory.ring(tenant="acme", handles=[("phone", HANDLES["first"])], call_id="CA17")
            call.observe(said(line))
            await call.end()

    assert (await kept(file)).said == lines


async def test_a_line_whose_call_has_turns_that_are_only_spilled_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "m.db"
    async with await Memory.open(f"sqlite:///{file}") as memory:

        async def is_behind() -> bool:
            return True

        async def has_no_turns(tenant: str, call_id: str) -> None:
            return None

        ringing = {"tenant": "acme", "handles": [("phone", HANDLES["first"])], "call_id": "CA17"}
        first = memory.ring(**ringing)
        await first.briefed()
        first.observe(said("My account number is 4821."))
        await first.end()
        with monkeypatch.context() as behind:
            behind.setattr(memory.keeping, "is_behind", is_behind)
            behind.setattr(memory.keeping, "call", has_no_turns)
            second = memory.ring(**ringing)
            await second.briefed()
        second.observe(said("Hello?"))
        await second.end()

    assert (await kept(file)).said == ["My account number is 4821.", "Hello?"]
