"""When the next request is read ahead, and that it is the one that the service then sends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMContextAssistantTurnFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService

from ringback import Assurance, Context, Memory, UsageError
from ringback.core.digest import HEAD
from ringback.core.window import Digest, Window
from ringback.live.shelf import LATE_MS
from ringback_pipecat import MemoryContext, PipecatCall, WindowSettings, open_call
from ringback_pipecat.priming import Moment, Priming
from ringback_pipelines.soundless_parts import Loudspeaker
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.primer import Primed, Primer
from tests.adapters.pipecat_app import SYSTEM, App, app
from tests.made import llm_server

pytestmark = pytest.mark.framework

ANSWER = "It was sent on Monday. It should be there now."
TOOLS = ToolsSchema(standard_tools=[FunctionSchema("find_order", "Finds an order.", {}, [])])


class Mouth(Loudspeaker):
    """A loudspeaker that can be interrupted."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        if isinstance(frame, InterruptionFrame):
            self._held.clear()
        await super().process_frame(frame, direction)

    async def play(self, words: str) -> None:
        """So much was heard so far."""
        await self.push_frame(LLMTextFrame(words))


@dataclass
class Stage:
    """A running app whose requests are read ahead."""

    requests: list[dict]
    bot: App
    priming: Priming
    primer: Primer
    mouth: Mouth
    memory: dict[str, Context] = field(default_factory=dict)

    @property
    def primed(self) -> list[dict]:
        return [request for request in self.requests if request.get("max_tokens") == 1]

    @property
    def asked(self) -> list[dict]:
        return [request for request in self.requests if request.get("max_tokens") != 1]

    async def say(self, line: str) -> None:
        """A turn of the caller, up to the reply's last word; its sound plays on."""
        await self.bot.say(line)
        await self.mouth.whole()
        await self.priming.quiet()

    async def hear_out(self) -> None:
        await self.mouth.finish()
        await self.bot.replies.until(LLMContextAssistantTurnFrame, self.bot.turns)
        await self.priming.quiet()

    def remember(self, briefing: str, block: str) -> None:
        self.memory["now"] = Context(briefing, block)
        self.priming.look()


@asynccontextmanager
async def stage(
    call: PipecatCall | None = None,
    *,
    tools: ToolsSchema | None = None,
    context: MemoryContext | None = None,
) -> AsyncIterator[Stage]:
    """An app with a call's memory, or with one that the test holds in its own hands."""
    requests: list[dict] = []
    held = {"now": Context("", "")}
    made: list[tuple[Priming, Primer, Mouth]] = []
    if call is None:
        context = MemoryContext(lambda *_, **__: held["now"], **({"tools": tools} if tools else {}))
    with llm_server(answer=ANSWER, requests=requests) as address:

        def behind(context: LLMContext, llm: OpenAILLMService) -> list[FrameProcessor]:
            primer, mouth = Primer(LlmEndpoint(address, "scripted")), Mouth()
            if call is not None and isinstance(context, MemoryContext):
                priming = call.priming(context, llm, primer)
            else:
                priming = Priming(context, llm, primer)
            made.append((priming, primer, mouth))
            return [priming, mouth]

        async with app(call, llm_address=address, context=context, behind=behind) as bot:
            priming, primer, mouth = made[0]
            await priming.quiet()
            yield Stage(requests, bot, priming, primer, mouth, held)


def contents(request: dict) -> list[str]:
    return [message["content"] for message in request["messages"]]


async def test_the_system_prompt_and_the_tools_are_read_before_anybody_speaks():
    async with stage(tools=TOOLS) as it:
        (request,) = it.primed

    assert contents(request) == [SYSTEM, ""]
    assert request["tools"][0]["function"]["name"] == "find_order"
    assert request["stream"] is True


async def test_a_briefing_is_read_while_the_phone_still_rings():
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme", handles=[("phone", "+15550100199")]))
        async with stage(call) as it:
            await call.call.briefed()
            await it.priming.quiet()
            before = len(it.primed)
            await call.call.identify("dana", Assurance.VERIFIED)
            await call.call.briefed()
            await it.priming.quiet()

            assert len(it.primed) == before + 1
            assert contents(it.primed[-1]) == [SYSTEM, call.call.context().briefing, ""]


