from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from ringback.core.decay import (
    importance_of,
    influence,
    influence_of,
    is_faded,
    strength_days,
)
from ringback.records import Cardinality, Evidence, Fact, Kind, Source, Status

pytestmark = pytest.mark.unit

SAID_AT = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)

ages = st.timedeltas(min_value=timedelta(days=-1_000), max_value=timedelta(days=20_000))
last_uses = st.none() | ages
uses_counts = st.integers(min_value=-3, max_value=200)
shares = st.just(1.0) | st.floats(min_value=0, max_value=1)
strengths = st.floats(min_value=0, max_value=1_000)


def fact(
    kind: Kind = Kind.FACT,
    source: Source = Source.CALLER,
    cardinality: Cardinality = Cardinality.ONE,
) -> Fact:
    return Fact(
        id="f1",
        tenant="acme",
        call_id="c1",
        caller_id="dana",
        key="language",
        value="French",
        source=source,
        confidence=0.9,
        observed_at=SAID_AT,
        recorded_at=SAID_AT,
        evidence=Evidence("c1", 0, "French", 0, 6),
        kind=kind,
        cardinality=cardinality,
    )


def after(days: float) -> datetime:
    return SAID_AT + timedelta(days=days)


@pytest.mark.parametrize(
    ("days", "weight"),
    [(0, 1.0), (-5, 1.0), (5, 0.6065), (10, 0.3679), (20, 0.1353), (30, 0.0498)],
)
def test_an_unused_thing_fades_along_the_forgetting_curve(days: float, weight: float):
    found = influence(age=days * DAY, uses=0, last_used_age=None, importance=1, base_days=10)

    assert found == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("uses", "weight"),
    [(-3, 0.3679), (0, 0.3679), (1, 0.6065), (4, 0.8187), (20, 0.9535), (10**400, 0.9535)],
)
def test_each_use_adds_strength_up_to_a_bound(uses: int, weight: float):
    found = influence(age=10 * DAY, uses=uses, last_used_age=None, importance=1, base_days=10)

    assert found == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("last_used", "weight"),
    [(None, 0.1353), (10, 0.3679), (0, 1.0), (-3, 1.0), (25, 0.1353)],
)
def test_a_use_starts_the_clock_again(last_used: int | None, weight: float):
    found = influence(
        age=20 * DAY,
        uses=0,
        last_used_age=None if last_used is None else last_used * DAY,
        importance=1,
        base_days=10,
    )

    assert found == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("importance", "relevance", "weight"),
    [
        (1, 1, 0.3679),
        (0.5, 1, 0.1839),
        (0.5, 0.5, 0.0920),
        (0, 1, 0),
        (1, 0, 0),
        (7, 7, 0.3679),
        (-1, -1, 0),
        (math.nan, 1, 0),
        (1, math.nan, 0),
    ],
)
def test_importance_and_relevance_multiply_and_are_clipped(
    importance: float, relevance: float, weight: float
):
    found = influence(
        age=10 * DAY,
        uses=0,
        last_used_age=None,
        importance=importance,
        relevance=relevance,
        base_days=10,
    )

    assert found == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(("days", "weight"), [(0, 1.0), (1, 0.0)])
def test_without_any_strength_only_the_present_counts(days: int, weight: float):
    found = influence(age=days * DAY, uses=3, last_used_age=None, importance=1, base_days=0)

    assert found == weight


def test_endless_strength_never_fades():
    found = influence(
        age=timedelta.max, uses=0, last_used_age=None, importance=1, base_days=math.inf
    )

    assert found == 1.0


@given(ages, uses_counts, last_uses, shares, shares, strengths)
def test_influence_lies_between_nothing_and_one(age, uses, last_used, important, fits, days):
    found = influence(
        age=age,
        uses=uses,
        last_used_age=last_used,
        importance=important,
        relevance=fits,
        base_days=days,
    )

    assert 0 <= found <= 1


@given(ages, ages, uses_counts, last_uses, strengths)
def test_influence_never_rises_with_age(one, other, uses, last_used, days):
    younger, older = (
        influence(age=age, uses=uses, last_used_age=last_used, importance=0.7, base_days=days)
        for age in sorted((one, other))
    )

    assert older <= younger


@given(ages, ages, ages, uses_counts, strengths)
def test_influence_never_rises_with_the_time_since_the_last_use(age, one, other, uses, days):
    later, sooner = (
        influence(age=age, uses=uses, last_used_age=last, importance=0.7, base_days=days)
        for last in sorted((one, other))
    )

    assert sooner <= later


@given(ages, uses_counts, uses_counts, last_uses, strengths)
def test_influence_never_falls_with_uses(age, one, other, last_used, days):
    rarer, oftener = (
        influence(age=age, uses=uses, last_used_age=last_used, importance=0.7, base_days=days)
        for uses in sorted((one, other))
    )

    assert rarer <= oftener


@given(ages, uses_counts, shares, shares, shares)
def test_influence_never_falls_with_importance_or_relevance(age, uses, one, other, fixed):
    lower, higher = sorted((one, other))

    by_importance = [
        influence(age=age, uses=uses, last_used_age=None, importance=share, relevance=fixed)
        for share in (lower, higher)
    ]
    by_relevance = [
        influence(age=age, uses=uses, last_used_age=None, importance=fixed, relevance=share)
        for share in (lower, higher)
    ]

    assert by_importance[0] <= by_importance[1]
    assert by_relevance[0] <= by_relevance[1]


