"""The hot set of a call: one block per turn, changes told, nothing that outlives a forgetting."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ringback.core.staging import SpokenCue, Staged, topical
from ringback.live.call import FROZEN_TURNS, LiveCall
from ringback.protocols import FactsUsed, TurnObserved
from ringback.records import Assurance, Briefing, Call, Role, ToolUse, Turn
from ringback.schemas import SUPPORT

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
ORDERS = {"orders": [{"order_id": "7713", "item": "grinder"}, {"order_id": "7714", "item": "cup"}]}


class Retrieval:
    """Notes what is asked."""

    def __init__(self) -> None:
        self.cues: list[str] = []
        self.forgotten = 0

    def cue(self, cue: SpokenCue) -> None:
        self.cues.append(cue.text)

    def forget(self) -> None:
        self.forgotten += 1


def live() -> tuple[LiveCall, Retrieval, list[Any]]:
    recorded: list[Any] = []

    def record(entry: Any) -> Any:
        recorded.append(entry)

    call = LiveCall(Call("c", "acme", AT), record, SUPPORT)
    call.retrieval = retrieval = Retrieval()
    return call, retrieval, recorded


def caller(text: str) -> Turn:
    return Turn(Role.CALLER, text, at=AT)


def staged(cue: str, line: str, *facts: str) -> Staged:
    return Staged(SpokenCue(cue, topical(cue)), ("guard", line), topical(f"{cue} {line}"), facts)


def test_all_requests_of_a_turn_get_the_same_block_and_the_next_turn_a_new_one():
    call, *_ = live()
    call.take_staged(staged("my router", "- The router was replaced."))

    first = call.context("Is my router new?", turn=1)
    call.take_staged(staged("my router", "- The router is grey."))
    again = call.context("Is my router new?", turn=1)
    later = call.context("Is my router new?", turn=2)

    assert "replaced" in first.block
    assert again == first
    assert "grey" in later.block


def test_each_branch_of_a_pipeline_keeps_what_its_turn_was_answered_with():
    call, *_ = live()
    call.take_staged(staged("my router", "- The router was replaced."))

    first = call.context("Is my router new?", turn=("branch 1", 1))
    call.take_staged(staged("my router", "- The router is grey."))
    call.context("Is my router new?", turn=("branch 2", 1))

    assert call.context("Is my router new?", turn=("branch 1", 1)) == first


def test_only_the_newest_turns_keep_what_they_were_answered_with():
    call, *_ = live()
    call.take_staged(staged("my router", "- The router was replaced."))
    first = call.context("Is my router new?", turn=0)
    call.take_staged(staged("my router", "- The router is grey."))

    for turn in range(1, FROZEN_TURNS + 1):
        call.context("Is my router new?", turn=turn)

    assert call.context("Is my router new?", turn=0) != first


def test_what_was_staged_for_something_else_is_left_out():
    call, *_ = live()
    call.take_staged(staged("my router", "- The router was replaced."))

    assert call.context("Cancel my hotel in Lisbon.", turn=1).block == ""


def test_interims_the_pause_and_the_turn_each_ask_only_with_what_is_new():
    call, retrieval, _ = live()

    call.hear("my")
    call.hear("my broadband router")
    call.pause()
    call.observe(caller("My broadband router."))
    call.hear("and a hotel")
    call.pause()

    assert retrieval.cues == ["my broadband router", "and a hotel"]


def test_interim_words_are_never_written_down():
    call, _, recorded = live()

    call.hear("my broadband router is down")

    assert recorded == []


def test_the_application_may_say_what_the_call_is_about():
    call, retrieval, _ = live()

    call.follow_topic("billing dispute")

    assert retrieval.cues == ["billing dispute"]


def test_the_record_that_words_point_at_is_named_behind_everything_else():
    call, *_ = live()
    call.observe_tool(ToolUse("list_orders", {}, ORDERS, AT))
    call.observe(Turn(Role.AGENT, "Order 7713 is on its way.", at=AT))

    block = call.context("And the other one?", turn=1).block

    assert block == "Here the caller means order 7714: item cup."
    assert [record.id for record in call.case] == ["7713", "7714"]


def test_what_changes_the_next_request_is_told_and_what_does_not_is_not():
    call, *_ = live()
    told: list[str] = []
    call.on_change(lambda: told.append(call.context().block))

    call.take_staged(staged("my router", "- The router was replaced."))
    call.hear("my router")
    call.context("my router", turn=1)
    call.observe(caller("Cancel my hotel in Lisbon."))

    assert told == ["guard\n- The router was replaced.", ""]


def test_a_new_briefing_drops_what_was_retrieved_before_it_and_asks_again():
    call, retrieval, _ = live()
    call.observe(caller("My broadband router is down."))
    call.take_staged(staged("my router", "- The router was replaced."))

    call.take_briefing(Briefing(Assurance.CLAIMED, "dana"), "The caller is known.")

    assert call.context().block == ""
    assert retrieval.cues == ["My broadband router is down."] * 2


def test_a_forgotten_call_knows_nothing_any_more_in_the_same_turn():
    call, retrieval, _ = live()
    call.observe(caller("My broadband router is down."))
    call.observe_tool(ToolUse("list_orders", {}, ORDERS, AT))
    call.take_staged(staged("my router", "- The router was replaced."))
    before = call.context("my router", turn=1)

    call.forget()

    assert before.block
    assert call.context("my router", turn=1).block == ""
    assert call.context("the other one", turn=2).block == ""
    assert call.case == ()
    assert retrieval.forgotten == 1
    call.take_briefing(Briefing(Assurance.CLAIMED, "dana"), "The caller is known.")
    assert retrieval.cues == ["My broadband router is down."]


def test_facts_that_were_put_before_the_model_are_noted_with_the_next_turn():
    call, _, recorded = live()
    call.take_staged(staged("my router", "- The router was replaced.", "f1"))
    call.context("my router", turn=1)

    call.observe(caller("My router."))
    call.observe(caller("My router."))

    assert [type(entry) for entry in recorded] == [TurnObserved, FactsUsed, TurnObserved]
    assert recorded[1] == FactsUsed("acme", ("f1",), AT)


def test_records_of_a_tool_come_back_when_the_model_no_longer_reads_its_result():
    call, *_ = live()
    call.observe_tool(ToolUse("list_orders", {}, ORDERS, AT))
    for number in range(12):
        call.observe(caller(f"One more thing, number {number}."))

    call.take_facts(())

    assert "order 7713: item grinder" in call.context().block
