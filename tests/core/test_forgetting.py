from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from ringback.core.forgetting import (
    Known,
    call_erasure,
    fact_erasure,
    gone_with_calls,
    gone_with_fact,
    occurrences,
    profile_erasure,
    telling_values,
)
from ringback.erasure import BLOT, call_tombstone, fact_tombstone
from ringback.records import SELF, Evidence, Fact, Role, Status
from ringback.schemas import SUPPORT
from tests.core.made_call import CALL, STARTED, fact, facts_of, view

pytestmark = pytest.mark.unit

CALL_1 = view(
    "c: Hello, this is Dana Whitfield. My account number is four eight two one.",
    "a: Thank you, Dana. That is 4821, right?",
    "c: Yes. Please text me, don't call.",
    "a: I will send you a text on Friday about account 4821.",
)


def known(*facts: Fact) -> Known:
    return Known(facts or facts_of(CALL_1), (CALL_1,))


def of_key(key: str) -> Fact:
    return next(one for one in facts_of(CALL_1) if one.key == key)


def redacted(erasure) -> dict[int, str]:
    return {redaction.position: redaction.text for redaction in erasure.redactions}


def test_a_number_goes_however_it_was_said_and_whoever_said_it():
    erasure = fact_erasure(of_key("account_number"), known(), at=STARTED, schema=SUPPORT)

    texts = redacted(erasure)
    assert texts[0] == f"Hello, this is Dana Whitfield. My account number is {BLOT * 18}."
    assert texts[1] == f"Thank you, Dana. That is {BLOT * 4}, right?"
    assert "4821" not in texts[3]
    assert 2 not in texts


def test_what_repeats_the_value_goes_with_it_and_the_rest_stays():
    erasure = fact_erasure(of_key("account_number"), known(), at=STARTED, schema=SUPPORT)

    gone = {one.key for one in facts_of(CALL_1) if one.id in erasure.fact_ids}
    assert gone == {"account_number", "promise"}  # the promise names the account


def test_what_rests_on_the_same_words_goes_and_what_rests_on_others_stays():
    liked, disliked = (
        fact(key, "opera", subject=SELF, evidence=Evidence("call-1", 2, "Yes", 0, 3))
        for key in ("likes", "dislikes")
    )
    older = fact("dislikes", "opera", id="x", evidence=Evidence("call-1", 0, "Hello", 0, 5))

    erasure = fact_erasure(liked, known(liked, disliked, older), at=STARTED, schema=SUPPORT)

    assert erasure.fact_ids == (disliked.id, liked.id)


def test_a_name_goes_part_by_part():
    texts = redacted(fact_erasure(of_key("name"), known(), at=STARTED, schema=SUPPORT))

    assert texts[0].startswith(f"Hello, this is {BLOT * 14}. My account")
    assert texts[1].startswith(f"Thank you, {BLOT * 4}. That is 4821")


BIRTH = view(
    "c: My birthday is the fifth of May 1980.",
    "a: May 5th, nineteen eighty, is that right?",
    "c: Yes, May I ask why you need 1980-05-05?",
    "a: We send a card on 5 May. Yours was 5 May 1981, I thought.",
)


@pytest.mark.parametrize("value", ["1980-05-05", "5 May 1980"])
def test_a_day_goes_however_it_was_said_and_no_other_day(value: str):
    said = "My birthday is the fifth of May 1980"
    born = fact("birthday", value, evidence=Evidence("call-1", 0, said, 0, len(said)))
    visit = fact("appointment", "2026-05-05", evidence=Evidence("call-1", 3, "5 May", 18, 23))

    erasure = fact_erasure(born, Known((born, visit), (BIRTH,)), at=STARTED, schema=SUPPORT)

    assert erasure.fact_ids == (born.id,)
    assert redacted(erasure) == {
        0: f"{BLOT * 36}.",
        1: f"{BLOT * 24}, is that right?",
        2: f"Yes, May I ask why you need {BLOT * 10}?",
    }


def test_an_everyday_word_takes_no_other_turn_along():
    preference = of_key("contact_preference")

    texts = redacted(fact_erasure(preference, known(), at=STARTED, schema=SUPPORT))

    assert preference.value == "text"
    assert set(texts) == {2}


def test_all_versions_of_a_fact_go():
    old = fact("account_number", "1111", status=Status.SUPERSEDED)
    new = fact("account_number", "2222", supersedes=old.id)

    erasure = fact_erasure(old, known(old, new), at=STARTED, schema=SUPPORT)

    assert set(erasure.fact_ids) == {old.id, new.id}