@pytest.mark.parametrize(
    ("kind", "source", "cardinality", "uses", "days"),
    [
        (Kind.FACT, Source.CALLER, Cardinality.ONE, 0, 3650),
        (Kind.FACT, Source.CALLER, Cardinality.ONE, 1, 7300),
        (Kind.FACT, Source.SYSTEM, Cardinality.ONE, 0, 3650),
        (Kind.FACT, Source.CALLER, Cardinality.MANY, 0, 365),
        (Kind.FACT, Source.INFERENCE, Cardinality.ONE, 0, 30),
        (Kind.EVENT, Source.CALLER, Cardinality.MANY, 0, 60),
        (Kind.EVENT, Source.CALLER, Cardinality.ONE, 2, 180),
        (Kind.EVENT, Source.INFERENCE, Cardinality.ONE, 0, 30),
        (Kind.TASK, Source.CALLER, Cardinality.MANY, 0, math.inf),
        (Kind.TASK, Source.INFERENCE, Cardinality.MANY, 0, math.inf),
        (Kind.INSTRUCTION, Source.SYSTEM, Cardinality.ONE, 0, math.inf),
    ],
)
def test_strength_differs_by_what_is_said_and_by_whom(kind, source, cardinality, uses, days):
    assert strength_days(kind, uses, source=source, cardinality=cardinality) == days


def test_a_kind_alone_means_what_the_caller_said_under_a_key_with_one_value():
    assert strength_days(Kind.FACT, 0) == 3650


@pytest.mark.parametrize(
    ("kind", "source", "importance"),
    [
        (Kind.FACT, Source.SYSTEM, 1.0),
        (Kind.FACT, Source.CALLER, 1.0),
        (Kind.FACT, Source.AGENT, 0.8),
        (Kind.FACT, Source.INFERENCE, 0.4),
        (Kind.EVENT, Source.CALLER, 0.6),
        (Kind.EVENT, Source.AGENT, 0.48),
        (Kind.EVENT, Source.INFERENCE, 0.24),
        (Kind.TASK, Source.CALLER, 1.0),
        (Kind.INSTRUCTION, Source.SYSTEM, 1.0),
    ],
)
def test_importance_differs_by_what_is_said_and_by_whom(kind, source, importance):
    assert importance_of(kind, source) == pytest.approx(importance)


def test_what_the_caller_said_under_a_key_with_one_value_keeps_nine_tenths_for_a_year():
    assert influence_of(fact(), now_at=after(365)) == pytest.approx(0.9048, abs=5e-5)


@pytest.mark.parametrize(
    ("made", "last_day"),
    [
        (fact(Kind.EVENT), 149),
        (fact(Kind.EVENT, Source.INFERENCE), 47),
        (fact(Kind.FACT, Source.INFERENCE), 62),
        (fact(Kind.FACT, Source.CALLER, Cardinality.MANY), 1093),
        (fact(Kind.FACT, Source.CALLER, Cardinality.ONE), 10_934),
    ],
    ids=["event", "inferred event", "inference", "one of many", "one value"],
)
def test_what_nobody_speaks_of_has_faded_the_day_after(made: Fact, last_day: int):
    assert not is_faded(made, now_at=after(last_day))
    assert is_faded(made, now_at=after(last_day + 1))


def test_an_event_that_comes_up_again_counts_from_then_and_is_stronger():
    made, now_at = fact(Kind.EVENT), after(200)
    used = replace(made, uses=1, last_used_at=after(150))

    assert influence_of(used, now_at=now_at) == pytest.approx(0.3955, abs=5e-5)
    assert not is_faded(used, now_at=now_at)
    assert is_faded(made, now_at=now_at)


def test_a_task_does_not_fade_in_ten_years():
    made = fact(Kind.TASK, Source.CALLER, Cardinality.MANY)

    assert influence_of(made, now_at=after(3650)) == 1.0


def test_a_fact_with_a_date_of_expiry_keeps_its_weight_until_then():
    made = replace(fact(Kind.EVENT), expires_at=after(200))

    assert influence_of(made, now_at=after(199)) == 0.6
    assert influence_of(made, now_at=after(200)) == 0.0


@pytest.mark.parametrize(
    ("status", "weight"),
    [
        (Status.ACTIVE, 1.0),
        (Status.PROVISIONAL, 1.0),
        (Status.SUPERSEDED, 0.0),
        (Status.RETIRED, 0.0),
        (Status.EXPIRED, 0.0),
    ],
)
def test_a_fact_that_has_ended_weighs_nothing(status: Status, weight: float):
    assert influence_of(replace(fact(), status=status), now_at=SAID_AT) == weight


def test_a_fact_weighs_by_how_well_it_fits_the_question():
    assert influence_of(fact(Kind.EVENT), now_at=SAID_AT, relevance=0.5) == pytest.approx(0.3)


def test_a_fact_from_a_clock_that_was_ahead_is_as_good_as_new():
    assert influence_of(fact(), now_at=after(-1)) == 1.0
