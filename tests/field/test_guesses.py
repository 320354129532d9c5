"""A turn that the host guesses at early is one turn, read once, and answered once if guessed right."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import (
    EagerEndOfTurnCancelFrame,
    EagerTranscriptionFrame,
    LLMFullResponseEndFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.turns.user_turn_strategies import EagerUserTurnStrategies
from pipecat.utils.time import time_now_iso8601

from ringback import Memory
from ringback.protocols import TurnObserved
from ringback.records import Action, Decision, Role
from ringback_pipecat import PipecatCall
from tests.adapters.on_record import NUMBER, on_record, rung
from tests.adapters.voice_app import VoiceApp, voice_app
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

EAGER = {"user_turn_strategies": EagerUserTurnStrategies()}


async def begin(bot: VoiceApp) -> None:
    await bot.queue(VADUserStartedSpeakingFrame(), ProposedUserStartedSpeakingFrame())


async def stop(bot: VoiceApp) -> None:
    await bot.queue(VADUserStoppedSpeakingFrame(), ProposedUserStoppedSpeakingFrame())


async def guess(bot: VoiceApp, text: str, count: int) -> None:
    """The host takes the turn for over, and asks the model; the count is of its requests."""
    await bot.queue(EagerTranscriptionFrame(text, "", time_now_iso8601()))
    await bot.asked(count)


@pytest.mark.parametrize(
    ("guesses", "final", "value"),
    [
        (["my account", "my account number is"], "My account number is 4821.", "4821"),
        (["My account number is 48"], "My account number is 4821, please.", "4821"),
        (["我的账号", "我的账号是四八"], "我的账号是四八二一。", "4821"),
    ],
    ids=["grows", "cut in a number", "Chinese"],
)
async def test_a_turn_is_kept_and_read_once_however_often_it_was_guessed_at(
    tmp_path: Path, guesses: list[str], final: str, value: str
):
    call = await rung(tmp_path / "m.db")
    observed: list[str] = []
    decided: list[Decision] = []
    memory = call._memory
    assert memory is not None
    memory.on_settled(lambda _job, decisions: decided.extend(decisions))
    record = memory.keeping.record_nowait

    def noted(entry: Any) -> Any:
        if isinstance(entry, TurnObserved) and entry.turn.role is Role.CALLER:
            observed.append(entry.turn.text)
        return record(entry)

    memory.keeping.record_nowait = noted  # type: ignore[method-assign]
    async with voice_app(call, *["x"] * len(guesses), "I note that.", user=EAGER) as bot:
        await begin(bot)
        for count, text in enumerate(guesses, start=1):
            await guess(bot, text, count)
            await bot.queue(EagerEndOfTurnCancelFrame())
        await bot.hear(final)
        await stop(bot)
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    added = [one.candidate.value for one in decided if one.action is Action.ADD]
    assert observed == [final]
    assert left.said == [("caller", final), ("agent", "I note that.")]
    assert (added, left.values) == ([value], [("account_number", value)])
    assert left.summaries == 1


async def known_caller(file: Path) -> None:
    async with await Memory.open(f"sqlite:///{file}") as memory:
        first = memory.ring(tenant="acme", handles=NUMBER, at=AT)
        first.observe(turn("c: My account number is 4821."))
        assert await first.end()


@pytest.mark.parametrize("is_late", [False, True], ids=["before the guess", "after the guess"])
async def test_a_right_guess_is_answered_by_its_one_request_whenever_memory_comes(
    tmp_path: Path, is_late: bool
):
    await known_caller(tmp_path / "m.db")
    memory = await Memory.open(f"sqlite:///{tmp_path / 'm.db'}")
    may_know, known = asyncio.Event(), memory.keeping.known

    async def slow(*given: Any, **named: Any) -> Any:
        await may_know.wait()
        return await known(*given, **named)

    memory.keeping.known = slow  # type: ignore[method-assign]
    call = PipecatCall(memory.ring(tenant="acme", handles=NUMBER), memory=memory)
    async with voice_app(call, "It is 4821.", user=EAGER) as bot:
        if not is_late:
            may_know.set()
            await call.call.briefed()
        await begin(bot)
        await guess(bot, "what is my account number", 1)
        may_know.set()
        await call.call.briefed()
        await bot.hear("What is my account number?")
        await stop(bot)
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    (request,) = bot.llm.requests
    assert ("4821" in str(request)) is not is_late
    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "What is my account number?"),
        ("agent", "It is 4821."),
    ]


async def test_a_guess_that_the_caller_speaks_on_after_never_reached_them(tmp_path: Path):
    async with voice_app(
        await rung(tmp_path / "m.db"), "For how many?", "Noted.", user=EAGER, is_open=False
    ) as bot:
        await begin(bot)
        await guess(bot, "my router", 1)
        await bot.queue(EagerEndOfTurnCancelFrame())
        await bot.hear_interim("my router, or rather my account number is 4821, so")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "my router, or rather my account number is 4821, so")]
    assert left.turns[0].partial
    assert left.values == [("account_number", "4821")]


async def test_who_hangs_up_on_a_guess_has_said_it_once(tmp_path: Path):
    async with voice_app(
        await rung(tmp_path / "m.db"), "I note that.", user=EAGER, is_open=False
    ) as bot:
        await begin(bot)
        await guess(bot, "my account number is 4821, goodbye", 1)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "my account number is 4821, goodbye")]
    assert left.values == [("account_number", "4821")]
    assert left.summaries == 1
