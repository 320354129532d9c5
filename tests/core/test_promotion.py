from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.promotion import decide
from ringback.records import (
    Action,
    Assurance,
    Call,
    Candidate,
    Cardinality,
    Decision,
    Durability,
    Evidence,
    Fact,
    Handle,
    HandleKind,
    Kind,
    Outcome,
    Role,
    Scope,
    Sensitivity,
    Source,
    Status,
    Turn,
)
from ringback.schemas import SUPPORT, Schema
from ringback.schemas.declaration import Promotion
from tests.core.made_statements import made_field, stated

pytestmark = pytest.mark.unit

START = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


def call(number: int = 1) -> Call:
    return Call(f"call-{number}", "acme", START, caller_id="dana")


def candidate(
    key: str = "account_number",
    value: str = "4821",
    *,
    source: Source = Source.CALLER,
    confidence: float = 0.9,
    minute: int = 0,
    number: int = 1,
) -> Candidate:
    field = SUPPORT.field(key)
    return Candidate(
        key=key,
        value=value,
        source=source,
        confidence=confidence,
        observed_at=START + timedelta(minutes=minute),
        evidence=Evidence(f"call-{number}", minute, value or "x", 0, len(value or "x")),
        cardinality=field.cardinality if field else Cardinality.ONE,
    )


def decided(*candidates: Candidate, current: tuple[Fact, ...] = (), number: int = 1):
    return decide(
        candidates,
        current,
        call=call(number),
        recorded_at=START + timedelta(days=1),
        schema=SUPPORT,
    )


def fact(made: Candidate, number: int = 1) -> Fact:
    (decision,) = decided(made, number=number)
    assert decision.fact is not None
    return decision.fact


def test_a_new_statement_is_added_with_its_times():
    (decision,) = decided(candidate())

    assert (decision.action, decision.reason) == (Action.ADD, "new")
    assert decision.fact is not None
    assert decision.fact.status is Status.ACTIVE
    assert decision.fact.caller_id == "dana"
    assert decision.fact.valid_from == START
    assert decision.fact.recorded_at == START + timedelta(days=1)
    assert decision.fact.expires_at is None


def test_a_newer_value_supersedes_the_known_one():
    known = fact(candidate())

    (decision,) = decided(candidate(value="4827", minute=5, number=2), current=(known,), number=2)

    assert (decision.action, decision.reason) == (Action.UPDATE, "newer than what was known")
    assert decision.fact is not None
    assert decision.fact.supersedes == known.id
    assert decision.superseded == replace(
        known, status=Status.SUPERSEDED, valid_to=START + timedelta(minutes=5)
    )


KNOWN = candidate(minute=10)
SKIPPED = [
    (candidate(minute=10), "already known"),
    (candidate(minute=5, number=2), "already known"),
    (candidate(value="4827", minute=5, number=2), "older than what is known"),
    (
        candidate(value="4827", minute=10, confidence=0.8, number=2),
        "less certain than what is known",
    ),
    (candidate(value="4827", minute=20, source=Source.AGENT, number=2), "stated by the wrong role"),
    (candidate(value="4827", minute=20, confidence=0.4, number=2), "low confidence"),
    (candidate(key="pin_hint", value="harbour", number=2), "outside the schema"),
    (candidate(key="promise", value="call back", number=2), "stated by the wrong role"),
    (
        replace(candidate(minute=20), kind=Kind.INSTRUCTION),
        "instructions are not taken from a conversation",
    ),
    (candidate(value=" ", minute=20, number=2), "without a value"),
    (replace(candidate(minute=20), evidence=Evidence("call-1", 0, "", 0, 0)), "without evidence"),
    (replace(candidate(minute=20), evidence=Evidence("call-9", 0, "a", 0, 1)), "from another call"),
]


@pytest.mark.parametrize(("made", "reason"), SKIPPED, ids=[reason for _, reason in SKIPPED])
def test_what_is_skipped_says_why(made: Candidate, reason: str):
    number = 1 if made.evidence.call_id == "call-9" else int(made.evidence.call_id[-1])

    (decision,) = decided(made, current=(fact(KNOWN),), number=number)

    assert (decision.action, decision.reason, decision.fact) == (Action.SKIP, reason, None)


def test_the_system_of_record_outweighs_what_was_said_later():
    record = fact(candidate(source=Source.SYSTEM))

    (decision,) = decided(candidate(value="4827", minute=9, number=2), current=(record,), number=2)

    assert (decision.action, decision.reason) == (Action.SKIP, "weaker source than what is known")


