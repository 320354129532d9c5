"""Ids as a person types them: a whole one, or the beginning of a hash."""

from __future__ import annotations

import pytest

from ringback import RingbackError
from ringback_ops.short_id import full_id, short

pytestmark = pytest.mark.framework

ONE = "abcd1" + "0" * 27
OTHER = "abcd2" + "0" * 27
KNOWN = (ONE, OTHER, "call-12")


def test_a_hash_is_shown_by_its_beginning_and_a_name_whole():
    assert short(ONE) == "abcd1000"
    assert short("customer-456") == "customer-456"


def test_a_beginning_that_one_hash_has_names_it():
    assert full_id("abcd1", KNOWN, what="call", listing="x") == ONE


def test_a_name_is_meant_as_a_whole_only():
    assert full_id("call-12", KNOWN, what="call", listing="x") == "call-12"
    with pytest.raises(RingbackError, match="no call 'call-1' here"):
        full_id("call-1", KNOWN, what="call", listing="x")


@pytest.mark.parametrize(
    ("typed", "why"),
    [("abcd", "2 calls begin with 'abcd'"), ("abc", "too short"), ("ffff", "`ringback calls`")],
)
def test_what_is_ambiguous_short_or_unknown_is_refused(typed: str, why: str):
    with pytest.raises(RingbackError, match=why):
        full_id(typed, KNOWN, what="call", listing="ringback calls")
