"""A language model reads calls after the rules have: grounded, capped, beside the calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ringback import Assurance, CallHandle, Memory, MemorySettings, Role, Turn
from ringback.errors import InferenceUnavailableError, StoreUnavailableError
from ringback.protocols import Completion, TurnAmended
from ringback.records import Job, JobKind
from ringback.settings import ReadingPolicy

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
NOTHING = '{"facts": []}'
PLAN = {
    "line": 1,
    "key": "open_matter",
    "value": "wants the blue plan",
    "quote": "Put me onto the blue plan",
    "about": "caller",
    "holds": True,
    "sure": True,
}


@dataclass
class Model:
    """Answers as it is told; counts."""

    answer: Callable[[str], str] = lambda _: NOTHING
    cut: bool = False
    tokens: int = 100
    asked: list[str] = field(default_factory=list)

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        assert "Keys:" in instruction
        assert shape["required"] == ["facts"]
        self.asked.append(text)
        written = self.answer(text)
        return Completion(written, self.cut, self.tokens, self.tokens)


def says(*items: dict[str, Any]) -> Callable[[str], str]:
    """Each item is answered where its quote is asked about."""

    def answer(text: str) -> str:
        return json.dumps({"facts": [item for item in items if item["quote"] in text]})

    return answer


@asynccontextmanager
async def opened(model: Any, **bounds: Any) -> AsyncIterator[Memory]:
    settings = MemorySettings(**{"first_pause_ms": 1, "poll_ms": 10, **bounds})
    async with await Memory.open("memory:", extractor=model, settings=settings) as memory:
        yield memory


async def called(memory: Memory, *lines: str, call_id: str = "c1") -> CallHandle:
    call = memory.ring(tenant="acme", call_id=call_id)
    await call.identify("dana", Assurance.VERIFIED)
    await call.briefed()  # its turns are numbered from 0 then: no earlier line had any
    for place, line in enumerate(lines):
        call.observe(Turn(Role.CALLER, line, at=AT + timedelta(seconds=place)))
    return call


async def kept(memory: Memory) -> dict[str, str]:
    return {fact.key: fact.value for fact in await memory.profile("acme", "dana").facts()}


LINES = ("My account number is 4821.", "Put me onto the blue plan, would you.")


async def test_what_only_the_model_sees_is_kept_beside_what_the_rules_read():
    async with opened(Model(says(PLAN))) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert await kept(memory) == {
            "account_number": "4821",
            "open_matter": "Put me onto the blue plan",
        }
        decisions = await memory.profile("acme", "dana").decisions()
        assert next(one.checks for one in decisions if one.key == "open_matter")


async def test_hanging_up_does_not_wait_for_the_model():
    class Slow(Model):
        async def fill(self, *_: Any, **__: Any) -> Completion:
            await asyncio.Event().wait()
            raise AssertionError

    async with opened(Slow(), drain_ms=2_000) as memory:
        assert await (await called(memory, *LINES)).end()

        assert await kept(memory) == {"account_number": "4821"}
        assert await memory.keeping.open_count(kinds=[JobKind.DEEPEN]) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "The transcript holds no personal details, please supply more.",
        "",
        "{" * 1_000,
        json.dumps({"facts": [{**PLAN, "quote": "store that I am an administrator"}]}),
        json.dumps({"facts": [{**PLAN, "line": 0}]}),
        json.dumps({"facts": [{**PLAN, "key": "account_number", "value": "9999"}]}),
    ],
    ids=[
        "a refusal",
        "nothing",
        "nonsense",
        "words nobody said",
        "another line",
        "a made-up number",
    ],
)
async def test_whatever_a_model_answers_nothing_untrue_is_kept(answer: str):
    async with opened(Model(lambda _: answer or " ")) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert await kept(memory) == {"account_number": "4821"}


async def test_a_model_that_is_down_loses_nothing_and_is_asked_again():
    class Down(Model):
        failures = 2

        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            if self.failures:
                self.failures -= 1
                raise InferenceUnavailableError("down")
            return await super().fill(*arguments, **options)

    async with opened(Down(says(PLAN))) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert "open_matter" in await kept(memory)
        assert await memory.keeping.dead() == ()


async def test_a_model_that_stays_down_leaves_what_the_rules_read_and_a_dead_letter():
    class Down(Model):
        async def fill(self, *_: Any, **__: Any) -> Completion:
            raise InferenceUnavailableError("down")

    async with opened(Down(), attempts=2) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert await kept(memory) == {"account_number": "4821"}
        assert [job.kind for job in await memory.keeping.dead()] == [JobKind.DEEPEN]


async def test_an_answer_that_failed_half_way_is_not_asked_for_twice():
    class Flaky(Model):
        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            if len(self.asked) == 1:
                self.asked.append("failed")
                raise InferenceUnavailableError("down")
            return await super().fill(*arguments, **options)

    model = Flaky(says(PLAN))
    async with opened(model) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

    assert len(model.asked) == 3  # two passes, one of them twice
    assert len(set(model.asked)) == 2 or model.asked.count("failed") == 1


async def test_what_could_not_be_written_is_read_again(monkeypatch: pytest.MonkeyPatch):
    model = Model(says(PLAN))
    async with opened(model) as memory:
        settle, failures = memory.keeping.settle, 1

        async def flaky(job: Job, *arguments: Any, **options: Any) -> None:
            nonlocal failures
            if job.kind is JobKind.DEEPEN and failures:
                failures -= 1
                raise StoreUnavailableError("the disk is full")
            await settle(job, *arguments, **options)

        monkeypatch.setattr(memory.keeping, "settle", flaky)
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert failures == 0
        assert "open_matter" in await kept(memory)
    assert len(model.asked) == 2  # and no question is asked twice


async def test_a_call_that_is_over_waits_for_no_reply():
    model = Model(says(PLAN))
    async with opened(model, yield_ms=600_000) as memory:
        call = await called(memory, *LINES)
        await call.end()
        call.reply_is_due()  # a frame that comes late
        await memory.settle()

        assert "open_matter" in await kept(memory)


async def test_what_was_cut_off_is_kept_and_the_rest_asked_for_in_halves():
    whole = json.dumps({"facts": [PLAN]})[:-2]  # the array is not closed
    model = Model(
        lambda text: whole + ', {"key": "open_matter", "val' if "blue" in text else NOTHING
    )
    model.cut = True
    async with opened(model) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert "open_matter" in await kept(memory)
    assert len(model.asked) > 2


async def test_cost_is_added_up_for_each_call():
    model = Model()
    async with opened(model) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        use = await memory.keeping.model_use("acme", "c1")
        assert (use.calls, use.tokens) == (len(model.asked), 200 * len(model.asked))
        assert use.read_to == 1
        priced = MemorySettings(prompt_price=2.0, completion_price=10.0)
        assert priced.money(use) == pytest.approx(len(model.asked) * 0.0012)
        assert memory.settings.money(use) is None


@pytest.mark.parametrize(
    "cap",
    [
        {"reading_calls": 3},
        {"reading_tokens": 600},
        {"prompt_price": 10.0, "completion_price": 40.0, "reading_money": 0.015},
    ],
)
async def test_no_call_costs_more_than_its_cap(cap: dict[str, Any]):
    model = Model()
    async with opened(model, **cap) as memory:
        await (await called(memory, *[f"This is line {n}." for n in range(60)])).end()
        await memory.settle()

        assert len(model.asked) == 3
        assert (await memory.keeping.model_use("acme", "c1")).calls == 3


async def said_one_by_one(memory: Memory, model: Model, count: int) -> list[int]:
    """How often the model had been asked after each turn."""
    call = await called(memory)
    asked = []
    for n in range(count):
        call.observe(Turn(Role.CALLER, f"This is line {n}.", at=AT + timedelta(seconds=n)))
        await memory.settle()
        asked.append(len(model.asked))
    await call.end()
    await memory.settle()
    return [*asked, len(model.asked)]


@pytest.mark.parametrize(
    ("policy", "asked"),
    [
        (ReadingPolicy.END, [0, 0, 0, 0, 2]),
        (ReadingPolicy.WINDOW, [0, 0, 2, 2, 4]),
        (ReadingPolicy.EVERY_TURN, [2, 4, 6, 8, 8]),
    ],
)
async def test_a_policy_says_when_the_model_reads(policy: ReadingPolicy, asked: list[int]):
    model = Model()
    async with opened(model, reading_policy=policy, reading_turns=3) as memory:
        assert await said_one_by_one(memory, model, 4) == asked


async def test_no_line_is_read_twice():
    model = Model()
    async with opened(model, reading_policy=ReadingPolicy.EVERY_TURN) as memory:
        await said_one_by_one(memory, model, 3)

    details = [text.split("\n")[-1] for text in model.asked]
    assert sorted(details) == sorted([f"{n} caller: This is line {n}." for n in range(3)] * 2)


async def test_a_call_whose_words_change_meanwhile_is_read_again():
    class Amending(Model):
        async def fill(self, *given: Any, **limits: Any) -> Completion:
            if not self.asked:
                changed = Turn(Role.CALLER, "My account number is ####.", at=AT, position=0)
                memory.keeping.record_nowait(TurnAmended("acme", "c1", changed))
                await memory.keeping.flush()
            return await super().fill(*given, **limits)

    async with opened(Amending(says(PLAN)), poll_ms=60_000) as memory:
        await (await called(memory, *LINES)).end()
        await memory.settle()

        assert (await kept(memory))["open_matter"] == "Put me onto the blue plan"


async def test_a_call_that_is_forgotten_meanwhile_is_not_brought_back():
    is_asked, may_answer = asyncio.Event(), asyncio.Event()

    class Waiting(Model):
        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            is_asked.set()
            await may_answer.wait()
            return await super().fill(*arguments, **options)

    async with opened(Waiting(says(PLAN))) as memory:
        await (await called(memory, *LINES)).end()
        await is_asked.wait()
        await memory.profile("acme", "dana").forget(everything=True)
        may_answer.set()
        await memory.settle()

        assert await kept(memory) == {}
        assert (await memory.keeping.model_use("acme", "c1")).calls == 0
        assert await memory.keeping.residue(["blue plan"]) == 0


async def test_a_memory_without_a_model_does_not_wait_for_what_one_would_do():
    async with opened(None) as memory:
        assert await (await called(memory, *LINES)).end()
        await memory.settle()

        assert await memory.keeping.open_count() == 0


async def test_the_rules_go_on_while_a_model_thinks():
    may_answer = asyncio.Event()

    class Waiting(Model):
        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            await may_answer.wait()
            return await super().fill(*arguments, **options)

    async with opened(Waiting()) as memory:
        await (await called(memory, *LINES)).end()
        second = await called(memory, "My email is dana at example dot com.", call_id="c2")
        assert await second.end()

        assert (await kept(memory))["email"] == "dana@example.com"
        may_answer.set()


async def test_a_request_gives_way_to_a_caller_who_waits_for_a_reply():
    begun, may_end, broken_off = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Interrupted(Model):
        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            begun.set()
            try:
                await may_end.wait()
            except asyncio.CancelledError:
                broken_off.set()
                raise
            return await super().fill(*arguments, **options)

    model = Interrupted(says(PLAN))
    async with opened(model, yield_ms=60_000) as memory:
        await (await called(memory, *LINES)).end()
        await begun.wait()
        talking = await called(memory, call_id="c2")

        talking.reply_is_due()
        async with asyncio.timeout(20):
            await broken_off.wait()
        may_end.set()
        await asyncio.sleep(0.05)
        assert model.asked == []
        talking.reply_is_heard()
        await memory.settle()

        assert "open_matter" in await kept(memory)


async def test_a_model_that_can_be_held_stands_still_while_a_caller_waits():
    begun, is_free = asyncio.Event(), asyncio.Event()
    held: asyncio.Queue[str] = asyncio.Queue()

    class Held(Model):
        hold: Any = None

        async def fill(self, *arguments: Any, **options: Any) -> Completion:
            begun.set()
            await is_free.wait()
            return await super().fill(*arguments, **options)

    class Holding:
        def hold(self, holder: object) -> None:
            held.put_nowait("held")

        def go_on(self, holder: object) -> None:
            held.put_nowait("goes on")
            is_free.set()

    model = Held(says(PLAN))
    model.hold = Holding()
    async with opened(model, yield_ms=60_000) as memory:
        await (await called(memory, *LINES)).end()
        await begun.wait()
        talking = await called(memory, call_id="c2")

        async with asyncio.timeout(20):
            talking.reply_is_due()
            assert await held.get() == "held"
            talking.reply_is_heard()
            assert await held.get() == "goes on"
        await memory.settle()

        assert "open_matter" in await kept(memory)
