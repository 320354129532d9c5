"""Each shipped schema as a table: what may be kept, of what type, how long, who may hear it."""

from __future__ import annotations

import pytest

from ringback.schemas import GENERAL, MEDICAL_INTAKE, SUPPORT, Field, Schema

pytestmark = pytest.mark.unit

SUPPORT_TABLE = """
name                person        one    caller  personal   lasting  stated     -
account_number      code          one    caller  personal   lasting  stated     -
open_matter         text          many   case    personal   case     stated     90
promise             text          many   case    personal   case     stated     90
appointment         date          one    case    personal   case     stated     1
exception           text          many   case    personal   case     stated     365
contact_preference  choice        one    caller  personal   lasting  stated     -
contact_time        text          one    caller  personal   lasting  stated     -
language            text          one    caller  open       lasting  stated     -
phone               phone         one    caller  personal   lasting  stated     -
email               email         one    caller  personal   lasting  stated     -
address             text          one    caller  sensitive  lasting  stated     -
"""
GENERAL_TABLE = """
name                person        one    caller  personal   lasting  stated     -
alias               person        many   caller  personal   lasting  stated     -
language            text          one    caller  open       lasting  stated     -
phone               phone         one    caller  personal   lasting  stated     -
email               email         one    caller  personal   lasting  stated     -
address             text          one    caller  sensitive  lasting  stated     -
birthday            date          one    caller  sensitive  lasting  stated     -
home_town           text          one    caller  personal   lasting  stated     -
occupation          text          one    caller  personal   lasting  stated     -
employer            text          one    caller  personal   lasting  stated     -
likes               text:thing    many   caller  personal   lasting  stated     -
dislikes            text:thing    many   caller  personal   lasting  stated     -
diet                choice        one    caller  personal   lasting  stated     -
allergy             text          many   caller  sensitive  lasting  stated     -
pet                 person:pet    many   caller  personal   lasting  stated     -
mother              person:person one    caller  personal   lasting  stated     -
father              person:person one    caller  personal   lasting  stated     -
partner             person:person one    caller  personal   lasting  stated     -
child               person:person many   caller  personal   lasting  stated     -
colleague           person:person many   caller  personal   lasting  stated     -
friend              person:person many   caller  personal   lasting  stated     -
trait               text          many   caller  personal   lasting  confirmed  -
pleased_with        text:thing    many   caller  personal   lasting  confirmed  365
unhappy_with        text:thing    many   caller  personal   lasting  confirmed  365
open_matter         text          many   case    personal   case     stated     90
promise             text          many   case    personal   case     stated     90
appointment         date          one    case    personal   case     stated     1
contact_preference  choice        one    caller  personal   lasting  stated     -
contact_time        text          one    caller  personal   lasting  stated     -
"""
MEDICAL_TABLE = """
name                person        one    caller  personal   lasting  stated     -
date_of_birth       date          one    caller  sensitive  lasting  stated     -
phone               phone         one    caller  personal   lasting  stated     -
language            text          one    caller  open       lasting  stated     -
allergy             text:substance many  caller  sensitive  lasting  stated     -
medication          text:medication many caller  sensitive  lasting  confirmed  365
condition           text:condition many  caller  sensitive  lasting  stated     -
symptom             text          many   case    sensitive  case     stated     30
surgery             text          many   caller  sensitive  lasting  stated     -
pregnancy           choice        one    caller  sensitive  lasting  stated     280
smoking             choice        one    caller  sensitive  lasting  stated     -
height              number        one    caller  sensitive  lasting  stated     -
weight              number        one    caller  sensitive  lasting  stated     365
emergency_contact   person:person one    caller  personal   lasting  stated     -
insurance_number    code          one    caller  sensitive  lasting  confirmed  -
doctor              person:person one    caller  personal   lasting  stated     -
pharmacy            text          one    caller  personal   lasting  stated     -
appointment         date          one    case    personal   case     stated     1
"""
TABLES = [(SUPPORT, SUPPORT_TABLE), (GENERAL, GENERAL_TABLE), (MEDICAL_INTAKE, MEDICAL_TABLE)]


def row(field: Field) -> list[str]:
    kind = f":{field.object_kind}" if field.object_kind else ""
    return [
        field.key,
        f"{field.type.value}{kind}",
        field.cardinality.value,
        field.scope.value,
        field.sensitivity.value,
        field.durability.value,
        field.promotion.name.lower(),
        str(field.ttl_days or "-"),
    ]


@pytest.mark.parametrize(("schema", "table"), TABLES, ids=[schema.name for schema, _ in TABLES])
def test_a_shipped_schema_is_what_it_says(schema: Schema, table: str):
    assert [row(field) for field in schema.fields] == [
        line.split() for line in table.strip().splitlines()
    ]


def test_only_the_general_schema_is_open():
    assert [schema.name for schema, _ in TABLES if not schema.is_closed] == ["general"]


@pytest.mark.parametrize("key", ["account_number", "open_matter", "likes", "address", "mood"])
def test_medical_intake_has_no_place_for_anything_else(key: str):
    assert MEDICAL_INTAKE.field(key) is None


def test_the_open_schema_keeps_another_key_as_a_plain_fact_with_each_value_once():
    field = GENERAL.field("favourite_colour")

    assert field is not None
    assert row(field)[1:] == [
        "text",
        "many",
        "caller",
        "personal",
        "lasting",
        "stated",
        "-",
    ]


@pytest.mark.parametrize("key", ["", "No", "two words", "x" * 41, "1st"])
def test_the_open_schema_keeps_nothing_under_what_is_no_key(key: str):
    assert GENERAL.field(key) is None


def test_an_exception_is_an_event_of_one_case_that_no_caller_can_state():
    field = SUPPORT.field("exception")

    assert field is not None
    assert (field.kind.value, field.scope.value, field.is_quoted) == ("event", "case", True)
    assert [source.value for source in field.sources] == ["statement by the agent"]


@pytest.mark.parametrize("schema", [SUPPORT, GENERAL, MEDICAL_INTAKE], ids=lambda one: one.name)
def test_every_label_and_sentence_reads_well(schema: Schema):
    for field in schema.fields:
        assert not field.sentence.endswith("."), field.key
        assert field.label == field.label.strip() != "", field.key
