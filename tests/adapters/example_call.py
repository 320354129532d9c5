"""One call of an example app: its `make_bot`, run on the framework with scripted parts."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

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


class Line(BaseTransport):
    """A transport without sound."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = (Tap(), Tap())

    def input(self) -> Tap:
        return self.ends[0]

    def output(self) -> Tap:
        return self.ends[1]


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
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
