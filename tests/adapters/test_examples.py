"""The example app before and after memory: at most six lines differ, and both run."""

from __future__ import annotations

import asyncio
import difflib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from pipecat.frames.frames import (
    LLMFullResponseEndFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.base_transport import BaseTransport
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

from tests.adapters.pipecat_app import Tap
from tests.made import llm_server

pytestmark = pytest.mark.framework

EXAMPLES = Path(__file__).parents[2] / "pipelines" / "examples"
DIFFERENT_LINES = 6


class Line(BaseTransport):
    """A transport without sound."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = (Tap(), Tap())

    def input(self) -> Tap:
        return self.ends[0]

    def output(self) -> Tap:
        return self.ends[1]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def one_call(example: ModuleType, line: str) -> list[dict]:
    """Run the example for one turn; return what the model was sent."""
    requests: list[dict] = []
    with llm_server(answer="Thank you.", requests=requests) as address:
        llm = OpenAILLMService(
            base_url=address,
            api_key="none",
            settings=OpenAILLMService.Settings(model="scripted", system_instruction="Be kind."),
        )
        transport, tts = Line(), Tap()
        told = LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies())
        worker = await example.make_bot(
            transport, Tap(), llm, tts, number="+1 555 010 0199", turn_taking=told
        )
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(0.3)  # the phone rings
        await worker.queue_frame(UserStartedSpeakingFrame())
        await worker.queue_frame(TranscriptionFrame(line, "", time_now_iso8601()))
        await worker.queue_frame(UserStoppedSpeakingFrame())
        await tts.until(LLMFullResponseEndFrame)
        await worker.cancel()
        async with asyncio.timeout(20):
            await running
    return requests


def test_at_most_six_lines_differ():
    before, after = (
        (EXAMPLES / name).read_text().split('"""', 2)[2].splitlines()
        for name in ("before.py", "after.py")
    )
    changed = [
        line
        for line in difflib.ndiff(before, after)
        if line[:2] in ("+ ", "- ") and line[2:].strip()
    ]
    replaced = {line[2:].strip() for line in changed if line.startswith("- ")}

    added = [line for line in changed if line.startswith("+ ")]
    assert len(added) + max(0, len(replaced) - len(added)) <= DIFFERENT_LINES, changed


async def test_both_run_and_only_the_second_remembers(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = "This is Dana Whitfield speaking. My account number is 4821."

    for name in ("before", "after"):
        await one_call(load(name), said)
    before, after = [await one_call(load(name), "Hello.") for name in ("before", "after")]

    assert "4821" not in str(before)
    assert "4821" in str(after)
