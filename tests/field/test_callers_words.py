"""What the caller said is on record once, where it was spoken, and the bot's echo is not."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    EagerEndOfTurnCancelFrame,
    EagerTranscriptionFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMMessagesAppendFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    TTSSpeakFrame,
    UserBackchannelFrame,
    UserMuteStartedFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMSpecificMessage
from pipecat.services.llm_service import FunctionCallParams
from pipecat.turns.user_mute import AlwaysUserMuteStrategy
from pipecat.turns.user_turn_strategies import EagerUserTurnStrategies
from pipecat.utils.time import time_now_iso8601

from ringback.clock import SystemClock
from ringback.records import Role
from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import ToolCall, voice_app

pytestmark = pytest.mark.framework

ALLERGY = "I see you are allergic to latex, is that right?"
ALLERGY_ZH = "我看到您对乳胶过敏，对吗？"  # noqa: RUF001
EAGER = {"user_turn_strategies": EagerUserTurnStrategies()}
MOVED = "no, my address is 9 Quill Lane"


class Watch(SystemClock):
    """The machine's clock, and so much ahead of it as a test says."""

    ahead = timedelta()

    def now_at(self) -> datetime:
        return super().now_at() + self.ahead


@pytest.mark.parametrize("is_over", [False, True], ids=["asking", "asked"])
async def test_a_transcript_that_comes_late_is_no_answer_to_the_next_question(
    tmp_path: Path, is_over: bool
):
    async with voice_app(
        await rung(tmp_path / "m.db"), "Fine.", "Thank you.", is_open=is_over
    ) as bot:
        await bot.begin()
        await bot.stop()  # the turn is over, and nothing was recognised of it
        await bot.queue(TTSSpeakFrame("Your account number is 4821, is that right?"))
        if is_over:
            await bot.passed(BotStoppedSpeakingFrame)
        else:
            await bot.line.play(2)
        await bot.hear(MOVED)
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.say("Yes, that's right.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    in_order = sorted(left.turns, key=lambda turn: (turn.started_ms or 0, turn.position))
    assert [turn.text for turn in in_order] == [
        MOVED,
        "Your account number is 4821, is that right?",
        "Yes, that's right.",
        "Fine.",
    ]
    assert ("account_number", "4821") in left.values  # the yes is to the number
    assert ("address", "9 Quill Lane") in left.values


@pytest.mark.parametrize(
    ("bot_says", "echo"),
    [(ALLERGY, "you are allergic to latex is that right"), (ALLERGY_ZH, "您对乳胶过敏对吗")],
    ids=["English", "Chinese"],
)
async def test_a_bot_that_hears_itself_is_not_its_caller(tmp_path: Path, bot_says: str, echo: str):
    call = await rung(tmp_path / "m.db")
    async with voice_app(call, is_open=False) as bot:
        await bot.queue(TTSSpeakFrame(bot_says))
        await bot.line.play(1)
        await bot.begin()  # nobody interrupts: the app has turned it off
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.hear(echo)
        await bot.stop()
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("agent", bot_says)]
    assert left.facts == ()
    assert call.statistics()["echoes"] == 1


