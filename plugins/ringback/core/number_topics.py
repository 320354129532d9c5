"""Which words say what the next number is: "my card number is", "安全碼", "order number".

Written for folded text: lower case, plain quotes, half-width signs. English labels are found
by their first word and then read by a pattern, so that ordinary words cost one look-up.
"""

from __future__ import annotations

import re
from enum import StrEnum

from ringback.core.sensitive_numbers import Sensitive


class Topic(StrEnum):
    """What the talk says that the next number is."""

    CARD = "card"
    CODE = "security code"
    EXPIRY = "expiry"
    SSN = "social security"
    ID = "national id"
    IBAN = "iban"
    PHONE = "phone"
    ENDING = "ending"
    """Only the last four of a card; they may stay."""
    OVER = "over"
    """What the talk was about has just been said, and masked."""
    OTHER = "other"
    """An order, an account, a date of birth: some other number that has a name."""


KINDS = {
    Topic.CARD: Sensitive.CARD,
    Topic.CODE: Sensitive.SECURITY_CODE,
    Topic.EXPIRY: Sensitive.CARD_EXPIRY,
    Topic.SSN: Sensitive.SSN,
    Topic.ID: Sensitive.NATIONAL_ID,
    Topic.IBAN: Sensitive.IBAN,
    Topic.PHONE: Sensitive.PHONE,
}
NAMED = frozenset({Topic.OTHER, Topic.PHONE})  # has a name that makes it no card
_SAME_NUMBER = frozenset({Topic.CARD, Topic.SSN, Topic.ID, Topic.IBAN})
_ENDS_WHEN_SAID = frozenset(KINDS) - {Topic.PHONE}

_S = r"[\s-]{1,2}"
_NO = rf"(?:{_S}(?:card{_S})?(?:number|numbers|no|nr|digits|id)\b|\s?#)"
_DIGIT_WORD = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|double|triple|forty|fifty)\b"
_THEN_NUMBER = rf"(?:'s|{_S}is)?[\s,:]{{1,3}}(?:[0-9]|{_DIGIT_WORD})"
_OF_CARD = (
    rf"(?:{_S}(?:on|of|from|at)(?:{_S}the{_S}front{_S}of)?{_S}(?:the|your|my|that)"
    rf"{_S}(?:credit{_S}|debit{_S}|bank{_S})?card)"
)
_ON_BACK = rf"{_S}(?:on|at|from){_S}the{_S}(?:back|reverse)(?:{_S}of{_S}(?:the|your|my){_S}card)?"
_THREE = r"(?:three|four|3|4)"

# Per topic: first words, and what follows them. The first row that fits counts.
_LABELS: tuple[tuple[Topic, str, str], ...] = (
    (Topic.CODE, "cvv cvv2 cvc cvc2 csc cvn", r"\b"),
    (Topic.CODE, "card", rf"{_S}(?:security|verification|validation){_S}(?:code|value|number)"),
    (Topic.CODE, "security verification", rf"{_S}(?:code|digits|number){_OF_CARD}?"),
    (
        Topic.CODE,
        "three four 3 4",
        rf"{_S}digits?(?:{_S}(?:number|code|security{_S}code))?{_ON_BACK}"
        rf"|{_S}digits?{_S}(?:security{_S})?code\b",
    ),
    (Topic.CODE, "digits code number numbers", _ON_BACK),
    (Topic.CODE, "pin", rf"{_S}(?:number|code|is)\b|'s\b|(?={_THEN_NUMBER})"),
    (Topic.EXPIRY, "expiry expiration exp", rf"(?:{_S}date)?\b"),
    (Topic.EXPIRY, "expires expire expiring", rf"(?:{_S}(?:on|in|at))?\b"),
    (Topic.EXPIRY, "valid", rf"{_S}(?:thru|through|until|till)\b"),
    (
        Topic.SSN,
        "last",
        rf"{_S}(?:four|4)(?:{_S}digits)?{_S}of{_S}(?:your|my|the|his|her){_S}(?:social|ssn)\b",
    ),
    (Topic.SSN, "ssn ssns itin", r"\b"),
    (Topic.SSN, "social", rf"{_S}(?:security|insurance)(?:{_NO})?|{_NO}|(?:'s|{_S}is)\b"),
    (Topic.SSN, "tax taxpayer", rf"{_S}(?:payer{_S})?(?:id|identification)(?:{_NO})?\b"),
    (
        Topic.ENDING,
        "last",
        rf"{_S}(?:four|4)(?:{_S}(?:digits|numbers))?(?:{_S}of{_S}(?:the|your|my)"
        rf"{_S}(?:credit{_S}|debit{_S}|bank{_S})?card)(?:{_S}number)?"
        rf"|{_S}(?:four|4)(?:{_S}(?:digits|numbers)|(?:{_S}(?:is|are)|:)?(?=\s[0-9])|{_S}are\b)",
    ),
    (Topic.ENDING, "ending ends ended", rf"{_S}(?:in|with)\b"),
    (
        Topic.OTHER,
        "gift library loyalty membership member business sim reward rewards insurance club "
        "points store travel frequent-flyer",
        rf"{_S}card(?:{_NO})?|{_NO}",
    ),
    (Topic.CARD, "card cards", rf"{_NO}|{_S}details\b|(?={_THEN_NUMBER})"),
    (Topic.CARD, "visa mastercard amex", rf"{_NO}|(?={_THEN_NUMBER})"),
    (Topic.CARD, "number digits numbers", _OF_CARD),
    (Topic.CARD, "long", rf"{_S}(?:card{_S})?number\b"),
    (Topic.CARD, "sixteen 16", rf"{_S}digits?(?:{_S}card)?(?:{_S}number)?\b"),
    (
        Topic.ID,
        "national identity identification citizen resident residence",
        rf"{_S}(?:id|identity|identification)?{_S}?(?:card|document|permit|certificate)?(?:{_NO})"
        rf"|{_S}(?:id|identity|card|permit|certificate)\b",
    ),
    (Topic.ID, "id", rf"{_NO}|{_S}card\b|(?:'s|{_S}is)\b"),
    (Topic.ID, "arc", _NO),
    (Topic.ID, "hkid", r"\b"),
    (Topic.IBAN, "iban ibans", r"\b"),
    (Topic.IBAN, "international", rf"{_S}bank{_S}account{_S}number\b"),
    (
        Topic.PHONE,
        "phone mobile cell cellphone telephone landline callback fax contact whatsapp",
        rf"(?:{_S}phone)?(?:{_NO})|(?:'s|{_S}is)\b|(?={_THEN_NUMBER})",
    ),
    (
        Topic.PHONE,
        "call reach ring text phone dial",
        rf"{_S}(?:me|us|him|her|you|them)(?:{_S}back)?{_S}(?:at|on)\b",
    ),
    (
        Topic.OTHER,
        "order orders tracking account accounts customer client contract invoice reference ref "
        "ticket case claim policy booking reservation confirmation flight serial model part item "
        "product room apartment apt suite zip postal area gate meter employee student staff "
        "patient record batch lot license licence passport routing extension ext confirmation "
        "verification registration parcel shipment device job document",
        rf"(?:{_S}id)?(?:{_NO})|{_S}(?:code|codes)\b|(?={_THEN_NUMBER})"
        rf"|(?={_S}(?:was|for|under|ending)?\s?[0-9])",
    ),
    (Topic.OTHER, "orders accounts invoices postcode zip extension", r"\b"),
    (Topic.OTHER, "date", rf"{_S}of{_S}birth\b"),
    (Topic.OTHER, "birthday birthdate dob born", r"\b"),
)
_PATTERNS: dict[str, list[tuple[Topic, re.Pattern[str]]]] = {}
for _topic, _words, _rest in _LABELS:
    _pattern = re.compile(rf"(?:{'|'.join(_words.split())})(?:{_rest})")
    for _word in _words.split():
        _PATTERNS.setdefault(_word, []).append((_topic, _pattern))

