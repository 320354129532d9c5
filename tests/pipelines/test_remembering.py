"""The same caller twice: the second call knows what only the first one said."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pipecat.workers.runner import WorkerRunner

from ringback import Memory
from ringback_pipecat import MemoryContext, PipecatCall, WindowSettings
from ringback_pipelines.part_names import DEFAULT_LLM, PartNames
from ringback_pipelines.replay import (
    REPLAY_TENANT,
    LineSettings,
    ReplayResult,
    replay,
    utterances,
)
from ringback_pipelines.wiring import Parts, build_bot, open_parts
from ringback_voice.call_folder import load_call
from ringback_voice.caller import Caller
from ringback_voice.replay_transport import Pace, ReplayTransport
from tests.made import llm_server

pytestmark = pytest.mark.replay

RECORDINGS = Path("recordings")
FAST = LineSettings(Pace.FAST)


def answers(result: ReplayResult) -> str:
    """All that the bot said, digits run together."""
    said = " ".join(said.text for said in result.transcript if said.role == "agent")
    return re.sub(r"(?<=\d)[-, ](?=\d)", "", said)


async def both_calls(parts: Parts, out: Path, memory: Memory | None) -> ReplayResult:
    for name in ("made-first-call", "made-second-call"):
        (out / name).mkdir(parents=True)
        result = await replay(
            load_call(RECORDINGS / name), parts, out=out / name, line=FAST, memory=memory
        )
    return result


async def test_on_audio_the_second_calls_answer_is_right_with_memory_and_wrong_without(
    models, tmp_path: Path
):
    async with open_parts(PartNames()) as parts:
        async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
            with_it = await both_calls(parts, tmp_path / "with", memory)
            (caller,) = await memory.keeping.callers(REPLAY_TENANT)
            facts = await memory.keeping.facts(REPLAY_TENANT, caller_id=caller.id)
        without_it = await both_calls(parts, tmp_path / "without", None)

    assert "4821" in answers(with_it)
    assert "4821" not in answers(without_it)
    kept = {fact.key: fact.value for fact in facts}
    assert kept["name"] == "Dana Whitfield"
    assert kept["account_number"] == "4821"
    assert kept["contact_preference"] == "text"
    assert "open_matter" in kept
    for fact in facts:
        view_words = fact.evidence.words
        assert view_words
        assert fact.evidence.call_id


async def test_on_text_the_second_calls_answer_is_right_with_memory_and_wrong_without(
    models, tmp_path: Path
):
    folders = [str(RECORDINGS / name) for name in ("made-first-call", "made-second-call")]
    words = ["chat", "--script", *folders, "--llm", DEFAULT_LLM]
    memory = ["--memory", str(tmp_path / "m.db")]
    said: dict[str, str] = {}
    for name, option in (("with", memory), ("without", ["--no-memory"])):
        done = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ringback_ops", *words, *option),
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        shown, _ = await done.communicate()
        second_call = shown.decode().rpartition("\n---")[2]
        agent = [line for line in second_call.splitlines() if line.startswith(" agent:")]
        assert len(agent) >= 3
        said[name] = " ".join(agent)

    assert "4821" in said["with"]
    assert "4821" not in said["without"]


async def test_a_caller_who_hangs_up_while_the_bot_speaks_is_on_record(models, tmp_path: Path):
    long_answer = "I will look into it. " * 12
    call = load_call(RECORDINGS / "made-first-call")
    caller = Caller(utterances(call, 8_000)[:1], sample_rate_hz=8_000)
    transport = ReplayTransport(caller, line_rate_hz=8_000)
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        rung = PipecatCall(memory.ring(tenant="acme", handles=[("phone", "+15550100199")]))
        with llm_server(answer=long_answer) as address:
            async with open_parts(PartNames(llm=address)) as parts:
                bot = build_bot(transport, parts, memory=rung)
                runner = WorkerRunner(handle_sigint=False)
                await runner.add_workers(bot.worker)
                running = asyncio.create_task(runner.run())
                async with asyncio.timeout(60):
                    while not bot.stopwatch.turns:  # noqa: ASYNC110 - nothing tells of it
                        await asyncio.sleep(0.05)
                await asyncio.sleep(1.5)
                await bot.worker.cancel()
                await running
        view = await memory.keeping.call("acme", rung.call.call.id)

    assert view is not None
    assert "Dana" in view.turns[0].text
    for turn in view.turns[1:]:
        assert turn.role == "agent"
        assert turn.text in long_answer
        assert len(turn.text) < len(long_answer.strip())


async def test_a_bot_reads_as_much_of_a_call_as_its_language_model_can(models):
    caller = Caller(
        utterances(load_call(RECORDINGS / "made-first-call"), 8_000), sample_rate_hz=8_000
    )
    transport = ReplayTransport(caller, line_rate_hz=8_000)
    async with await Memory.open("memory:") as memory:
        rung = PipecatCall(memory.ring(tenant="acme"))
        with llm_server(answer="Yes.") as address:
            async with open_parts(PartNames(llm=address)) as parts:
                small = replace(parts, llm=replace(parts.llm, context_tokens=4_096))
                bot = build_bot(transport, small, memory=rung)

    assert isinstance(bot.context, MemoryContext)
    assert bot.context.window is not None
    assert bot.context.window.settings == WindowSettings(context_tokens=4_096)
