"""A fact that is written while a call is being forgotten: what the call had replaced is back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.offline import forgetting

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


async def test_what_a_forgotten_call_replaced_meanwhile_is_current_again(
    monkeypatch: pytest.MonkeyPatch,
):
    async with await Memory.open("memory:") as memory:
        dana = memory.profile("acme", "dana")
        said = [OfferedTurn(Role.CALLER, "My account number is 4821.", at=AT)]
        again = [OfferedTurn(Role.CALLER, "My account number is 4822.", at=AT + timedelta(days=1))]
        await dana.ingest(said, conversation="one")
        await memory.settle()
        planned_on, is_first = forgetting.known_of, True

        async def known_of(*arguments):
            nonlocal is_first
            known = await planned_on(*arguments)
            if is_first:  # between the plan and the deletion the second call is settled
                is_first = False
                await memory.settle()
            return known

        second = await dana.ingest(again, conversation="two")
        monkeypatch.setattr(forgetting, "known_of", known_of)
        await dana.forget(call=second.call_id)

        assert [(fact.value, fact.status.value) for fact in await dana.facts()] == [
            ("4821", "active")
        ]
