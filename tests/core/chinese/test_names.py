"""Names, as they are said in Chinese."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import pytest

from tests.core.chinese.made_chinese import facts_of, in_both_scripts, known

pytestmark = pytest.mark.unit

SAID = in_both_scripts(
    [
        ("你好 我叫林志豪", "name=林志豪"),
        ("我叫李偉我想問一下", "name=李偉"),
        ("我叫歐陽娜娜 我想問一下", "name=歐陽娜娜"),
        ("我叫阿明", "name=阿明"),
        ("我是林小姐", "name=林小姐"),
        ("這裡是張先生", "name=張先生"),
        ("喂 我王大明啦", "name=王大明"),
        ("您好，敝姓王，王大明", "name=王大明"),
        ("免貴姓陳", "name=陳"),
        ("我姓林,雙木林", "name=林"),
        ("我姓歐陽", "name=歐陽"),
        ("免貴姓李，木子李，單名一個強字", "name=李強"),
        ("我叫林志豪 啊不對 我叫林志浩", "name=林志浩"),
        ("我叫林志豪 不對 林志浩", "name=林志浩"),
        ("我以前叫王美麗 現在叫王美玲", "name=王美玲"),
        ("hi 我叫 Kevin Wu 我想問一下", "name=Kevin Wu"),
        ("你好 我是 Kevin", "name=Kevin"),
        ("my name is 王大明", "name=王大明"),
        ("a: 請問貴姓大名? | 陳怡君", "name=陳怡君"),
        ("a: 請問貴姓? | 姓陳", "name=陳"),
        ("a: 請問怎麼稱呼您? | 叫我小美就好", "name=小美"),
        ("a: 請問大名? | Kevin Wu", "name=Kevin Wu"),
        ("a: 您的名字是吳建宏,對嗎? | 不是啦 是吳建鴻 鴻海的鴻", "name=吳建鴻"),
        ("a: 請問是王小姐嗎? | 不是 我是她妹妹 我叫王佳玲", "name=王佳玲"),
    ]
)

NOT_SAID = [
    "我是要問帳單",
    "我是想問一下",
    "我是你們的客戶",
    "我是高雄人",
    "我是常客",
    "我叫安排好的人",
    "我 Thursday 有空嗎",
    "我是老客戶了",
    "我是王小姐的先生",
    "我叫車去了",
    "我叫他去的",
    "我叫你們不要再來",
    "我不叫王大明",
    "我不是王小姐",
    "他叫林志豪",
    "我兒子叫小明",
    "你叫什麼名字",
    "你是王先生嗎",
    "王先生在嗎",
    "剛剛有一位林小姐打給我",
    "如果我叫王大明呢",
    "他說我叫王大明",
    "我太太姓陳",
    "a: 我姓王 很高興為您服務",
    "a: 請問您是哪位? | 我是他太太",
    "a: 請問大名? | 等一下喔",
]


@pytest.mark.parametrize(("lines", "facts"), SAID)
def test_a_name_is_read_in_both_scripts(lines: str, facts: str):
    assert known(*lines.split(" | ")) == facts_of(facts)


@pytest.mark.parametrize("lines", NOT_SAID)
def test_a_name_is_not_read_from_what_says_none(lines: str):
    assert known(*lines.split(" | ")) == set()