async def test_the_next_request_is_read_while_the_bots_reply_still_plays():
    async with stage() as it:
        it.remember("BRIEFING", "BLOCK 1")
        await it.say("Where is my router?")
        it.remember("BRIEFING", "BLOCK 2")
        await it.priming.quiet()

        ahead = it.primed[-1]
        assert it.bot.context.get_messages()[-1]["role"] == "user"  # history waits for the sound
        await it.hear_out()
        assert it.primed[-1] == ahead  # it was foreseen as history has it now
        await it.bot.say("It has not come.")

    assert contents(ahead)[2:] == ["Where is my router?", ANSWER, "BLOCK 2", ""]
    asked = it.asked[-1]
    assert asked["messages"][:-1] == ahead["messages"][:-1]
    assert asked["messages"][-1] == {"role": "user", "content": "It has not come."}
    assert {**asked, "messages": 0} == {
        k: v for k, v in {**ahead, "messages": 0}.items() if k != "max_tokens"
    }


async def test_a_block_that_changes_before_the_caller_stops_is_read_again():
    async with stage() as it:
        await it.say("Where is my router?")
        await it.hear_out()
        await it.bot.start_speaking()
        await it.bot.hear("It")
        it.remember("", "OTHER BLOCK")
        await it.priming.quiet()

        assert contents(it.primed[-1])[-2:] == ["OTHER BLOCK", ""]


async def test_a_long_call_is_read_ahead_through_the_window_that_it_is_sent_through():
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme"))
        window = Window(WindowSettings(turns=4, keep=2), compress=call.call.compress)
        context = MemoryContext(lambda *_, **__: Context("BRIEFING", "BLOCK"), window=window)
        async with stage(call, context=context) as it:
            ahead = []
            for number in range(1, 8):
                await call.call.briefed()
                await it.priming.quiet()
                ahead.append(it.primed[-1])
                await it.say(f"Point {number} is that my router drops out.")
                await it.hear_out()

            assert [contents(one)[:-1] for one in it.asked] == [contents(one)[:-1] for one in ahead]
            digests = [HEAD in str(contents(one)) for one in it.asked]
            assert digests == [False] * 4 + [True] * 3


async def test_a_digest_that_comes_while_nothing_else_happens_is_read_ahead():
    waiting: list[Callable[[Digest], None]] = []
    window = Window(
        WindowSettings(turns=2, keep=1), compress=lambda _passage, done: waiting.append(done)
    )
    async with await Memory.open("memory:") as memory:
        call = PipecatCall(memory.ring(tenant="acme"))
        async with stage(call, context=MemoryContext(call.call.context, window=window)) as it:
            for line in ("Where is my router?", "It has not come."):
                await it.say(line)
                await it.hear_out()
            before = len(it.primed)

            waiting[0](Digest("DIGEST"))
            await it.priming.quiet()

            assert len(it.primed) == before + 1
            assert "DIGEST" in contents(it.primed[-1])


async def test_nothing_is_read_from_the_callers_pause_until_the_first_sound():
    async with stage() as it:
        await it.bot.worker.queue_frame(VADUserStoppedSpeakingFrame())
        await it.bot.replies.until(VADUserStoppedSpeakingFrame)
        before = len(it.primed)

        it.remember("BRIEFING", "BLOCK")
        await it.priming.quiet()
        assert len(it.primed) == before

        await it.say("Where is my router?")
        order = [request.get("max_tokens") for request in it.requests]
        assert order == [1, None, 1]


async def test_a_pause_in_which_the_caller_speaks_on_ends_the_freeze():
    async with stage() as it:
        await it.bot.worker.queue_frame(VADUserStoppedSpeakingFrame())
        await it.bot.replies.until(VADUserStoppedSpeakingFrame)
        it.remember("BRIEFING", "BLOCK")
        await it.priming.quiet()
        await it.bot.worker.queue_frame(VADUserStartedSpeakingFrame())
        await it.bot.replies.until(VADUserStartedSpeakingFrame)
        await it.priming.quiet()

        assert contents(it.primed[-1]) == [SYSTEM, "BRIEFING", "BLOCK", ""]


async def test_after_an_interruption_only_what_was_heard_is_read():
    async with stage() as it:
        await it.say("Where is my router?")
        await it.mouth.play("It was sent")
        await it.bot.start_speaking()
        await it.bot.worker.queue_frame(InterruptionFrame())  # from the turn detector, else
        await it.bot.replies.until(LLMContextAssistantTurnFrame)
        await it.priming.quiet()

        assert contents(it.primed[-1]) == [SYSTEM, "Where is my router?", "It was sent", ""]


async def conversation(*, primed: bool) -> tuple[list[dict], list]:
    lines = ("Where is my router?", "It has not come.")
    if primed:
        async with stage() as it:
            for line in lines:
                await it.say(line)
                await it.hear_out()
            return it.asked, list(it.bot.context.get_messages())
    requests: list[dict] = []
    mouth = Mouth()
    with llm_server(answer=ANSWER, requests=requests) as address:
        async with app(None, llm_address=address, behind=lambda *_: [mouth]) as bot:
            for count, line in enumerate(lines, start=1):
                await bot.say(line)
                await mouth.whole()
                await mouth.finish()
                await bot.replies.until(LLMContextAssistantTurnFrame, count)
            return requests, list(bot.context.get_messages())