def test_the_system_of_record_replaces_what_was_said_later():
    said = fact(candidate(minute=9))

    (decision,) = decided(
        candidate(value="4827", source=Source.SYSTEM, number=2), current=(said,), number=2
    )

    assert (decision.action, decision.reason) == (
        Action.UPDATE,
        "stronger source than what was known",
    )
    assert decision.superseded is not None
    assert decision.superseded.valid_to == START + timedelta(minutes=9)


def test_the_agents_newer_word_moves_an_appointment():
    known = fact(candidate("appointment", "2026-03-20"))

    (decision,) = decided(
        candidate("appointment", "2026-03-21", source=Source.AGENT, minute=1), current=(known,)
    )

    assert decision.action is Action.UPDATE


def test_a_first_name_does_not_replace_a_full_name():
    known = fact(candidate("name", "Dana Whitfield"))

    (decision,) = decided(candidate("name", "Beatrix", minute=9), current=(known,))

    assert (decision.action, decision.reason) == (Action.SKIP, "a full name is known")


def test_a_full_name_replaces_a_first_name_even_if_it_was_said_before():
    known = fact(candidate("name", "Dana", minute=9))

    (decision,) = decided(candidate("name", "Dana Whitfield"), current=(known,))

    assert (decision.action, decision.reason) == (Action.UPDATE, "the full name")


def test_a_value_said_again_later_counts_from_then_on():
    known = fact(candidate())

    (decision,) = decided(candidate(minute=9, number=2), current=(known,), number=2)

    assert (decision.action, decision.reason) == (Action.UPDATE, "said again")


def test_a_more_certain_reading_of_the_same_moment_wins():
    known = fact(candidate(confidence=0.6))

    (decision,) = decided(candidate(value="4827", number=2), current=(known,), number=2)

    assert (decision.action, decision.reason) == (Action.UPDATE, "more certain than what was known")


def test_doubtful_words_are_kept_as_provisional():
    assert fact(candidate(confidence=0.63)).status is Status.PROVISIONAL


@pytest.mark.parametrize(
    ("minute", "action"), [(8, Action.SKIP), (9, Action.SKIP), (10, Action.ADD)]
)
def test_what_expired_gives_way_to_what_is_said_later_and_revives_nothing(minute, action):
    ended = replace(fact(candidate(minute=9, source=Source.SYSTEM)), status=Status.EXPIRED)

    (decision,) = decided(
        candidate(value="4827", minute=minute, number=2), current=(ended,), number=2
    )

    assert decision.action is action
    assert decision.reason == ("new" if action is Action.ADD else "older than what is known")


def test_many_matters_stand_side_by_side():
    decisions = decided(
        candidate("open_matter", "my internet is down"),
        candidate("open_matter", "my internet is not down", minute=1),
        candidate("open_matter", "My internet is down.", minute=2),
    )

    assert [decision.action for decision in decisions] == [Action.ADD, Action.ADD, Action.UPDATE]


def test_of_two_values_in_one_call_the_later_supersedes_the_earlier():
    first, second = decided(candidate(value="4827", minute=3), candidate())

    assert (first.candidate.value, second.candidate.value) == ("4821", "4827")
    assert second.superseded is not None
    assert second.superseded.value == "4821"


@pytest.mark.parametrize(
    ("key", "value", "expires_at"),
    [
        ("appointment", "2026-03-20", datetime(2026, 3, 22, tzinfo=UTC)),
        ("appointment", "2026-03-20T14:00-05:00", datetime(2026, 3, 21, 19, tzinfo=UTC)),
        ("appointment", "2026-03-20T14:00", datetime(2026, 3, 21, 14, tzinfo=UTC)),
        ("appointment", "on Friday", datetime(2026, 3, 8, tzinfo=UTC)),
        ("open_matter", "it is down", datetime(2026, 6, 1, 12, tzinfo=UTC)),
        ("open_matter", "some 10 chars", datetime(2026, 6, 1, 12, tzinfo=UTC)),
        ("open_matter", "2026-04-20T14:00", datetime(2026, 6, 1, 12, tzinfo=UTC)),
        ("open_matter", "2026-13-20", datetime(2026, 6, 1, 12, tzinfo=UTC)),
        ("open_matter", "9999-12-31", datetime(2026, 6, 1, 12, tzinfo=UTC)),
    ],
)
def test_what_is_bound_in_time_expires(key: str, value: str, expires_at: datetime):
    assert fact(candidate(key, value)).expires_at == expires_at


