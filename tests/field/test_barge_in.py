"""What the bot said is what was heard of it, whatever Pipecat wrote into the conversation."""

from __future__ import annotations

from pathlib import Path

import pytest
from pipecat.frames.frames import (
    InterruptionFrame,
    LLMFullResponseEndFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.services.llm_service import FunctionCallParams
from pipecat.utils.text.base_text_aggregator import TextType

from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import ToolCall, voice_app

pytestmark = pytest.mark.framework

PLAN = "Your plan costs 40 dollars. I have also waived the 25 dollar fee."
TIMED = pytest.mark.parametrize("is_timed", [False, True], ids=["sentences", "timed words"])


@TIMED
async def test_words_that_nobody_heard_are_not_on_record(tmp_path: Path, is_timed: bool):
    async with voice_app(
        await rung(tmp_path / "m.db"), PLAN, is_open=False, is_timed=is_timed
    ) as bot:
        await bot.say("What does my plan cost?")
        await bot.line.play(5)
        await bot.interrupt()
        await bot.hear("Hold on.")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("caller", "What does my plan cost?"),
        ("agent", "Your plan costs 40 dollars."),
        ("caller", "Hold on."),
    ]
    assert left.turns[1].interrupted
    assert "waived" not in f"{left.values} {left.summary}"
    assert "25" not in f"{left.values} {left.summary}"


@TIMED
async def test_a_sentence_that_was_cut_ends_at_the_last_word_heard(tmp_path: Path, is_timed: bool):
    async with voice_app(
        await rung(tmp_path / "m.db"), PLAN, is_open=False, is_timed=is_timed
    ) as bot:
        await bot.say("What does my plan cost?")
        await bot.line.play(8)
        await bot.interrupt()
        await bot.worker.cancel()
        await bot.over()

    (_, cut) = (await on_record(tmp_path / "m.db")).turns
    assert cut.interrupted
    assert PLAN.startswith(cut.text)
    assert 7 <= len(cut.text.split()) <= 9


@TIMED
async def test_words_that_were_heard_are_kept_when_their_text_is_overtaken(
    tmp_path: Path, is_timed: bool
):
    promise = "I have cancelled order 7714"
    async with voice_app(
        await rung(tmp_path / "m.db"), promise, "Yes.", is_open=False, is_timed=is_timed
    ) as bot:
        await bot.say("Please cancel it.")
        await bot.line.play(4.8)  # the last of the sound is on its way, and the text behind it
        assert not bot.spoken_texts() or is_timed
        await bot.interrupt()
        await bot.hear("Really?")
        await bot.stop()
        bot.line.open()
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [text for _, text in left.said].count(promise) == 1
    assert left.said == [
        ("caller", "Please cancel it."),
        ("agent", promise),
        ("caller", "Really?"),
        ("agent", "Yes."),
    ]
    assert [turn.interrupted for turn in left.turns] == [False, True, False, False]


async def test_words_whose_text_comes_after_the_interruption_are_kept(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db")) as bot:
        sound = b"\x10\x10" * 16_000  # of two seconds: so long does the sentence take to say
        await bot.say("Please cancel it.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.tts.push_frame(TTSStartedFrame(context_id="reply"))
        for _ in range(2):
            await bot.tts.push_frame(TTSAudioRawFrame(sound, 16_000, 1, context_id="reply"))
        await bot.passed(TTSAudioRawFrame, 100)
        await bot.interrupt()
        words = TTSTextFrame("I have cancelled order 7714", TextType.SENTENCE)
        words.context_id = "reply"
        await bot.tts.push_frame(words)
        await bot.passed(TTSTextFrame)
        await bot.hear("Thanks.")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("caller", "Please cancel it."),
        ("agent", "I have cancelled order 7714"),
        ("caller", "Thanks."),
    ]
    assert left.turns[1].interrupted


async def test_a_reply_of_which_nothing_was_heard_is_no_turn(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), PLAN, is_open=False) as bot:
        await bot.say("What does my plan cost?")
        await bot.line.play(0)
        await bot.interrupt()
        await bot.hear("Never mind.")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "What does my plan cost?"), ("caller", "Never mind.")]


async def test_two_replies_that_overlap_are_two_turns(tmp_path: Path):
    async with voice_app(
        await rung(tmp_path / "m.db"), "Great, thanks.", "Your code is 5-5-1.", is_open=False
    ) as bot:
        await bot.say("I am done.")
        await bot.line.play(1)
        await bot.say("What is my code?")
        bot.line.open()
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [text for role, text in left.said if role == "agent"] == [
        "Great, thanks.",
        "Your code is 5-5-1.",
    ]
    assert left.summary.count("5-5-1") <= 1


@TIMED
async def test_a_sentence_before_a_tool_call_is_on_record_once(tmp_path: Path, is_timed: bool):
    async def log_case(params: FunctionCallParams) -> None:
        await params.result_callback({"case": "A-17"})

    reply = ("I will waive the late fee.", ToolCall("log_case"))
    async with voice_app(
        await rung(tmp_path / "m.db"),
        reply,
        "It is done.",
        is_timed=is_timed,
        prepare=lambda llm: llm.register_function("log_case", log_case),
    ) as bot:
        await bot.say("The fee is not fair.")
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("caller", "The fee is not fair."),
        ("agent", "I will waive the late fee."),
        ("agent", "It is done."),
    ]
    assert left.summary.count("waive the late fee") == 1


async def test_a_tool_call_without_words_is_no_turn_of_the_bot(tmp_path: Path):
    async def look_up(params: FunctionCallParams) -> None:
        await params.result_callback({"plan": "gold"})

    async with voice_app(
        await rung(tmp_path / "m.db"),
        ("", ToolCall("look_up")),
        "You have gold.",
        prepare=lambda llm: llm.register_function("look_up", look_up),
    ) as bot:
        await bot.say("Which plan do I have?")
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "Which plan do I have?"), ("agent", "You have gold.")]


@TIMED
@pytest.mark.parametrize("append_to_context", [True, False])
async def test_a_greeting_that_no_model_wrote_is_on_record_once(
    tmp_path: Path, append_to_context: bool, is_timed: bool
):
    async with voice_app(await rung(tmp_path / "m.db"), "Fine.", is_timed=is_timed) as bot:
        await bot.queue(TTSSpeakFrame("Acme, how may I help?", append_to_context=append_to_context))
        await bot.passed(TTSStoppedFrame)
        await bot.say("My router is broken.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("agent", "Acme, how may I help?"),
        ("caller", "My router is broken."),
        ("agent", "Fine."),
    ]


async def test_a_reply_whose_speech_fails_was_not_heard(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), PLAN) as bot:
        bot.tts.is_silent = True
        await bot.say("What does my plan cost?")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [("caller", "What does my plan cost?")]


async def test_an_announcement_that_may_not_be_interrupted_is_whole(tmp_path: Path):
    legal = "This call is recorded for training."
    async with voice_app(await rung(tmp_path / "m.db"), is_open=False) as bot:
        speak = TTSSpeakFrame(legal)
        speak.interruptible = False
        await bot.queue(speak)
        await bot.line.play(2)
        await bot.queue(InterruptionFrame())
        bot.line.open()
        await bot.passed(TTSStoppedFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [(turn.text, turn.interrupted) for turn in left.turns] == [(legal, False)]
