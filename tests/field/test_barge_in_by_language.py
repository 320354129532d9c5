"""What was heard, what was not, and whose words they were, in other languages and at other moments."""

# ruff: noqa: RUF001 - full-width signs are meant

from __future__ import annotations

from pathlib import Path

import pytest
from pipecat.frames.frames import BotStoppedSpeakingFrame, LLMFullResponseEndFrame, TTSSpeakFrame

from ringback.schemas import GENERAL
from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import voice_app

pytestmark = pytest.mark.framework

# Asked, the two sentences of the reply, a word that only the second has, and the interruption.
REPLIES = [
    (
        "我的套餐多少钱？",
        "您的套餐每月四十元。",
        "我还免除了二十五元的费用。",
        "免除",
        "等一下。",
    ),
    (
        "¿Cuánto cuesta mi plan?",
        "Su plan cuesta 40 euros.",
        "También anulé la multa de 25 euros.",
        "anulé",
        "Espere.",
    ),
    (
        "Was kostet mein Vertrag?",
        "Ihr Vertrag kostet 40 Euro.",
        "Die Gebühr von 25 Euro habe ich erlassen.",
        "erlassen",
        "Moment.",
    ),
    (
        "プランはいくらですか。",
        "プランは月四十ドルです。",
        "手数料も免除しました。",
        "免除",
        "待って。",
    ),
]
IDS = ["Chinese", "Spanish", "German", "Japanese"]


def units(text: str) -> int:
    """How many the scripted voice takes: words, or signs of what is not plain Latin."""
    return len(text.split() if text.isascii() else list(text))


@pytest.mark.parametrize("is_timed", [False, True], ids=["sentences", "timed words"])
@pytest.mark.parametrize("said", REPLIES, ids=IDS)
async def test_a_second_sentence_that_nobody_heard_is_nowhere(
    tmp_path: Path, said: tuple[str, ...], is_timed: bool
):
    asked, first, second, word, stops = said
    async with voice_app(
        await rung(tmp_path / "m.db"), f"{first} {second}", is_open=False, is_timed=is_timed
    ) as bot:
        await bot.say(asked)
        await bot.line.play(units(first))
        await bot.interrupt()
        await bot.hear(stops)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [text for role, text in left.said if role == "caller"] == [asked, stops]
    assert left.turns[1].text in (first, first.rstrip("。"))
    assert left.turns[1].interrupted
    assert word not in f"{left.said} {left.values} {left.summary}"


@pytest.mark.parametrize(
    ("bot_says", "heard", "own", "value"),
    [
        (
            "I see you are allergic to latex, is that right?",
            "you are allergic to latex is that right no I am allergic to nuts",
            "no I am allergic to nuts",
            "nuts",
        ),
        (
            "I have your home town as Lisbon, is that right?",
            "home town as Lisbon is that right I live in Lodz now",
            "I live in Lodz now",
            "Lodz",
        ),
        (
            "我看到您对乳胶过敏，对吗？",
            "您对乳胶过敏对吗不是我对花生过敏",
            "不是我对花生过敏",
            "花生",
        ),
    ],
    ids=["an allergy", "a town", "Chinese"],
)
async def test_of_an_echo_with_the_callers_own_words_behind_it_only_those_are_theirs(
    tmp_path: Path, bot_says: str, heard: str, own: str, value: str
):
    call = await rung(tmp_path / "m.db", schema=GENERAL)
    async with voice_app(call, "I note that.", is_open=False) as bot:
        await bot.queue(TTSSpeakFrame(bot_says))
        await bot.line.play(2)
        await bot.begin()
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.hear(heard)
        await bot.stop()
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db", GENERAL)
    assert left.said[:2] == [("agent", bot_says), ("caller", own)]
    assert [one for _, one in left.values] == [value]
    assert call.statistics()["echoes"] == 1


@pytest.mark.parametrize(
    ("late", "value"),
    [
        ("no, I live in Lodz since last year", ("home_town", "Lodz")),
        ("我对花生过敏", ("allergy", "花生")),
        ("my birthday is 5 May 1980", ("birthday", "1980-05-05")),
    ],
)
async def test_a_final_that_comes_over_the_next_question_belongs_before_it_and_is_read(
    tmp_path: Path, late: str, value: tuple[str, str]
):
    question = "Shall I send the new card there?"
    async with voice_app(
        await rung(tmp_path / "m.db", schema=GENERAL), "Fine.", is_open=False
    ) as bot:
        await bot.begin()
        await bot.stop()
        await bot.queue(TTSSpeakFrame(question))
        await bot.line.play(3)
        await bot.hear(late)
        bot.line.open()
        await bot.passed(BotStoppedSpeakingFrame)
        await bot.say("Yes, please.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.end()
        await bot.over()

    left = await on_record(tmp_path / "m.db", GENERAL)
    in_order = sorted(left.turns, key=lambda turn: (turn.started_ms or 0, turn.position))
    assert [turn.text for turn in in_order] == [late, question, "Yes, please.", "Fine."]
    assert value in left.values