POLICY = Schema(
    "policy",
    (
        made_field("seat"),
        made_field("mood", durability=Durability.MOMENT),
        made_field("religion", promotion=Promotion.REFUSED, sources=()),
        made_field("refund", kind=Kind.EVENT, scope=Scope.CASE),
        made_field("order_note", scope=Scope.CASE),
        made_field("opening_hours", scope=Scope.ORGANISATION),
        made_field("address", sensitivity=Sensitivity.SENSITIVE, is_speakable=False),
        made_field("pin", sensitivity=Sensitivity.SECRET, is_speakable=False),
        made_field("greeting", kind=Kind.INSTRUCTION, sources=(Source.SYSTEM,)),
    ),
)
CLAIMED = Call("call-1", "acme", START, handles=(Handle(HandleKind.PHONE, "+15550100199"),))
VERIFIED = replace(call(), assurance=Assurance.VERIFIED)
NOBODYS = Call("call-1", "acme", START)


def policy(made: Candidate, of: Call = CLAIMED, turns: tuple[Turn, ...] = ()) -> Decision:
    """The one decision on a statement under the policy's schema."""
    (decision,) = decide((made,), (), call=of, recorded_at=START, schema=POLICY, turns=turns)
    return decision


def seat(**changes: Any) -> Candidate:
    named: dict[str, Any] = {"key": "seat", "value": "aisle"}
    return stated(**(named | changes))


REFUSED = [
    ({"key": "shoe_size"}, "outside the schema"),
    ({"key": "greeting"}, "stated by the wrong role"),
    (
        {"key": "greeting", "kind": Kind.INSTRUCTION},
        "instructions are not taken from a conversation",
    ),
    ({"is_speculation": True}, "a guess, not a statement"),
    ({"durability": Durability.MOMENT}, "a state that passes"),
    ({"sensitivity": Sensitivity.SENSITIVE}, "more sensitive than the schema allows"),
    ({"key": "religion"}, "the schema keeps nothing of this kind"),
    ({"key": "religion", "source": Source.SYSTEM}, "the schema keeps nothing of this kind"),
    ({"kind": Kind.EVENT}, "an event that happened once, not a lasting trait"),
    ({"confidence": 0.49}, "low confidence"),
    ({"key": "pin"}, "needs a verified caller"),
    (
        {"source": Source.SYSTEM, "evidence": Evidence("call-1", 0, "", 0, 0)},
        "without evidence",
    ),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_the_policy_does_not_keep_is_skipped_with_its_reason(changes: dict, reason: str):
    decision = policy(seat(**changes))

    assert (decision.action, decision.reason, decision.fact) == (Action.SKIP, reason, None)
    assert [one.outcome for one in decision.checks] == [Outcome.PASSED] * 8


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "mood", "durability": Durability.MOMENT},
        {"durability": Durability.LASTING},
        {"sensitivity": Sensitivity.OPEN},
        {"key": "refund", "kind": Kind.EVENT},
        {"key": "order_note", "kind": Kind.EVENT},
        {"kind": Kind.EVENT, "scope": Scope.CASE},
        {"key": "opening_hours", "kind": Kind.EVENT},
        {"key": "greeting", "kind": Kind.INSTRUCTION, "source": Source.SYSTEM},
        {"key": "pin", "source": Source.SYSTEM},
        {"key": "address"},
        {"confidence": 0.5},
    ],
)
def test_what_the_policy_keeps_is_added(changes: dict):
    assert policy(seat(**changes)).action is Action.ADD


def test_what_is_sensitive_is_kept_of_somebody_and_a_secret_of_a_verified_caller():
    address, pin = stated("address", "9 Quill Lane"), stated("pin", "harbour")

    assert policy(address, NOBODYS).reason == "needs a known caller"
    assert policy(address, CLAIMED).action is Action.ADD
    assert policy(pin, CLAIMED).reason == "needs a verified caller"
    assert policy(pin, VERIFIED).action is Action.ADD


