from __future__ import annotations

import pytest

from ringback.errors import SettingsError
from ringback.records import Kind, Sensitivity, Source
from ringback.schemas import Field, Promotion, Schema, ValueType

pytestmark = pytest.mark.unit

PLAIN = {
    "key": "boiler",
    "label": "boiler",
    "sentence": "The boiler is {value}",
    "sources": (Source.CALLER,),
}

CONTRADICTIONS = [
    ("key", {"key": "Boiler"}),
    ("key", {"key": "gas boiler"}),
    ("key", {"key": ""}),
    ("key", {"key": "b" * 41}),
    ("sentence", {"sentence": "The boiler"}),
    ("sentence", {"sentence": "{value} and {value}"}),
    ("sources", {"sources": ()}),
    ("choices", {"type": ValueType.CHOICE}),
    ("choices", {"choices": ("gas", "oil")}),
    ("ttl_days", {"ttl_days": 0}),
    ("is_agreed", {"is_agreed": True}),
    ("is_speakable", {"sensitivity": Sensitivity.SECRET}),
    ("kind", {"kind": Kind.INSTRUCTION}),
    ("phrases", {"phrases": ("my boiler is gas",)}),
    ("phrases", {"phrases": ("my boiler is {value}", "from {value} to {value}")}),
    ("asked_by", {"asked_by": ("",)}),
    ("asked_by", {"asked_by": ("which … ",)}),
    ("asked_by", {"asked_by": ("which … … boiler",)}),
    ("asked_by", {"asked_by": ("(/boiler)",)}),
    ("asked_by", {"asked_by": ("which (boiler/heater",)}),
    ("asked_by", {"asked_by": ("which boiler/heater)",)}),
    ("asked_by", {"asked_by": ("which ((boiler)/heater)",)}),
    ("asked_by", {"asked_by": ("which boiler", "boiler/heater")}),
]


@pytest.mark.parametrize(("field", "changes"), CONTRADICTIONS)
def test_a_field_that_contradicts_itself_is_refused_by_name(field: str, changes: dict):
    with pytest.raises(SettingsError) as caught:
        Field(**{**PLAIN, **changes})

    key = {**PLAIN, **changes}["key"]
    assert str(caught.value).startswith(f"schema field {key!r}: {field} ")


FITTING = [
    {"sources": (), "promotion": Promotion.REFUSED},
    {"type": ValueType.CHOICE, "choices": ("gas", "oil")},
    {"ttl_days": 1},
    {"is_agreed": True, "sources": (Source.CALLER, Source.AGENT)},
    {"sensitivity": Sensitivity.SECRET, "is_speakable": False},
    {"kind": Kind.INSTRUCTION, "sources": (Source.SYSTEM,)},
    {"phrases": ("my boiler is {value}",)},
    {"asked_by": ("which … (boiler/heater)", "boiler(s/) … old", "鍋爐…哪")},
]


@pytest.mark.parametrize("changes", FITTING)
def test_a_field_that_agrees_with_itself_is_taken(changes: dict):
    assert Field(**{**PLAIN, **changes}).key == "boiler"


def test_two_fields_with_one_key_are_refused_by_name():
    with pytest.raises(SettingsError, match="schema 'home': fields: two have the key 'boiler'"):
        Schema("home", (Field(**PLAIN), Field(**PLAIN)))


def test_a_closed_schema_without_a_field_is_refused_and_an_open_one_is_not():
    with pytest.raises(SettingsError, match="schema 'home': fields: a closed schema needs one"):
        Schema("home", ())

    assert Schema("home", (), is_closed=False).field("boiler") is not None
