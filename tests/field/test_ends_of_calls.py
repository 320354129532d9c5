"""However a call ends and in whatever state, its last words are there, and one summary."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pipecat.frames.frames import (
    EndFrame,
    EndWorkerFrame,
    LLMFullResponseEndFrame,
    StopFrame,
    StopWorkerFrame,
    TTSSpeakFrame,
    VADUserStartedSpeakingFrame,
)
from pipecat.pipeline.worker import ProcessorUnusablePolicy
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.llm_service import FunctionCallParams

from ringback.records import Status
from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import ToolCall, VoiceApp, voice_app

pytestmark = pytest.mark.framework

End = Callable[[VoiceApp], Awaitable[object]]


async def caller_hangs_up(bot: VoiceApp) -> None:
    await bot.worker.cancel()


async def bot_ends(bot: VoiceApp) -> None:
    await bot.worker.end()


async def bot_pushes_the_end(bot: VoiceApp) -> None:
    await bot.queue(EndFrame())


async def a_processor_asks_for_the_end(bot: VoiceApp) -> None:
    await bot.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)


async def pipeline_stops(bot: VoiceApp) -> None:
    await bot.queue(StopFrame())


async def a_processor_asks_to_stop(bot: VoiceApp) -> None:
    await bot.llm.push_frame(StopWorkerFrame(), FrameDirection.UPSTREAM)


async def a_part_fails_for_good(bot: VoiceApp) -> None:
    await bot.llm.push_error("broken", force_treat_as_permanent=True)


async def nobody_speaks_any_more(_bot: VoiceApp) -> None:
    """The worker was told to wait for half a second."""


ENDS = [
    caller_hangs_up,
    bot_ends,
    bot_pushes_the_end,
    a_processor_asks_for_the_end,
    pipeline_stops,
    a_processor_asks_to_stop,
    a_part_fails_for_good,
    nobody_speaks_any_more,
]
EVERY_END = pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)


def options(end: End) -> dict[str, object]:
    """What a worker needs for an end of this sort."""
    if end is a_part_fails_for_good:
        return {"processor_unusable_policy": ProcessorUnusablePolicy.CANCEL}
    if end is nobody_speaks_any_more:
        return {"cancel_on_idle_timeout": True, "idle_timeout_secs": 0.5}
    return {}


@EVERY_END
async def test_every_end_leaves_all_turns_and_one_summary(tmp_path: Path, end: End):
    async with voice_app(await rung(tmp_path / "m.db"), "I note that.", **options(end)) as bot:
        await bot.say("My account number is 4821.")
        await bot.passed(LLMFullResponseEndFrame)
        await end(bot)
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "My account number is 4821."), ("agent", "I note that.")]
    assert ("account_number", "4821") in left.values
    assert (left.summaries, left.open_jobs) == (1, 0)
    assert "4821" in left.summary


@EVERY_END
async def test_every_end_leaves_words_that_were_only_interim(tmp_path: Path, end: End):
    async with voice_app(await rung(tmp_path / "m.db"), "I note that.", **options(end)) as bot:
        await bot.say("My account number is 4821.")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.begin()
        await bot.hear_interim("Actually my new address is 9 Quill Lane, Dun")
        await end(bot)
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said[-1] == ("caller", "Actually my new address is 9 Quill Lane, Dun")
    assert left.turns[-1].partial
    (address,) = [fact for fact in left.facts if fact.key == "address"]
    assert address.value.startswith("9 Quill Lane")
    assert address.status is Status.PROVISIONAL
    assert left.summaries == 1
    assert "The line was cut" in left.summary


@pytest.mark.parametrize("end", [caller_hangs_up, bot_ends, a_part_fails_for_good])
async def test_a_half_spoken_turn_is_one_turn_with_its_interim_end(tmp_path: Path, end: End):
    async with voice_app(await rung(tmp_path / "m.db"), **options(end)) as bot:
        await bot.begin()
        await bot.hear("Actually my new address")
        await bot.hear_interim("is 9 Quill Lane, Dun")
        await bot.seen_by_aggregator()
        await end(bot)
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "Actually my new address is 9 Quill Lane, Dun")]
    assert left.turns[0].partial


@pytest.mark.parametrize("end", [caller_hangs_up, a_part_fails_for_good])
async def test_an_end_while_the_bot_speaks_leaves_what_was_heard(tmp_path: Path, end: End):
    reply = "I have cancelled order 7714. You get your money back on Friday."
    async with voice_app(
        await rung(tmp_path / "m.db"), reply, is_open=False, **options(end)
    ) as bot:
        await bot.say("Please cancel it.")
        await bot.line.play(5)
        await end(bot)
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [
        ("caller", "Please cancel it."),
        ("agent", "I have cancelled order 7714."),
    ]
    assert left.turns[1].interrupted
    assert "money" not in left.summary
    assert left.summaries == 1


async def test_the_bots_own_end_lets_it_finish_its_sentence(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), is_open=False) as bot:
        await bot.queue(TTSSpeakFrame("Thank you for calling Acme."))
        await bot.line.play(2)
        await bot.queue(EndFrame())
        bot.line.open()
        await bot.over()

    (turn,) = (await on_record(tmp_path / "m.db")).turns
    assert (turn.text, turn.interrupted) == ("Thank you for calling Acme.", False)


async def test_a_caller_who_is_cut_off_while_speaking_into_the_bot_has_the_last_word(
    tmp_path: Path,
):
    async with voice_app(await rung(tmp_path / "m.db"), is_open=False) as bot:
        await bot.queue(TTSSpeakFrame("We are open every day from nine to five."))
        await bot.line.play(3)
        await bot.queue(VADUserStartedSpeakingFrame())
        await bot.hear_interim("my claim number is 4417")
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert [role for role, _ in left.said] == ["agent", "caller"]
    assert "The line was cut" in left.summary


@EVERY_END
async def test_every_end_during_a_tool_call_leaves_the_question(tmp_path: Path, end: End):
    is_asked, answer = asyncio.Event(), asyncio.Event()

    async def look_up(params: FunctionCallParams) -> None:
        is_asked.set()
        await answer.wait()
        await params.result_callback({"plan": "gold"})

    async with voice_app(
        await rung(tmp_path / "m.db"),
        ("", ToolCall("look_up")),
        prepare=lambda llm: llm.register_function("look_up", look_up),
        **options(end),
    ) as bot:
        await bot.say("Which plan do I have?")
        await is_asked.wait()
        await end(bot)
        answer.set()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "Which plan do I have?")]
    assert (left.summaries, left.open_jobs) == (1, 0)


@EVERY_END
async def test_every_end_before_the_briefing_is_there_leaves_all_turns(tmp_path: Path, end: End):
    call = await rung(tmp_path / "m.db")
    never = asyncio.Event()

    async def slow(*_arguments: object, **_options: object) -> tuple[()]:
        await never.wait()
        return ()

    memory = call._memory
    assert memory is not None
    memory.keeping.known = slow
    async with voice_app(call, "I note that.", **options(end)) as bot:
        await bot.say("My account number is 4821.")
        await bot.passed(LLMFullResponseEndFrame)
        await end(bot)
        await bot.over()
        never.set()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "My account number is 4821."), ("agent", "I note that.")]
    assert (left.summaries, left.open_jobs) == (1, 0)


async def test_a_call_in_which_nobody_spoke_leaves_nothing(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db")) as bot:
        await bot.begin()
        await bot.stop()
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert (left.said, left.summaries) == ([], 0)