CJK_TOPICS: dict[str, Topic] = {
    phrase: topic
    for topic, phrases in (
        (
            Topic.CARD,
            "卡號 卡号 卡片號碼 卡片号码 信用卡號 信用卡号 信用卡號碼 信用卡号码 信用卡的號碼 信用卡的号码 "
            "信用卡是 卡片是 卡是 银行卡号 銀行卡號 金融卡號",
        ),
        (
            Topic.CODE,
            "安全碼 安全码 背面三碼 背面三码 背面的三碼 背面的三码 背面末三碼 背面末三码 背面後三碼 背面后三码 "
            "背面的數字 背面的数字 背面數字 背面数字 背面三位 背面的三位 背面三位數 背面三位数 末三碼 末三码 "
            "後三碼 后三码 檢查碼 检查码 檢核碼",
        ),
        (Topic.EXPIRY, "有效期 有效期限 有效日期 到期 到期日 效期"),
        (Topic.SSN, "社會安全碼 社会安全码 社會安全號碼 社会安全号码 社安號碼 社安号码 社安碼"),
        (
            Topic.ID,
            "身分證 身份證 身份证 身分證字號 身份證字號 身分證號 身份證號 身份证号 身分證號碼 身份證號碼 "
            "身份证号码 居留證 居留证 居留證號 统一证号 統一證號",
        ),
        (
            Topic.PHONE,
            "電話 电话 手機 手机 電話號碼 电话号码 手機號碼 手机号码 手機號 手机号 聯絡電話 联系电话",
        ),
        (
            Topic.ENDING,
            "末四碼 末四码 後四碼 后四码 末4碼 末4码 後4碼 后4码 末四位 後四位 后四位 尾號 尾号 尾碼",
        ),
        (
            Topic.OTHER,
            "訂單 订单 訂單編號 订单编号 訂單號碼 订单号 单号 單號 帳號 账号 帳戶 账户 帳戶號碼 客戶編號 "
            "客户编号 會員編號 会员编号 會員卡號 会员卡号 會員卡 会员卡 發票 发票 郵遞區號 邮编 生日 出生 "
            "編號 编号 案號 案号 門牌 学号 學號 驗證碼 验证码",
        ),
    )
    for phrase in phrases.split()
}


def label_at(text: str, start: int, word: str) -> tuple[Topic, int] | None:
    """The label whose first word, `word`, stands at `start`, and where the label ends."""
    for topic, pattern in _PATTERNS.get(word, ()):
        match = pattern.match(text, start)
        if match:
            return topic, match.end()
    return None


def may_continue(topic: Topic | None, label: Topic) -> bool:
    """Digits under `topic` may go on after this label: it names the same number."""
    return label is Topic.ENDING or (label in _SAME_NUMBER and topic in {None, label, Topic.ENDING})


def after_mask(topic: Topic | None, masked: Topic) -> Topic | None:
    """What the talk is about behind something that has been masked.

    So that text which was masked before reads like the text it was made from.
    """
    return Topic.OVER if topic in _ENDS_WHEN_SAID or topic is masked else topic
