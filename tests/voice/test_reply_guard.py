from __future__ import annotations

import asyncio

import pytest
from pipecat.frames.frames import (
    Frame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSSpeakFrame,
)
from pipecat.tests.utils import SleepFrame, run_test

from ringback_voice.reply_guard import ReplyGuard

pytestmark = [pytest.mark.framework, pytest.mark.virtual_time]

START, END = LLMFullResponseStartFrame, LLMFullResponseEndFrame


async def say(*frames: Frame) -> tuple[ReplyGuard, list[Frame]]:
    guard = ReplyGuard(deadline_s=2.0, apology="Sorry.")
    down, _ = await run_test(guard, frames_to_send=list(frames))
    return guard, list(down)


def apologies(frames: list[Frame]) -> list[str]:
    return [frame.text for frame in frames if isinstance(frame, TTSSpeakFrame)]


async def test_a_reply_with_words_is_left_alone():
    guard, frames = await say(START(), LLMTextFrame("Hello."), SleepFrame(sleep=5), END())

    assert apologies(frames) == []
    assert guard.apologies == 0


async def test_an_empty_reply_is_answered_with_an_apology():
    guard, frames = await say(START(), END(), SleepFrame(sleep=0.1))

    assert apologies(frames) == ["Sorry."]
    assert guard.apologies == 1


async def test_a_reply_that_does_not_begin_in_time_is_ended_and_apologised_for():
    guard, frames = await say(START(), SleepFrame(sleep=2.5))

    kinds = [type(frame) for frame in frames]
    assert apologies(frames) == ["Sorry."]
    assert kinds.index(InterruptionFrame) < kinds.index(TTSSpeakFrame)
    assert guard.apologies == 1


async def test_a_reply_that_calls_a_tool_needs_no_words():
    _, frames = await say(
        START(),
        SleepFrame(),
        FunctionCallsStartedFrame([]),
        SleepFrame(),
        END(),
        SleepFrame(sleep=3),
    )

    assert apologies(frames) == []


async def test_a_reply_that_the_caller_interrupts_needs_no_apology():
    _, frames = await say(START(), SleepFrame(), InterruptionFrame(), SleepFrame(sleep=3), END())

    assert apologies(frames) == []


async def test_no_timer_outlives_the_call():
    before = asyncio.all_tasks()

    await say(START(), LLMTextFrame("a"), END())

    assert asyncio.all_tasks() == before
