"""Account and phone numbers, as they are said in Chinese."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import pytest

from tests.core.chinese.made_chinese import facts_of, in_both_scripts, known

pytestmark = pytest.mark.unit

SAID = in_both_scripts(
    [
        ("我的帳號是四八二一", "account_number=4821"),
        ("帳號是 48 21", "account_number=4821"),
        ("帳號幺幺零三", "account_number=1103"),
        ("帳號是三個八零一", "account_number=88801"),
        ("帳號是三三 八 零 嗯 六", "account_number=33806"),
        ("客戶編號是 A12345", "account_number=A12345"),
        ("我的合約號碼是 C 四八二一", "account_number=C4821"),
        ("帳號是五五三零 啊不對 五五零三", "account_number=5503"),
        ("帳號是四八二一。不對，四八二二。", "account_number=4822"),
        ("帳號不是四八二一，是四八二二", "account_number=4822"),
        ("以前的帳號是三三一零,現在改成七七四五了", "account_number=7745"),
        (
            "我媽媽的帳號是九一一四，我的是八八二一",
            "account_number@person:mother=9114 & account_number=8821",
        ),
        ("我的 account number 是四八二一", "account_number=4821"),
        ("a: 請問您的帳號? | 嗯 七七三零九", "account_number=77309"),
        ("a: 請問您的帳號? | 我找一下 四八二一", "account_number=4821"),
        ("a: 請問您的帳號? | 4821", "account_number=4821"),
        ("我要報帳號 | a: 好的,請說。 | 三三 八 零 嗯 六", "account_number=33806"),
        ("a: 您的帳號是4812對嗎? | 不對，4821", "account_number=4821"),
        ("a: 帳號是 4821 嗎? | 不是 4821 是 4812 才對", "account_number=4812"),
        ("a: 您的帳號是4812對嗎? | 對", "account_number=4812"),
        (
            "帳號四八二一 | a: 四八二一對嗎? | 不對 四八二二",
            "account_number=4822",
        ),
        ("帳號四八二一 | a: 請問生日? | 七四一零零三", "account_number=4821"),
        ("我的手機是零九一二 三四五 六七八", "phone=0912345678"),
        ("我的電話是幺三八零零一三八零零零", "phone=13800138000"),
        ("電話號碼 02-2345-6789", "phone=0223456789"),
        ("電話是加八八六九一二三四五六七八", "phone=+886912345678"),
        ("請打 0912345678 給我", "phone=0912345678"),
        ("我太太的電話是0912345678", "phone@person:wife=0912345678"),
        ("我手機號碼改成0922333444", "phone=0922333444"),
        (
            "a: 請問您的電話是 0912 345 678 嗎? | 不是耶 那是舊的 現在是零九三三 二二一 一零零",
            "phone=0933221100",
        ),
        ("a: 請問聯絡電話? | 0912-345-678", "phone=0912345678"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 不對,最後一碼是七", "account_number=4827"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 不是,最後兩碼是一二", "account_number=4812"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 第一位是六不是四", "account_number=6821"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 第一位是六不是三", "account_number=4821"),
        ("我的帳號是四八二一 不對 最後一碼是七", "account_number=4827"),
        ("a: 您的帳號是四八二一嗎? | 不對,最後一碼是七", "account_number=4827"),
        ("我的帳號是四八二一 | a: 請問身分證末四碼? | 末四碼是九九九九", "account_number=4821"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 最後一碼是七嗎", "account_number=4821"),
        ("我的帳號是四八二一 | a: 四八二一對嗎? | 最後一碼好像是七", "account_number=4821"),
    ]
)

NOT_SAID = [
    "帳號是四八二一開頭的",
    "a: 請問您的帳號? | 我忘了 | a: 那請輸入驗證碼 | 一二三四五六",
    "a: 請問驗證碼? | 一二三四五六",
    "帳號是四八二一嗎",
    "如果帳號是四八二一",
    "我的帳號好像是四八二一",
    "我的帳號不是四八二一",
    "不是4821這個帳號",
    "他的帳號是四八二一",
    "他說帳號是四八二一",
    "銀行帳號是四八二一三三",
    "帳號末四碼是四八二一",
    "我不記得帳號 好像是七開頭的",
    "訂單編號是 889912",
    "密碼是四八二一",
    "驗證碼是四八二一三三",
    "我的帳號是四一一一 一一一一 一一一一 一一一一",
    "一二三四五六七",
    "十二號公車",
    "三百二十塊怎麼那麼貴",
    "你們的電話是0800123456",
    "a: 我們的電話是0800123456",
    "a: 請問您的帳號? | 三百二十塊",
    "a: 請問您的帳號? | 零九一二三四五六七八是電話",
    "a: 您的帳號是4812對嗎? | 不是4812",
    "帳號要去哪裡看",
]


@pytest.mark.parametrize(("lines", "facts"), SAID)
def test_a_number_is_read_in_both_scripts(lines: str, facts: str):
    assert known(*lines.split(" | ")) == facts_of(facts)


@pytest.mark.parametrize("lines", NOT_SAID)
def test_a_number_is_not_read_from_what_says_none(lines: str):
    assert known(*lines.split(" | ")) == set()
