"""Who hides their number is nobody in particular: two such calls share nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from ringback import Memory, MemorySettings, UsageError
from tests.field.made import AT, turn

pytestmark = pytest.mark.framework

UNKNOWN = "There are no notes about this caller, who is unknown."


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'm.db'}"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("phone", "+266696687"),
        ("phone", "anonymous"),
        ("phone", "Restricted"),
        ("phone", "unknown"),
        ("phone", ""),
        ("phone", "7378742833"),
        ("phone", "8656696"),
        ("phone", "2562533"),
        ("phone", "+10000000000"),
        ("phone", "未顯示號碼"),
        ("sip", "sip:anonymous@anonymous.invalid"),
        ("sip", "sip:0000000000@carrier.example"),
        ("sip", "sip:+266696687@carrier.example;user=phone"),
    ],
)
async def test_two_calls_from_a_withheld_number_share_nothing(url: str, kind: str, value: str):
    async with await Memory.open(url) as memory:
        first = memory.ring(tenant="acme", handles=[(kind, value)], at=AT)
        first.observe(turn("c: I'm Ignace, my account number is 4821."))
        await first.end()
        await memory.settle()
        second = memory.ring(tenant="acme", handles=[(kind, value)], at=AT + timedelta(days=1))
        await second.briefed()

        assert second.context().briefing == UNKNOWN
        assert await memory.keeping.callers("acme") == ()
        kept = await memory.keeping.facts("acme", call_id=first.call.id)
        assert {fact.caller_id for fact in kept} == {None}


async def test_a_number_is_one_caller_however_the_line_writes_it(url: str):
    settings = MemorySettings(region="TW")
    async with await Memory.open(url, settings=settings) as memory:
        first = memory.ring(tenant="acme", handles=[("phone", "0912 345 678")], at=AT)
        first.observe(turn("c: My account number is 4821."))
        await first.end()
        await memory.settle()

        for again in ("+886 912-345-678", "0912345678", "sip:0912345678@gw.example;user=phone"):
            kind = "sip" if "sip:" in again else "phone"
            call = memory.ring(tenant="acme", handles=[(kind, again)])
            await call.briefed()
            assert "4821" in call.context().briefing, again


async def test_a_region_that_there_is_not_is_refused_when_memory_opens(url: str):
    with pytest.raises(UsageError, match="Taiwan"):
        await Memory.open(url, settings=MemorySettings(region="Taiwan"))
