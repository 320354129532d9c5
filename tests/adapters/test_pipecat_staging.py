"""What an earlier call said is in the request of the very turn that asks for it, and in no later one."""

# ruff: noqa: RUF001 - full-width signs are meant

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

import pytest
from pipecat.frames.frames import LLMFullResponseEndFrame
from pipecat.services.llm_service import FunctionCallParams

from ringback import Assurance, Memory
from ringback.testing import HashEmbedder
from ringback_pipecat import PipecatCall
from tests.adapters.voice_app import Reply, ToolCall, VoiceApp, voice_app
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

EARLIER = (
    "c: Behind the barn we planted seven cherry trees.",
    "c: For the holiday in Lisbon we booked the blue hotel by the river.",
)
TREES = "Which trees did we plant behind the barn?"
HOTEL = "And which hotel did we book in Lisbon for the holiday?"
RICE = "How long does brown rice have to cook?"


class Stage:
    """A running second call of somebody who told things in a first one."""

    def __init__(self, bot: VoiceApp, call: PipecatCall, memory: Memory) -> None:
        self.bot = bot
        self.call = call.call
        self.memory = memory
        self._answers = 0

    async def say(self, line: str, *, interims: Sequence[str] = (), answers: int = 1) -> None:
        """A turn of the caller, with what the recogniser makes of it on the way."""
        await self.bot.begin()
        for words in interims:
            await self.bot.hear_interim(words)
            await self.call.briefed()  # what is looked up is there before the caller stops
        await self.bot.hear(line)
        await self.bot.stop()
        self._answers += answers
        await self.bot.passed(LLMFullResponseEndFrame, self._answers)
        await self.call.briefed()

    def block(self, place: int) -> str:
        """What stands directly before the newest words of the caller in a request."""
        request = self.bot.llm.requests[place]
        newest = max(i for i, message in enumerate(request) if message["role"] == "user")
        before = request[newest - 1]["content"]
        is_other = request[newest - 1]["role"] != "developer" or before == self.briefing
        return "" if is_other else before

    def counts(self) -> dict[str, int]:
        """What became of what was staged, as far as anything did."""
        counted = asdict(self.memory.staging_counts())
        return {name: count for name, count in counted.items() if count and name != "empty"}

    @property
    def briefing(self) -> str:
        return self.call.context().briefing


@asynccontextmanager
async def stage(
    folder: Path,
    *replies: Reply,
    earlier: Sequence[str] = EARLIER,
    tool: str = "",
    embedder: HashEmbedder | None = None,
) -> AsyncIterator[Stage]:
    url = f"sqlite:///{folder / 'm.db'}"
    async with await Memory.open(url, embedder=embedder) as memory:
        for lines in (earlier, ["c: My router was slow today."]):  # the last one is in the briefing
            before = memory.ring(tenant="acme", at=AT)
            await before.identify("dana", Assurance.VERIFIED)
            for line in lines:
                before.observe(turn(line))
            assert await before.end()
        assert await memory.indexed()
        ringing = memory.ring(tenant="acme")
        await ringing.identify("dana", Assurance.VERIFIED)
        await ringing.briefed()

        async def look(params: FunctionCallParams) -> None:
            ringing.hear("which hotel did we book in Lisbon for the holiday")  # something else
            await ringing.briefed()
            await params.result_callback({"status": "open"})

        call = PipecatCall(ringing)
        prepare = (lambda llm: llm.register_function(tool, look)) if tool else (lambda _: None)
        async with voice_app(call, *replies, prepare=prepare) as bot:
            yield Stage(bot, call, memory)
            await bot.worker.end()
            await bot.over()


@pytest.mark.parametrize(
    ("earlier", "interims", "line", "told"),
    [
        (EARLIER, ["which trees did we plant", TREES[:-1].lower()], TREES, "seven cherry trees"),
        (EARLIER, ["and which hotel did we book in Lisbon"], HOTEL, "blue hotel by the river"),
        (
            ["c: 我们在谷仓后面种了七棵樱桃树。", "c: 我们在里斯本订了河边的蓝色酒店。"],
            ["我们在谷仓后面种了什么"],
            "我们在谷仓后面种了什么树？",
            "七棵樱桃树",
        ),
    ],
    ids=["trees", "a hotel", "Chinese"],
)
async def test_interim_words_bring_what_was_said_earlier_before_the_very_words_that_ask_for_it(
    tmp_path: Path, earlier: list[str], interims: list[str], line: str, told: str
):
    async with stage(tmp_path, "Seven.", earlier=earlier) as it:
        await it.say(line, interims=interims)

        assert told in it.block(0)
        assert told not in it.briefing
        assert it.bot.llm.requests[0][-1]["content"] == line
        assert told not in str(it.bot.context.get_messages())
        assert it.counts()["used_same_turn"] == 1


@pytest.mark.parametrize("embedder", [HashEmbedder(), None], ids=["by meaning", "by words"])
async def test_after_a_change_of_topic_the_old_block_is_gone(
    tmp_path: Path, embedder: HashEmbedder | None
):
    replies = ("Seven.", "The blue one.", "Half an hour.")
    async with stage(tmp_path, *replies, embedder=embedder) as it:
        await it.say(TREES, interims=[TREES[:-1]])
        await it.say(HOTEL, interims=[HOTEL[:-1]])
        await it.say(RICE, interims=[RICE[:-1]])

        assert ["cherry" in it.block(place) for place in range(3)] == [True, False, False]
        assert ["blue hotel" in it.block(place) for place in range(3)] == [False, True, False]
        assert "cherry" not in str(it.bot.llm.requests[1:])


async def test_what_comes_too_late_for_its_turn_is_used_in_the_next_one_on_the_topic(
    tmp_path: Path,
):
    async with stage(tmp_path, "Let me think.", "Seven.") as it:
        await it.say(TREES)
        await it.say("So how many trees are there?")

        assert [bool(it.block(place)) for place in range(2)] == [False, True]
        assert "seven cherry trees" in it.block(1)
        assert it.counts() == {"staged": 1, "used_later": 1}


async def test_a_further_request_of_a_turn_has_the_same_bytes_whatever_was_found_meanwhile(
    tmp_path: Path,
):
    replies = (("One moment.", ToolCall("find_order")), "Seven.", "The blue one.")
    async with stage(tmp_path, *replies, tool="find_order") as it:
        await it.say(TREES, interims=[TREES[:-1]], answers=2)
        await it.say(HOTEL)

        first, again, _ = it.bot.llm.requests
        assert "seven cherry trees" in it.block(0)
        assert again[: len(first)] == first
        assert "blue hotel" in it.block(2)


async def test_it_is_counted_what_became_of_all_that_was_staged(tmp_path: Path):
    async with stage(tmp_path, *["I see."] * 3) as it:
        await it.say(TREES, interims=[TREES[:-1]])
        same_turn = it.counts()
        await it.bot.begin()
        await it.bot.hear_interim(HOTEL[:-1])  # and then they speak of something else
        await it.call.briefed()
        await it.bot.hear(RICE)
        await it.bot.stop()
        await it.bot.passed(LLMFullResponseEndFrame, 2)
        await it.call.briefed()
        stale = it.counts()
        await it.bot.begin()
        await it.bot.hear_interim(HOTEL[:-1])  # and then they hang up
        await it.call.briefed()

    assert same_turn == {"staged": 1, "used_same_turn": 1}
    assert stale == {"staged": 2, "used_same_turn": 1, "stale": 1}
    assert it.counts() == {"staged": 3, "used_same_turn": 1, "stale": 1, "wasted": 1}
    assert "blue hotel" not in str(it.bot.llm.requests)
