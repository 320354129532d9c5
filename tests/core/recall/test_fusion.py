"""Many channels, one order: ranks, weights, and what else speaks for a memory."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import pytest

from ringback.core.recall.fusion import (
    IN_FRAME,
    RRF_K,
    TELLS_WHEN,
    TOLD_AFTER,
    WEIGHTS,
    Candidate,
    alike,
    fused,
    is_said_by,
    is_short_question,
)
from ringback.recollection import Aid, Channel, Hit
from ringback.records import Role, Turn
from tests.core.made_call import STARTED
from tests.core.recall.made_hits import asked, known, said, words_of

pytestmark = pytest.mark.unit

TOLL = asked("What is the toll?")
MINILM = (0.1, 0.7)


def order(
    found: dict[Channel, list[Hit]],
    question: str = "What is the toll?",
    *,
    speakers: tuple[str, ...] = (),
    aids: Collection[Aid] = (),
) -> list[str]:
    later = asked(question, STARTED + timedelta(days=30))
    candidates = fused(found, later, speakers=speakers, likeness_from=MINILM, aids=aids)
    return [words_of(one.hit) for one in candidates]


def only(found: dict[Channel, list[Hit]]) -> Candidate:
    (one,) = fused(found, TOLL, likeness_from=MINILM, aids=())
    return one


# Ranks and weights


def test_nothing_found_is_no_candidates():
    assert fused({}, TOLL) == []
    assert fused(dict.fromkeys(Channel, ()), TOLL) == []


def test_a_channels_order_is_kept():
    hits = [said("one lamp", 4), said("two lamps", 2), said("red lamp", 0)]

    assert order({Channel.EXCHANGES: hits}) == ["one lamp", "two lamps", "red lamp"]


def test_a_rank_is_worth_the_channels_weight_less_by_its_place():
    hits = [said("a", 0), said("b", 2)]

    first, second = fused({Channel.VECTORS: hits}, TOLL, aids=())

    weight = WEIGHTS[Channel.VECTORS]
    assert first.ranked == pytest.approx(weight * RRF_K / (RRF_K + 1))
    assert second.ranked == pytest.approx(weight * RRF_K / (RRF_K + 2))


@pytest.mark.parametrize("channel", list(Channel))
def test_every_channel_has_a_weight(channel: Channel):
    assert only({channel: [known("toll", "nine")]}).ranked > 0


@pytest.mark.parametrize("channel", [one for one in Channel if one is not Channel.KEY])
def test_a_key_weighs_more_than_any_other_channel(channel: Channel):
    found = {Channel.KEY: [known("toll", "by key")], channel: [known("toll", "by another")]}

    assert order(found)[0] == "by key"


def test_a_key_weighs_more_than_full_text_and_meaning_together():
    other = known("toll", "by others")
    found = {channel: [other] for channel in (Channel.FACTS, Channel.VECTORS, Channel.QUESTIONS)}

    assert order({**found, Channel.KEY: [known("toll", "by key")]})[0] == "by key"


def test_what_two_channels_found_is_one_memory_worth_both():
    one = only({Channel.FACTS: [known("toll", "nine")], Channel.VECTORS: [known("toll", "nine")]})

    assert one.channels == {Channel.FACTS: 1, Channel.VECTORS: 1}
    assert one.ranked == pytest.approx(
        (WEIGHTS[Channel.FACTS] + WEIGHTS[Channel.VECTORS]) * RRF_K / (RRF_K + 1)
    )


def test_a_turn_that_two_channels_found_is_one_memory():
    one = only({Channel.TURNS: [said("the toll")], Channel.EXCHANGES: [said("the toll")]})

    assert one.channels == {Channel.TURNS: 1, Channel.EXCHANGES: 1}


def test_one_position_of_two_calls_or_of_two_roles_is_two_memories():
    agents = Hit(1.0, turn=Turn(Role.AGENT, "the toll", STARTED, 0), call_id="call-9")
    hits = [said("the toll"), said("the toll", call_id="call-8"), agents]

    assert len(fused({Channel.TURNS: hits}, TOLL)) == 3


def test_one_channel_counts_a_memory_once_at_its_best_rank():
    one = only({Channel.TIME: [said("the toll"), said("the toll")]})

    assert one.channels == {Channel.TIME: 1}
    assert one.ranked == pytest.approx(WEIGHTS[Channel.TIME] * RRF_K / (RRF_K + 1))


# Likeness


def test_full_text_says_how_alike_by_its_score_and_meaning_by_its_cosine():
    one = only(
        {
            Channel.TURNS: [said("the toll", score=0.7)],
            Channel.VECTORS: [said("the toll", score=0.7, similarity=0.4)],
        }
    )

    assert one.scores == {Channel.TURNS: 0.7, Channel.VECTORS: pytest.approx(0.5)}


@pytest.mark.parametrize("cosine", [-1.0, 0.0, 0.1, 0.4, 0.7, 1.0, float("nan")])
def test_likeness_lies_between_none_and_all(cosine: float):
    assert 0.0 <= alike(cosine, MINILM) <= 1.0


def test_a_nearer_vector_is_not_less_alike():
    found = [alike(step / 20, MINILM) for step in range(21)]

    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.0, 1.0)


# Who said it


@pytest.mark.parametrize(
    ("aids", "first"), [((), "the bridge is up"), ((Aid.SPEAKER,), "the toll is nine")]
)
def test_what_the_named_speaker_said_comes_first(aids: tuple[Aid, ...], first: str):
    hits = [
        said("the bridge is up", 0, speaker="Caroline West"),
        said("the toll is nine", 4, speaker="Dana Whitfield"),
    ]
    found = {Channel.VECTORS: [hits[0], said("x", 8), said("y", 12), hits[1]]}

    assert order(found, speakers=("dana",), aids=aids)[0] == first


def test_nobody_named_puts_nobody_first():
    hits = [said("the toll", 0), said("the toll", 4, speaker="Dana")]

    one, other = fused({Channel.VECTORS: hits}, TOLL, aids=(Aid.SPEAKER,))

    assert one.place == ("call-9", 0)
    assert one.score > other.score


@pytest.mark.parametrize(
    ("speaker", "is_said"),
    [("Dana Whitfield", True), ("dana", True), ("Danalise", False), ("", False)],
)
def test_a_first_name_is_the_speakers_as_a_whole_word(speaker: str, is_said: bool):
    assert is_said_by(said("hm", speaker=speaker), "Dana") is is_said
    assert is_said_by(known("toll", "nine", speaker=speaker), "Dana") is is_said


# When it was


@pytest.mark.parametrize(("aids", "worth"), [((), 0.0), ((Aid.TIME,), IN_FRAME)])
def test_what_was_said_in_the_time_that_is_asked_about_counts_more(aids, worth):
    question = asked("What did I say yesterday?", STARTED + timedelta(days=1))
    inside = fused({Channel.TIME: [said("the toll")]}, question, aids=aids)
    outside = fused({Channel.TIME: [said("the toll", days=-1)]}, question, aids=aids)

    assert inside[0].score - outside[0].score == pytest.approx(worth)


def test_what_was_told_within_two_weeks_after_counts_half():
    question = asked("What did I do on 2 March 2026?", STARTED)

    (after,) = fused({Channel.TURNS: [said("the toll")]}, question, aids=(Aid.TIME,))
    (late,) = fused({Channel.TURNS: [said("the toll", days=20)]}, question, aids=(Aid.TIME,))

    assert after.score - late.score == pytest.approx(TOLD_AFTER)


def test_any_of_several_stretches_of_time_fits():
    question = asked("What did I order in March?", STARTED)  # of 2026, 2025 ...

    (one,) = fused({Channel.TURNS: [said("the toll", days=-365)]}, question, aids=(Aid.TIME,))
    (other,) = fused({Channel.TURNS: [said("the toll", days=-200)]}, question, aids=(Aid.TIME,))

    assert one.score - other.score == pytest.approx(IN_FRAME)


@pytest.mark.parametrize(
    ("question", "aids", "worth"),
    [
        ("When was the toll raised?", (Aid.TIME,), TELLS_WHEN),
        ("When was the toll raised?", (), 0.0),
        ("Why was the toll raised?", (Aid.TIME,), 0.0),
    ],
)
def test_who_asks_when_is_told_a_time_first(question, aids, worth):
    (one,) = fused({Channel.TURNS: [said("It was last June.")]}, asked(question), aids=aids)
    (other,) = fused({Channel.TURNS: [said("It was not easy.")]}, asked(question), aids=aids)

    assert one.score - other.score == pytest.approx(worth, abs=0.1)  # their lengths differ


# What stands around


@pytest.mark.parametrize(("aids", "is_ahead"), [((), False), ((Aid.NEIGHBOURS,), True)])
def test_the_turn_beside_a_good_find_counts_more(aids: tuple[Aid, ...], is_ahead: bool):
    best, beside = said("the tolls", 5), said("it is 9", 6)
    alone = said("it is 8", 9)
    found = {Channel.VECTORS: [best, alone, beside]}

    ordered = order(found, aids=aids)

    assert (ordered.index("it is 9") < ordered.index("it is 8")) is is_ahead


def test_the_turn_before_a_good_find_counts_more_too():
    found = {Channel.VECTORS: [said("the tolls", 5), said("it is 8", 9), said("it is 9", 4)]}

    assert order(found, aids=(Aid.NEIGHBOURS,)).index("it is 9") == 1


def test_the_turn_beside_is_of_the_same_call():
    found = {Channel.VECTORS: [said("the toll", 5), said("a b", 9), said("c d", 6, call_id="x")]}

    assert order(found, aids=(Aid.NEIGHBOURS,)).index("a b") == 1


@pytest.mark.parametrize(("aids", "is_ahead"), [((), False), ((Aid.NEIGHBOURS,), True)])
def test_a_call_with_many_finds_counts_more(aids: tuple[Aid, ...], is_ahead: bool):
    many = [said("lamp", place, call_id="talk") for place in (10, 20, 30)]
    found = {Channel.VECTORS: [said("sofa", 0, call_id="other"), *many]}

    ordered = order(found, aids=aids)

    assert (ordered[0] == "lamp") is is_ahead


# By itself


def test_a_fact_goes_before_the_turn_that_it_was_read_from():
    found = {Channel.TIME: [said("nine it is, you know"), known("toll", "nine")]}

    assert order(found)[0] == "nine"


def test_who_says_more_tells_more():
    short, long = said("Yes.", 0), said("The toll at the drawbridge was nine crowns in all.", 4)

    assert order({Channel.TURNS: [short, long]})[0].startswith("The toll")


def test_a_short_question_tells_little():
    found = {Channel.VECTORS: [said("Is it the toll?", 0), said("It is the toll.", 4)]}

    assert order(found) == ["It is the toll.", "Is it the toll?"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Is it the toll?", True),
        ("是過路費嗎？", True),  # noqa: RUF001 - the full-width sign is meant
        ("Is it the toll? ", True),
        ("It is the toll.", False),
        (f"{'I paid it, ' * 10}did I not?", False),
    ],
)
def test_only_a_turn_that_is_short_and_only_asks_is_a_short_question(text: str, is_one: bool):
    assert is_short_question(said(text)) is is_one


def test_a_fact_is_no_question():
    assert not is_short_question(known("open_matter", "where is it?"))


# Ties


def test_equal_ones_stand_by_their_place_whichever_channel_was_first():
    late = {Channel.FACTS: [known("toll", "late", position=3)]}
    early = {Channel.RELATIONS: [known("toll", "early", position=1)]}

    assert order({**late, **early}) == order({**early, **late}) == ["early", "late"]


def test_equal_ones_of_one_turn_stand_in_one_order_whichever_channel_was_first():
    one = {Channel.FACTS: [known("toll", "one")]}
    other = {Channel.RELATIONS: [known("toll", "other")]}

    assert order({**one, **other}) == order({**other, **one})


def test_channels_are_named_in_one_order_whichever_was_first():
    hit = known("toll", "nine")
    found = {channel: [hit] for channel in reversed(Channel)}

    assert list(only(found).channels) == list(Channel)
