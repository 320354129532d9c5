"""One person, however speech recognition spells them; and another one who sounds alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.core.entities import entities_of
from ringback.schemas import GENERAL

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


async def test_a_partner_of_three_spellings_is_one_person_and_a_colleague_stays_another():
    async with await Memory.open("memory:", schema=GENERAL) as memory:
        dana = memory.profile("acme", "dana")
        await dana.remember("Siobhan", key="partner")
        for day, line in enumerate(
            (
                "My partner Shivon is allergic to nuts.",
                "My partner is called Chevonne.",
                "My partner Siobhan is allergic to eggs.",
                "My colleague Yvonne will call you.",
            )
        ):
            turn = OfferedTurn(Role.CALLER, line, at=AT + timedelta(days=day))
            await dana.ingest([turn], conversation=str(day))
        await memory.settle()
        facts = await dana.facts()

    assert [fact.value for fact in facts if fact.key == "partner"] == ["Siobhan"]
    people = {entity.ref: entity for entity in entities_of(facts) if entity.ref != "self"}
    assert set(people) == {"person:siobhan", "person:yvonne"}
    assert people["person:siobhan"].names == ("Siobhan",)
    assert {fact.value for fact in people["person:siobhan"].facts} == {"nuts", "eggs"}
