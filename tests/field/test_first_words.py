"""Who speaks first, on whose behalf and over how many tools: each word is on record once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    FunctionCallsStartedFrame,
    LLMFullResponseEndFrame,
    LLMRunFrame,
    TTSSpeakFrame,
    UserMuteStartedFrame,
    UserMuteStoppedFrame,
)
from pipecat.processors.aggregators.llm_context import LLMSpecificMessage
from pipecat.services.llm_service import FunctionCallParams
from pipecat.turns.user_mute import (
    AlwaysUserMuteStrategy,
    FirstSpeechUserMuteStrategy,
    FunctionCallUserMuteStrategy,
    MuteUntilFirstBotCompleteUserMuteStrategy,
)

from ringback import Memory
from tests.adapters.on_record import NUMBER, on_record, rung
from tests.adapters.voice_app import ToolCall, voice_app
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

GREETING = "Acme, how may I help?"


async def known_caller(file: Path) -> None:
    async with await Memory.open(f"sqlite:///{file}") as memory:
        first = memory.ring(tenant="acme", handles=NUMBER, at=AT)
        first.observe(turn("c: My account number is 4821."))
        assert await first.end()


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
async def test_a_greeting_that_the_model_writes_knows_the_caller_and_is_on_record_once(
    tmp_path: Path, is_known: bool
):
    if is_known:
        await known_caller(tmp_path / "m.db")
    call = await rung(tmp_path / "m.db")
    await call.call.briefed()
    async with voice_app(call, GREETING, "Fine.") as bot:
        await bot.queue(LLMRunFrame())
        await bot.passed(LLMFullResponseEndFrame)
        await bot.say("My router is broken.")
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()
        history = [message["content"] for message in bot.context.get_messages()]

    assert ("4821" in str(bot.llm.requests[0])) is is_known
    assert history == [GREETING, "My router is broken.", "Fine."]
    assert (await on_record(tmp_path / "m.db")).said == [
        ("agent", GREETING),
        ("caller", "My router is broken."),
        ("agent", "Fine."),
    ]


async def test_a_caller_who_breaks_into_the_greeting_is_heard_and_so_is_what_came_of_it(
    tmp_path: Path,
):
    async with voice_app(await rung(tmp_path / "m.db"), GREETING, "Fine.", is_open=False) as bot:
        await bot.queue(LLMRunFrame())
        await bot.line.play(2)
        await bot.interrupt()
        await bot.hear("My router is broken.")
        await bot.stop()
        bot.line.open()
        await bot.asked(2)
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("agent", "Acme, how"),
        ("caller", "My router is broken."),
        ("agent", "Fine."),
    ]
    assert left.turns[0].interrupted


async def test_a_greeting_to_which_nobody_answers_is_all_that_is_on_record(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), GREETING) as bot:
        await bot.queue(LLMRunFrame())
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("agent", GREETING)]
    assert left.facts == ()


async def test_an_answer_over_several_tools_is_asked_for_with_the_same_memory_and_kept_once(
    tmp_path: Path,
):
    await known_caller(tmp_path / "m.db")

    async def look(params: FunctionCallParams) -> None:
        await params.result_callback({"name": params.function_name, "status": "open"})

    def prepare(llm) -> None:
        for name in ("find_order", "find_parcel"):
            llm.register_function(name, look)

    call = await rung(tmp_path / "m.db")
    await call.call.briefed()
    replies = (
        ("Let me look.", ToolCall("find_order")),
        ("And the parcel.", ToolCall("find_parcel")),
        "It comes on Friday.",
    )
    async with voice_app(call, *replies, prepare=prepare) as bot:
        bot.context.add_message(LLMSpecificMessage(llm="other", message={"type": "thought"}))
        await bot.say("Where is my order?")
        await bot.passed(LLMFullResponseEndFrame, 3)
        await bot.worker.end()
        await bot.over()

    laid = [[one for one in request if one["role"] == "developer"] for request in bot.llm.requests]
    assert len(bot.llm.requests) == 3
    assert "4821" in str(laid[0])
    assert laid[0] == laid[1] == laid[2]
    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "Where is my order?"),
        ("agent", "Let me look."),
        ("agent", "And the parcel."),
        ("agent", "It comes on Friday."),
    ]


@pytest.mark.parametrize(
    "strategy",
    [
        AlwaysUserMuteStrategy,
        FirstSpeechUserMuteStrategy,
        MuteUntilFirstBotCompleteUserMuteStrategy,
    ],
)
async def test_words_while_the_caller_is_muted_are_never_on_record_and_later_ones_are(
    tmp_path: Path, strategy
):
    async with voice_app(
        await rung(tmp_path / "m.db"),
        "Which one?",
        is_open=False,
        user={"user_mute_strategies": [strategy()]},
    ) as bot:
        await bot.queue(TTSSpeakFrame(GREETING))
        await bot.ears.until(UserMuteStartedFrame)
        await bot.line.play(2)
        await bot.hear("My account number is 1111.")
        await bot.hear_interim("my account number is 2222")
        bot.line.open()
        await bot.ears.until(UserMuteStoppedFrame)
        await bot.say("My account number is 4821.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("agent", GREETING),
        ("caller", "My account number is 4821."),
        ("agent", "Which one?"),
    ]
    assert left.values == [("account_number", "4821")]


async def test_a_line_that_dies_while_the_caller_is_muted_leaves_none_of_their_words(
    tmp_path: Path,
):
    async with voice_app(
        await rung(tmp_path / "m.db"),
        is_open=False,
        user={"user_mute_strategies": [AlwaysUserMuteStrategy()]},
    ) as bot:
        await bot.queue(TTSSpeakFrame(GREETING))
        await bot.ears.until(UserMuteStartedFrame)
        await bot.line.play(2)
        await bot.hear_interim("my account number is 2222, and")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("agent", "Acme, how")]
    assert left.facts == ()


async def test_words_while_a_tool_mutes_the_caller_are_never_on_record(tmp_path: Path):
    may_answer = asyncio.Event()

    async def look(params: FunctionCallParams) -> None:
        await may_answer.wait()
        await params.result_callback({"status": "open"})

    async with voice_app(
        await rung(tmp_path / "m.db"),
        ("", ToolCall("find_order")),
        "It comes on Friday.",
        user={"user_mute_strategies": [FunctionCallUserMuteStrategy()]},
        prepare=lambda llm: llm.register_function("find_order", look),
    ) as bot:
        await bot.say("Where is my order?")
        await bot.ears.until(FunctionCallsStartedFrame)
        await bot.hear("Hello? Hello?")
        may_answer.set()
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "Where is my order?"),
        ("agent", "It comes on Friday."),
    ]
