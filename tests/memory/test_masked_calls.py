"""Personal numbers never reach the store: not by a call, not by a conversation taken over."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ringback import Assurance, Memory, Role, Turn
from ringback.core.alignment import OfferedTurn
from ringback.records import Sensitivity, Source, Status
from ringback.schemas import SUPPORT, Field, Schema, ValueType

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
CARD = "4111 1111 1111 1111"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def caller(text: str) -> Turn:
    return Turn(Role.CALLER, text, at=AT)


def agent(text: str) -> Turn:
    return Turn(Role.AGENT, text, at=AT)


async def said(memory: Memory, *turns: Turn, call_id: str = "c1") -> list[str]:
    """What is on record of a verified caller's call with these turns."""
    call = memory.ring(tenant="acme", call_id=call_id)
    await call.identify("dana", Assurance.VERIFIED)
    for turn in turns:
        await call.observe(turn).committed()
    await call.end()
    await memory.settle()
    view = await memory.keeping.call("acme", call_id)
    assert view is not None
    return [turn.text for turn in view.turns]


def contents(path: Path) -> Iterator[str]:
    """Every file of a store that nobody has open any more."""
    for file in path.parent.iterdir():
        yield file.read_bytes().decode("utf-8", "replace")


async def test_a_card_is_in_no_file_of_the_store(path: Path):
    async with await Memory.open(f"sqlite:///{path}") as memory:
        texts = await said(memory, caller(f"My card is {CARD}, and I'd like the blue one."))

    assert texts == ["My card is [card number], and I'd like the blue one."]
    assert not any("1111" in text for text in contents(path))


async def test_a_card_that_runs_over_turns_is_masked_where_it_began(path: Path):
    async with await Memory.open(f"sqlite:///{path}") as memory:
        texts = await said(
            memory,
            caller("It's four one one one, one one one one"),
            agent("Yes?"),
            caller("one one one one, one one one one. My account number is 4821."),
        )
        await memory.settle()
        facts = await memory.keeping.facts("acme", caller_id="dana", statuses=tuple(Status))
        residue = await memory.keeping.residue(["four one one one"])

    assert texts == ["It's [card number]", "Yes?", "[card number]. My account number is 4821."]
    assert [(fact.key, fact.value) for fact in facts] == [("account_number", "4821")]
    assert residue == 0
    assert not any("four one one one" in text for text in contents(path))


async def test_evidence_points_into_the_masked_words(path: Path):
    async with await Memory.open(f"sqlite:///{path}") as memory:
        (text,) = await said(memory, caller(f"My card is {CARD} and my account number is 4821."))
        (fact,) = await memory.profile("acme", "dana").facts()

    assert text[fact.evidence.start : fact.evidence.end] == fact.evidence.words
    assert "4821" in fact.evidence.words


async def test_a_code_that_was_asked_for_is_masked(path: Path):
    async with await Memory.open(f"sqlite:///{path}") as memory:
        texts = await said(memory, agent("What is the security code?"), caller("It's 739."))

    assert texts[1] == "It's [security code]."


async def test_a_schema_that_has_a_field_for_it_keeps_it():
    field = Field(
        key="card",
        label="card",
        sentence="The caller pays with {value}",
        sources=(Source.CALLER,),
        type=ValueType.CARD,
        sensitivity=Sensitivity.SENSITIVE,
    )
    schema = Schema("shop", (*SUPPORT.fields, field))
    async with await Memory.open("memory:", schema=schema) as memory:
        texts = await said(memory, caller(f"My card is {CARD}."))

    assert texts == [f"My card is {CARD}."]


async def test_a_conversation_that_is_taken_over_is_masked_and_recognised_again(path: Path):
    window = [
        OfferedTurn(Role.CALLER, f"My card is {CARD}.", at=AT),
        OfferedTurn(Role.CALLER, "And four one one one, one one one one", at=AT),
        OfferedTurn(Role.CALLER, "one one one one, one one one one is my wife's card.", at=AT),
    ]
    async with await Memory.open(f"sqlite:///{path}") as memory:
        profile = memory.profile("acme", "dana")
        first = await profile.ingest(window[:2])
        rest = await profile.ingest(window[1:])
        again = await profile.ingest(window)
        view = await memory.keeping.call("acme", first.call_id)

    assert (first.stored, rest.stored, again.stored) == (2, 1, 0)
    assert view is not None
    assert [turn.text for turn in view.turns] == [
        "My card is [card number].",
        "And [card number]",
        "[card number] is my wife's card.",
    ]
    assert not any("4111" in text or "four one one one" in text for text in contents(path))


async def test_what_an_application_states_is_masked_too():
    async with await Memory.open("memory:") as memory:
        profile = memory.profile("acme", "night", "team")
        await profile.remember(f"Pays with {CARD}.")

        assert [fact.value for fact in await profile.facts()] == ["Pays with [card number]."]


@pytest.mark.parametrize(
    "text",
    ["\x00My name is\x00 Dana.", "\ud800 half a pair", "\u202eright to left", "", "🏳️‍🌈" * 50],
    ids=["nul", "lone surrogate", "bidi", "empty", "emoji"],
)
async def test_odd_text_is_kept_without_an_error(path: Path, text: str):
    async with await Memory.open(f"sqlite:///{path}") as memory:
        texts = await said(memory, caller(text), caller("My account number is 4821."))
        facts = await memory.profile("acme", "dana").facts()

    assert len(texts) == 2
    assert "4821" in [fact.value for fact in facts]


async def test_a_turn_of_a_megabyte_is_kept_and_holds_up_nobody(path: Path):
    long = f"My account number is 4821. {'la ' * 350_000} and {CARD} again."
    async with await Memory.open(f"sqlite:///{path}") as memory:
        (text,) = await said(memory, caller(long))
        (fact,) = await memory.profile("acme", "dana").facts()

    assert len(text) > 1_000_000
    assert text.endswith("la  and [number] again.")
    assert fact.value == "4821"


async def test_a_turn_from_a_clock_that_is_ahead_is_kept_at_its_time(path: Path):
    ahead = replace(caller("My account number is 4821."), at=datetime(2106, 1, 1, tzinfo=UTC))
    async with await Memory.open(f"sqlite:///{path}") as memory:
        await said(memory, ahead)
        (fact,) = await memory.profile("acme", "dana").facts()

    assert fact.observed_at == ahead.at
    assert fact.value == "4821"


async def test_logs_carry_no_speech(path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    async with await Memory.open(f"sqlite:///{path}") as memory:
        await said(memory, caller("My zanzibarite gate is broken, account 4821."))
        await memory.profile("acme", "dana").forget(everything=True)

    assert not [r for r in caplog.records if "zanzibarite" in f"{r.getMessage()} {r.__dict__}"]
