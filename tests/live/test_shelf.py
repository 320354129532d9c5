"""What was retrieved for the next turn: used, late, stale or wasted, each counted once."""

from __future__ import annotations

import pytest

from ringback.core.staging import SpokenCue, Staged, StagingCounts, topical
from ringback.live.shelf import Shelf

pytestmark = pytest.mark.unit


def staged(cue: str, line: str) -> Staged:
    return Staged(
        SpokenCue(cue, topical(cue)), ("guard", line), topical(f"{cue} {line}"), (f"f:{cue}",)
    )


ROUTER = staged("my broadband router", "- The router was replaced.")
HOTEL = staged("my hotel in Lisbon", "- The hotel is by the river.")


def used(shelf: Shelf, said: str) -> str:
    return shelf.text_for(said, is_used=True)


def test_without_words_what_is_ready_is_shown_for_the_coming_turn_and_not_counted():
    shelf = Shelf()
    shelf.put(ROUTER)

    assert shelf.text_for("", is_used=False) == ROUTER.text
    assert shelf.counts == StagingCounts(staged=1)


def test_what_fits_is_used_once_in_the_turn_it_was_asked_with_or_later():
    same, later = Shelf(), Shelf()
    same.put(ROUTER)
    later.put(ROUTER)

    used(same, "My broadband router is down.")
    used(same, "Yes.")
    used(later, "Is the router new?")

    assert (same.counts.used_same_turn, same.counts.used_later) == (1, 0)
    assert (later.counts.used_same_turn, later.counts.used_later) == (0, 1)
    assert same.take_used() == ("f:my broadband router",)
    assert same.take_used() == ()


def test_settled_words_about_something_else_discard_it_for_good():
    shelf = Shelf()
    shelf.put(ROUTER)

    shelf.keep_if_fitting("I would like to cancel my hotel.")

    assert used(shelf, "My router again.") == ""
    assert shelf.counts == StagingCounts(staged=1, stale=1)


def test_what_was_used_before_the_topic_moved_is_not_stale():
    shelf = Shelf()
    shelf.put(ROUTER)
    used(shelf, "My router is down.")

    shelf.keep_if_fitting("I would like to cancel my hotel.")

    assert (shelf.counts.used_later, shelf.counts.stale, shelf.counts.wasted) == (1, 0, 0)


def test_what_is_replaced_or_dropped_unused_is_wasted_and_what_was_used_is_not():
    shelf = Shelf()
    shelf.put(ROUTER)
    used(shelf, "the router")
    shelf.put(HOTEL)
    shelf.drop()

    assert shelf.counts.wasted == 1
    assert shelf.text_for("", is_used=False) == ""
    assert shelf.take_used() == ()


def test_what_comes_after_the_pause_waits_and_leaves_what_was_ready_as_it_is():
    shelf = Shelf()
    shelf.put(ROUTER)
    shelf.close()
    shelf.put(HOTEL)

    assert shelf.text_for("", is_used=False) == ROUTER.text
    assert used(shelf, "the router") == ROUTER.text
    shelf.open()
    assert shelf.text_for("", is_used=False) == HOTEL.text


def test_what_comes_after_the_pause_is_put_behind_as_far_as_it_costs_no_time():
    more = staged("my broadband router now", "- It was paid for in May.")
    quick, slow = Shelf(), Shelf()
    slow.late_tokens = 5
    for shelf in (quick, slow):
        shelf.put(ROUTER)
        shelf.close()
        shelf.put(more)

    said = "my broadband router now"

    assert used(quick, said) == f"{ROUTER.text}\n- It was paid for in May."
    assert used(slow, said) == ROUTER.text
    assert quick.counts.used_same_turn == 2


def test_alone_what_comes_late_keeps_its_guard_line():
    shelf = Shelf()
    shelf.close()
    shelf.put(ROUTER)

    assert used(shelf, "my broadband router") == ROUTER.text


def test_counts_of_calls_add_up():
    total = StagingCounts(staged=1, stale=1)

    total.add(StagingCounts(staged=2, used_later=3))

    assert total == StagingCounts(staged=3, stale=1, used_later=3)
