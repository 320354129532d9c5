"""What of a request is read where not all of it fits: budgets, order, pairs, idempotence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from ringback import UsageError
from ringback.core.budget import LEAST_RESULT_TOKENS, rough_count
from ringback.core.fitting import (
    CUT,
    MESSAGE_TOKENS,
    Cut,
    Message,
    Sizes,
    View,
    WindowSettings,
    cut_places,
    fitted,
    users,
)
from ringback.records import Context
from tests.core.made_messages import histories, made, words

pytestmark = pytest.mark.unit

MEMORY = st.builds(
    Context,
    briefing=st.sampled_from(["", "Who it is.\n" * 3, "Who it is.\n" * 60]),
    block=st.sampled_from(["", "What was said.\n" * 3, "What was said.\n" * 200]),
)
LIMITS = st.integers(20, 3_000)
NOTHING = Context("", "")
SETTINGS = WindowSettings()


def fit(
    messages: list[Message], limit: int, memory: Context = NOTHING, cut: Cut | None = None
) -> tuple[Cut, View]:
    return fitted(messages, cut or Cut(), memory, limit, (SETTINGS, Sizes(rough_count)))


def read(messages: list[Message], view: View) -> list[Message]:
    """The messages that are read, as they are read."""
    places = [*range(view.head), *view.kept, *range(view.start, len(messages))]
    return [
        replace(messages[place], text=view.texts.get(place, messages[place].text))
        for place in dict.fromkeys(places)
    ]


def tokens(messages: list[Message], *texts: str) -> int:
    each = [m.text for m in messages]
    return sum(rough_count(text) + MESSAGE_TOKENS for text in [*each, *filter(None, texts)])


@given(histories(), MEMORY, LIMITS)
def test_a_request_is_within_its_limit_or_holds_only_what_must_be_read(messages, memory, limit):
    _, view = fit(messages, limit, memory)

    sent = tokens(read(messages, view), view.note, view.memory.briefing, view.memory.block)

    assert sent == view.tokens
    if sent > limit:
        assert (view.note, view.memory) == ("", NOTHING)
        places = cut_places(messages, view.head, past_open=True)
        assert not [place for place in places if place > view.start]
        this_turn = range(users(messages)[-1], len(messages))
        results = [view.texts.get(p, messages[p].text) for p in this_turn if messages[p].answers]
        assert all(rough_count(text) <= LEAST_RESULT_TOKENS for text in results)


@given(histories(), MEMORY, LIMITS)
def test_each_block_is_within_its_own_budget(messages, memory, limit):
    _, view = fit(messages, limit, memory)

    assert rough_count(view.memory.briefing) <= SETTINGS.briefing_tokens
    assert rough_count(view.memory.block) <= SETTINGS.recall_tokens


@given(histories(), MEMORY, LIMITS)
def test_the_question_is_always_read_and_whole(messages, memory, limit):
    _, view = fit(messages, limit, memory)

    assert messages[users(messages)[-1]] in read(messages, view)


@given(histories(), MEMORY, LIMITS)
def test_no_result_is_read_without_its_call_nor_a_call_without_its_result(messages, memory, limit):
    _, view = fit(messages, limit, memory)

    kept = read(messages, view)
    calls = [call for m in kept for call in m.calls]
    answered = [m.answers for m in kept if m.role == "tool"]
    there = {m.answers for m in messages}
    assert set(answered) <= set(calls)
    assert {call for call in calls if call in there} <= {m.answers for m in kept}


@given(histories(), MEMORY, LIMITS)
def test_order_is_kept(messages, memory, limit):
    _, view = fit(messages, limit, memory)

    places = [*range(view.head), *view.kept, *range(view.start, len(messages))]
    assert places == sorted(set(places))
    assert messages[view.start : view.start + 1] == [] or view.start in (
        view.head,
        *users(messages),
    )


@given(histories(), MEMORY, LIMITS)
def test_what_fits_is_not_fitted_again(messages, memory, limit):
    cut, view = fit(messages, limit, memory)

    again, same = fit(messages, limit, memory, cut)

    assert (again, same) == (cut, view)


@given(histories(), LIMITS)
def test_what_is_read_is_read_whole_by_the_same_limit(messages, limit):
    _, view = fit(messages, limit)
    kept = read(messages, view)

    _, again = fit(kept, limit - tokens([], view.note))

    if view.tokens <= limit:
        assert read(kept, again) == kept


def test_with_room_everything_is_read():
    messages = made([("user", 9), ("agent", 9), ("call", 9), ("user", 9)])

    cut, view = fit(messages, 3_000, Context("brief", "block"))

    assert cut == Cut()
    assert read(messages, view) == messages
    assert view.memory == Context("brief", "block")
    assert not view.note


def talk(turns: int) -> list[tuple[str, int]]:
    return [("user", 20), ("agent", 20)] * turns


def test_older_results_give_way_before_anything_else():
    messages = made([("call", 400), *talk(5), ("user", 9)])
    block = "What was said.\n" * 9

    _, view = fit(messages, 1_000, Context("brief", block))

    assert list(view.texts) == [2]
    assert view.start == view.head
    assert view.memory.block == block


def test_recall_gives_way_before_turns():
    messages = made([*talk(5), ("user", 9)])
    block = "What was said.\n" * 9

    _, view = fit(messages, tokens(messages) + 10, Context("", block))

    assert view.start == view.head
    assert not view.memory.block


def test_turns_give_way_before_the_briefing_and_say_so():
    messages = made([*talk(40), ("user", 9)])

    _, view = fit(messages, 1_000, Context("brief", ""))

    assert view.start > view.head
    assert view.note == CUT
    assert view.memory.briefing == "brief"


def test_turns_that_go_make_room_for_more_than_one():
    messages = made([*talk(40), ("user", 9)])

    cut, view = fit(messages, 1_000)
    longer, _ = fit(made([*talk(44), ("user", 9)]), 1_000, cut=Cut(cut.start, None, cut.note))

    assert view.tokens <= 600
    assert longer.start == cut.start


def test_the_newest_result_is_whole_where_there_is_room():
    messages = made([*talk(5), ("user", 9), ("call", 300)])

    _, view = fit(messages, 3_000)

    assert not view.texts


def test_the_newest_result_is_cut_to_what_is_left():
    messages = made([*talk(5), ("user", 9), ("call", 2_000)])

    _, view = fit(messages, 1_000)

    assert list(view.texts) == [len(messages) - 1]
    assert view.tokens <= 1_000
    assert view.start == view.head


def test_instructions_that_the_app_put_in_are_kept_once_in_their_order():
    app = [("app", 9), ("user", 200), ("agent", 200), ("app", 11), ("user", 9)]
    messages = made([("user", 9), *app])

    _, view = fit(messages, 260)

    assert view.start == len(messages) - 1
    assert view.kept == (2, 5)


def test_an_instruction_that_the_app_repeats_is_read_once():
    said = made([("user", 200), ("agent", 200), ("user", 9)])
    app = Message("developer", "Speak slowly.")

    _, view = fit([*said[:2], app, said[2], app, said[3]], 260)

    assert view.kept == (4,)


def test_what_stands_for_messages_that_the_host_left_out_is_never_left_out():
    said = made([("user", 200), ("agent", 200), ("user", 9)])
    summary = Message("user", "Conversation summary: " + words(1, 50), is_kept=True)

    _, view = fit([said[0], summary, *said[1:]], 260)

    assert view.start == 4
    assert view.kept == (1,)


def test_a_window_begins_at_no_place_that_parts_a_pair():
    messages = made([("user", 9), ("late call", 9), ("user", 9), ("late result", 9), ("user", 9)])

    assert cut_places(messages, 0) == [1, 6]


def test_a_call_that_is_still_open_is_left_behind_only_where_there_is_no_room():
    messages = made([("user", 9), ("late call", 9), ("user", 9)])

    assert cut_places(messages, 0) == [1]
    assert cut_places(messages, 0, past_open=True) == [1, 4]


@pytest.mark.parametrize("wrong", [{"turns": 0}, {"keep": 20}, {"context_tokens": -1}])
def test_settings_that_make_no_window_are_refused(wrong):
    with pytest.raises(UsageError):
        WindowSettings(**wrong)


def test_words_are_as_long_as_they_say():
    assert rough_count(words(7, 12)) == 12
