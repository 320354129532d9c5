"""When a window moves: in strides, between turns, with the digest of what it leaves behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ringback.core.budget import rough_count
from ringback.core.fitting import CUT, GAP, Message, View, WindowSettings, users
from ringback.core.window import Digest, Passage, Window
from ringback.records import Context, Role
from tests.core.made_messages import made

pytestmark = pytest.mark.unit

NOTHING = Context("", "")
SETTINGS = WindowSettings(turns=20, keep=10)


class Call:
    """A history that grows, its window, and digests that come when a test says so."""

    def __init__(self, settings: WindowSettings = SETTINGS) -> None:
        self.asked: list[tuple[Passage, Callable[[Digest], None]]] = []
        self.changes = 0
        self.window = Window(
            settings,
            compress=lambda passage, done: self.asked.append((passage, done)),
        )
        self.window.on_change(self._changed)
        self.messages = made([])

    def _changed(self) -> None:
        self.changes += 1

    def turn(self, tokens: int = 10) -> View:
        """The caller says something, and it is answered."""
        self.messages += made([("user", tokens)])[1:]
        view = self.look()
        self.messages += made([("agent", tokens)])[1:]
        return view

    def turns(self, count: int) -> View:
        return [self.turn() for _ in range(count)][-1]

    def look(self) -> View:
        return self.window.look(self.messages, NOTHING, turn=len(users(self.messages)))

    def coming(self) -> View:
        return self.window.look([*self.messages, Message("user", of=object())], NOTHING)

    def answer(self, text: str = "Digest.", place: int = -1) -> None:
        passage, done = self.asked[place]
        done(Digest(text, passage.turns))

    def shown(self, view: View) -> int:
        return len([place for place in users(self.messages) if place >= view.start])


def test_fewer_than_twenty_turns_are_all_read_and_nothing_is_asked():
    call = Call()

    view = call.turns(19)

    assert call.shown(view) == 19
    assert not call.asked


def test_the_twentieth_turn_has_the_first_ten_digested_and_waits_for_nothing():
    call = Call()

    view = call.turns(20)

    assert call.shown(view) == 20
    passage = call.asked[0][0]
    assert [turn.role for turn in passage.turns] == [Role.CALLER, Role.AGENT] * 10


def test_the_turn_after_the_digest_came_reads_it_and_the_last_ten_turns_before():
    call = Call()
    call.turns(20)

    call.answer("They spoke of an order.")
    view = call.turn()

    assert call.shown(view) == 11
    assert view.note == "They spoke of an order."


def test_the_turn_in_which_a_digest_comes_sees_no_other_window():
    call = Call()
    call.turns(19)
    call.messages += made([("user", 9)])[1:]
    before = call.look()

    call.answer()

    assert call.look() == before
    assert call.coming().note == "Digest."
    assert call.look() == before


def test_a_digest_that_comes_between_pause_and_request_holds_from_the_turn_after_that():
    call = Call()
    call.turns(20)

    call.window.hold()
    call.answer()
    this, following = call.turn(), call.turn()

    assert not this.note
    assert following.note == "Digest."


def test_a_digest_is_taken_when_the_caller_speaks_on_after_all():
    call = Call()
    call.turns(20)
    call.window.hold()
    call.answer()

    call.window.go_on()

    assert call.turn().note == "Digest."


def test_the_window_moves_once_in_ten_turns():
    call = Call()
    starts = []
    for _ in range(100):
        starts.append(call.turn().start)
        if call.asked:
            call.answer()
            call.asked.clear()

    moves = [place for place in range(1, 100) if starts[place] != starts[place - 1]]

    assert moves == [20, 30, 40, 50, 60, 70, 80, 90]


def test_the_second_digest_is_asked_with_the_first_and_what_came_since():
    call = Call()
    call.turns(20)
    call.answer("First.")
    call.turns(10)

    passage = call.asked[1][0]

    assert passage.digest == "First."
    assert passage.fresh_from == 20
    assert len(passage.turns) == 2 * 20


def test_whoever_primes_is_told_when_the_next_turn_sees_another_window():
    call = Call()
    call.turns(20)
    before = call.changes

    call.answer()

    assert (before, call.changes) == (0, 1)


def test_without_an_answer_the_digest_is_asked_for_again_ten_turns_later():
    call = Call()

    call.turns(34)

    assert [passage.turns[-1].role for passage, _ in call.asked] == [Role.AGENT] * 2
    assert [len(passage.turns) for passage, _ in call.asked] == [20, 40]


def test_a_digest_that_could_not_be_made_leaves_the_turns_as_they_are():
    call = Call()
    call.turns(20)

    call.answer("")
    view = call.turn()

    assert call.shown(view) == 21


def test_turns_that_nobody_digests_are_cut_where_the_model_has_no_room_and_it_is_said():
    call = Call(WindowSettings(turns=20, keep=10, context_tokens=1_600))

    views = [call.turn(30) for _ in range(60)]

    assert max(view.tokens for view in views) <= 1_200
    assert views[-1].note == CUT
    starts = [view.start for view in views]
    moves = [place for place in range(1, 60) if starts[place] != starts[place - 1]]
    assert 1 <= len(moves) <= 8


def test_a_digest_that_comes_too_late_stands_for_its_part_and_says_that_more_is_missing():
    call = Call(WindowSettings(turns=20, keep=10, context_tokens=4_000))
    call.turns(20)
    first = call.asked[0]
    for _ in range(20):
        call.turn(120)

    first[1](Digest("Digest.", first[0].turns))
    view = call.turn()

    assert view.note == f"Digest.\n{GAP}"
    assert view.start > first[0].start


def test_an_older_digest_than_the_one_that_is_read_is_not_taken():
    call = Call()
    call.turns(34)
    call.answer("Newer.", place=1)
    call.answer("Older.", place=0)

    assert call.turn().note == "Newer."


def test_a_digest_longer_than_its_budget_loses_its_last_lines():
    call = Call(WindowSettings(digest_tokens=12))
    call.turns(20)

    call.answer("a" * 30 + "\n" + "b" * 30)

    assert call.turn().note == "a" * 30


def test_a_digest_without_a_line_that_fits_is_none_and_it_is_said():
    call = Call(WindowSettings(digest_tokens=12))
    call.turns(20)

    call.answer("a" * 300)

    assert call.turn().note == CUT


def test_what_is_read_ahead_of_a_message_too_long_for_two_forgets_no_digest():
    call = Call(WindowSettings(turns=4, keep=2, context_tokens=400))
    call.turns(4)
    call.answer()
    call.turn()
    call.messages += made([("agent", 290)])[1:]

    ahead, view = call.coming(), call.turn()

    assert ahead.start == len(call.messages) - 2
    assert ahead.note == view.note == f"Digest.\n{GAP}"


def test_another_history_is_read_whole_and_has_no_digest_of_the_one_before():
    call = Call()
    call.turns(20)
    call.answer()
    call.turn()

    call.messages = made([("user", 10), ("agent", 10)] * 4)
    view = call.turn()

    assert call.shown(view) == 5
    assert not view.note


def test_a_digest_of_the_history_before_is_not_taken_for_this_one():
    call = Call()
    call.turns(20)
    call.answer()
    call.turns(10)
    call.messages = made([("user", 10), ("agent", 10)] * 4)
    call.turn()

    call.answer("Of another history.")

    assert not call.turn().note


def test_a_digest_that_comes_after_the_history_was_replaced_unseen_is_dropped():
    call = Call()
    call.turns(20)
    call.messages = made([("user", 10), ("agent", 10)] * 30)

    call.answer("Of another history.")

    assert not call.turn().note


def test_where_the_host_summarises_nothing_is_digested():
    call = Call()
    call.window.stands_back = True

    call.turns(40)

    assert not call.asked


def test_long_results_are_read_short_once_the_window_has_moved():
    call = Call()
    call.messages += made([("user", 9)])[1:]
    call.turns(11)
    call.messages += made([("call", 900)])[1:]
    before = call.turns(9)

    call.answer()
    call.turn()
    call.turns(10)
    call.answer()
    call.turns(2)

    assert not before.texts
    place = next(p for p, m in enumerate(call.messages) if m.role == "tool")
    shown = call.look()
    assert place < shown.start or rough_count(shown.texts[place]) <= SETTINGS.result_tokens


def test_what_a_model_says_it_read_moves_the_limit():
    call = Call(WindowSettings(context_tokens=2_000))
    view = call.turns(15)
    assert view.start == view.head

    call.window.gauge.learn(call.window.counted, call.window.counted + 1_200)
    view = call.turn()

    assert view.note == CUT
    assert view.tokens <= 300


def test_what_else_a_request_holds_takes_room():
    call = Call(WindowSettings(context_tokens=2_000))
    call.turns(15)

    view = call.window.look(call.messages, NOTHING, turn=99, other_tokens=1_200)

    assert view.tokens <= 300


def test_each_text_is_counted_once():
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return rough_count(text)

    window = Window(SETTINGS, count=count)
    messages: list[Message] = made([("user", 10), ("agent", 11)])
    window.look(messages, NOTHING, turn=1)
    counted.clear()

    window.look([*messages, Message("user", "What now?", of=object())], NOTHING, turn=2)

    assert counted == ["What now?"]