def test_a_neighbour_that_differs_in_one_digit_stays():
    mine = fact("account_number", "55810-7")
    hers = fact("account_number", "55810-8", subject="person:mother")

    erasure = fact_erasure(mine, known(mine, hers), at=STARTED, schema=SUPPORT)

    assert erasure.fact_ids == (mine.id,)


def test_the_evidence_of_what_stays_is_reworded_as_the_turn_is():
    said = "I am Dana and my account number is four eight two one."
    turns = view(f"c: {said}")
    number = fact(
        "account_number", "4821", evidence=Evidence("call-1", 0, "four eight two one", 35, 53)
    )
    whole = fact("note", "dana's", evidence=Evidence("call-1", 0, said, 0, len(said)))
    name = replace(whole, id="other", value="x", evidence=Evidence("call-1", 0, said[:9], 0, 9))

    erasure = fact_erasure(number, Known((number, name), (turns,)), at=STARTED, schema=SUPPORT)

    assert erasure.reworded == ()
    text = redacted(erasure)[0]
    assert text[name.evidence.start : name.evidence.end] == name.evidence.words


def test_a_tombstone_marks_each_place_and_holds_no_value():
    erasure = fact_erasure(of_key("account_number"), known(), at=STARTED, schema=SUPPORT)

    place = fact_tombstone("acme", "call-1", 0, "account_number", SELF)
    assert place in erasure.tombstones
    assert not any("4821" in tombstone for tombstone in erasure.tombstones)


def test_forgetting_a_call_makes_current_again_what_it_had_replaced():
    old = fact("account_number", "1111", call_id="call-0", status=Status.SUPERSEDED)
    new = fact("account_number", "2222", supersedes=old.id)

    erasure = call_erasure("acme", "call-1", "dana", known(old, new), at=STARTED, schema=SUPPORT)

    (restored,) = erasure.restored
    assert (restored.id, restored.status, restored.valid_to) == (old.id, Status.ACTIVE, None)
    assert erasure.fact_ids == (new.id,)
    assert erasure.tombstones == (call_tombstone("acme", "call-1"),)


def test_a_call_takes_no_values_along_that_another_call_holds():
    other = replace(view("c: It is account 4821 again."), call=replace(CALL, id="call-2"))
    both = Known(facts_of(CALL_1), (CALL_1, other))
    erasure = call_erasure("acme", "call-1", "dana", both, at=STARTED, schema=SUPPORT)

    gone = gone_with_calls(erasure, both)

    assert "4821" not in gone.telling.digits
    assert "whitfield" in gone.telling.words
    assert gone.texts == tuple(turn.text for turn in CALL_1.turns[:2])  # those that name her


def test_a_profile_is_forgotten_with_a_tombstone_for_each_of_its_calls():
    erasure = profile_erasure("acme", "dana", known(), at=STARTED)

    assert erasure.tombstones == (call_tombstone("acme", "call-1"),)


def test_what_is_gone_with_a_fact_can_be_asked_for_again():
    erasure = fact_erasure(of_key("account_number"), known(), at=STARTED, schema=SUPPORT)

    gone = gone_with_fact(erasure, known())

    assert gone.telling.digits >= {"4821"}
    assert CALL_1.turns[0].text in gone.texts
    assert CALL_1.turns[2].text not in gone.texts


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("4821", "it was forty eight twenty one", ["forty eight twenty one"]),
        ("4821", "4-8-2-1, I said", ["4-8-2-1"]),
        ("4821", "no, 4822", []),
        ("花生", "我對花生過敏", ["花生"]),
        ("dana@example.org", "write to dana@example.org today", ["dana@example.org"]),
        ("2026-03-06", "on 2026 of 6 March", []),
        ("5 May", "on 5 May, may I ask", ["5 May"]),
    ],
)
def test_a_value_is_found_in_the_words_that_hold_it(value, text, found):
    spans = occurrences(text, telling_values([value]))

    assert [text[span.start : span.end] for span in spans] == found


@given(st.text(max_size=60), st.sampled_from(["4821", "Dana Whitfield", "花生過敏"]))
def test_any_text_keeps_its_length_and_loses_the_value(text, value):
    said = f"{text} {value} {text}"
    turns = view(f"c:{said}")
    held = fact("note", value, evidence=Evidence("call-1", 0, value, 0, 0))

    erasure = fact_erasure(held, Known((held,), (turns,)), at=STARTED, schema=SUPPORT)

    (redaction,) = erasure.redactions
    assert len(redaction.text) == len(turns.turns[0].text)
    assert value not in redaction.text
    assert redaction.role is Role.CALLER
