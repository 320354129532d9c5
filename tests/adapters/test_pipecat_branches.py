"""Pipelines of other shapes: branches, nested ones, two models, and no sound at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from pipecat.frames.frames import (
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSSpeakFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.pipeline.parallel_pipeline import ParallelPipeline
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies
from pipecat.utils.text.base_text_aggregator import TextType

from tests.adapters.on_record import on_record, rung
from tests.adapters.voice_app import Parts, ScriptedLLM, voice_app

pytestmark = pytest.mark.framework


def in_one_branch(parts: Parts) -> list[FrameProcessor]:
    ears, heard, user, memory, llm, *rest = parts.usual()
    return [ears, heard, user, ParallelPipeline([memory, llm], [FrameProcessorThatDrops()]), *rest]


def in_two_branches(parts: Parts) -> list[FrameProcessor]:
    ears, heard, user, memory, llm, *rest = parts.usual()
    second = [parts.memory.processor(parts.pair), ScriptedLLM("")]
    return [ears, heard, user, ParallelPipeline([memory, llm], second), *rest]


def nested(parts: Parts) -> list[FrameProcessor]:
    ears, heard, user, memory, llm, tts, line, *rest = parts.usual()
    return [Pipeline([ears, heard]), user, Pipeline([memory, llm]), Pipeline([tts, line]), *rest]


class FrameProcessorThatDrops(FrameProcessor):
    """A branch that comes to nothing but for what keeps a pipeline going."""

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if not isinstance(frame, TTSSpeakFrame):
            await self.push_frame(frame, direction)


@pytest.mark.parametrize("layout", [in_one_branch, in_two_branches, nested])
async def test_each_turn_is_captured_once_in_a_pipeline_of_any_shape(tmp_path: Path, layout):
    async with voice_app(
        await rung(tmp_path / "m.db"), "Which one?", layout=layout, is_open=False
    ) as bot:
        await bot.say("My router is broken.")
        await bot.line.play(1)
        await bot.interrupt()
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert left.said == [("caller", "My router is broken."), ("agent", "Which")]
    assert left.turns[1].interrupted
    assert "unknown" in str(bot.llm.requests[0][0]).lower()


async def test_two_aggregators_that_hear_the_same_are_one_caller(tmp_path: Path):
    def twice(parts: Parts) -> list[FrameProcessor]:
        params = LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies())
        other = LLMContextAggregatorPair(parts.memory.context(), user_params=params)
        return [
            parts.memory.ears(),
            parts.ears,
            ParallelPipeline(
                [
                    parts.pair.user(),
                    parts.memory.processor(parts.pair),
                    parts.llm,
                    parts.spoken,
                    parts.pair.assistant(),
                ],
                [
                    other.user(),
                    parts.memory.processor(other),
                    ScriptedLLM("", ""),
                    other.assistant(),
                ],
            ),
        ]

    async with voice_app(
        await rung(tmp_path / "m.db"), "Right.", "Right again.", layout=twice
    ) as bot:
        await bot.say("yes")
        await bot.passed(LLMFullResponseEndFrame)
        await bot.say("yes")
        await bot.passed(LLMFullResponseEndFrame, 2)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("caller", "yes"),
        ("agent", "Right."),
        ("caller", "yes"),
        ("agent", "Right again."),
    ]


def without_sound(parts: Parts) -> list[FrameProcessor]:
    ears, heard, user, memory, llm, _tts, _line, spoken, assistant = parts.usual()
    return [ears, heard, user, memory, llm, spoken, assistant]


async def test_two_written_replies_that_overlap_are_two_turns(tmp_path: Path):
    async with voice_app(await rung(tmp_path / "m.db"), layout=without_sound) as bot:
        start, end = LLMFullResponseStartFrame, LLMFullResponseEndFrame
        first, second = LLMTextFrame("Great, thanks."), LLMTextFrame("Your code is 5-5-1.")
        await bot.queue(start(), first, start(), second, end(), end())
        await bot.passed(end, 2)
        await bot.worker.end()
        await bot.over()

    assert (await on_record(tmp_path / "m.db")).said == [
        ("agent", "Great, thanks."),
        ("agent", "Your code is 5-5-1."),
    ]


@pytest.mark.parametrize("goes_on", [True, False])
async def test_written_words_that_come_after_the_interruption_are_kept(
    tmp_path: Path, goes_on: bool
):
    async with voice_app(await rung(tmp_path / "m.db"), "Yes.", layout=without_sound) as bot:
        await bot.queue(LLMFullResponseStartFrame())
        await bot.passed(LLMFullResponseStartFrame)
        await bot.queue(InterruptionFrame())
        await bot.passed(InterruptionFrame)
        await bot.queue(TTSTextFrame("I have cancelled order 7714", TextType.SENTENCE))
        await bot.passed(TTSTextFrame)
        if goes_on:
            await bot.say("Really?")
            await bot.passed(LLMFullResponseEndFrame)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(tmp_path / "m.db")
    assert ("agent", "I have cancelled order 7714") in left.said
    assert sum("7714" in text for _, text in left.said) == 1
    assert [turn.interrupted for turn in left.turns if "7714" in turn.text] == [True]
    assert (("agent", "Yes.") in left.said) is goes_on


async def test_the_sound_is_found_where_the_aggregator_stands_before_it(tmp_path: Path):
    def early(parts: Parts) -> list[FrameProcessor]:
        *before, tts, line, spoken, assistant = parts.usual()
        return [*before, assistant, tts, line, spoken]

    async with voice_app(await rung(tmp_path / "m.db"), layout=early, is_open=False) as bot:
        await bot.queue(TTSSpeakFrame("I have cancelled order 7714."))
        await bot.line.play(3)
        await bot.queue(InterruptionFrame())
        await bot.passed(InterruptionFrame)
        await bot.worker.cancel()
        await bot.over()

    (cut,) = (await on_record(tmp_path / "m.db")).turns
    assert "I have cancelled order".startswith(cut.text)
    assert cut.interrupted
    assert not [frame for frame in bot.spoken.seen if isinstance(frame, TTSStoppedFrame)]