async def test_requests_and_history_are_the_same_with_and_without_priming():
    assert await conversation(primed=True) == await conversation(primed=False)


class BrokenPrimer:
    """Fails at whatever it is asked."""

    async def prime(self, request: object) -> None:
        raise RuntimeError("broken")

    def break_off(self) -> None:
        return

    async def close(self) -> None:
        return


class OddService(OpenAILLMService):
    """Makes no requests before the caller has said something."""

    def build_chat_completion_params(self, params_from_context) -> dict:
        if not params_from_context["messages"][-1]["content"]:
            raise LookupError("nothing was said")
        return super().build_chat_completion_params(params_from_context)


@pytest.mark.parametrize("odd_service", [False, True])
async def test_a_priming_that_fails_is_counted_and_the_caller_is_answered(odd_service: bool):
    made: list[Priming] = []
    requests: list[dict] = []

    def behind(context: LLMContext, llm: OpenAILLMService) -> list[FrameProcessor]:
        service = OddService(base_url="http://127.0.0.1:9/v1", api_key="none")
        made.append(Priming(context, service if odd_service else llm, BrokenPrimer()))
        return [made[0]]

    with llm_server(answer=ANSWER, requests=requests) as address:
        async with app(None, llm_address=address, behind=behind) as bot:
            await made[0].quiet()
            await bot.say("Where is my router?")
            await bot.replies.until(LLMContextAssistantTurnFrame)

    assert made[0].counts["failed"] >= 1
    assert len(requests) == 1


def test_a_service_whose_requests_are_of_another_kind_is_refused_at_construction():
    with pytest.raises(UsageError, match="FrameProcessor"):
        Priming(LLMContext(), FrameProcessor(), BrokenPrimer())


class SlowPrimer(Primer):
    """A server that reads a hundred tokens a second."""

    async def prime(self, request: Mapping[str, Any], /) -> Primed:
        return Primed(prompt_tokens=500, cached_tokens=100, took_s=4.0)


async def test_how_fast_the_model_reads_bounds_what_memory_adds_after_the_pause(tmp_path: Path):
    call = await open_call(f"sqlite:///{tmp_path / 'm.db'}", tenant="acme")
    made: list[Priming] = []

    def behind(context: LLMContext, llm: OpenAILLMService) -> list[FrameProcessor]:
        assert isinstance(context, MemoryContext)
        made.append(call.priming(context, llm, SlowPrimer(LlmEndpoint("", ""))))
        return list(made)

    with llm_server(answer=ANSWER) as address:
        async with app(call, llm_address=address, behind=behind) as bot:
            await made[0].quiet()
            await bot.worker.cancel()
            await bot.finish()

    assert call.call._live.shelf.late_tokens == int(100 * LATE_MS / 1000)


def moment_after(*frames: Frame) -> Moment:
    moment = Moment()
    for frame in frames:
        moment.note(frame)
    return moment


START, END = LLMFullResponseStartFrame(), LLMFullResponseEndFrame()
SOUND, WORDS = BotStartedSpeakingFrame(), LLMTextFrame("One moment. ")
CALLS = FunctionCallsStartedFrame(function_calls=[])


@pytest.mark.parametrize(
    ("frames", "is_free"),
    [
        ([], True),
        ([UserStoppedSpeakingFrame()], False),
        ([START, WORDS, SOUND], False),
        ([START, WORDS, END], False),
        ([START, WORDS, END, SOUND], True),
        ([START, WORDS, SOUND, END], True),
        ([START, WORDS, CALLS, SOUND, END], False),
        ([START, CALLS, END, START, WORDS, END, SOUND], True),
        ([START, WORDS, InterruptionFrame()], True),
        ([START, WORDS, END, SOUND, CancelFrame()], False),
        ([EndFrame(), SOUND], False),
    ],
    ids=[
        "nobody has spoken",
        "the caller waits",
        "a reply is generated",
        "a reply is not heard yet",
        "it is heard",
        "it was heard before it was whole",
        "a tool was called",
        "its result was told",
        "an interruption",
        "the line is gone",
        "the bot has said goodbye",
    ],
)
def test_when_the_language_model_is_free(frames: list[Frame], is_free: bool):
    assert moment_after(*frames).is_free is is_free


def test_a_reply_is_foreseen_as_history_will_have_it():
    said = [START, LLMTextFrame("It was"), LLMTextFrame(" sent.\n"), LLMTextFrame("\nOn Monday.")]

    assert moment_after(*said, END).reply == "It was sent. On Monday."
    assert moment_after(*said, END, LLMContextAssistantTurnFrame("", "")).reply == ""
