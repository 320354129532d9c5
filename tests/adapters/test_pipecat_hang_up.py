"""However a Pipecat call ends, its last words are there and it has one summary."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ringback import Memory, Turn
from ringback_pipecat import PipecatCall
from tests.adapters.pipecat_app import app
from tests.made import llm_server

pytestmark = pytest.mark.framework

NUMBER = [("phone", "+15550100199")]
ANSWER = "I will send you a text on Friday."


async def what_is_on_record(file: Path) -> tuple[list[Turn], int, str | None]:
    """Open the file anew, settle it, and read the only call back."""
    async with await Memory.open(f"sqlite:///{file}") as memory:
        await memory.settle()
        (call,) = await memory.keeping.calls("acme")
        view = await memory.keeping.call("acme", call.id)
        assert view is not None
        jobs = await memory.keeping.open_count()
        last = None
        if call.caller_id is not None:
            summary = await memory.keeping.last_interaction("acme", call.caller_id)
            last = summary.text if summary else None
        return list(view.turns), jobs, last


async def open_memory(file: Path) -> tuple[Memory, PipecatCall]:
    memory = await Memory.open(f"sqlite:///{file}")
    return memory, PipecatCall(memory.ring(tenant="acme", handles=NUMBER), memory=memory)


@pytest.mark.parametrize("ending", ["end", "cancel"])
async def test_a_call_that_ends_between_turns_is_all_there(tmp_path: Path, ending: str):
    _, call = await open_memory(tmp_path / "m.db")

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("This is Dana Whitfield speaking.")
            await getattr(bot.worker, ending)()
            await bot.finish()

    turns, jobs, summary = await what_is_on_record(tmp_path / "m.db")
    assert [(turn.role, turn.text) for turn in turns] == [
        ("caller", "This is Dana Whitfield speaking."),
        ("agent", ANSWER),
    ]
    assert jobs == 0
    assert summary


async def test_words_of_a_turn_that_was_not_over_are_there(tmp_path: Path):
    _, call = await open_memory(tmp_path / "m.db")

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("Hello.")
            await bot.start_speaking()
            await bot.hear("My account number is 4821.")
            await asyncio.sleep(0.2)
            await bot.worker.cancel()
            await bot.finish()

    turns, _, _ = await what_is_on_record(tmp_path / "m.db")
    assert "My account number is 4821." in [turn.text for turn in turns]


async def test_words_that_were_only_an_interim_transcript_are_there_and_marked(tmp_path: Path):
    _, call = await open_memory(tmp_path / "m.db")

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("Hello.")
            await bot.start_speaking()
            await bot.hear_interim("Actually my new address is 9 Quill Lane, Dun")
            await bot.worker.cancel()
            await bot.finish()

    turns, _, _ = await what_is_on_record(tmp_path / "m.db")
    assert turns[-1].text == "Actually my new address is 9 Quill Lane, Dun"
    assert turns[-1].partial


async def test_a_call_that_is_cancelled_while_it_is_being_briefed_loses_nothing(tmp_path: Path):
    memory, call = await open_memory(tmp_path / "m.db")
    slow = asyncio.Event()
    original = memory.keeping.known

    async def never(*arguments, **options):
        await slow.wait()
        return await original(*arguments, **options)

    memory.keeping.known = never

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("This is Dana Whitfield speaking.")
            assert not call.call.has_briefing
            await bot.worker.cancel()
            await bot.finish()

    turns, _, _ = await what_is_on_record(tmp_path / "m.db")
    assert turns[0].text == "This is Dana Whitfield speaking."


async def test_a_call_that_is_cancelled_while_the_model_answers_keeps_the_question(tmp_path: Path):
    _, call = await open_memory(tmp_path / "m.db")

    with llm_server(answer=ANSWER, hang_s=30) as address:
        async with app(call, llm_address=address) as bot:
            await bot.start_speaking()
            await bot.hear("When will somebody call me?")
            await bot.stop_speaking()
            await asyncio.sleep(0.4)
            await bot.worker.cancel()
            await bot.finish()

    turns, _, _ = await what_is_on_record(tmp_path / "m.db")
    assert [turn.text for turn in turns] == ["When will somebody call me?"]


async def test_a_call_in_which_nobody_spoke_makes_nobody(tmp_path: Path):
    _, call = await open_memory(tmp_path / "m.db")

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address) as bot:
            await asyncio.sleep(0.2)
            await bot.worker.cancel()
            await bot.finish()

    turns, jobs, summary = await what_is_on_record(tmp_path / "m.db")
    assert (turns, jobs, summary) == ([], 0, None)
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        assert await memory.keeping.callers("acme") == ()
