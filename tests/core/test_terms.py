from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ringback.terms import terms

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("来电者对花生过敏并且住在杭州西湖区", "花生"),
        ("来电者对花生过敏并且住在杭州西湖区", "花生过敏"),
        ("お客様の担当は佐藤さんで次回は木曜日です", "佐藤"),
        ("お客様の担当は佐藤さんで次回は木曜日です", "木曜日"),
        ("请把文件发到ops-ledger邮箱", "ledger"),
        ("Jose\u0301 Mun\u0303oz, flat \uff11\uff12", "José Muñoz flat 12"),
        ("disputes the drawbridge toll of 9 May", "drawbridge tolls"),
        ("My e-mail has changed", "email"),
        ("고객은 땅콩 알레르기가 있습니다", "땅콩"),
    ],
)
def test_what_is_asked_for_is_among_the_terms_of_what_was_stored(stored, asked):
    assert set(terms(asked)) <= set(terms(stored))
    assert terms(asked)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Waterline North supply contract 55810-7", "55810-8"),
        ("repairs clocks on Sundays", "where is your nearest branch?"),
        ("account 4821", "account number 4822"),
        ("がん", "かん"),
    ],
)
def test_what_is_something_else_shares_no_telling_term(stored, asked):
    assert set(terms(asked)) - {"account", "number"} <= set(terms(asked)) - set(terms(stored))


def test_a_sentence_of_empty_words_has_no_terms():
    assert terms("What is it that you have for me?") == ()


@given(st.text())
def test_any_text_has_terms_and_the_same_ones_every_time(text):
    assert terms(text) == terms(text)
    assert all(term and not term.isspace() for term in terms(text))
