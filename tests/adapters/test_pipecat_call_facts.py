"""What a caller said early in a call is still before the model late in it: nobody is asked twice."""

from __future__ import annotations

import pytest

from ringback import Memory
from ringback_pipecat import PipecatCall, WindowSettings
from tests.adapters.pipecat_app import app
from tests.made import llm_server

pytestmark = pytest.mark.framework

NARROW = WindowSettings(turns=6, keep=3)


@pytest.mark.parametrize(
    ("first", "between", "question", "known"),
    [
        (
            "Good morning, my name is Dana Whitfield.",
            "Point {} is that the router in the hall drops out in the evening.",
            "What is my name?",
            "Dana Whitfield",
        ),
        ("你好,我叫王小明。", "第{}點是晚上客廳的網路常常斷線。", "我叫什麼名字?", "王小明"),
    ],
    ids=["English", "Chinese"],
)
async def test_a_name_from_the_first_turn_answers_in_the_twelfth(
    first: str, between: str, question: str, known: str
):
    requests: list[dict] = []
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme"))
        context = call.context(window=NARROW)
        with llm_server(answer="I note that.", requests=requests) as address:
            async with app(call, llm_address=address, context=context) as bot:
                said = [first, *(between.format(turn) for turn in range(2, 12)), question]
                for line in said:
                    await call.call.briefed()
                    await bot.say(line)
                await bot.worker.end()
                await bot.finish()

    assert len(requests) == 12
    *earlier, block, newest = requests[-1]["messages"]
    assert newest["content"] == question
    assert first not in [message["content"] for message in earlier]
    assert known in block["content"]
