"""Customer 456: an exception for one order is kept, found, put right, and forgotten.

1. The exception is kept as an event, for order A only.
2. A new call hears of it, and nothing follows from it for another order.
3. A search looks at nothing of other callers, tenants, kinds, times or statuses.
4. The reason is put right: the old version leaves what is recalled, and stays in history.
5. It is forgotten, with every version and every word.
6. The same question finds nothing any more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, CallHandle, Memory, Role, Turn
from ringback.profile import Profile
from ringback.recollection import Channel, Cue
from ringback.records import Fact, Kind, Scope, Source, Status
from ringback.terms import terms

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
LATER_AT = AT + timedelta(days=9)
ME = "customer-456"
QUESTION = "Why was there an exception for order A?"
WRONG = "for order A: we refunded it once because of the typhoon"
RIGHT = "for order A: refunded once because the courier lost it"


@dataclass
class Shop:
    """The system of record beside the memory."""

    memory: Memory
    refunded: dict[str, bool]

    @property
    def customer(self) -> Profile:
        return self.memory.profile("acme", ME)

    async def call(self, call_id: str, *lines: str, at: datetime = AT, who: str = ME) -> CallHandle:
        """A call of a verified customer; lines begin with `c: ` or `a: `."""
        call = self.memory.ring(tenant="acme", call_id=call_id, at=at)
        await call.identify(who, Assurance.VERIFIED)
        await call.briefed()
        for place, line in enumerate(lines):
            role = Role.CALLER if line.startswith("c: ") else Role.AGENT
            call.observe(Turn(role, line[3:], at=at + timedelta(seconds=5 * place)))
        return call

    async def exception(self) -> Fact:
        (fact,) = [one for one in await self.customer.facts() if one.key == "exception"]
        return fact


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    """A shop whose agent has made one exception, for order A of customer 456."""
    async with await Memory.open(f"sqlite:///{tmp_path / 'memory.db'}") as memory:
        shop = Shop(memory, refunded={"A": True, "B": False})
        call = await shop.call(
            "call-1",
            "c: My order A arrived late and the lamp is broken.",
            f"a: I have made an exception {WRONG}.",
            "c: Thank you.",
        )
        assert await call.end()
        yield shop


async def recalled(shop: Shop, question: str = QUESTION) -> list[str]:
    answer = await shop.customer.recall(question)
    assert answer.missed == ()
    return [one.text for one in answer.found]


async def test_1_the_exception_is_an_event_of_order_a_alone(shop: Shop):
    fact = await shop.exception()

    assert (fact.kind, fact.scope, fact.source) == (Kind.EVENT, Scope.CASE, Source.AGENT)
    assert fact.subject == "order:a"
    assert fact.value == WRONG
    assert (fact.evidence.call_id, fact.evidence.position) == ("call-1", 1)
    assert not [one for one in await shop.customer.facts() if one.kind is Kind.INSTRUCTION]


async def test_2_a_new_call_hears_of_it_and_the_new_orders_state_is_what_it_was(shop: Shop):
    before = dict(shop.refunded)

    call = await shop.call(
        "call-2",
        "c: My order B arrived late as well. Can I have a refund for order B?",
        "a: Let me look that up.",
        at=LATER_AT,
    )
    briefing = call.context().briefing
    assert await call.end()

    assert WRONG in briefing
    assert "for this case only and no rule" in briefing
    assert "look up Order A before acting" in briefing
    assert shop.refunded == before
    assert [one.subject for one in await shop.customer.facts() if one.key == "exception"] == [
        "order:a"
    ]


async def test_3_a_search_is_narrowed_before_anything_is_ranked(shop: Shop):
    other = await shop.call("call-9", f"a: I have made an exception {WRONG}.", who="customer-457")
    assert await other.end()
    cue = Cue("acme", ME, terms(QUESTION), LATER_AT)

    async def found(**narrower: object) -> list[str]:
        hits = await shop.memory.keeping.find(replace(cue, **narrower))
        return [hit.fact.caller_id or "" for hit in hits if hit.fact is not None]

    assert await found() == [ME]
    assert await found(caller_id="customer-457") == ["customer-457"]
    assert await found(caller_id="customer-458") == []
    assert await found(tenant="other") == []
    assert await found(kinds=(Kind.FACT, Kind.TASK)) == []
    assert await found(statuses=(Status.SUPERSEDED,)) == []
    assert await found(since_at=LATER_AT) == []
    assert await found(until_at=AT) == []
    assert await found(at=AT + timedelta(days=400)) == []  # expired by then


async def test_4_a_corrected_reason_takes_the_old_ones_place_and_history_keeps_both(shop: Shop):
    old = await shop.exception()

    await shop.customer.correct(old.id, RIGHT)

    new = await shop.exception()
    assert (new.value, new.source, new.supersedes) == (RIGHT, Source.SYSTEM, old.id)
    assert new.observed_at > old.observed_at
    assert new.subject == "order:a"
    texts = await recalled(shop)
    assert any(RIGHT in text for text in texts)
    assert not any("typhoon" in text for text in texts)
    assert await recalled(shop, "Was it the typhoon?") == []
    past = await shop.customer.facts(with_history=True)
    assert [(one.value, one.status) for one in past if one.key == "exception"] == [
        (WRONG, Status.SUPERSEDED),
        (WRONG, Status.RETIRED),  # that it no longer holds, and who says so
        (RIGHT, Status.ACTIVE),
    ]


async def test_5_forgetting_it_takes_every_version_and_every_word(shop: Shop):
    old = await shop.exception()
    await shop.customer.correct(old.id, RIGHT)
    new = await shop.exception()

    erased = await shop.customer.forget(fact=new.id, questions=[QUESTION])

    assert erased.is_clean, erased.looks
    assert dict(erased.receipt.removed)["fact"] == 3
    assert not [
        one for one in await shop.customer.facts(with_history=True) if one.key == "exception"
    ]
    view = await shop.memory.keeping.call("acme", "call-1")
    assert view is not None
    assert "typhoon" not in " ".join(turn.text for turn in view.turns)
    assert await shop.memory.keeping.residue(["typhoon", "courier"]) == 0
    assert "lamp is broken" in view.turns[0].text  # what else was said stays


async def test_6_the_same_question_finds_nothing_any_more(shop: Shop):
    old = await shop.exception()
    assert await recalled(shop)

    await shop.customer.forget(fact=old.id)
    await shop.memory.settle()

    texts = await recalled(shop)
    assert not any("typhoon" in text or "exception" in text for text in texts)
    answer = await shop.customer.recall(QUESTION)
    assert Channel.KEY not in [channel for one in answer.found for channel in one.channels]
    call = await shop.call("call-3", at=LATER_AT)
    assert "typhoon" not in call.context().briefing
    assert "exception" not in call.context().briefing