async def test_a_caller_who_answers_with_the_bots_words_is_believed(tmp_path: Path):
    watch = Watch()
    call = await rung(tmp_path / "m.db", clock=watch)
    async with voice_app(call, "I note that.") as bot:
        await bot.queue(TTSSpeakFrame(ALLERGY))
        await bot.passed(BotStoppedSpeakingFrame)
        watch.ahead = timedelta(seconds=1)  # an echo comes back sooner
        await bot.say("Yes, I am allergic to latex.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert ("caller", "Yes, I am allergic to latex.") in left.said
    assert "echoes" not in call.statistics()


async def test_a_turn_that_was_guessed_at_three_times_is_one_turn(tmp_path: Path):
    call = await rung(tmp_path / "m.db")
    async with voice_app(call, "Tuesday?", "Tuesday it is.", "x", user=EAGER) as bot:
        await bot.queue(VADUserStartedSpeakingFrame(), ProposedUserStartedSpeakingFrame())
        await bot.queue(EagerTranscriptionFrame("book Tues", "", time_now_iso8601()))
        await bot.asked(1)
        await bot.queue(EagerEndOfTurnCancelFrame())
        await bot.queue(EagerTranscriptionFrame("book Tuesday", "", time_now_iso8601()))
        await bot.asked(2)
        await bot.hear("book Tuesday please")
        await bot.queue(VADUserStoppedSpeakingFrame(), ProposedUserStoppedSpeakingFrame())
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    said = (await on_record(tmp_path / "m.db")).said
    assert [one for one in said if one[0] == "caller"] == [("caller", "book Tuesday please")]
    assert len(said) == 2
    guesses = bot.llm.requests[:2]
    assert all("unknown" in str(request[0]).lower() for request in guesses)


async def test_a_guess_that_was_right_is_one_turn_with_the_reply_that_was_ready(tmp_path: Path):
    call = await rung(tmp_path / "m.db")
    async with voice_app(call, "Tuesday it is.", user=EAGER) as bot:
        await bot.queue(VADUserStartedSpeakingFrame(), ProposedUserStartedSpeakingFrame())
        await bot.queue(EagerTranscriptionFrame("book Tuesday", "", time_now_iso8601()))
        await bot.asked(1)
        await bot.hear("Book Tuesday.")
        await bot.queue(VADUserStoppedSpeakingFrame(), ProposedUserStoppedSpeakingFrame())
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "Book Tuesday."), ("agent", "Tuesday it is.")]
    assert len(bot.llm.requests) == 1


async def test_both_halves_of_what_a_caller_says_into_a_slow_tool_are_kept(tmp_path: Path):
    is_over = asyncio.Event()

    async def slow(params: FunctionCallParams) -> None:
        await is_over.wait()
        await params.result_callback({"flight": "on time"})

    async with voice_app(
        await rung(tmp_path / "m.db"),
        ("", ToolCall("flight")),
        "I see.",
        prepare=lambda llm: llm.register_function("flight", slow),
    ) as bot:
        await bot.say("My name is Dana Whitfield.")
        await bot.asked(1)
        await bot.interrupt()
        await bot.hear("My account number is 4821.")
        await bot.stop()
        await bot.passed(LLMFullResponseEndFrame, 2)
        is_over.set()
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [text for role, text in left.said if role == "caller"] == [
        "My name is Dana Whitfield.",
        "My account number is 4821.",
    ]
    assert ("account_number", "4821") in left.values
    assert any("Dana" in value for _, value in left.values)


async def test_a_look_up_that_a_murmur_does_not_cancel_is_told_once(tmp_path: Path):
    is_asked, may_answer = asyncio.Event(), asyncio.Event()

    async def recall_caller(params: FunctionCallParams) -> None:
        is_asked.set()
        await may_answer.wait()
        await params.result_callback({"name": "Dana"})

    call = await rung(tmp_path / "m.db")
    uses = []
    call.call.observe_tool = uses.append
    async with voice_app(
        call,
        ("", ToolCall("recall_caller", {"phone": "+15550100199"})),
        "One moment.",
        "You are Dana.",
        prepare=lambda llm: llm.register_function(
            "recall_caller", recall_caller, cancel_on_interruption=False
        ),
    ) as bot:
        await bot.say("Do you know me?")
        await is_asked.wait()
        await bot.interrupt()
        await bot.hear("It's urgent.")
        await bot.stop()
        may_answer.set()
        await bot.passed(LLMFullResponseEndFrame, 3)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [text for role, text in left.said if role == "caller"] == [
        "Do you know me?",
        "It's urgent.",
    ]
    assert [(use.name, dict(use.arguments), use.result) for use in uses] == [
        ("recall_caller", {"phone": "+15550100199"}, {"name": "Dana"})
    ]
    assert "IN_PROGRESS" not in str(bot.context.get_messages())


