"""The labelled dialogues once more, with a language model that reads on after the rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tqdm import tqdm

from ringback import Assurance, Memory, MemorySettings
from ringback.clock import SystemClock
from ringback.inference.openai import OpenAiGenerator
from ringback.protocols import Filler
from ringback.records import Fact, ModelUse, Status
from ringback_models import resolve_file
from ringback_ops.bench.extraction_set import Dialogue
from ringback_pipelines.part_names import DEFAULT_LLM
from ringback_voice.llm_server import LlamaServer

LOCAL = "local"
TENANT = "bench"
PATIENCE_MS = 300_000  # a small model on a busy machine


@dataclass(slots=True)
class Reading:
    """What was known after each dialogue, and what the model took."""

    found: list[tuple[Dialogue, tuple[Fact, ...]]] = field(default_factory=list)
    use: ModelUse = field(default_factory=ModelUse)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def cost(self) -> dict[str, Any]:
        """Requests, tokens of both sides, time, and what became of the answers."""
        return {
            "requests": self.use.calls,
            "prompt_tokens": self.use.prompt_tokens,
            "completion_tokens": self.use.completion_tokens,
            "seconds": round(self.seconds, 1),
            **{f"answers_{name}": count for name, count in self.counts.items()},
        }


async def read_on(dialogues: Sequence[Dialogue], address: str, model: str) -> Reading:
    """Have each dialogue as a verified caller's call, whole, with rules and model.

    Args:
        dialogues: What was said.
        address: Of an OpenAI-compatible server, or `local`.
        model: The name that the server knows the model by.
    """
    reading, clock = Reading(), SystemClock()
    begun_ms = clock.now_ms()
    async with _served(address, model) as filler:
        for dialogue in tqdm(dialogues, unit="dialogue", mininterval=1):
            reading.found.append((dialogue, await _known(dialogue, filler, reading)))
    reading.seconds = (clock.now_ms() - begun_ms) / 1000
    return reading


@asynccontextmanager
async def _served(address: str, model: str) -> AsyncIterator[Filler]:
    if address != LOCAL:
        yield OpenAiGenerator(address, model)
        return
    async with LlamaServer(resolve_file(DEFAULT_LLM)) as server:
        yield OpenAiGenerator(server.endpoint.base_url, server.endpoint.model)


async def _known(dialogue: Dialogue, filler: Filler, reading: Reading) -> tuple[Fact, ...]:
    settings = MemorySettings(settle_ms=PATIENCE_MS)
    async with await Memory.open(
        "memory:", schema=dialogue.schema, extractor=filler, settings=settings
    ) as memory:
        call = memory.ring(
            tenant=TENANT, call_id=dialogue.id, zone=dialogue.zone, at=dialogue.turns[0].at
        )
        await call.identify("caller", Assurance.VERIFIED)
        for turn in dialogue.turns:
            call.observe(turn)
        await call.end()
        await memory.settle()
        use = await memory.keeping.model_use(TENANT, dialogue.id)
        reading.use = reading.use.plus(use)
        for name, count in memory.reading_counts().items():
            reading.counts[name] = reading.counts.get(name, 0) + count
        facts = await memory.profile(TENANT, "caller").facts(with_history=True)
    current = (Status.ACTIVE, Status.PROVISIONAL)
    return tuple(
        fact
        for fact in facts
        if fact.status in current or (fact.is_withdrawal and fact.status is Status.RETIRED)
    )
