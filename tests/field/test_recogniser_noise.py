"""What speech recognition makes up is nobody's word: no fact, no caller, no summary of it."""

from __future__ import annotations

import pytest

from ringback import Memory
from ringback.schemas import GENERAL, SUPPORT, Schema
from tests.field.made import AT, HANDLES, briefing_of, current, dana, danas, summary_of, talk, turn

pytestmark = pytest.mark.framework

SILENCE = (
    "c: Thanks for watching!",
    "c: ご視聴ありがとうございました",
    "c: 請不吝點贊訂閱",
    "c: Untertitel im Auftrag des ZDF, 2020",
    "c: you",
    "c: [Music]",
    "c: 。",
    "c: A",
)
MATTER = "my internet has been down since Tuesday"
SCHEMAS = pytest.mark.parametrize("schema", [GENERAL, SUPPORT], ids=["general", "support"])


async def caller_of(memory: Memory, *lines: str) -> str | None:
    """Whom a whole call from a number that nobody has called from is kept for."""
    call = memory.ring(tenant="acme", handles=HANDLES, at=AT)
    await call.briefed()
    for line in lines:
        call.observe(turn(line))
    await call.end()
    await memory.settle()
    callers = await memory.keeping.callers_of("acme", call.call.handles)
    return callers[0].id if callers else None


@SCHEMAS
async def test_silence_that_became_sentences_leaves_no_trace_in_memory(url: str, schema: Schema):
    async with await Memory.open(url, schema=schema) as memory:
        lines = ("a: Hello, this is Acme.", *SILENCE, "a: Are you still there?")

        assert await caller_of(memory, *lines) is None


@pytest.mark.parametrize(
    "lines", [(), ("c: ", "c:    "), ("c: uh",), ("c: 嗯。",), ("a: Hello?", "c: uh", "a: Bye.")]
)
async def test_a_call_in_which_nothing_is_said_makes_no_caller(url: str, lines: tuple[str, ...]):
    async with await Memory.open(url) as memory:
        assert await caller_of(memory, *lines) is None


async def test_who_speaks_makes_a_caller(url: str):
    async with await Memory.open(url) as memory:
        assert await caller_of(memory, "a: Hello?", f"c: Hi, {MATTER}.") is not None


@SCHEMAS
async def test_of_a_call_with_silence_only_what_was_said_is_told(url: str, schema: Schema):
    async with await Memory.open(url, schema=schema) as memory:
        await talk(memory, *SILENCE, "c: My account number is 4821.", *SILENCE)

        assert await current(dana(memory)) == [("account_number", "4821")]
        summary = await summary_of(memory)
        assert "account number is 4821" in summary
        assert "watching" not in summary
        assert "ZDF" not in summary


async def test_what_nobody_said_is_no_answer_to_the_agents_question(url: str):
    async with await Memory.open(url) as memory:
        await talk(
            memory, "a: What is your account number?", "c: Thanks for watching!", "c: It's 4821."
        )

        assert await current(dana(memory)) == [("account_number", "4821")]


@pytest.mark.parametrize("joint", [". ", ", ", " "])
async def test_a_phrase_28_times_in_a_turn_is_one_fact_with_one_evidence(url: str, joint: str):
    text = joint.join([MATTER] * 28)
    async with await Memory.open(url) as memory:
        await talk(memory, f"c: {text}")

        (fact,) = await dana(memory).facts(with_history=True)
        evidence = fact.evidence
        assert (fact.key, fact.value) == ("open_matter", MATTER)
        assert (evidence.start, evidence.words) == (0, MATTER)
        assert text[evidence.start : evidence.end] == evidence.words
        assert (await summary_of(memory)).count("internet") == 1


async def test_a_phrase_in_28_turns_is_one_fact_with_one_evidence(url: str):
    async with await Memory.open(url) as memory:
        await talk(memory, "a: Hello.", *[f"c: {MATTER}."] * 28)

        (fact,) = await dana(memory).facts(with_history=True)
        assert (fact.value, fact.evidence.position) == (MATTER, 1)
        assert (await summary_of(memory)).count("internet") == 1


async def test_the_turns_themselves_stay_as_they_came(url: str):
    async with await Memory.open(url) as memory:
        call = await talk(memory, f"c: {' '.join([MATTER] * 28)}", *SILENCE)

        view = await memory.keeping.call("acme", call.call.id)
        assert view is not None
        said = [f"c: {one.text}" for one in view.turns]
        assert said == [f"c: {' '.join([MATTER] * 28)}", *SILENCE]


async def test_noise_of_an_unsettled_call_is_not_repeated_as_the_callers_words(url: str):
    async with await Memory.open(url) as memory:
        first = await danas(memory)
        for line in (*SILENCE, f"c: {MATTER}", *SILENCE):
            receipt = first.observe(turn(line))
        await receipt.committed()

        told = await briefing_of(memory)

        assert "internet" in told
        assert "watching" not in told
        assert "ZDF" not in told


@SCHEMAS
@pytest.mark.parametrize(
    "lines",
    [
        ("a: Hello, this is Acme.", "c: hello? ... wrong number, sorry"),
        ("a: Acme, hello.", "c: Hello?", "c: Oh, sorry, I have the wrong number. Bye."),
        ("a: 您好。", "c: 喂? 不好意思,打錯了。"),
    ],
)
async def test_a_wrong_number_leaves_no_fact(url: str, schema: Schema, lines: tuple[str, ...]):
    async with await Memory.open(url, schema=schema) as memory:
        await talk(memory, *lines)

        assert await dana(memory).facts(with_history=True) == ()
