# ruff: noqa: RUF001 - Chinese signs are meant
"""When retrieval is asked, and whether what it staged still fits what is said."""

from __future__ import annotations

import numpy as np
import pytest

from ringback.core import staging
from ringback.core.staging import Cueing, SpokenCue, Staged

pytestmark = pytest.mark.unit

GUARD = "guard"


def staged(cue: str, *found: str, is_summary: bool = False) -> Staged:
    topic = staging.topical(" ".join([cue, *found]))
    return Staged(SpokenCue(cue, staging.topical(cue)), (GUARD, *found), topic, (), is_summary)


BROADBAND = staged("My broadband is down again.", "- The router was replaced on 3 March.")


@pytest.mark.parametrize(
    "said",
    [
        "Was the router not replaced?",
        "So when will my broadband work?",
        "Yes.",
        "Okay, and what about that?",
        "And the other one?",
        "嗯，那另外那筆呢",
    ],
)
def test_what_goes_on_with_the_topic_gets_what_was_staged(said: str):
    assert staging.fits(BROADBAND, said)


@pytest.mark.parametrize(
    "said",
    [
        "I would like to cancel my hotel in Lisbon.",
        "My son has a new phone number.",
        "我想改送貨地址",
        "And order 7714, where is it?",
    ],
)
def test_another_topic_or_a_code_that_nobody_spoke_of_gets_nothing(said: str):
    assert not staging.fits(BROADBAND, said)


def test_one_common_word_in_a_long_sentence_about_something_else_is_no_topic():
    said = "The router salesman told my neighbour that Lisbon hotels cost double during summer."

    assert not staging.fits(BROADBAND, said)


def test_another_orders_memory_is_not_this_orders():
    of_a = staged("Where is order A-17?", "- Order A-17 was refunded once.")

    assert staging.fits(of_a, "Was order A-17 refunded?")
    assert not staging.fits(of_a, "Was order B-22 refunded?")


def test_chinese_topics_are_told_apart_by_their_signs():
    of_filter = staged("我想問濾杯的訂單", "- 濾杯訂單三月三日出貨")

    assert staging.fits(of_filter, "濾杯什麼時候會到？")
    assert not staging.fits(of_filter, "我的網路又斷線了")


def test_a_summary_that_stands_in_for_a_thin_answer_is_for_who_asks_about_it():
    thin = staged("Lisbon hotel", "The broadband was repaired.", is_summary=True)

    assert not staging.fits(thin, "Yes.")


def test_interims_ask_once_for_each_new_thing_they_bring():
    cueing = Cueing()

    heard = ["my", "my broadband", "my broadband router", "my broadband router is", "my broadband"]
    asked = [cue.text for words in heard if (cue := cueing.heard(words))]

    assert asked == ["my broadband router"]


def test_a_code_in_an_interim_is_asked_with_at_once():
    assert Cueing().heard("it is 7714") is not None


def test_a_pause_asks_with_whatever_is_new():
    cueing = Cueing()
    cueing.heard("my broadband router")

    assert cueing.paused("my broadband router") is None
    assert cueing.paused("my broadband router upstairs") is not None


def test_a_settled_turn_that_was_asked_with_already_is_not_asked_with_again_for_a_while():
    cueing = Cueing()

    asked = [cueing.said("My broadband router is down.") is not None for _ in range(5)]

    assert asked == [True, False, False, True, False]


@pytest.mark.parametrize("said", ["Okay.", "嗯嗯", "Yes please, thank you.", "And that?"])
def test_low_signal_turns_ask_nothing(said: str):
    assert Cueing().said(said) is None


def test_a_short_turn_is_asked_with_what_came_before_it():
    cueing = Cueing()
    cueing.said("My broadband router is down.")

    cue = cueing.said("Upstairs.")

    assert cue is not None
    assert "broadband" in cue.text


def test_a_label_of_the_application_is_a_cue():
    cue = Cueing().labelled("billing dispute")

    assert cue is not None
    assert not cue.is_of_caller
    assert Cueing().labelled("") is None


def test_a_very_long_turn_is_asked_with_its_end():
    cue = Cueing().said("well " * 5_000 + "my broadband router is down")

    assert cue is not None
    assert len(cue.text) <= staging.MAX_CUE_CHARACTERS
    assert cue.text.endswith("my broadband router is down")


def test_drift_is_measured_on_the_embedders_own_scale():
    north, east = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)

    assert staging.drifted(north, east, (0.0, 1.0))
    assert not staging.drifted(north, north, (0.0, 1.0))
    assert staging.drifted(north, np.array([0.8, 0.6], np.float32), (0.78, 1.0))


def test_lines_are_cut_whole_and_a_guard_line_alone_is_nothing():
    lines = (GUARD, "- one", "- two")

    assert staging.lines_within(lines, 4) == (GUARD, "- one")
    assert staging.lines_within(lines, 2) == ()
    assert staging.lines_within(lines, 100) == lines
