from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringback.core.entities import entities_of, entity_ref
from ringback.records import Evidence, Fact, Source

pytestmark = pytest.mark.unit

STARTED = datetime(2026, 3, 3, 20, 0, tzinfo=UTC)


def fact(key: str, value: str, *, day: int = 0, **changes: object) -> Fact:
    """A fact that the caller said on a day from 3 March on."""
    at = STARTED + timedelta(days=day)
    given = {
        "id": f"{key}-{value}-{day}-{changes.get('subject', 'self')}",
        "tenant": "acme",
        "call_id": "call-1",
        "caller_id": "dana",
        "key": key,
        "value": value,
        "source": Source.CALLER,
        "confidence": 0.9,
        "observed_at": at,
        "recorded_at": at,
        "evidence": Evidence("call-1", 0, value, 0, len(value)),
    }
    return Fact(**{**given, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "name", "ref"),
    [
        ("person", "Rosa", "person:rosa"),
        ("person", "  Rosa  King. ", "person:rosa king"),
        ("order", "A-17", "order:a-17"),
        ("contract", "55810-7", "contract:55810-7"),
        ("person", "王小明", "person:王小明"),
        ("person", "Jose\u0301", "person:josé"),
    ],
)
def test_a_reference_is_a_kind_and_a_folded_name(kind: str, name: str, ref: str):
    assert entity_ref(kind, name) == ref


def test_codes_that_differ_in_a_digit_are_two_entities():
    assert entity_ref("contract", "55810-7") != entity_ref("contract", "55810-8")


def test_without_facts_there_is_nobody():
    assert entities_of(()) == ()


def test_the_profile_comes_first_with_its_names_newest_first():
    facts = [
        fact("name", "Dana", day=0),
        fact("alias", "Dee", day=2),
        fact("name", "dana", day=1),
        fact("allergy", "nuts", subject="person:rosa"),
    ]

    mine, rosa = entities_of(facts)

    assert (mine.ref, mine.names) == ("self", ("Dee", "dana"))
    assert [one.key for one in mine.facts] == ["name", "name", "alias"]
    assert (rosa.ref, rosa.names, len(rosa.facts)) == ("person:rosa", ("rosa",), 1)


def test_a_relation_is_known_from_both_of_its_ends():
    likes = fact(
        "likes", "opera", object="thing:opera", valid_from=datetime(2024, 1, 15, tzinfo=UTC)
    )

    mine, opera = entities_of([likes])

    assert mine.facts == (likes,)
    assert (opera.ref, opera.names, opera.relations) == ("thing:opera", ("opera",), (likes,))
    assert opera.relations[0].valid_from == datetime(2024, 1, 15, tzinfo=UTC)


def test_what_is_known_of_the_mother_is_known_of_rosa():
    mother = fact("mother", "Rosa", object="person:rosa")
    nuts = fact("allergy", "nuts", subject="person:mother", object="substance:nuts")

    entities = {entity.ref: entity for entity in entities_of([nuts, mother])}

    assert set(entities) == {"self", "person:rosa", "substance:nuts"}
    assert entities["person:rosa"].facts == (nuts,)
    assert entities["person:rosa"].relations == (mother,)


def test_with_two_colleagues_the_colleague_is_neither():
    facts = [
        fact("colleague", "Rosa", object="person:rosa"),
        fact("colleague", "Yvonne", object="person:yvonne"),
        fact("allergy", "nuts", subject="person:colleague"),
    ]

    refs = [entity.ref for entity in entities_of(facts)]

    assert refs == ["self", "person:colleague", "person:rosa", "person:yvonne"]


def test_an_alias_is_the_same_person():
    facts = [
        fact("partner", "Siobhan", object="person:siobhan"),
        fact("alias", "Shivon", subject="person:siobhan", day=1),
        fact("allergy", "nuts", subject="person:shivon", day=2),
        fact("colleague", "Yvonne", object="person:yvonne"),
    ]

    entities = {entity.ref: entity for entity in entities_of(facts)}

    assert set(entities) == {"self", "person:siobhan", "person:yvonne"}
    assert entities["person:siobhan"].names == ("Shivon", "Siobhan")
    assert [one.key for one in entities["person:siobhan"].facts] == ["alias", "allergy"]


def test_aliases_in_a_circle_are_one_entity():
    facts = [
        fact("alias", "Bo", subject="person:al"),
        fact("alias", "Al", subject="person:bo"),
    ]

    (one,) = entities_of(facts)

    assert set(one.names) == {"Al", "Bo"}


def test_a_value_that_says_more_than_the_name_names_the_entity_by_its_name():
    takes = fact("medication", "metformin 500 mg", object="medication:metformin")

    _, metformin = entities_of([takes])

    assert metformin.names == ("metformin",)


def test_a_withdrawal_makes_nobody():
    assert entities_of([fact("pet", "Rex", object="pet:rex", is_withdrawal=True)]) == ()
