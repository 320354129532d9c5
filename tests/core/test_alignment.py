from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

from ringback.core.alignment import Alignment, OfferedTurn, Placement, aligned, turns_to_append
from ringback.errors import UsageError
from ringback.records import Role

pytestmark = pytest.mark.unit

SAID_AT = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)

common_words = st.lists(st.sampled_from("ynk"), max_size=12).map("".join)
"""Conversations in which everything is said again and again, a letter a turn."""


def said(text: str, *, id: str = "", at: datetime | None = None) -> OfferedTurn:
    return OfferedTurn(Role.CALLER, text, at=at, id=id)


def turns(letters: str) -> list[OfferedTurn]:
    return [said(letter) for letter in letters]


def numbered(start: int, end: int) -> list[OfferedTurn]:
    return [said(f"m{number}") for number in range(start, end)]


def ingest(stored: list[OfferedTurn], window: Sequence[OfferedTurn]) -> list[OfferedTurn]:
    placement = turns_to_append([turn.ref for turn in stored], window)
    return stored + [window[place] for place in placement.new]


def stored_after(*windows: Sequence[OfferedTurn]) -> list[OfferedTurn]:
    stored: list[OfferedTurn] = []
    for window in windows:
        stored = ingest(stored, window)
    return stored


@st.composite
def overlapping_windows(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A conversation with one rare turn in every three, and windows that share such a turn."""
    common = draw(st.lists(st.sampled_from(["yes", "no"]), min_size=3, max_size=30))
    words = [word if place % 3 else f"rare {place}" for place, word in enumerate(common)]
    end = draw(st.integers(3, len(words)))
    windows = [words[:end]]
    while end < len(words):
        start = draw(st.integers(0, end - 3))
        end = draw(st.integers(end + 1, len(words)))
        windows.append(words[start:end])
    return words, windows


def test_windows_that_overlap_store_each_turn_once():
    stored = stored_after(numbered(0, 10), numbered(5, 15))

    assert [turn.text for turn in stored] == [
        "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m13",
        "m14",
    ]  # fmt: skip


def test_two_real_yes_stay_two():
    stored = stored_after(turns("qy"), turns("qyy"))

    assert stored == turns("qyy")


@pytest.mark.parametrize(
    ("known", "window", "expected"),
    [
        pytest.param("", "abc", Alignment(), id="nothing is known yet"),
        pytest.param("abc", "", Alignment(), id="nothing is offered"),
        pytest.param("abc", "abc", Alignment(3), id="the same again"),
        pytest.param("abcde", "bcd", Alignment(3), id="an old part again"),
        pytest.param("abc", "abcde", Alignment(3), id="the whole history and more"),
        pytest.param("abcde", "deab", Alignment(2), id="the end, then words said before"),
        pytest.param("yyy", "yy", Alignment(2), id="a shorter run of one word"),
        pytest.param("yyy", "yyyy", Alignment(3), id="a longer run of one word"),
        pytest.param("qy", "yy", Alignment(1), id="a run that begins where the known ends"),
        pytest.param("abab", "abac", Alignment(2), id="the longest run that ends the known"),
        pytest.param("abcab", "abx", Alignment(2), id="a run at both ends of the known"),
        pytest.param("abc", "xyz", Alignment(), id="a gap"),
        pytest.param("abc", "xbz", Alignment(), id="a gap with a word in common"),
        pytest.param("abcd", "bXdef", Alignment(), id="an edit in the overlap is a gap"),
        pytest.param("def", "abcde", Alignment(5, earlier=3), id="earlier turns"),
        pytest.param("def", "cdefgh", Alignment(4, earlier=1), id="earlier and later turns"),
        pytest.param("ef", "abef", Alignment(4, earlier=2), id="earlier turns, then all known"),
        pytest.param("ba", "aba", Alignment(3, earlier=1), id="all known before a partial run"),
        pytest.param("ab", "bab", Alignment(3, earlier=1), id="the known as the window's end"),
        pytest.param("hyu", "uhy", Alignment(1), id="in order before out of order"),
    ],
)
def test_a_window_is_laid_over_what_is_known(known: str, window: str, expected: Alignment):
    assert aligned(known, window) == expected


def test_a_gap_appends_the_whole_window():
    assert stored_after(turns("abc"), turns("xyz")) == turns("abcxyz")


def test_an_edit_in_the_overlap_loses_nothing():
    assert stored_after(turns("abcd"), turns("bXdef")) == turns("abcdbXdef")


def test_earlier_turns_are_reported_and_not_appended():
    known = [turn.ref for turn in turns("def")]

    assert turns_to_append(known, turns("cdefg")) == Placement(new=(4,), earlier=(0,))


@given(overlapping_windows())
def test_windows_in_order_store_the_conversation_exactly(made):
    conversation, windows = made

    stored = stored_after(*([said(text) for text in window] for window in windows))

    assert [turn.text for turn in stored] == conversation


@given(overlapping_windows(), st.data())
def test_any_earlier_window_offered_again_changes_nothing(made, data):
    _, windows = made
    offered = [[said(text) for text in window] for window in windows]
    stored = stored_after(*offered)

    again = ingest(stored, data.draw(st.sampled_from(offered)))

    assert again == stored


@given(common_words, st.lists(st.integers(0, 12)))
def test_the_whole_history_each_time_is_exact_whatever_is_repeated(conversation, lengths):
    windows = [turns(conversation[:length]) for length in sorted(lengths)]

    stored = stored_after(*windows, turns(conversation))

    assert stored == turns(conversation)


@given(st.lists(st.sampled_from("yn"), min_size=1, max_size=20), st.data())
def test_times_make_any_overlap_exact(words, data):
    conversation = [
        said(word, at=SAID_AT + timedelta(seconds=second)) for second, word in enumerate(words)
    ]
    end = data.draw(st.integers(1, len(words)))
    start = data.draw(st.integers(0, end - 1))

    stored = stored_after(conversation[:end], conversation[start:])

    assert stored == conversation


@given(common_words, common_words)
def test_a_window_offered_twice_in_a_row_changes_nothing_the_second_time(known, window):
    once = ingest(turns(known), turns(window))

    twice = ingest(once, turns(window))

    assert twice == once


@given(st.lists(common_words, max_size=5), st.data())
def test_a_window_that_was_appended_is_known_for_good(windows, data):
    stored = turns(data.draw(common_words))
    appended = []
    for window in windows:
        before, stored = len(stored), ingest(stored, turns(window))
        if stored[before:] == turns(window):
            appended.append(window)

    for window in appended:
        assert ingest(stored, turns(window)) == stored


@given(common_words, common_words)
def test_alignment_finds_the_longest_run_that_a_plain_search_finds(known, window):
    longest = max(
        (size for size in range(1, len(window) + 1) if known.endswith(window[:size])), default=0
    )

    found = aligned(known, window)

    if window not in known and not found.earlier:
        assert found.skipped == longest


def test_a_known_id_is_skipped_whatever_its_text_or_place():
    stored = stored_after(
        [said("hello", id="1"), said("my order", id="2")],
        [said("bye", id="3"), said("my order, edited", id="2"), said("hello", id="1")],
    )

    assert [(turn.id, turn.text) for turn in stored] == [
        ("1", "hello"),
        ("2", "my order"),
        ("3", "bye"),
    ]


def test_a_new_id_is_appended_even_with_words_that_are_known():
    stored = stored_after([said("yes", id="1"), said("yes", id="2")], [said("yes", id="3")])

    assert [turn.id for turn in stored] == ["1", "2", "3"]


def test_one_id_twice_in_a_window_is_one_turn():
    assert turns_to_append([], [said("yes", id="1"), said("yes", id="1")]) == Placement((0,))


def test_turns_without_ids_are_aligned_among_themselves():
    stored = stored_after(
        [said("a"), said("b", id="1"), said("c")],
        [said("b2", id="2"), said("c"), said("b", id="1"), said("d")],
    )

    assert [turn.text for turn in stored] == ["a", "b", "c", "b2", "d"]


def test_a_stored_turn_that_has_no_reference_matches_nothing():
    assert turns_to_append(["", said("a").ref], turns("ab")) == Placement((1,))


@given(
    st.lists(
        st.lists(
            st.builds(said, st.sampled_from("yn"), id=st.sampled_from(["", "1", "2", "3"])),
            max_size=6,
        ),
        max_size=4,
    )
)
def test_mixed_windows_offered_twice_in_a_row_change_nothing_the_second_time(windows):
    stored: list[OfferedTurn] = []
    for window in windows:
        stored = ingest(stored, window)

        assert ingest(stored, window) == stored
    ids = [turn.id for turn in stored if turn.id]
    assert len(ids) == len(set(ids))


def test_the_reference_of_a_turn_stays_the_same_for_good():
    found = OfferedTurn(Role.CALLER, "It's broken.", speaker="dana", at=SAID_AT).ref

    assert found == "a09465d723e4b141061e0c5dd7804e19"


@pytest.mark.parametrize(
    ("turn", "is_same"),
    [
        (OfferedTurn(Role.CALLER, "It's  broken.\n", "dana", SAID_AT), True),
        (OfferedTurn(Role.CALLER, "It\u2019s broken.", "dana", SAID_AT), True),
        (
            OfferedTurn(
                Role.CALLER,
                "It's broken.",
                "dana",
                datetime(2026, 3, 3, 20, 0, tzinfo=timezone(timedelta(hours=8))),
            ),
            True,
        ),
        (OfferedTurn(Role.CALLER, "It's broken?", "dana", SAID_AT), False),
        (OfferedTurn(Role.CALLER, "it's broken.", "dana", SAID_AT), False),
        (OfferedTurn(Role.AGENT, "It's broken.", "dana", SAID_AT), False),
        (OfferedTurn(Role.CALLER, "It's broken.", "rosa", SAID_AT), False),
        (OfferedTurn(Role.CALLER, "It's broken.", "dana"), False),
        (OfferedTurn(Role.CALLER, "It's broken.", "dana", SAID_AT, "7"), False),
        (OfferedTurn(Role.CALLER, "It's broken.", "dana", SAID_AT + timedelta(seconds=1)), False),
    ],
    ids=[
        "spaces",
        "quotes",
        "another zone",
        "punctuation",
        "case",
        "role",
        "speaker",
        "no time",
        "an id",
        "a second later",
    ],
)
def test_a_turn_is_the_same_turn_when(turn: OfferedTurn, is_same: bool):
    original = OfferedTurn(Role.CALLER, "It's broken.", "dana", SAID_AT)

    assert (turn.ref == original.ref) is is_same


def test_different_words_at_one_time_are_two_turns():
    stored = stored_after([said("yes", at=SAID_AT), said("no", at=SAID_AT)])

    assert len({turn.ref for turn in stored}) == 2


def test_the_same_words_at_one_time_are_told_apart_by_their_run():
    twice = [said("yes", at=SAID_AT), said("yes", at=SAID_AT)]

    stored = stored_after(twice, [*twice, said("no", at=SAID_AT)])

    assert [turn.text for turn in stored] == ["yes", "yes", "no"]


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(UsageError, match="zone"):
        said("yes", at=datetime(2026, 3, 3, 12, 0))  # noqa: DTZ001 - the fault under test


class CountedHash(str):
    comparisons = 0
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        CountedHash.comparisons += 1
        return str.__eq__(self, other) if isinstance(other, str) else False

    __hash__ = str.__hash__


@pytest.mark.parametrize("last", ["y", "z"])
def test_ten_thousand_turns_of_one_word_take_time_in_proportion(last: str):
    known = [CountedHash("y") for _ in range(10_000)]
    window = [CountedHash("y") for _ in range(9_999)] + [CountedHash(last)]
    CountedHash.comparisons = 0

    found = aligned(known, window)

    assert found.skipped == {"y": 10_000, "z": 9_999}[last]
    assert CountedHash.comparisons < 200_000
