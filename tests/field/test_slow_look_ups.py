"""Who speaks while memory still looks or writes is heard, in order; what was asked for comes."""

# ruff: noqa: RUF001 - full-width signs are meant

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import (
    FunctionCallCancelFrame,
    FunctionCallResultFrame,
    LLMFullResponseEndFrame,
)

from ringback import Memory, MemorySettings
from ringback.call_tools import CallTools
from ringback.schemas import GENERAL
from ringback_pipecat import PipecatCall, memory_tools
from tests.adapters.on_record import NUMBER, on_record, rung
from tests.adapters.pipecat_app import app
from tests.adapters.voice_app import VoiceApp, voice_app
from tests.field.made import AT, turn
from tests.made import ToolCall, llm_server
from tests.stores.made import locked

pytestmark = pytest.mark.framework

LOOKS = ("find", "linked", "with_keys", "heard", "nearest")


class Held:
    """The look-ups of a memory, which hang until they are let go."""

    def __init__(self, memory: Memory, monkeypatch: pytest.MonkeyPatch, *verbs: str) -> None:
        self.has_begun = asyncio.Event()
        self.may_go = asyncio.Event()
        for verb in verbs:
            monkeypatch.setattr(memory.keeping, verb, self._held(getattr(memory.keeping, verb)))

    def _held(self, verb: Any) -> Any:
        async def hanging(*given: Any, **named: Any) -> Any:
            self.has_begun.set()
            await self.may_go.wait()
            return await verb(*given, **named)

        return hanging


async def earlier_call(file: Path, *lines: str) -> None:
    """The caller of the number has called before, and said this."""
    async with await Memory.open(f"sqlite:///{file}", schema=GENERAL) as memory:
        call = memory.ring(tenant="acme", handles=NUMBER, at=AT)
        for line in lines:
            call.observe(turn(line))
        assert await call.end()


@asynccontextmanager
async def talk_without_look_ups(
    folder: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> AsyncIterator[VoiceApp]:
    """A known caller has said something, was answered and breaks in; look-ups hang meanwhile."""
    await earlier_call(folder / "m.db", "c: Hello, this is Dana Whitfield.")
    patient = MemorySettings(staging_ms=60_000)  # whoever waited for it would be seen to
    call = await rung(folder / "m.db", schema=GENERAL, settings=patient)
    await call.call.briefed()
    held = Held(call._memory, monkeypatch, *LOOKS)
    async with voice_app(call, "I note that.", "All right.", is_open=False) as bot:
        await bot.say(first)
        await held.has_begun.wait()
        await bot.asked(1)
        await bot.interrupt()
        yield bot
        assert not held.may_go.is_set()  # nobody waited for it
        await bot.worker.cancel()
        await bot.over()
        held.may_go.set()


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        (
            "My son Bertil is diabetic.",
            "And I am allergic to nuts.",
            {("child", "Bertil"), ("allergy", "nuts")},
        ),
        (
            "I live in Lodz now.",
            "My birthday is 5 May 1980.",
            {("home_town", "Lodz"), ("birthday", "1980-05-05")},
        ),
        ("我住在杭州。", "我对花生过敏。", {("home_town", "杭州"), ("allergy", "花生")}),
    ],
    ids=["a son", "a move", "Chinese"],
)
async def test_who_speaks_on_while_retrieval_hangs_loses_neither_utterance(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    second: str,
    values: set[tuple[str, str]],
):
    async with talk_without_look_ups(tmp_path, monkeypatch, first) as bot:
        await bot.hear(second)
        await bot.stop()
        await bot.asked(2)

    left = await on_record(tmp_path / "m.db", GENERAL)
    asked = [one["content"] for one in bot.llm.requests[1] if one["role"] == "user"]
    assert [text for role, text in left.said if role == "caller"] == [first, second]
    assert values <= set(left.values)
    assert asked == [first, second]


