"""Addresses and wishes about contact, as they are said in Chinese."""

from __future__ import annotations

import pytest

from tests.core.chinese.made_chinese import facts_of, in_both_scripts, known

pytestmark = pytest.mark.unit

SAID = in_both_scripts(
    [
        ("傳簡訊給我就好", "contact_preference=text"),
        ("可以傳簡訊給我嗎", "contact_preference=text"),
        ("不用打給我 傳簡訊就好", "contact_preference=text"),
        ("別發短信 打電話就行", "contact_preference=phone call"),
        ("直接打電話比較快", "contact_preference=phone call"),
        ("不要再打電話來了", "contact_preference=no calls"),
        ("不用寄信給我", "contact_preference=no letters"),
        ("請寄信給我", "contact_preference=letter"),
        ("我比較喜歡用電子郵件", "contact_preference=email"),
        ("不要 call 我 send 個 email 就好", "contact_preference=email"),
        ("a: 要怎麼通知您比較好? | 寄 email 好了", "contact_preference=email"),
        ("a: 請問要用電話還是簡訊通知您? | 簡訊", "contact_preference=text"),
        ("晚上六點以後打給我", "contact_time=after 18:00"),
        ("請在下午三點到五點之間打給我", "contact_time=between 15:00 and 17:00"),
        ("早上九點以前不要打", "contact_time=after 09:00"),
        ("下午再打", "contact_time=下午"),
        ("a: 什麼時候打給您方便? | 下午五點以後吧", "contact_time=after 17:00"),
        ("我只會講中文", "language=Chinese"),
        ("請說普通話", "language=Mandarin"),
        ("我可以講英語嗎 我中文不太好", "language=English"),
        ("可以請你講國語嗎 我英文不好", "language=Mandarin"),
        ("我想用日文溝通", "language=Japanese"),
        ("我的信箱是 wang 點 da 小老鼠 gmail 點 com", "email=wang.da@gmail.com"),
        ("我的信箱是 wanglei 下劃線 88 艾特 example 點 cn", "email=wanglei_88@example.cn"),
        ("我的信箱是一二三四五六艾特qq點com", "email=123456@qq.com"),
        ("信箱是 w a n g 一二三 小老鼠 gmail dot com", "email=wang123@gmail.com"),
        (
            "a: 請問您的電子信箱? | kevin 減號 wu 小老鼠 example 點 org",
            "email=kevin-wu@example.org",
        ),
        ("我的信箱是 wang 小老鼠 gmail 點 com 不對 是 yahoo 點 com", "email=wang@yahoo.com"),
        ("我住在台北市信義路五段七號十二樓", "address=台北市信義路五段七號十二樓"),
        (
            "我住北京市朝陽區建國路八十八號三號樓一單元五零二室",
            "address=北京市朝陽區建國路八十八號三號樓一單元五零二室",
        ),
        ("我媽媽住在板橋區文化路二十號", "address@person:mother=板橋區文化路二十號"),
        ("a: 請問您的地址? | 新北市板橋區文化路一段二十號", "address=新北市板橋區文化路一段二十號"),
        (
            "我住在台北市中山路一段十號 不對 台北市中山路一段十二號",
            "address=台北市中山路一段十二號",
        ),
    ]
)

NOT_SAID = [
    "你們可以發簡訊嗎",
    "你們一直傳簡訊給我",
    "我媽媽比較喜歡打電話",
    "請傳簡訊給我媽媽",
    "他說傳簡訊就好",
    "如果有問題傳簡訊給我",
    "我會寄email給你們",
    "麻煩把帳單寄email給我",
    "我先生說不要打電話",
    "請不要在上班時間打給我",
    "a: 請問要用電話還是簡訊通知您? | 都可以",
    "a: 您可以傳簡訊到我們的號碼",
    "我昨天晚上六點以後打給你們",
    "你們幾點以後有人",
    "可以講中文嗎",
    "你們有講英文的客服嗎",
    "我不會講英文",
    "我媽媽只會講台語",
    "他的信箱是 wang 小老鼠 gmail 點 com",
    "我沒有 email",
    "我沒有電子信箱",
    "信箱是什麼",
    "我以前住在板橋區文化路二十號",
    "他住在台北市信義路五段七號",
    "我住在台北",
    "a: 請問您的地址? | 我住在公司附近",
]


@pytest.mark.parametrize(("lines", "facts"), SAID)
def test_a_wish_is_read_in_both_scripts(lines: str, facts: str):
    assert known(*lines.split(" | ")) == facts_of(facts)


@pytest.mark.parametrize("lines", NOT_SAID)
def test_a_wish_is_not_read_from_what_says_none(lines: str):
    assert known(*lines.split(" | ")) == set()
