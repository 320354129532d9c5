"""Problems, promises and exceptions, as they are said in Chinese."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import pytest

from tests.core.chinese.made_chinese import facts_of, in_both_scripts, known

pytestmark = pytest.mark.unit

SAID = in_both_scripts(
    [
        (
            "我家的網路從禮拜六開始每天晚上都斷線",
            "open_matter=我家的網路從禮拜六開始每天晚上都斷線",
        ),
        ("洗衣機漏水 地上全是水", "open_matter=洗衣機漏水"),
        ("我收不到簡訊", "open_matter=我收不到簡訊"),
        ("冷氣不冷", "open_matter=冷氣不冷"),
        ("電視沒有聲音", "open_matter=電視沒有聲音"),
        ("包裹到現在都還沒收到", "open_matter=包裹到現在都還沒收到"),
        ("帳單多扣了三百塊", "open_matter=帳單多扣了三百塊"),
        ("你好我要報修 洗衣機不會轉", "open_matter=洗衣機不會轉"),
        ("我家冰箱 壞了", "open_matter=我家冰箱 壞了"),
        ("為什麼又斷線", "open_matter=為什麼又斷線"),
        ("wifi 都連不上", "open_matter=wifi 都連不上"),
        ("我的 order 還沒到", "open_matter=我的 order 還沒到"),
        ("你們的網站打不開", "open_matter=你們的網站打不開"),
        ("暖氣已經好了 不用派人來了", "not open_matter=暖氣"),
        ("上次說的漏水已經修好了", "not open_matter=漏水"),
        ("網路恢復正常了", "not open_matter=網路"),
        ("網路斷線 後來網路已經好了", "not open_matter=網路"),
        ("a: 我會傳簡訊給您。", "promise=會傳簡訊給您"),
        ("a: 我明天會傳簡訊給您", "promise=明天會傳簡訊給您 (2026-03-04)"),
        ("a: 我們會在週五前回電", "promise=會在週五前回電 (2026-03-06)"),
        ("a: 稍後會有專人與您聯絡", "promise=稍後會有專人與您聯絡"),
        ("a: 我馬上給您處理", "promise=馬上給您處理"),
        ("a: 我會 send email 給您", "promise=會 send email 給您"),
        ("a: 這次破例幫您免除違約金", "exception=這次破例幫您免除違約金"),
        (
            "a: 這次特殊處理,給您保留原來的價格到六月。",
            "exception=這次特殊處理,給您保留原來的價格到六月",
        ),
    ]
)

NOT_SAID = [
    "可能是數據機的問題吧 我也不知道",
    "網路好像壞了",
    "如果網路又斷線怎麼辦",
    "萬一冰箱壞了怎麼辦",
    "請問網路會斷線嗎",
    "保修包括進水嗎",
    "我的網路沒有壞",
    "他說網路壞了",
    "我朋友家的網路壞了",
    "隔壁鄰居的網路壞了",
    "你的聲音斷斷續續的",
    "我這邊很吵",
    "今天好熱喔",
    "沒有問題",
    "我不會用",
    "收到了 謝謝",
    "我在捷運上 訊號很差",
    "我手機快沒電了",
    "a: 我們每週三會維修",
    "a: 我幫您查一下",
    "a: 我可以傳簡訊給您嗎?",
    "a: 需要我傳簡訊給您嗎",
    "a: 如果還沒好，我會請師傅過去",
    "a: 已經幫您退款了",
    "a: 我不會再打給您",
    "a: 可能會有人聯絡您",
    "a: 每個月會寄帳單給您",
    "a: 會員可以享有折扣",
    "a: 我們不能破例",
    "a: 請您稍等，我幫您轉接",
]


@pytest.mark.parametrize(("lines", "facts"), SAID)
def test_a_matter_is_read_in_both_scripts(lines: str, facts: str):
    assert known(*lines.split(" | ")) == facts_of(facts)


@pytest.mark.parametrize("lines", NOT_SAID)
def test_a_matter_is_not_read_from_what_says_none(lines: str):
    assert known(*lines.split(" | ")) == set()
