"""A schema that the library has never seen, from a declaration to the next call's briefing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Assurance, Memory, Role, Turn
from ringback.records import Cardinality, Fact, Source, Status
from ringback.schemas import MEDICAL_INTAKE, Field, Schema, ValueType

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
PAGE = Path(__file__).parents[2] / "docs" / "schemas.md"
CALLER = (Source.CALLER,)
CURRENT = (Status.ACTIVE, Status.PROVISIONAL)

VET = Schema(
    name="animal clinic",
    fields=(
        Field(
            key="animal",
            label="animal",
            sentence="The caller's animal is a {value}",
            sources=CALLER,
            type=ValueType.CHOICE,
            choices=("dog", "cat", "guinea pig"),
            cardinality=Cardinality.MANY,
            phrases=("I have a {value}", "I've got a {value}", "我養{value}"),
        ),
        Field(
            key="animal_weight",
            label="animal's weight",
            sentence="The animal weighs {value}",
            sources=CALLER,
            type=ValueType.NUMBER,
            phrases=("it weighs {value}", "he weighs {value}", "she weighs {value}"),
        ),
        Field(
            key="food",
            label="food",
            sentence="It eats {value}",
            sources=CALLER,
            cardinality=Cardinality.MANY,
            phrases=("it eats {value}", "牠吃{value}"),
        ),
        Field(
            key="chip",
            label="chip number",
            sentence="Its chip number is {value}",
            sources=CALLER,
            type=ValueType.CODE,
            phrases=("the chip number is {value}", "its chip number is {value}"),
        ),
        Field(
            key="last_visit",
            label="last visit",
            sentence="It was last here on {value}",
            sources=CALLER,
            type=ValueType.DATE,
            phrases=("we were last there on {value}",),
        ),
    ),
)


async def kept(schema: Schema, *lines: str) -> list[Fact]:
    """What is current for a verified caller after a call of these lines."""
    async with await Memory.open("memory:", schema=schema) as memory:
        call = memory.ring(tenant="acme", handles=[("phone", "+1 555 010 0199")])
        await call.identify("dana", Assurance.VERIFIED)
        for place, line in enumerate(lines):
            call.observe(Turn(Role.CALLER, line, at=AT + timedelta(seconds=10 * place)))
        assert await call.end()
        facts = await memory.keeping.facts("acme", caller_id="dana")
    return [fact for fact in facts if fact.status in CURRENT and not fact.is_withdrawal]


def pairs(facts: Sequence[Fact]) -> set[tuple[str, str]]:
    return {(fact.key, fact.value) for fact in facts}


async def test_each_type_of_a_new_schema_is_read_from_its_phrases():
    facts = await kept(
        VET,
        "I have a guinea pig.",
        "It weighs one point two kilos.",
        "It eats hay, carrots and cucumber, and it is very happy.",
        "Its chip number is 9 5 6 double 0 4 1.",
        "We were last there on the second of May 2025.",
    )

    assert pairs(facts) == {
        ("animal", "guinea pig"),
        ("animal_weight", "1.2 kg"),
        ("food", "hay"),
        ("food", "carrots"),
        ("food", "cucumber"),
        ("chip", "9560041"),
        ("last_visit", "2025-05-02"),
    }


async def test_what_the_next_call_is_told_is_in_the_schemas_words():
    async with await Memory.open("memory:", schema=VET) as memory:
        first = memory.ring(tenant="acme", handles=[("phone", "+1 555 010 0199")])
        first.observe(Turn(Role.CALLER, "I have a guinea pig.", at=AT))
        assert await first.end()

        second = memory.ring(tenant="acme", handles=[("phone", "+1 555 010 0199")])
        await second.briefed()

        assert "animal is a guinea pig" in second.context().briefing


async def test_a_new_schema_keeps_nothing_that_it_does_not_name():
    facts = await kept(
        VET,
        "I have a car. I'm allergic to cats. My account number is 4821.",
        "It weighs a lot. My internet has dropped every evening since Tuesday.",
    )

    assert facts == []


async def test_medical_intake_keeps_what_a_clinic_asks_for():
    facts = await kept(
        MEDICAL_INTAKE,
        "My date of birth is the third of May 1980.",
        "I'm allergic to penicillin and latex.",
        "I take metformin, five hundred milligrams, twice a day.",
        "My emergency contact is my husband Tom.",
    )

    assert pairs(facts) == {
        ("date_of_birth", "1980-05-03"),
        ("allergy", "penicillin"),
        ("allergy", "latex"),
        ("medication", "metformin 500 mg"),
        ("emergency_contact", "Tom"),
    }


@pytest.mark.parametrize(
    "line",
    [
        "The weather is lovely today, isn't it.",
        "My account number is 4821.",
        "I think your website is terrible and I love opera.",
        "I'm in the car.",
        "I'm annoyed and I'm late.",
        "My internet has dropped every evening since Tuesday.",
        "I live at 9 Quill Lane.",
        "Text me, don't call.",
        "I take the bus to work.",
        "I had a good weekend.",
    ],
)
async def test_medical_intake_refuses_what_does_not_fit(line: str):
    assert await kept(MEDICAL_INTAKE, line) == []


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


async def test_the_schema_in_the_documentation_reads_what_the_page_says_it_reads():
    (code,) = examples()
    names: dict = {}
    exec(code, names)  # noqa: S102 - the page's own example

    rows = re.findall(
        r"^\| “(.*)” \| (.*) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE
    )

    assert len(rows) >= 5
    for said, found in rows:
        facts = await kept(names["GARAGE"], said)
        assert {f"`{key}` {value}" for key, value in pairs(facts)} == (
            set(found.split(", ")) - {"nothing"}
        ), said


def test_the_documentation_names_every_setting_of_a_field():
    page = PAGE.read_text(encoding="utf-8")

    for name in [*Field.__dataclass_fields__, *(f"{kind.name}" for kind in ValueType)]:
        assert f"`{name}`" in page, name
