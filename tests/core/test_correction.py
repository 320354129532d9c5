"""Complement, rewrite, retire: what holds, in whichever order calls are processed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.correction import current_again, exact, rank
from ringback.core.reading import ANY_VALUE
from ringback.records import (
    Action,
    Assurance,
    Candidate,
    Cardinality,
    Scope,
    Source,
    Status,
)
from ringback.schemas import Schema
from tests.core.made_statements import (
    RULES,
    START,
    Kept,
    Said,
    after,
    in_call,
    made_field,
    stated,
    withdrawn,
)

pytestmark = pytest.mark.unit

CLAIMED, VERIFIED = Assurance.CLAIMED, Assurance.VERIFIED


def made(kept: Kept, *candidates: Candidate, **options: object) -> list[tuple[str, str]]:
    """What was decided, with its reason."""
    decisions = kept.say(*candidates, **options)  # type: ignore[arg-type]
    return [(decision.action.name, decision.reason) for decision in decisions]


# What is one value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I can take aspirin", "I can't take aspirin"),
        ("55810-7", "55810-8"),
        ("5 mg", "5 g"),
        ("5 mg", "5 mcg"),
        ("5 MW", "5 mW"),
        ("-5", "5"),
        ("+5", "5"),
        ("5.5", "55"),
        ("10\u00b2", "102"),  # ten squared
        ("1\u00bd", "11/2"),  # one and a half
        ("我能吃阿斯匹靈", "我不能吃阿斯匹靈"),
    ],
)
def test_a_digit_a_not_a_sign_or_a_unit_makes_another_value(one: str, other: str):
    assert exact(one) != exact(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My internet is down.", "my  internet is down"),
        ("can't", "can\u2019t"),
        ("網路壞了。", "網路壞了"),
        ("5 mg", "5 mg."),
    ],
)
def test_case_spaces_and_closing_signs_make_no_other_value(one: str, other: str):
    assert exact(one) == exact(other)


# Complement, rewrite


def test_many_values_stand_side_by_side_and_one_is_rewritten():
    kept = Kept()

    kept.say(stated("car", "Fiat"), stated("fault", "can take aspirin"))
    kept.say(
        stated("car", "Audi", minute=1), stated("fault", "can't take aspirin", minute=1), call="b"
    )

    assert kept.values("car") == ["Audi"]
    assert kept.values("fault") == ["can take aspirin", "can't take aspirin"]


def test_other_people_and_single_matters_stand_beside():
    kept = Kept()

    kept.say(
        stated("car", "Fiat"),
        stated("car", "Audi", minute=1, subject="person:mother"),
        stated("car", "Saab", minute=2, scope=Scope.CASE),
    )

    assert kept.values("car") == ["Audi", "Fiat", "Saab"]


def test_a_relation_with_one_value_has_one_object():
    kept = Kept()

    kept.say(stated("employer", "Acme", object="firm:acme"))
    kept.say(stated("employer", "Globex", minute=1, object="firm:globex"), call="b")

    assert kept.values("employer") == ["Globex"]


def test_another_dose_of_one_medicine_takes_the_place_of_the_first():
    schema = Schema(
        "doses", (made_field("medicine", cardinality=Cardinality.MANY, object_kind="drug"),)
    )
    kept = Kept(schema)

    kept.say(
        stated("medicine", "metformin 500 mg", object="drug:metformin"),
        stated("medicine", "aspirin 5 mg", minute=1, object="drug:aspirin"),
        stated("medicine", "metformin 850 mg", minute=2, object="drug:metformin"),
    )

    assert kept.values("medicine") == ["aspirin 5 mg", "metformin 850 mg"]


def test_an_attitude_to_one_thing_is_one_for_each_thing():
    schema = Schema("attitudes", (made_field("attitude"),))
    kept = Kept(schema)

    kept.say(
        stated("attitude", "loves", object="thing:opera"),
        stated("attitude", "loves", minute=1, object="thing:rain"),
        stated("attitude", "cannot stand", minute=2, object="thing:opera"),
    )

    assert kept.values("attitude") == ["cannot stand", "loves"]


def test_the_newer_diet_is_current_and_the_older_stays_readable():
    kept = Kept()
    kept.say(stated("car", "vegetarian"), call="january")

    (decision,) = kept.say(stated("car", "meat", minute=9), call="june")

    assert kept.values("car") == ["meat"]
    assert decision.fact is not None
    before = kept.facts[decision.fact.supersedes or ""]
    assert (before.value, before.status) == ("vegetarian", Status.SUPERSEDED)
    assert before.valid_to == START + timedelta(minutes=9)


def test_a_value_ends_when_the_new_one_began_to_be_true():
    kept = Kept()
    kept.say(stated("car", "Fiat", valid_from=START - timedelta(days=90)))

    since = START - timedelta(days=30)
    (decision,) = kept.say(stated("car", "Audi", minute=9, valid_from=since), call="b")

    assert decision.superseded is not None
    assert decision.superseded.valid_to == since


def test_of_two_values_in_one_breath_the_later_word_counts():
    kept = Kept()
    third, fifth = stated("car", "the third"), stated("car", "the fifth")
    moved = replace(fifth, evidence=replace(fifth.evidence, start=20, end=29))

    kept.say(moved, third)

    assert kept.values("car") == ["the fifth"]


# Retire


def test_a_withdrawal_heads_the_chain_and_what_it_ends_stays_readable():
    kept = Kept()
    kept.say(stated("fault", "it is down"))

    (decision,) = kept.say(withdrawn("fault", "It is down.", minute=5), call="b")

    assert (decision.action, decision.reason) == (Action.RETIRE, "no longer holds")
    assert decision.fact is not None
    assert (decision.fact.status, decision.fact.is_withdrawal) == (Status.RETIRED, True)
    assert decision.fact.expires_at is None
    assert decision.superseded is not None
    assert decision.fact.supersedes == decision.superseded.id
    assert decision.superseded.status is Status.SUPERSEDED
    assert decision.superseded.valid_to == START + timedelta(minutes=5)
    assert kept.values("fault") == []


@pytest.mark.parametrize("key", ["car", "fault"])
def test_an_older_statement_that_is_read_late_revives_nothing_and_a_newer_one_does(key: str):
    kept = Kept()
    first = made(kept, withdrawn(key, minute=5), call="b")
    late = made(kept, stated(key), call="a")
    assert kept.values(key) == []

    again = made(kept, stated(key, minute=9), call="c")

    assert first == [("RETIRE", "not known so far")]
    assert late == [("RETIRE", "withdrawn since")]
    assert again == [("UPDATE", "newer than its withdrawal")]
    assert kept.values(key) == ["Fiat"]


@pytest.mark.parametrize("source", list(Source))
def test_what_an_operator_ended_may_be_said_anew(source: Source):
    kept = Kept()
    kept.say(stated("fault", source=Source.CALLER))
    kept.say(withdrawn("fault", minute=5, source=Source.SYSTEM), call="operator")

    kept.say(stated("fault", minute=9, source=source), call="c")

    weaker = [Source.AGENT, Source.INFERENCE]
    assert kept.values("fault") == ([] if source in weaker else ["Fiat"])


def test_a_withdrawal_touches_no_other_value():
    kept = Kept()
    kept.say(stated("car", "Audi"), stated("fault", "it is down", minute=1))

    decisions = made(
        kept,
        withdrawn("car", "Fiat", minute=5),
        withdrawn("fault", "it is slow", minute=6),
        withdrawn("fault", "", minute=7),
        call="b",
    )

    assert [action for action, _ in decisions] == ["RETIRE", "RETIRE", "SKIP"]
    assert decisions[2][1] == "withdraws nothing"
    assert kept.values("car") == ["Audi"]
    assert kept.values("fault") == ["it is down"]


def test_moving_house_in_one_breath_leaves_the_new_address():
    kept = Kept()
    kept.say(stated("car", "Fiat"))

    kept.say(withdrawn("car", "Fiat", minute=5), stated("car", "Audi", minute=5), call="b")

    assert kept.values("car") == ["Audi"]


def test_what_a_withdrawn_value_had_replaced_does_not_come_back():
    kept = Kept()
    kept.say(stated("car", "Fiat"), stated("car", "Audi", minute=1))

    kept.say(withdrawn("car", "Audi", minute=5), call="b")

    assert kept.values("car") == []
    assert made(kept, stated("car", "Saab"), call="c") == [("SKIP", "older than what is known")]
    assert made(kept, stated("car", "Saab", minute=9), call="d")[0][0] == "UPDATE"


def test_a_withdrawn_value_that_is_read_late_still_ends_what_is_older():
    kept = Kept()
    kept.say(withdrawn("car", "Audi", minute=5), call="b")
    kept.say(stated("car", "Fiat"), call="a")

    (decision,) = kept.say(stated("car", "Audi", minute=1), call="c")

    assert (decision.action, decision.reason) == (Action.RETIRE, "withdrawn since")
    assert decision.superseded is not None
    assert decision.superseded.value == "Fiat"
    assert kept.values("car") == []


def test_a_withdrawal_by_a_weaker_source_or_from_before_ends_nothing():
    kept = Kept()
    kept.say(stated("car", source=Source.SYSTEM, minute=3))

    weak = made(kept, withdrawn("car", minute=5), call="b")
    early = made(kept, withdrawn("car", source=Source.SYSTEM, minute=1), call="c")

    assert weak == [("SKIP", "weaker source than what is known")]
    assert early == [("SKIP", "older than what is known")]
    assert kept.values("car") == ["Fiat"]


def test_a_withdrawal_of_everything_ends_each_value_and_what_is_read_late():
    kept = Kept()
    kept.say(stated("fault", "nuts"), stated("fault", "eggs", minute=1), stated("car", minute=1))

    decisions = kept.say(withdrawn("fault", ANY_VALUE, minute=5), call="b")
    kept.say(stated("fault", "milk", minute=2), call="c")
    kept.say(stated("fault", "eggs", minute=9), call="d")

    assert [one.action for one in decisions] == [Action.RETIRE] * 2
    assert [one.fact is None for one in decisions] == [False, True]
    assert kept.values("fault") == ["eggs"]
    assert kept.values("car") == ["Fiat"]


def test_a_withdrawal_of_everything_is_kept_though_nothing_or_something_newer_is_known():
    kept = Kept()
    first = made(kept, withdrawn("fault", ANY_VALUE, minute=1), call="a")
    kept.say(stated("fault", "eggs", minute=9), call="b")

    second = made(kept, withdrawn("fault", ANY_VALUE, minute=5), call="c")
    kept.say(stated("fault", "nuts", minute=3), call="d")

    assert first == [("RETIRE", "not known so far")]
    assert second == [("RETIRE", "withdrawn again")]
    assert kept.values("fault") == ["eggs"]


def test_a_withdrawal_that_is_read_again_or_adds_nothing_is_skipped():
    kept = Kept()
    kept.say(withdrawn("car", minute=5), call="b")

    assert made(kept, withdrawn("car", minute=5), call="b") == [("SKIP", "already known")]
    assert made(kept, withdrawn("car", minute=4), call="c") == [("SKIP", "already known")]
    assert made(kept, withdrawn("car", minute=6), call="d") == [("RETIRE", "withdrawn again")]


def test_a_relation_is_withdrawn_by_what_it_names():
    kept = Kept()
    kept.say(stated("likes", "the opera", object="thing:opera"))

    kept.say(withdrawn("likes", "opera", object="thing:opera", minute=5), call="b")

    assert kept.values("likes") == []


def test_without_what_was_superseded_a_withdrawal_still_keeps_older_words_out():
    kept = Kept()
    kept.say(stated("car", "Audi", minute=2))
    kept.say(withdrawn("car", "Audi", minute=5), call="b")
    kept.facts = {
        key: fact for key, fact in kept.facts.items() if fact.status is not Status.SUPERSEDED
    }

    early = made(kept, stated("car", "Fiat", minute=1), call="c")
    late = made(kept, stated("car", "Fiat", minute=9), call="d")

    assert early == [("SKIP", "older than what is known")]
    assert late == [("ADD", "new")]


# What is said again


def test_what_counts_when_it_is_confirmed_is_provisional_until_the_caller_says_it_again():
    kept = Kept()
    kept.say(stated("code", "4821"))
    (once,) = kept.current("code")

    kept.say(stated("code", "4821", minute=1, source=Source.AGENT))
    (echoed,) = kept.current("code")
    kept.say(stated("code", "4821", minute=5), call="b")
    (twice,) = kept.current("code")

    assert (once.status, echoed.status) == (Status.PROVISIONAL, Status.PROVISIONAL)
    assert twice.status is Status.ACTIVE


def test_the_system_of_record_confirms_at_once_and_doubt_is_never_certain():
    kept = Kept()

    kept.say(stated("dose", "5 mg", source=Source.SYSTEM))
    kept.say(
        stated("dose", "9 mg", confidence=0.6), stated("dose", "9 mg", minute=1, confidence=0.6)
    )

    assert [(one.value, one.status) for one in kept.current("dose")] == [
        ("5 mg", Status.ACTIVE),
        ("9 mg", Status.PROVISIONAL),
    ]


def test_an_older_statement_that_is_read_late_confirms_the_newer_one():
    kept = Kept()
    kept.say(stated("code", "4821", minute=5), call="b")

    added, confirmed = kept.say(stated("code", "4821"), call="a")

    assert (added.action, confirmed.action) == (Action.ADD, Action.UPDATE)
    assert confirmed.reason == "said in another turn as well"
    assert confirmed.fact is None
    assert [one.status for one in kept.current("code")] == [Status.ACTIVE]
    assert len(kept.current("code")) == 1


def test_a_value_that_lost_counts_when_it_is_said_again():
    kept = Kept()
    kept.say(stated("code", "4827", minute=5), call="b")
    lost = made(kept, stated("code", "4821"), call="a")

    kept.say(stated("code", "4821", minute=9), call="c")
    third = made(kept, stated("code", "4821", minute=1), call="d")

    assert lost == [("ADD", "older than what is known; it counts as said once")]
    assert [(one.value, one.status) for one in kept.current("code")] == [("4821", Status.ACTIVE)]
    assert third == [("SKIP", "already known")]


def test_a_call_that_turns_out_to_be_the_same_callers_confirms_too():
    kept = Kept()
    kept.say(stated("code", "4821"), call="a")
    other = Kept()
    other.say(stated("code", "4821", minute=5), call="b")
    kept.facts |= other.facts

    tidied = made(kept, stated("code", "4821", minute=5), call="b")
    confirmed = made(kept, stated("code", "4821", minute=5), call="b")

    assert tidied == [("UPDATE", "another value of this key stands")]
    assert confirmed == [("UPDATE", "said in another turn as well")]
    assert [one.status for one in kept.current("code")] == [Status.ACTIVE]


def test_of_several_current_values_of_two_calls_one_is_left():
    kept = Kept()
    for call, minute, value in (("a", 0, "Fiat"), ("b", 1, "Audi"), ("c", 2, "Saab")):
        other = Kept()
        other.say(stated("car", value, minute=minute), call=call)
        kept.facts |= other.facts

    kept.say(stated("car", "Tesla", minute=5), call="d")

    assert kept.values("car") == ["Tesla"]


# Who may correct


def test_a_stranger_with_the_right_number_overwrites_no_address():
    kept = Kept()
    kept.say(stated("address", "9 Quill Lane"), call="a", assurance=VERIFIED)

    spoofed = made(kept, stated("address", "1 Thief Road", minute=5), call="b")
    withdrawal = made(kept, withdrawn("address", "9 Quill Lane", minute=6), call="c")

    assert spoofed == withdrawal == [("SKIP", "needs a verified caller")]
    assert kept.values("address") == ["9 Quill Lane"]


def test_of_two_claimed_calls_the_first_one_said_stands_whichever_is_read_first():
    first, second = stated("address", "9 Quill Lane"), stated("address", "1 Thief Road", minute=5)
    forwards, backwards = Kept(), Kept()

    forwards.say(first, call="a")
    refused = made(forwards, second, call="b")
    backwards.say(second, call="b")
    replaced = made(backwards, first, call="a")

    assert refused == [("SKIP", "needs a verified caller")]
    assert replaced == [("UPDATE", "said in an earlier call, and neither caller was verified")]
    assert forwards.values("address") == backwards.values("address") == ["9 Quill Lane"]


def test_a_verified_caller_corrects_what_was_only_claimed_and_withdraws_it():
    kept = Kept()
    kept.say(stated("address", "1 Thief Road", minute=1), call="a")

    corrected = made(kept, stated("address", "9 Quill Lane"), call="b", assurance=VERIFIED)
    ended = made(kept, withdrawn("address", "9 Quill Lane", minute=5), call="c", assurance=VERIFIED)

    assert corrected == [("UPDATE", "the caller is verified now")]
    assert ended == [("RETIRE", "no longer holds")]
    assert kept.values("address") == []


def test_whoever_speaks_may_correct_and_take_back_what_they_just_said():
    kept = Kept()
    kept.say(stated("address", "9 Quill Lane"))

    corrected = made(kept, stated("address", "19 Quill Lane", minute=1))
    assert kept.values("address") == ["19 Quill Lane"]
    kept.say(withdrawn("address", "19 Quill Lane", minute=2))

    assert corrected == [("UPDATE", "newer than what was known")]
    assert kept.values("address") == []


def test_a_call_that_may_not_correct_has_one_word_its_last():
    kept = Kept()

    decisions = made(
        kept,
        stated("address", "9 Quill Lane"),
        stated("address", "19 Quill Lane", minute=1),
        stated("address", "9 Quill Lane", minute=2, subject="person:mother"),
    )

    assert decisions[0] == ("SKIP", "corrected in the same call")
    assert kept.values("address") == ["9 Quill Lane", "19 Quill Lane"]  # the mother's, and theirs


def test_doubtful_words_of_a_verified_caller_change_nothing_that_is_sensitive():
    kept = Kept()
    kept.say(stated("address", "9 Quill Lane"), call="a", assurance=VERIFIED)

    doubtful = made(
        kept,
        stated("address", "90 Quill Lane", minute=5, confidence=0.6),
        call="b",
        assurance=VERIFIED,
    )

    assert doubtful == [("SKIP", "less certain than what is known")]
    assert kept.values("address") == ["9 Quill Lane"]


def test_taking_back_ones_own_word_covers_no_correction_by_a_verified_caller():
    kept = Kept()
    kept.say(stated("address", "9 Quill Lane"), withdrawn("address", "9 Quill Lane", minute=5))
    kept.say(stated("address", "9 Quill Lane", minute=1), call="b", assurance=VERIFIED)
    assert kept.values("address") == ["9 Quill Lane"]

    kept.say(withdrawn("address", "9 Quill Lane", minute=3), call="c", assurance=VERIFIED)

    assert kept.values("address") == []


def test_a_withdrawal_from_before_is_kept_for_a_name_that_may_yet_outrank_the_known_one():
    calls = [
        Said(in_call([stated("name", "Dana", minute=3)], "a"), call="a"),
        Said(in_call([withdrawn("name", "Dana Whitfield", minute=2)], "b"), call="b"),
        Said(in_call([stated("name", "Dana Whitfield", minute=1)], "c"), call="c"),
    ]

    assert after(calls) == after(reversed(calls)) == set()


def test_what_is_said_and_taken_back_in_one_place_is_read_in_that_order():
    both = [withdrawn("address", confidence=0.9), stated("address", confidence=0.6)]
    said = Said(in_call(both, "a"), call="a")

    assert after([said]) == after([said, said]) == set()


def test_once_a_caller_is_verified_what_they_said_before_counts_as_verified():
    kept = Kept()
    kept.say(stated("address", "9 Quill Lane"))
    (claimed,) = kept.current("address")

    verified = made(kept, stated("address", "9 Quill Lane"), assurance=VERIFIED)
    again = made(kept, stated("address", "9 Quill Lane"), assurance=VERIFIED)

    assert claimed.status is Status.PROVISIONAL
    assert verified == [("UPDATE", "the caller is verified now")]
    assert again == [("SKIP", "already known")]
    assert [one.status for one in kept.current("address")] == [Status.ACTIVE]


def test_being_verified_confirms_nothing_that_has_to_be_said_twice():
    kept = Kept()
    kept.say(stated("remedy", "aspirin"))

    again = made(kept, stated("remedy", "aspirin"), assurance=VERIFIED)

    assert again == [("SKIP", "already known")]


# For others


def test_what_had_replaced_a_fact_can_go_and_the_fact_is_as_it_was():
    kept = Kept()
    kept.say(stated("car", "Fiat"), stated("car", "Audi", minute=1), stated("fault", "x", minute=2))
    kept.say(stated("visit", "Monday", confidence=0.6), stated("visit", "Friday", minute=1))
    kept.say(withdrawn("fault", "x", minute=3), stated("fault", "x", minute=4))
    ended = [one for one in kept.facts.values() if one.status is Status.SUPERSEDED]

    back = [current_again(one) for one in sorted(ended, key=lambda one: one.observed_at)]

    assert [(one.value, one.status, one.valid_to) for one in back if one.key == "car"] == [
        ("Fiat", Status.ACTIVE, None)
    ]
    assert [one.status for one in back if one.key == "visit"] == [Status.PROVISIONAL]
    assert [one.status for one in back if one.key == "fault"] == [Status.ACTIVE, Status.RETIRED]


def test_the_rank_of_facts_is_told_by_their_schema():
    kept = Kept()
    kept.say(stated("visit", "Monday"), stated("visit", "Friday", minute=1, source=Source.AGENT))

    ranked = sorted(kept.facts.values(), key=lambda fact: rank(fact, RULES))

    assert [fact.value for fact in ranked] == ["Monday", "Friday"]


# Any order

KEYS = st.sampled_from([field.key for field in RULES.fields])
VALUES = {
    "name": ["Dana", "Dana Whitfield", "Bob"],
    "likes": ["opera", "rain"],
    "employer": ["Acme", "Globex"],
}


@st.composite
def statements(draw: st.DrawFn, key: str) -> Candidate:
    """A statement or a withdrawal under one key."""
    value = draw(st.sampled_from(VALUES.get(key, ["5 mg", "5 g", "55810-7"])))
    is_withdrawal = draw(st.integers(0, 2)) == 0
    if is_withdrawal and draw(st.integers(0, 4)) == 0:
        value = ANY_VALUE
    field = RULES.field(key)
    is_relation = field is not None and bool(field.object_kind) and value != ANY_VALUE
    return stated(
        key,
        value,
        minute=draw(st.integers(0, 4)),
        source=draw(st.sampled_from([Source.CALLER] * 4 + list(Source))),
        confidence=draw(st.sampled_from([0.6, 0.9, 1.0])),
        subject=draw(st.sampled_from(["self"] * 3 + ["person:mother"])),
        object=f"thing:{value}" if is_relation else "",
        is_withdrawal=is_withdrawal,
    )


@st.composite
def calls(draw: st.DrawFn, key: str) -> list[Said]:
    """Two to four calls, which may overlap in time."""
    made: list[Said] = []
    for number in range(draw(st.integers(2, 4))):
        shift = timedelta(minutes=draw(st.integers(0, 5)))
        said = draw(st.lists(statements(key), min_size=1, max_size=3))
        shifted = [replace(one, observed_at=one.observed_at + shift) for one in said]
        call = f"call-{number}"
        assurance = draw(st.sampled_from([CLAIMED, VERIFIED]))
        made.append(Said(in_call(shifted, call), assurance, call))
    return made


@settings(max_examples=600, deadline=None)
@given(KEYS, st.data())
def test_any_order_of_processing_ends_in_the_same_current_facts(key: str, data: st.DataObject):
    made = data.draw(calls(key))
    shuffled = data.draw(st.permutations(made))

    assert after(shuffled) == after(made)


@settings(max_examples=200, deadline=None)
@given(KEYS, st.data())
def test_processing_calls_again_changes_nothing(key: str, data: st.DataObject):
    made = data.draw(calls(key))
    again = data.draw(st.permutations(made))

    assert after([*made, *again]) == after(made)


@settings(max_examples=200, deadline=None)
@given(KEYS, st.data())
def test_no_slot_ever_has_two_current_facts(key: str, data: st.DataObject):
    made = data.draw(calls(key))
    kept = Kept()

    for said in made:
        kept.take(said)

        field = RULES.field(key)
        is_one = field is not None and field.cardinality is Cardinality.ONE
        slots = [
            (fact.subject, fact.object or exact(fact.value)) if not is_one else (fact.subject,)
            for fact in kept.current()
        ]
        assert len(slots) == len(set(slots))
