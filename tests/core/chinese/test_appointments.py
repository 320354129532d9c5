"""Dates that are settled, moved and called off in Chinese."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import pytest

from tests.core.chinese.made_chinese import facts_of, in_both_scripts, known

pytestmark = pytest.mark.unit

SAID = in_both_scripts(
    [
        ("我想約明天下午三點", "appointment=2026-03-04T15:00+08:00"),
        ("那就大後天吧", "appointment=2026-03-06"),
        ("那我們約 Friday 下午三點好了", "appointment=2026-03-06T15:00+08:00"),
        ("下週五下午兩點過來吧", "appointment=2026-03-13T14:00+08:00"),
        ("下下禮拜一早上九點可以", "appointment=2026-03-16T09:00+08:00"),
        ("幫我約這禮拜五早上", "appointment=2026-03-06"),
        ("三月六號下午兩點半可以", "appointment=2026-03-06T14:30+08:00"),
        ("我要預約十五號", "appointment=2026-03-15"),
        ("3/10 下午三點來裝", "appointment=2026-03-10T15:00+08:00"),
        ("半小時後打給我", "appointment=2026-03-03T14:35+08:00"),
        ("二十四小時後再打給我", "appointment=2026-03-04T14:05+08:00"),
        ("兩個禮拜後再約", "appointment=2026-03-17"),
        ("明天中午過來", "appointment=2026-03-04T12:00+08:00"),
        ("週五上午十點一刻過來", "appointment=2026-03-06T10:15+08:00"),
        ("週五下午三點半…不對，四點", "appointment=2026-03-06T16:00+08:00"),
        ("三號 不對不對 五號下午過來吧", "appointment=2026-03-05"),
        ("週三不行改到週四吧 上午十一點", "appointment=2026-03-05T11:00+08:00"),
        ("不是週五是週四下午三點來", "appointment=2026-03-05T15:00+08:00"),
        ("改到下週二好嗎", "appointment=2026-03-10"),
        ("a: 請問您什麼時候方便? | 週四下午", "appointment=2026-03-05"),
        ("a: 幫您排週四早上九點或下午兩點? | 下午兩點好了", "appointment=2026-03-05T14:00+08:00"),
        ("a: 幫您安排明天下午三點好嗎? | 好", "appointment=2026-03-04T15:00+08:00"),
        ("明天下午三點可以來嗎 | a: 好的，沒問題。", "appointment=2026-03-04T15:00+08:00"),
        ("a: 幫您約好三月六號下午三點了", "appointment=2026-03-06T15:00+08:00"),
        ("想約師傅來看冷氣 | a: 好的，週六早上十點沒問題。", "appointment=2026-03-07T10:00+08:00"),
        ("約週五下午三點 | a: 好 | 啊 還是四點好了", "appointment=2026-03-06T16:00+08:00"),
        ("約週五下午三點 | a: 好的 | 改到後天 同樣的時間", "appointment=2026-03-05T15:00+08:00"),
        ("我要取消明天的預約", "not appointment=2026-03-04"),
        ("我想取消預約", "not appointment=any"),
        ("我想 cancel 我的 appointment | a: 好的,已經 cancel 了。", "not appointment=any"),
    ]
)

NOT_SAID = [
    "週六行嗎 | a: 週六我們不上門,抱歉。",
    "明天下午三點可以來嗎",
    "大後天可以嗎",
    "上週三你們來過",
    "從禮拜六開始",
    "每週三來",
    "週五或週六都可以",
    "週四週五都不行",
    "明天不行",
    "師傅明天過來不方便",
    "我明天要出國",
    "我下禮拜要出國",
    "如果明天下午三點可以的話",
    "他說明天下午三點可以",
    "今天天氣真好",
    "那我明天再打給你們好了",
    "我昨天下午三點打過電話",
    "我不想取消預約",
    "a: 您什麼時候發現的? | 禮拜天晚上七點半",
    "a: 明天上午還是下午? | 好",
    "a: 明天上午或後天下午可以嗎? | 好",
    "a: 明天上午九點或十點可以嗎? | 好",
    "a: 繳費期限是三月二十號。",
    "a: 我們週日休息。",
    "a: 需要幫您安排明天嗎",
    "a: 您明天要出國嗎? | 對",
    "a: 明天已經滿了",
    "今天早上十點過來",
]


@pytest.mark.parametrize(("lines", "facts"), SAID)
def test_a_date_is_read_in_both_scripts(lines: str, facts: str):
    assert known(*lines.split(" | ")) == facts_of(facts)


@pytest.mark.parametrize("lines", NOT_SAID)
def test_a_date_is_not_read_from_what_says_none(lines: str):
    assert known(*lines.split(" | ")) == set()
