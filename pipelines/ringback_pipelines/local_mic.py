"""A fully local bot on this machine's microphone; interrupt it with your voice.

    async with open_parts(PartNames()) as parts, open_memory(url, llm=parts.llm) as memory:
        call = memory.ring(tenant="home", handles=[("device", "microphone")])
        await talk(parts, listener=..., memory=PipecatCall(call))

Use headphones: without echo cancellation an open loudspeaker makes the bot hear itself.
"""

from __future__ import annotations

from pipecat.frames.frames import LLMRunFrame
from pipecat.workers.runner import WorkerRunner

from ringback_pipecat import PipecatCall
from ringback_pipelines.wiring import PERSONA, Parts, TranscriptListener, build_bot
from ringback_voice.microphone import MicrophoneTransport
from ringback_voice.waterfall import Stopwatch


async def talk(
    parts: Parts,
    *,
    listener: TranscriptListener,
    persona: str = PERSONA,
    greets: bool = True,
    memory: PipecatCall | None = None,
) -> Stopwatch:
    """Talk until interrupted (Ctrl-C); return where the time went.

    Args:
        parts: Loaded models.
        listener: Is told each settled turn.
        persona: The bot's system instruction.
        greets: The bot speaks first.
        memory: What is known about whoever speaks; None talks without memory.

    Raises:
        UsageError: There is no microphone or loudspeaker.
    """
    transport = MicrophoneTransport()
    bot = build_bot(transport, parts, persona=persona, listener=listener, memory=memory)
    if greets:
        bot.context.add_message({"role": "developer", "content": "Greet the caller briefly."})
        await bot.worker.queue_frame(LLMRunFrame())
    runner = WorkerRunner()
    await runner.add_workers(bot.worker)
    await runner.run()
    return bot.stopwatch
