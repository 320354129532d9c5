"""What the talk is about: the words that say which number comes next.

A label is looked for at each word that may begin one. It holds for the numbers behind it,
in the same turn or in the answer, until another label or until its number has been said.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ringback.core.masking.check_digits import Sensitive


class Topic(StrEnum):
    """What the next number is."""

    CARD = "card"
    CVV = "a card's security code"
    PASSCODE = "a one-time code or PIN"
    EXPIRY = "a card's expiry"
    SSN = "social security"
    SSN_END = "the last four of it"
    ID = "national id"
    IBAN = "IBAN"
    PHONE = "phone"
    ENDING = "the last four, which may be said"
    OTHER = "a number of another kind: order, account, postal code"


class Expected(NamedTuple):
    """What is masked under a topic, whether or not there are check digits."""

    kind: Sensitive
    least: int
    """Digits; with fewer, nothing is masked yet."""
    most: int
    """Digits; with more it is something else."""
    full: int
    """Digits after which the number has been said, and its topic ends."""


EXPECTED = {
    Topic.CARD: Expected(Sensitive.CARD, 12, 40, 15),
    Topic.CVV: Expected(Sensitive.SECURITY_CODE, 3, 8, 3),
    Topic.PASSCODE: Expected(Sensitive.SECURITY_CODE, 3, 8, 4),
    Topic.EXPIRY: Expected(Sensitive.CARD_EXPIRY, 3, 6, 3),
    Topic.SSN: Expected(Sensitive.SSN, 4, 13, 9),
    Topic.SSN_END: Expected(Sensitive.SSN, 4, 13, 4),
    Topic.ID: Expected(Sensitive.NATIONAL_ID, 6, 20, 8),
    Topic.IBAN: Expected(Sensitive.IBAN, 10, 40, 15),
    Topic.PHONE: Expected(Sensitive.PHONE, 7, 15, 9),
}
SHORT = frozenset({Topic.CVV, Topic.PASSCODE, Topic.EXPIRY})

_S = r"[\s-]{0,2}"
_NO = rf"{_S}(?:numbers?|num\b|no\b\.?|#)"
_THE = r"(?:the|your|my|this|that|his|her)"
_OF_CARD = rf"(?:\s(?:of|for|on|from)\s{_THE}\s(?:(?:credit|debit|bank)\s)?card)?"
_ON_BACK = rf"\s(?:on|from|at)\s{_THE}\s(?:back|front|reverse|signature\sstrip){_OF_CARD}"
_THEN_NUMBER = r"(?=(?:\s(?:is|was|for|under|of|at))?[\s:#,$€£]{0,3}[a-z]{0,3}-?[0-9])"

_LABELS: tuple[tuple[Topic, str, str], ...] = (  # topic, first words, what follows them
    (Topic.CVV, "cvv cvc cvn cid csc", rf"2?(?:{_S}(?:code|number))?(?:{_ON_BACK})?{_OF_CARD}\b"),
    (Topic.CVV, "security", rf"{_S}(?:code|digits)(?:{_ON_BACK})?{_OF_CARD}"),
    (Topic.CVV, "card", rf"{_S}(?:verification|validation|security){_S}(?:code|value|number)"),
    (Topic.CVV, "three 3 four 4", rf"{_S}(?:digits?|numbers?)(?:\s(?:code|number))?{_ON_BACK}"),
    (Topic.CVV, "code digits numbers number", _ON_BACK.replace("|front", "")),
    (
        Topic.PASSCODE,
        "verification authentication authorization authorisation sms login one-time two-factor",
        rf"{_S}(?:pass)?(?:code|pin|word)\b",
    ),
    (Topic.PASSCODE, "one two", r"[\s-](?:time|factor|step)\s?(?:pass)?(?:code|pin|word)\b"),
    (Topic.PASSCODE, "otp passcode pin", rf"(?:{_S}(?:code|number))?\b(?!\s(?:down|point))"),
    (Topic.EXPIRY, "expiry expiration exp expires expire expiring", rf"(?:{_S}(?:date|month))?\b"),
    (Topic.EXPIRY, "valid good", r"\s(?:until|thru|through|to)\b"),
    (
        Topic.SSN_END,
        "last",
        rf"\s(?:four|4)(?:{_S}(?:digits|numbers))?\s(?:of|on)\s{_THE}\s(?:ssn|social)"
        rf"(?:\ssecurity)?(?:{_NO})?\b",
    ),
    (Topic.SSN, "ssn", rf"(?:{_NO})?"),
    (Topic.SSN, "social", rf"{_S}security(?:{_NO})?|{_NO}|(?:'s|\sis)\b|{_THEN_NUMBER}"),
    (Topic.SSN, "my your", r"\ssocial\b(?!\s(?:media|network|worker|account|life|club))"),
    (Topic.SSN, "tax taxpayer", rf"{_S}(?:id|identification)(?:{_NO})?\b"),
    (
        Topic.ENDING,
        "last",
        rf"\s(?:four|4)\b(?:{_S}(?:digits|numbers))?{_OF_CARD}(?:{_NO})?",
    ),
    (Topic.ENDING, "ending ends ended", r"\s(?:in|with)\b"),
    (
        Topic.OTHER,
        "gift library loyalty membership member sim reward rewards insurance club points",
        rf"{_S}card(?:{_NO})?|{_NO}",
    ),
    (Topic.CARD, "card", rf"{_NO}|{_S}details\b|{_THEN_NUMBER}"),
    (Topic.CARD, "visa mastercard amex", rf"{_NO}|{_THEN_NUMBER}"),
    (Topic.CARD, "long", rf"{_S}(?:card{_S})?number\b"),
    (
        Topic.CARD,
        "number numbers digits",
        rf"\s(?:on|of)\s{_THE}\s(?:front|(?:\w{{4,6}}\s)?card\b)",
    ),
    (Topic.CARD, "sixteen 16", rf"{_S}digits?(?:{_S}card)?(?:{_NO})?"),
    (
        Topic.ID,
        "national identity citizen resident residence",
        rf"{_S}(?:id|identity|identification|card|permit|certificate)?(?:{_S}card)?(?:{_NO})"
        rf"|{_S}(?:id|identity|card|permit|certificate)\b",
    ),
    (Topic.ID, "id", rf"{_NO}|{_S}card\b|(?:'s|\sis)\b"),
    (Topic.ID, "hkid passport", rf"(?:{_NO})?"),
    (Topic.IBAN, "iban ibans", r"\b"),
    (
        Topic.PHONE,
        "phone mobile cell cellphone telephone landline callback fax contact whatsapp",
        rf"(?:{_S}phone)?(?:{_NO})|(?:'s|\sis)\b|{_THEN_NUMBER}",
    ),
    (
        Topic.PHONE,
        "call reach ring text phone dial",
        r"\s(?:me|us|him|her|them|you)(?:\s(?:back|up|again))?\s(?:at|on)\b"
        rf"|{_THEN_NUMBER}",
    ),
    (
        Topic.OTHER,
        "order orders tracking account accounts customer client contract invoice reference ref "
        "ticket case claim policy booking reservation confirmation flight serial model part item "
        "product room apartment suite zip postal area gate meter employee student staff patient "
        "record batch lot license licence routing extension ext registration parcel shipment "
        "device job document error country discount promo door vehicle version build balance "
        "amount total price",
        rf"(?:{_S}(?:id|identification))?(?:{_NO})|{_S}(?:id|codes?|address)\b|{_THEN_NUMBER}",
    ),
    (Topic.OTHER, "zip postcode birthday birthdate dob born", r"\b"),
    (Topic.OTHER, "date", r"\sof\sbirth\b"),
)
_WEAK: tuple[tuple[Topic, str, str], ...] = (  # only where nothing else is talked about
    (Topic.CARD, "card visa mastercard amex", r"\b"),
    (
        Topic.PHONE,
        "my your his her",
        r"\s(?:(?:new|old|other|home|work|best|direct)\s)?number(?:'s|\sis|:)",
    ),
)

_CJK_LABELS = (
    (
        Topic.CARD,
        "卡號 卡号 卡片號碼 卡片号码 信用卡號碼 信用卡号码 信用卡的號碼 信用卡的号码 信用卡是 卡片是 卡是",
    ),
    (
        Topic.CVV,
        "安全碼 安全码 背面三碼 背面三码 背面的三碼 背面的三码 背面末三碼 背面末三码 背面的數字 背面的数字 "
        "背面三位 背面的三位 末三碼 末三码 末三位 後三碼 后三码 後三位 后三位 檢查碼 检查码 檢核碼",
    ),
    (Topic.PASSCODE, "驗證碼 验证码 動態密碼 动态密码 一次性密碼 一次性密码 密碼 密码"),
    (Topic.EXPIRY, "有效期限 有效日期 有效期 到期日 到期 效期"),
    (
        Topic.SSN,
        "社會安全碼 社会安全码 社會安全號碼 社会安全号码 社安碼 社安號碼 社安号码",
    ),
    (
        Topic.ID,
        "身分證字號 身份證字號 身分證號碼 身份證號碼 身份证号码 身分證號 身份證號 身份证号 身分證 身份證 身份证 "
        "居留證號碼 居留證 居留证 統一證號 護照號碼 护照号码 護照 护照",
    ),
    (
        Topic.PHONE,
        "電話號碼 电话号码 手機號碼 手机号码 手機號 手机号 電話 电话 手機 手机",
    ),
    (
        Topic.ENDING,
        "末四碼 末四码 後四碼 后四码 末4碼 末4码 後4碼 后4码 末四位 後四位 后四位 尾號 尾号 尾碼",
    ),
    (
        Topic.OTHER,
        "訂單編號 订单编号 訂單號碼 订单号 訂單 订单 單號 单号 帳號 账号 帳戶 账户 客戶編號 客户编号 "
        "會員編號 会员编号 會員卡號 会员卡号 會員卡 会员卡 發票 发票 郵遞區號 邮编 生日 出生 編號 编号 案號 案号 "
        "合約 合约 合同 學號 学号",
    ),
)


def _by_first_word(
    labels: tuple[tuple[Topic, str, str], ...],
) -> dict[str, list[tuple[Topic, re.Pattern[str]]]]:
    patterns: dict[str, list[tuple[Topic, re.Pattern[str]]]] = {}
    for topic, firsts, rest in labels:
        for first in firsts.split():
            pattern = re.compile(rf"{first}(?:{rest})")
            patterns.setdefault(first.partition("-")[0], []).append((topic, pattern))
    return patterns


_PATTERNS = _by_first_word(_LABELS)
_WEAK_PATTERNS = _by_first_word(_WEAK)
_CJK_TOPICS = {phrase: topic for topic, phrases in _CJK_LABELS for phrase in phrases.split()}
_CJK_FIRST = frozenset(phrase[0] for phrase in _CJK_TOPICS)
_CJK_LENGTHS = sorted({len(phrase) for phrase in _CJK_TOPICS}, reverse=True)


def label_at(text: str, start: int, word: str, now: Topic | None) -> tuple[Topic, int] | None:
    """The label whose first word, `word`, stands at `start`, and where the label ends.

    Args:
        text: Folded.
        start: Where the word stands.
        word: The word.
        now: What the talk is about so far; a weak label ("my card") gives way to it.
    """
    patterns = _PATTERNS.get(word, []) + (_WEAK_PATTERNS.get(word, []) if now is None else [])
    for topic, pattern in patterns:
        match = pattern.match(text, start)
        if match:
            return topic, match.end()
    for length in _CJK_LENGTHS if word in _CJK_FIRST else ():
        topic_said = _CJK_TOPICS.get(text[start : start + length])
        if topic_said:
            return topic_said, start + length
    return None