async def test_who_hangs_up_while_speaking_into_a_hanging_retrieval_loses_neither_utterance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with talk_without_look_ups(tmp_path, monkeypatch, "My son Bertil is diabetic.") as bot:
        await bot.hear_interim("and I am allergic to nuts, so no")

    left = await on_record(tmp_path / "m.db", GENERAL)
    assert [text for role, text in left.said if role == "caller"] == [
        "My son Bertil is diabetic.",
        "and I am allergic to nuts, so no",
    ]
    assert left.turns[-1].partial
    assert {("child", "Bertil"), ("allergy", "nuts")} <= set(left.values)


MURMURS = ["It's urgent.", "Hello? Are you there?", "快一点，很急。"]


@pytest.mark.parametrize("murmur", MURMURS)
@pytest.mark.parametrize("is_late", [False, True], ids=["in time", "late"])
async def test_a_murmur_neither_cancels_a_search_of_memory_nor_makes_the_caller_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, murmur: str, is_late: bool
):
    await earlier_call(tmp_path / "m.db", "c: My account number is 4821.")
    requests: list[dict[str, Any]] = []
    use = ToolCall("search_memory", {"question": "What is my account number?"})
    async with await Memory.open(f"sqlite:///{tmp_path / 'm.db'}") as memory:
        call = PipecatCall(memory.ring(tenant="acme", handles=NUMBER))
        await call.call.briefed()
        held = Held(memory, monkeypatch, "facts")
        context = call.context(tools=memory_tools(CallTools(call.call, memory)))
        with llm_server(first=[use], answer="One moment.", requests=requests) as address:
            async with app(call, llm_address=address, context=context) as bot:
                await bot.say("Do you still have my account number?")
                await held.has_begun.wait()
                await bot.start_speaking()  # an interruption
                await bot.hear(murmur)
                await bot.stop_speaking()
                await bot.replies.until(LLMFullResponseEndFrame, 2)
                if not is_late:
                    held.may_go.set()
                await bot.replies.until(FunctionCallResultFrame)  # late: by its deadline
                await bot.replies.until(LLMFullResponseEndFrame, 3)
                held.may_go.set()
                await bot.worker.end()
                await bot.finish()
                seen = bot.replies.seen

    assert not [frame for frame in seen if isinstance(frame, FunctionCallCancelFrame)]
    (running, finished) = steps_of(requests[-1])
    assert (running["status"], finished["status"]) == ("running", "finished")
    result = json.loads(finished["result"])
    assert result["status"] == ("could not look" if is_late else "found")  # never "nothing"
    assert is_late or "4821" in result["text"]
    asked = [one["content"] for one in requests[-1]["messages"] if one["role"] == "user"]
    assert asked == ["Do you still have my account number?", murmur]
    log = str(context.get_messages())
    assert "IN_PROGRESS" not in log
    assert "CANCELLED" not in log


def steps_of(request: dict[str, Any]) -> list[dict[str, str]]:
    """What a request says of a tool that the caller spoke into."""
    contents = [message.get("content") or "" for message in request["messages"]]
    return [json.loads(one) for one in contents if one.startswith('{"type": "async_tool"')]


LINES = ("My account number is 4821.", "请发短信给我。", "No, do not call me.", "Goodbye.")


@pytest.mark.parametrize("slow", ["1000", "0100", "1010", "1101", "1111"])
async def test_turns_whose_writing_is_slow_keep_their_order(tmp_path: Path, slow: str):
    file = tmp_path / "m.db"
    call = await rung(file)
    async with voice_app(call, *["Yes."] * len(LINES)) as bot:
        for count, (line, is_slow) in enumerate(zip(LINES, slow, strict=True), start=1):
            if is_slow == "1":
                with locked(file):  # it goes another way to the disk
                    await bot.say(line)
                    await bot.passed(LLMFullResponseEndFrame, count)
            else:
                await bot.say(line)
                await bot.passed(LLMFullResponseEndFrame, count)
        await bot.worker.cancel()
        await bot.over()

    left = await on_record(file)
    assert left.said == [one for line in LINES for one in (("caller", line), ("agent", "Yes."))]
    assert [one.position for one in left.turns] == list(range(2 * len(LINES)))
    assert left.turns == tuple(sorted(left.turns, key=lambda one: one.started_ms or 0))