async def test_a_tool_that_is_cancelled_is_not_told_of(tmp_path: Path):
    is_asked = asyncio.Event()

    async def never(params: FunctionCallParams) -> None:
        is_asked.set()
        await asyncio.Event().wait()

    call = await rung(tmp_path / "m.db")
    uses = []
    call.call.observe_tool = uses.append
    async with voice_app(
        call,
        ("", ToolCall("never")),
        "I see.",
        prepare=lambda llm: llm.register_function("never", never),
    ) as bot:
        await bot.say("Look it up.")
        await is_asked.wait()
        await bot.interrupt()
        await bot.hear("Never mind.")
        await bot.stop()
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    assert uses == []
    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "Look it up."),
        ("caller", "Never mind."),
        ("agent", "I see."),
    ]


async def test_interim_words_are_a_cue_and_no_turn(tmp_path: Path):
    call = await rung(tmp_path / "m.db")
    cues = []
    call.call.hear = cues.append
    async with voice_app(call, "Which one?") as bot:
        await bot.begin()
        await bot.hear_interim("my rou")
        await bot.hear_interim("my router")
        await bot.hear("My router is broken.")
        await bot.stop()
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    assert cues == ["my rou", "my router", "My router is broken."]
    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "My router is broken."),
        ("agent", "Which one?"),
    ]


async def test_words_to_a_bot_that_does_not_listen_are_not_on_record(tmp_path: Path):
    async with voice_app(
        await rung(tmp_path / "m.db"),
        "Which one?",
        is_open=False,
        user={"user_mute_strategies": [AlwaysUserMuteStrategy()]},
    ) as bot:
        await bot.queue(TTSSpeakFrame("Welcome to Acme."))
        await bot.passed(UserMuteStartedFrame)
        await bot.hear("Hello, hello?")
        await bot.hear_interim("is anybody")
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.say("My router is broken.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.cancel()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("agent", "Welcome to Acme."),
        ("caller", "My router is broken."),
        ("agent", "Which one?"),
    ]


async def test_a_murmur_while_the_bot_speaks_is_no_answer(tmp_path: Path):
    call = await rung(tmp_path / "m.db")
    async with voice_app(call, is_open=False) as bot:
        await bot.queue(TTSSpeakFrame("Many people choose the Gold plan."))
        await bot.line.play(2)
        await bot.hear_interim("mhm")
        await bot.queue(UserBackchannelFrame("mhm", "", time_now_iso8601()))
        await bot.ears.until(UserBackchannelFrame)
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("agent", "Many people choose the Gold plan.")]
    assert call.statistics() == {"backchannels": 1}


async def test_words_that_no_reply_follows_are_on_record(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), "") as bot:
        await bot.say("My account number is 4821.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "My account number is 4821.")]
    assert ("account_number", "4821") in left.values


async def test_messages_of_one_service_only_and_of_the_app_are_nobodys_turns(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), "Hello.", "Good.") as bot:
        bot.context.add_message(LLMSpecificMessage(llm="other", message={"type": "thought"}))
        greet = {"role": "user", "content": "Greet the caller."}
        await bot.queue(LLMMessagesAppendFrame([greet], run_llm=True))
        await bot.passed(LLMFullResponseEndFrame)
        await bot.say("I am well.")
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("agent", "Hello."),
        ("caller", "I am well."),
        ("agent", "Good."),
    ]


async def test_overlapping_transcripts_of_one_turn_are_one_turn(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), "I see.") as bot:
        await bot.begin()
        await bot.hear("My son Bertil is diabetic")
        await bot.hear_interim("and we land")
        await bot.hear("and we land at nine.")
        await bot.stop()
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said[0] == ("caller", "My son Bertil is diabetic and we land at nine.")
    assert sum(turn.role is Role.CALLER for turn in left.turns) == 1


async def test_an_app_without_ears_still_keeps_both_sides(tmp_path: Path):
    async with voice_app(
        await rung(tmp_path / "m.db"),
        "I have cancelled order 7714.",
        layout=lambda parts: [parts.ears, *parts.usual()[2:]],
        is_open=False,
    ) as bot:
        await bot.say("Please cancel it.")
        await bot.line.play(3)
        await bot.queue(InterruptionFrame())
        await bot.passed(InterruptionFrame)
        await bot.worker.cancel()
        await bot.over()

    (first, cut) = (await on_record(tmp_path / "m.db")).turns
    assert first.text == "Please cancel it."
    assert "I have cancelled order 7714.".startswith(cut.text)
    assert cut.interrupted
