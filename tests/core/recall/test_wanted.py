"""What a question is looked up by: its topic, in any script, without what makes it a question."""

from __future__ import annotations

import pytest

from ringback.core.recall.wanted import wanted_terms
from ringback.terms import terms

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is the drawbridge toll?", ("drawbridg", "toll")),
        ("Do you know where I keep the keys?", ("keep", "key")),
        ("Who is on account 55810-7?", ("account", "55810-7")),
        ("Where is it?", ()),
        ("", ()),
    ],
)
def test_of_english_the_empty_words_are_left_out(question: str, wanted: tuple[str, ...]):
    assert wanted_terms(question) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("請問我的帳號是多少?", {"帳號"}),
        ("你還記得我對花生過敏嗎?", {"花生", "過敏"}),
        ("什麼時候送貨?", {"送貨"}),
        ("我女兒叫什麼名字?", {"女兒", "名字"}),
    ],
)
def test_of_traditional_chinese_question_words_are_left_out(question: str, wanted: set[str]):
    assert wanted <= set(wanted_terms(question))
    assert not {"請問", "什麼", "多少", "時候", "我的", "我女", "叫什", "記得"} & set(
        wanted_terms(question)
    )


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("请问我的账号是多少?", {"账号"}),
        ("你还记得我对花生过敏吗?", {"花生", "过敏"}),
        ("什么时候送货?", {"送货"}),
        ("我女儿叫什么名字?", {"女儿", "名字"}),
    ],
)
def test_of_simplified_chinese_question_words_are_left_out(question: str, wanted: set[str]):
    assert wanted <= set(wanted_terms(question))
    assert not {"请问", "什么", "多少", "时候", "我的", "我女", "叫什", "记得"} & set(
        wanted_terms(question)
    )


@pytest.mark.parametrize(
    ("question", "wanted", "empty"),
    [
        ("担当は誰ですか?", {"担当"}, {"です", "すか", "誰"}),
        ("次の予約はいつでしたっけ?", {"予約"}, {"いつ", "した", "っけ", "次の", "約は"}),
        ("駐車場はどこですか?", {"駐車", "車場"}, {"どこ", "です", "場は"}),
        ("アレルギーを教えてください", {"アレ", "ギー"}, {"教え", "くだ"}),
    ],
)
def test_of_japanese_question_words_and_halves_of_endings_are_left_out(question, wanted, empty):
    found = set(wanted_terms(question))

    assert wanted <= found
    assert not empty & found


@pytest.mark.parametrize(
    ("question", "wanted", "empty"),
    [
        ("제 계좌번호가 뭐예요?", {"계좌", "번호"}, {"뭐예", "예요", "제"}),
        ("담당자는 누구인가요?", {"담당", "당자"}, {"누구", "인가", "가요"}),
        ("주차장이 어디예요?", {"주차", "차장"}, {"어디", "예요"}),
    ],
)
def test_of_korean_question_words_are_left_out(question, wanted, empty):
    found = set(wanted_terms(question))

    assert wanted <= found
    assert not empty & found


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("我的 ops-ledger 郵箱是什麼?", {"op", "ledger", "郵箱"}),
        ("WhatsApp 是哪個號碼?", {"whatsapp", "號碼"}),
        ("訂單B-22是誰送的?", {"訂單", "b-22"}),
    ],
)
def test_a_question_in_two_scripts_keeps_the_words_of_both(question: str, wanted: set[str]):
    assert wanted <= set(wanted_terms(question))


@pytest.mark.parametrize("question", ["是什麼?", "哪裡", "いつ", "뭐예요?", "你记得吗?"])
def test_where_nothing_would_be_left_all_is_kept(question: str):
    assert wanted_terms(question) == terms(question) != ()


def test_what_parts_two_words_makes_no_pair_across_them():
    assert "花敏" not in wanted_terms("花的敏")


def test_only_halves_of_endings_are_kept_where_there_is_nothing_else():
    assert wanted_terms("ねこのえさ") != ()
