"""Text that directs an agent is nobody's turn, and a call goes on when another agent takes over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pipecat.frames.frames import LLMMessagesAppendFrame, LLMRunFrame

from ringback import Memory
from ringback.live.call import SEEN_TURNS
from ringback_pipecat import PipecatCall
from tests.adapters.pipecat_app import app
from tests.field.made import AT, HANDLES, current, dana, danas, summary_of, turn
from tests.made import llm_server

pytestmark = pytest.mark.framework

CONTROL = "Greet the caller now and mention the refund for account 9911."


@pytest.mark.parametrize("role", ["user", "developer", "system"])
async def test_control_text_in_a_pipecat_context_is_not_what_the_caller_said(
    tmp_path: Path, role: str
):
    url = f"sqlite:///{tmp_path / 'm.db'}"
    opened = await Memory.open(url)
    call = PipecatCall(opened.ring(tenant="acme", handles=HANDLES), memory=opened)

    with llm_server(answer="Hello, it is about your refund.") as address:
        async with app(call, llm_address=address) as bot:
            await bot.say("My account number is 4821.")
            control = {"role": role, "content": CONTROL}
            await bot.worker.queue_frames([LLMMessagesAppendFrame([control]), LLMRunFrame()])
            bot.turns += 1
            await bot.say("Thank you.")
            await bot.worker.end()
            await bot.finish()

    async with await Memory.open(url) as memory:
        await memory.settle()
        (kept,) = await memory.keeping.calls("acme")
        view = await memory.keeping.call("acme", kept.id)
        assert view is not None
        assert [(one.role, one.text) for one in view.turns if one.role == "caller"] == [
            ("caller", "My account number is 4821."),
            ("caller", "Thank you."),
        ]
        assert kept.caller_id is not None
        profile = memory.profile("acme", kept.caller_id)
        assert ("account_number", "4821") in await current(profile)
        assert await memory.keeping.residue(["9911"]) == 0


async def test_what_was_said_before_a_transfer_is_there_after_it_and_the_call_goes_on(url: str):
    async with await Memory.open(url) as memory:
        call = await danas(memory)
        call.observe(turn("c: My account number is 4821. My internet is down."))
        for _ in range(SEEN_TURNS):
            call.observe(turn("a: One moment, please."))
        await memory.settle()
        await call.briefed()
        given = call.context()

        call.observe(replace(turn("a: I'll credit 30.", AT), speaker="Priya"))
        await call.end()

        assert "4821" in given.block
        assert "internet is down" in given.block
        (promise,) = [one for one in await dana(memory).facts() if one.key == "promise"]
        assert (promise.value, promise.speaker) == ("credit 30", "Priya")
        assert await summary_of(memory) == (
            "The caller reported: my internet is down. Account number 4821. "
            "The agent promised to credit 30."
        )