def test_what_is_sensitive_is_provisional_until_its_caller_is_verified():
    claimed = policy(stated("address", "9 Quill Lane"), CLAIMED).fact
    verified = policy(stated("address", "9 Quill Lane"), VERIFIED).fact
    record = policy(stated("address", "9 Quill Lane", source=Source.SYSTEM), CLAIMED).fact

    assert [one.status if one else None for one in (claimed, verified, record)] == [
        Status.PROVISIONAL,
        Status.ACTIVE,
        Status.ACTIVE,
    ]


def test_a_fact_takes_what_its_candidate_says_and_what_its_schema_says():
    since = START - timedelta(days=400)
    made = stated(
        "address",
        "9 Quill Lane",
        subject="person:rosa",
        object="place:porto",
        speaker="speaker-2",
        sensitivity=Sensitivity.OPEN,
        scope=Scope.CASE,
        valid_from=since,
    )

    kept = policy(made, VERIFIED).fact

    assert kept is not None
    assert (kept.subject, kept.object, kept.speaker) == ("person:rosa", "place:porto", "speaker-2")
    assert kept.sensitivity is Sensitivity.SENSITIVE  # never less than its field
    assert not kept.is_speakable
    assert kept.scope is Scope.CASE
    assert (kept.valid_from, kept.observed_at) == (since, START)


def test_a_statement_never_holds_for_more_than_its_field():
    wide = policy(stated("seat", "aisle", scope=Scope.ORGANISATION)).fact
    narrow = policy(stated("opening_hours", "nine to five")).fact

    assert wide is not None
    assert wide.scope is Scope.CALLER
    assert narrow is not None
    assert narrow.scope is Scope.ORGANISATION


def test_a_decision_tells_what_its_candidate_went_through():
    turns = (Turn(Role.CALLER, "the aisle, always the aisle", START, 0),)
    made = stated("seat", "aisle")
    moved = replace(made, evidence=Evidence("call-1", 0, "the aisle", 3, 12))
    unsaid = replace(moved, value="Window")

    repaired, dropped = policy(moved, turns=turns), policy(unsaid, turns=turns)

    assert repaired.candidate == moved
    assert repaired.fact is not None
    assert repaired.fact.evidence == Evidence("call-1", 0, "the aisle", 0, 9)
    assert [one.name for one in repaired.checks if one.outcome is Outcome.REPAIRED] == [
        "verifiable"
    ]
    assert (dropped.action, dropped.reason) == (Action.SKIP, "a name in its value was not said")
    assert dropped.checks[-1].outcome is Outcome.DROPPED
    assert dropped.fact is None


def test_the_strongest_of_what_one_turn_says_twice_is_taken():
    made = stated("seat", "aisle")
    guess = replace(made, source=Source.INFERENCE)

    first, second = decide((guess, made), (), call=CLAIMED, recorded_at=START, schema=POLICY)

    assert first.fact is not None
    assert first.fact.source is Source.CALLER
    assert second.reason == "already known"


def processed(calls: list[tuple[int, list[Candidate]]]) -> set[tuple[str, str, datetime, str]]:
    """What is current after these calls, as a store would keep it."""
    kept: dict[str, Fact] = {}
    for number, made in calls:
        standing = tuple(kept.values())
        for decision in decided(*made, current=standing, number=number):
            if decision.superseded:
                kept.pop(decision.superseded.id)
            if decision.fact:
                kept[decision.fact.id] = decision.fact
    return {(known.key, known.value, known.observed_at, known.id) for known in kept.values()}


STATED = st.lists(
    st.builds(
        candidate,
        st.sampled_from(["account_number", "name", "open_matter", "appointment", "promise"]),
        st.sampled_from(["4821", "4827", "Dana", "Dana Whitfield", "Bob", "not 4821"]),
        source=st.sampled_from(Source),
        confidence=st.sampled_from([0.4, 0.6, 0.9]),
        minute=st.integers(0, 6),
    ),
    max_size=4,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(STATED, min_size=1, max_size=5), st.data())
def test_the_order_in_which_calls_are_processed_does_not_matter(statements, data):
    calls = [
        (number, [replace(c, evidence=replace(c.evidence, call_id=f"call-{number}")) for c in made])
        for number, made in enumerate(statements, start=1)
    ]
    shuffled = data.draw(st.permutations(calls))

    assert processed(calls) == processed(shuffled)


@settings(max_examples=50, deadline=None)
@given(STATED)
def test_a_call_that_is_processed_twice_changes_nothing(statements):
    assert processed([(1, statements)]) == processed([(1, statements), (1, statements)])
