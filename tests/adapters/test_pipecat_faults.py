"""Whatever fails in memory on a pipeline's path: frames pass, the caller is answered, and it is told."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import ErrorFrame, LLMFullResponseEndFrame
from pipecat.pipeline.worker import ProcessorUnusablePolicy

from ringback import Context
from ringback.clock import SystemClock
from ringback_pipecat import MemoryContext
from tests.adapters.on_record import rung
from tests.adapters.pipecat_app import app
from tests.adapters.voice_app import voice_app
from tests.made import llm_server

pytestmark = pytest.mark.framework


class BreakingClock(SystemClock):
    """The machine's clock, until a test breaks it."""

    is_broken = False

    def now_at(self) -> datetime:
        if self.is_broken:
            raise PermissionError("401 Unauthorized")  # Pipecat takes this for final
        return super().now_at()


@pytest.mark.parametrize("end", ["cancel", "end"])
async def test_a_part_that_fails_at_every_frame_stops_no_frame_and_is_told_of(
    tmp_path: Path, end: str
):
    clock = BreakingClock()
    errors: list[str] = []

    async def note(_worker: object, frame: ErrorFrame) -> None:
        errors.append(frame.error)

    async with voice_app(
        await rung(tmp_path / "m.db", clock=clock),
        "Which one?",
        "I see.",
        processor_unusable_policy=ProcessorUnusablePolicy.CANCEL,
    ) as bot:
        bot.worker.add_event_handler("on_pipeline_error", note)
        await bot.say("My router is broken.")
        await bot.passed(LLMFullResponseEndFrame)
        clock.is_broken = True
        await bot.say("The blue one.")
        await bot.passed(LLMFullResponseEndFrame, 2)
        async with asyncio.timeout(10):  # a frame that is kept holds a pipeline's end up for 20 s
            await getattr(bot.worker, end)()
            await bot.running

    asked = [one["content"] for one in bot.llm.requests[1] if one["role"] == "user"]
    assert asked == ["My router is broken.", "The blue one."]
    assert set(errors) >= {"memory missed a frame"}


async def test_a_recall_that_fails_leaves_the_request_as_it_is_without_memory(
    caplog: pytest.LogCaptureFixture,
):
    def fails(*_: Any, **__: Any) -> Context:
        raise LookupError("My account number is 4821.")

    sent: list[list[dict]] = []
    with caplog.at_level(logging.WARNING):
        for context in (None, MemoryContext(fails)):
            requests: list[dict] = []
            with llm_server(answer="Which one?", requests=requests) as address:
                async with app(None, llm_address=address, context=context) as bot:
                    await bot.say("My router is broken.")
                    await bot.worker.end()
                    await bot.finish()
            sent += [request["messages"] for request in requests]

    assert len(sent) == 2
    assert sent[0] == sent[1]
    (told,) = [one for one in caplog.records if one.name.startswith("ringback")]
    assert told.message == "request without memory"
    assert "4821" not in str(vars(told))
