"""What counts as how many tokens, and what a tool's result is cut to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from ringback.core.budget import (
    LEAST_RESULT_TOKENS,
    Gauge,
    cut_result,
    fitted_lines,
    rough_count,
)

pytestmark = pytest.mark.unit

TEXTS = st.builds(lambda text, times: text * times, st.text(max_size=6), st.integers(0, 90))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: (
        st.builds(lambda rows, times: rows * times, st.lists(inner, max_size=3), st.integers(1, 9))
        | st.dictionaries(st.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=9,
)
ORDERS = [{"id": n, "status": "shipped", "note": "left with a neighbour " * 9} for n in range(50)]


@given(VALUES, st.integers(0, 400))
def test_a_cut_result_is_within_its_limit_and_still_json(value: object, limit: int):
    text = json.dumps(value, ensure_ascii=False)

    cut = cut_result(text, limit, rough_count)

    assert rough_count(cut) <= max(limit, LEAST_RESULT_TOKENS)
    json.loads(cut)


@given(TEXTS, st.integers(0, 400))
def test_a_result_that_is_no_json_is_within_its_limit(text: str, limit: int):
    assert rough_count(cut_result(text, limit, rough_count)) <= max(limit, LEAST_RESULT_TOKENS)


@given(VALUES, st.integers(0, 400))
def test_a_result_that_was_cut_is_not_cut_again(value: object, limit: int):
    cut = cut_result(json.dumps(value), limit, rough_count)

    if rough_count(cut) <= limit:
        assert cut_result(cut, limit, rough_count) == cut


def test_a_result_that_fits_is_left_as_it_is():
    text = '{ "status":  "shipped" }'

    assert cut_result(text, 10, rough_count) == text


def test_rows_are_left_out_and_counted():
    cut = json.loads(cut_result(json.dumps(ORDERS), 300, rough_count))

    assert cut[0]["id"] == 0
    assert cut[0]["status"] == "shipped"
    assert cut[-1] == f"{50 - (len(cut) - 1)} more left out"


def test_short_fields_outlive_long_ones():
    order = {"note": "x " * 4_000, "status": "shipped", "rows": ["y" * 90] * 90, "total": 41.5}

    cut = json.loads(cut_result(json.dumps(order), 24, rough_count))

    assert cut["status"] == "shipped"
    assert cut["total"] == 41.5


def test_text_keeps_its_beginning_and_says_how_much_is_left_out():
    cut = cut_result("The parcel is in Leeds. " + "x" * 9_000, 100, rough_count)

    assert cut.startswith("The parcel is in Leeds.")
    assert cut.endswith("more characters left out)")


def test_json_deeper_than_python_reads_is_cut_as_text():
    assert rough_count(cut_result("[" * 100_000, 50, rough_count)) <= 50


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("four", 1), ("fours", 2), ("我要退款", 4)])
def test_signs_beyond_latin_are_a_token_each(text: str, tokens: int):
    assert rough_count(text) == tokens


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=50)), st.integers(0, 60))
def test_lines_that_fit_are_the_first_ones(lines: list[str], limit: int):
    text = "\n".join(lines)

    fitted = fitted_lines(text, limit, rough_count)

    assert text.startswith(fitted)
    assert rough_count(fitted) <= limit
    assert fitted == text or rough_count(text) > limit


def test_what_the_messages_do_not_show_is_learnt_from_one_reply():
    gauge = Gauge()

    gauge.learn(100, 600)

    assert gauge.counted(1_000) == 500


def test_what_a_counted_token_is_worth_is_learnt_from_two_replies():
    gauge = Gauge()

    gauge.learn(100, 650)
    gauge.learn(500, 1_250)

    assert gauge.ratio == 1.5
    assert gauge.fixed == 500
    assert gauge.counted(1_250) == 500


def test_a_count_that_belongs_to_another_request_moves_the_ratio_within_bounds():
    gauge = Gauge()

    gauge.learn(100, 650)
    gauge.learn(500, 90_000)

    assert gauge.ratio == 4.0


@given(st.lists(st.tuples(st.integers(0, 9_000), st.integers(0, 9_000))), st.integers(0, 9_000))
def test_whatever_was_learnt_no_limit_is_negative(learnt: list[tuple[int, int]], limit: int):
    gauge = Gauge()
    for counted, real in learnt:
        gauge.learn(counted, real)

    assert gauge.counted(limit) >= 0
