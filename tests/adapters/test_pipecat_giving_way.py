"""Model work beside a call is told when somebody waits for a reply, by the pipeline's frames."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    Frame,
    FunctionCallResultFrame,
    FunctionCallResultProperties,
    InterruptionFrame,
    LLMContextFrame,
    TextFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection
from pipecat.tests.utils import run_test

from ringback import Memory
from ringback.clock import SystemClock
from ringback_pipecat import MemoryContext
from ringback_pipecat.processor import MemoryProcessor

pytestmark = pytest.mark.framework


@pytest.mark.parametrize(
    ("properties", "told"),
    [
        (None, ["due"]),
        (FunctionCallResultProperties(run_llm=False), []),
        (FunctionCallResultProperties(is_final=False), []),
    ],
    ids=["a result", "a result that nobody answers", "a part of one"],
)
async def test_after_a_tool_the_caller_waits_for_the_reply_again(
    properties: FunctionCallResultProperties | None,
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
):
    heard: list[str] = []
    async with await Memory.open("memory:") as memory:
        call = memory.ring(tenant="acme")
        monkeypatch.setattr(call, "reply_is_due", lambda: heard.append("due"))

        async def hang_up() -> None: ...

        result = FunctionCallResultFrame("look_up", "1", {}, "none", properties=properties)
        await run_test(
            MemoryProcessor(
                call,
                SystemClock(),
                MemoryContext(call.context),
                set_up=lambda: None,
                hang_up=hang_up,
            ),
            frames_to_send=[result],
            frames_to_send_direction=FrameDirection.UPSTREAM,
        )

    assert heard == told


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([VADUserStoppedSpeakingFrame()], ["due"]),
        ([LLMContextFrame(context=LLMContext())], ["due"]),
        ([VADUserStoppedSpeakingFrame(), BotStartedSpeakingFrame()], ["due", "heard"]),
        ([VADUserStoppedSpeakingFrame(), VADUserStartedSpeakingFrame()], ["due", "heard"]),
        ([VADUserStoppedSpeakingFrame(), InterruptionFrame()], ["due", "heard"]),
        ([TextFrame("hello")], []),
    ],
    ids=["a pause", "a request", "an answer", "the caller speaks on", "an interruption", "a text"],
)
async def test_who_waits_for_a_reply_is_told_by_frames(
    frames: list[Frame], told: list[str], monkeypatch: pytest.MonkeyPatch
):
    heard: list[str] = []
    async with await Memory.open("memory:") as memory:
        call = memory.ring(tenant="acme")
        monkeypatch.setattr(call, "reply_is_due", lambda: heard.append("due"))
        monkeypatch.setattr(call, "reply_is_heard", lambda: heard.append("heard"))

        async def hang_up() -> None: ...

        passed, _ = await run_test(
            MemoryProcessor(
                call,
                SystemClock(),
                MemoryContext(call.context),
                set_up=lambda: None,
                hang_up=hang_up,
            ),
            frames_to_send=frames,
        )
        while_it_ran = list(heard)

    assert while_it_ran == told
    assert [type(frame) for frame in passed if type(frame) in {type(one) for one in frames}] == [
        type(one) for one in frames
    ]
