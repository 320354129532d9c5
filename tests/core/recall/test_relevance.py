"""What of all that was found answers: what is asked for, and nothing that is beside the point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from ringback.core.recall.answers import recollections
from ringback.core.recall.fusion import fused
from ringback.core.recall.narrowing import about, is_beside
from ringback.core.recall.relevance import answering
from ringback.core.recall.sought import Sought, single_keys
from ringback.recollection import Channel, Hit
from ringback.records import Cardinality
from ringback.schemas import GENERAL
from tests.core.recall.made_hits import asked, known, said, stated, words_of

pytestmark = pytest.mark.unit

SINGLE = single_keys(GENERAL)
WIFE = stated("partner", "Mei", words="my wife is Mei", object="person:mei")
SWIFT = known("courier", "Swift Freight", subject="order:b-22", score=0.6, position=1)
ORCA = known("courier", "Orca Haulage", subject="order:a-17", score=0.6, position=2)


def answers(
    question: str,
    found: Mapping[Channel, Sequence[Hit]],
    *,
    speakers: tuple[str, ...] = (),
    limit: int = 9,
    linked: Sequence[Hit] = (),
) -> list[str]:
    """As recall does: leave out what is beside, fuse, keep what answers."""
    read = asked(question)
    it = about(read, [WIFE, *(hit.fact for hit in linked if hit.fact)])
    here = {
        channel: [hit for hit in hits if not is_beside(hit, read, it)]
        for channel, hits in found.items()
    }
    sought = Sought(read, read.without(it.names), it, SINGLE, speakers)
    kept = answering(
        fused(here, read, speakers=speakers, likeness_from=(0.1, 0.7)), sought, limit=limit
    )
    return [words_of(one.hit) for one in kept]


# Nothing


def test_nothing_found_is_nothing_answered():
    assert answers("What is the toll?", {}) == []


def test_what_has_next_to_none_of_the_words_is_no_answer():
    far = known("note", "repairs clocks on Sundays", score=0.1)

    assert answers("Where is your nearest branch?", {Channel.FACTS: [far]}) == []


def test_what_means_something_else_is_no_answer():
    far = [known("note", f"note {place}", position=place, similarity=0.15) for place in range(5)]

    assert answers("Where is your nearest branch?", {Channel.VECTORS: far}) == []


def test_many_that_are_as_near_as_each_other_are_no_answer():
    alike = [known("note", f"n{place}", position=place, similarity=0.35) for place in range(5)]

    assert answers("Where is your nearest branch?", {Channel.VECTORS: alike}) == []


def test_what_has_all_of_the_words_is_the_answer():
    near = known("note", "disputes the drawbridge toll")
    far = known("note", "repairs clocks", score=0.1, position=1)

    assert answers("drawbridge toll", {Channel.FACTS: [near, far]}) == [words_of(near)]


def test_what_has_all_of_the_words_in_chinese_is_the_answer():
    assert answers("花生過敏嗎?", {Channel.TURNS: [said("我對花生過敏")]}) == ["我對花生過敏"]


# A key that is asked for


def test_a_key_that_is_asked_for_is_answered_by_its_fact():
    number = known("account_number", "4821")
    found = {Channel.KEY: [number], Channel.TURNS: [said("my number, well", score=0.3)]}

    assert answers("What is my account number?", found) == ["4821"]


def test_a_key_that_is_asked_for_and_not_known_is_answered_with_no_other_number():
    phone = known("phone", "+15550100199", score=0.5)

    assert answers("What is my account number?", {Channel.FACTS: [phone]}) == []


def test_of_several_under_one_key_the_one_that_is_named_comes():
    peanuts = known("allergy", "peanuts", position=1)
    bees = known("allergy", "bees", position=2)
    found = {Channel.KEY: [peanuts, bees]}

    assert answers("Is there an allergy to bees?", found) == ["bees"]


def test_of_several_under_one_key_all_come_where_none_is_named():
    peanuts = known("allergy", "peanuts", position=1)
    bees = known("allergy", "bees", position=2)
    found = {Channel.KEY: [peanuts, bees]}

    assert sorted(answers("Which allergies do I have?", found)) == ["bees", "peanuts"]


def test_the_keys_that_have_one_value_are_asked_of_the_schema():
    ones = {field.key for field in GENERAL.fields if field.cardinality is Cardinality.ONE}

    assert {"phone", "email"} <= SINGLE <= ones


# Somebody else


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my phone number?", ["+15550100199"]),
        ("What is my wife's phone number?", ["+15550100123"]),
        ("What is Mei's phone number?", ["+15550100123"]),
        ("What is my mother's phone number?", []),
    ],
)
def test_anothers_value_is_no_answer(question: str, answer: list[str]):
    mine = known("phone", "+15550100199", position=1)
    hers = known("phone", "+15550100123", position=2, subject="person:mei")
    found = {Channel.KEY: [mine, hers], Channel.FACTS: [mine, hers]}

    assert answers(question, found, linked=[hers]) == answer


def test_a_turn_that_does_not_speak_of_whom_the_question_names_is_no_answer():
    turns = [said("My boots are size nine.", 0, score=0.6), said("Mei has size six.", 4, score=0.6)]

    assert answers("Which boots size has Mei?", {Channel.TURNS: turns}) == ["Mei has size six."]


# Order A and order B


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which courier has order B-22?", ["Swift Freight"]),
        ("Which courier has order A-17?", ["Orca Haulage"]),
        ("Which courier has order C-33?", []),
    ],
)
def test_what_is_known_of_order_a_is_no_answer_about_order_b(question: str, answer: list[str]):
    assert answers(question, {Channel.FACTS: [SWIFT, ORCA]}, linked=[SWIFT, ORCA]) == answer


# Codes

MINE = known("account_number", "558107", position=1)
HERS = known("account_number", "558108", position=2, subject="person:mother")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Whose account number is 55810-8?", ["558108"]),
        ("What is on account 55810-7?", ["558107"]),
        ("Is there an account 55810-9?", []),
        ("What is the account number?", ["558107", "558108"]),
        ("What account number did I give on 5 May 2026?", ["558107"]),
        ("Which account number has the PIN 1234?", ["558107", "558108"]),
    ],
)
def test_who_asks_for_one_code_is_not_given_its_neighbour(question: str, values: list[str]):
    found = {Channel.KEY: [MINE, HERS], Channel.FACTS: [MINE, HERS]}

    assert sorted(answers(question, found, linked=[HERS])) == values


def test_a_turn_with_another_code_is_left_out_and_one_with_both_stays():
    turns = [
        said("It is 55810-7.", 0),
        said("Mine is 55810-7, hers is 55810-8.", 4),
    ]

    assert answers("contract 55810-8", {Channel.TURNS: turns}) == [words_of(turns[1])]


def test_who_asks_by_a_code_is_given_all_that_holds_it():
    fact = known("note", "4821 is disputed", score=0.2)
    turn = said("They never sent 4821.", score=0.2)

    found = answers("What of 4821?", {Channel.FACTS: [fact], Channel.TURNS: [turn]})

    assert sorted(found) == ["4821 is disputed", "They never sent 4821."]


# What somebody asked


@pytest.mark.parametrize(
    "text", ["What is the drawbridge toll?", "Thank you, goodbye.", "好的,謝謝"]
)
def test_what_somebody_asked_or_said_out_of_courtesy_is_no_answer(text: str):
    assert answers("What is the drawbridge toll?", {Channel.TURNS: [said(text)]}) == []


def test_what_somebody_answered_is_one_beside_the_same_question():
    turns = [said("What is the drawbridge toll?", 0), said("The drawbridge toll is nine.", 1)]

    assert answers("What is the drawbridge toll?", {Channel.TURNS: turns}) == [words_of(turns[1])]


# Times


def test_who_asks_for_all_of_a_day_is_told_it_in_its_order():
    turns = [said("The lamp is green.", 4, days=-1), said("A red sofa came.", 2, days=-1)]
    later = [said("I paid the toll.", 6, days=-1)]

    found = answers("What happened yesterday?", {Channel.TIME: [*turns, *later]})

    assert sorted(found) == sorted(words_of(hit) for hit in (*turns, *later))


def test_who_asks_what_was_said_on_a_day_without_anything_is_not_told_of_another():
    another = said("I said the toll is nine.", days=-9)

    assert answers("What did I say about the toll yesterday?", {Channel.TURNS: [another]}) == []


# Recorded conversations


def test_what_a_named_speaker_talked_of_comes_with_what_is_near_it():
    turns = [
        said("I research adoption agencies.", 0, speaker="Caroline", score=0.6),
        said("Agencies are slow.", 4, speaker="Caroline", score=0.3),
        said("My lamp is red.", 8, speaker="Caroline", score=0.02),
    ]

    found = answers("What did Caroline research?", {Channel.TURNS: turns}, speakers=("Caroline",))

    assert found == [words_of(turns[0]), words_of(turns[1])]


def test_what_a_named_speaker_never_talked_of_is_not_made_up_from_scraps():
    turns = [said("My lamp is red.", place, speaker="Caroline", score=0.2) for place in (0, 4)]

    found = answers("What did Caroline bake?", {Channel.TURNS: turns}, speakers=("Caroline",))

    assert found == []


# Once, and not too many


def test_a_fact_and_the_turn_that_it_was_read_from_are_one_answer():
    fact = known("note", "disputes the drawbridge toll")
    turn = said("I dispute the drawbridge toll.", 0, call_id="call-1")

    found = {Channel.FACTS: [fact], Channel.TURNS: [turn]}

    assert answers("drawbridge toll", found) == ["disputes the drawbridge toll"]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_no_more_comes_than_is_asked_for(limit: int):
    notes = [known("note", f"toll number {place}", position=place) for place in range(5)]

    assert len(answers("toll", {Channel.FACTS: notes}, limit=limit)) == limit


# In words


def test_a_recollection_has_the_facts_sentence_and_where_it_comes_from():
    fact = known("account_number", "4821")
    (kept,) = fused({Channel.KEY: [fact]}, asked("What is my account number?"))

    (told,) = recollections([kept], GENERAL, tenant="acme")

    assert fact.fact is not None
    assert "4821" in told.text
    assert (told.id, told.call_id, told.channels) == (fact.fact.id, "call-1", (Channel.KEY,))
    assert told.observed_at == fact.fact.observed_at
    assert told.score == 1.0


def test_a_recollection_of_a_turn_has_its_words_and_one_id_for_ever():
    (kept,) = fused({Channel.TURNS: [said("the toll is nine", score=0.5)]}, asked("toll"))

    one, again = (next(recollections([kept], GENERAL, tenant="acme")) for _ in range(2))
    (other,) = recollections([kept], GENERAL, tenant="other")

    assert (one.text, one.score, one.fact) == ("the toll is nine", 0.5, None)
    assert one.id == again.id != other.id


@pytest.mark.parametrize(
    "question",
    [
        "What is my landlord's phone number?",
        "What is the phone number of my doctor?",
        "我鄰居的電話是多少",
        "妻の電話番号は何ですか",
        "제 이웃의 전화번호가 뭐예요?",
    ],
)
def test_the_callers_own_number_is_nobody_elses(question: str):
    own = known("phone", "+15550100199", cardinality=Cardinality.ONE)

    assert answers(question, {Channel.KEY: [own]}) == []


def test_a_number_that_was_said_to_be_the_landlords_is_the_landlords():
    theirs = known("phone", "+15550100177", words="my landlord's number is 555 010 0177")

    assert answers("What is my landlord's phone number?", {Channel.KEY: [theirs]})


def test_where_somebody_used_to_live_is_not_where_they_live():
    own = known("address", "12 Oak Street", cardinality=Cardinality.ONE)

    assert answers("Where did I live before?", {Channel.KEY: [own]}) == []


def test_who_asks_what_somebody_likes_is_not_told_all_that_is_known_of_them():
    number = known("phone", "+15550100123", subject="person:mei")

    assert answers("What does Mei like?", {Channel.RELATIONS: [number]}, linked=[number]) == []


def test_who_asks_what_is_known_of_somebody_is_told_all():
    number = known("phone", "+15550100123", subject="person:mei")

    assert answers("What do I know about Mei?", {Channel.RELATIONS: [number]}, linked=[number])
