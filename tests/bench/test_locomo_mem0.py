"""The stand-in for fastembed's keyword model weighs stems, and gives each one its place."""

from __future__ import annotations

import pytest

from ringback_ops.bench.locomo_mem0 import Stems

pytestmark = pytest.mark.bench


def test_one_stem_has_one_place_in_every_text():
    lamp, lamps = Stems().embed(["a lamp", "two lamps"])

    assert set(lamp.indices) & set(lamps.indices)


def test_a_word_that_is_said_again_weighs_more_but_not_twice_as_much():
    once, twice = Stems().embed(["lamp", "lamp lamp"])

    assert once.values[0] < twice.values[0] < 2 * once.values[0]


def test_a_text_without_words_has_no_places():
    (found,) = Stems().embed(["..."])

    assert found.indices.size == found.values.size == 0
