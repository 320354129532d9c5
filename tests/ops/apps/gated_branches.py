"""A bot as a class with a second model beside the first, which only decides when to answer."""

from __future__ import annotations

from pipecat.pipeline.parallel_pipeline import ParallelPipeline
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.aggregators.gated_llm_context import GatedLLMContextAggregator
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.filters.null_filter import NullFilter
from pipecat.services.anthropic.llm import AnthropicLLMService
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.transports.daily.transport import DailyParams, DailyTransport
from voices import build_tts

from ringback_pipecat import open_call


class Bot:
    """One call's bot."""

    async def start(self, room_url: str, user_id: str, notifier) -> None:
        from pipecat.pipeline.worker import PipelineWorker as _Worker
        from pipecat.processors.aggregators.llm_response_universal import (
            LLMContextAggregatorPair as Pair,
        )
        from pipecat.workers.runner import WorkerRunner as _Runner

        self.memory = await open_call("sqlite:///m.db", tenant="t", handles=[("crm", user_id)])
        transport = DailyTransport(room_url, None, "bot", DailyParams(audio_out_enabled=True))
        statements = Pair(LLMContext())
        self.llm, tts = AnthropicLLMService(), build_tts(user_id)
        pair = Pair(self.memory.context([{"role": "developer", "content": "Be brief."}]))
        gate = GatedLLMContextAggregator(notifier=notifier)
        self.worker = _Worker(
            Pipeline(
                [
                    transport.input(),
                    DeepgramSTTService(),
                    self.memory.ears(),
                    ParallelPipeline(
                        [statements.user(), AnthropicLLMService(), NullFilter()],
                        [pair.user(), self.memory.processor(pair), gate, self.llm],
                    ),
                    tts,
                    transport.output(),
                    pair.assistant(),
                ]
            )
        )
        transport.add_event_handler("on_participant_left", self.left)
        runner = _Runner()
        await runner.add_workers(self.worker)
        await runner.run()

    async def left(self, _transport, _participant, _reason) -> None:
        await self.finish()

    async def finish(self) -> None:
        await self.worker.cancel()
