"""Words and numbers that stand where a caller's number is not told: they name nobody.

A withheld number reaches an agent as whatever its carrier puts in the place: a word in the
carrier's language, the same word spelled on the keypad, or a row of one digit. Taken for a
number, it would make one caller of all who hide theirs.
"""

from __future__ import annotations

import re
import unicodedata

SHORTEST_SPELLING = 7  # digits; a shorter keypad spelling may be somebody's number
WHOLE_NUMBER = 10  # digits that may be somebody's, with a country's 1 before them
ONE_DIGIT = re.compile(r"(\d)\1*|\d*?(\d)\2{8,}")  # nine of one digit end no real number
IN_ORDER = "12345678901234567890"
LEAST_IN_ORDER = 9

_WORDS = (
    "anonymous",
    "restricted",
    "private",
    "unknown",
    "unavailable",
    "blocked",
    "withheld",
    "hidden",
    "suppressed",
    "undisclosed",
    "unidentified",
    "unlisted",
    "unassigned",
)
"""In English, each also anywhere in a longer phrase."""

_PHRASES = (
    "not available",
    "not provided",
    "out of area",
    "no number",
    "no caller id",
    "private number",
    "private caller",
    "unknown caller",
    "unknown number",
    "anonymous caller",
    "blocked number",
    "caller id blocked",
    "number withheld",
    "coin line/payphone",
    "payphone",
    "interaction with other service",
)

_ABROAD = tuple(
    word.strip()
    for word in """
    未顯示號碼, 未显示号码, 未顯示, 未显示, 無顯示號碼, 不顯示號碼, 無來電顯示, 无来电显示, 無號碼, 无号码,
    隱藏號碼, 隐藏号码, 隱藏來電, 隐藏, 隱藏, 私人號碼, 私人号码, 保密號碼, 保密号码, 未知, 未知號碼, 未知号码,
    未知來電, 匿名, 匿名來電, 匿名来电, 公用電話, 公共電話, 公用电话,
    非通知, 非通知設定, 発信者番号非通知, 番号非通知, 表示圏外, 公衆電話, 通知不可能, 通知不可, 不明,
    발신번호표시제한, 발신번호 없음, 알 수 없음, 알 수 없는 번호, 익명, 비공개,
    unbekannt, unbekannter anrufer, unterdrückt, rufnummer unterdrückt, nummer unterdrückt, anonym,
    keine nummer, inconnu, numéro inconnu, masqué, numéro masqué, privé, numéro privé, appel masqué,
    privado, número privado, desconocido, número desconocido, oculto, número oculto, desconhecido,
    número desconhecido, anónimo, anônimo, sconosciuto, numero sconosciuto, anonimo, privato,
    numero privato, onbekend, onbekend nummer, anoniem, afgeschermd, privénummer, okänd, dolt nummer,
    skyddat nummer, ukendt, hemmeligt nummer, ukjent, skjult nummer, tuntematon, salainen numero,
    nieznany, numer prywatny, zastrzeżony, numer zastrzeżony, neznámý, skryté číslo, bilinmeyen,
    bilinmeyen numara, gizli numara, özel numara, неизвестный, неизвестно, номер скрыт, скрытый номер,
    скрыт, невідомий, άγνωστος, απόρρητο, אנונימי, חסוי, مجهول, رقم خاص, غير معروف, अज्ञात,
    số riêng, không xác định, nomor pribadi, tidak dikenal, ไม่ทราบหมายเลข
    """.replace("\n", " ").split(",")
)

_NO_VALUE = (
    "none",
    "null",
    "nil",
    "undefined",
    "nan",
    "na",
    "n/a",
    "guest",
    "default",
    "test",
    "user",
    "nobody",
    "noname",
    "invalid",
    "empty",
)
"""What programs write where they have no value."""

_KEYPAD = str.maketrans("abcdefghijklmnopqrstuvwxyz", "22233344455566677778889999")  # ITU-T E.161
_MISSPELLED = ("7378742883",)  # RESTRICTED, as some carriers' documents have it


def _plain(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if sign.isalnum())


_SPELLINGS = frozenset(
    [
        *_MISSPELLED,
        *(
            spelling
            for word in (*_WORDS, *_PHRASES)
            if len(spelling := _plain(word).translate(_KEYPAD)) >= SHORTEST_SPELLING
        ),
    ]
)
_NAMES_NOBODY = frozenset(_plain(word) for word in (*_WORDS, *_PHRASES, *_ABROAD, *_NO_VALUE))
_ANYWHERE = frozenset(_WORDS)


def is_word_for_nobody(text: str) -> bool:
    """The whole text is a word or a phrase for a caller who is not named."""
    plain = _plain(text)
    return not plain or plain in _NAMES_NOBODY


def is_nobody(text: str) -> bool:
    """The text stands for a caller who is not named: words for it, or digits in their place."""
    words = re.findall(r"[a-z]+", text.lower())
    if is_word_for_nobody(text) or not _ANYWHERE.isdisjoint(words):
        return True
    return text.isascii() and not words and _is_filling(re.sub(r"\D", "", text))


def _is_filling(digits: str) -> bool:
    """Digits that are dialled for nobody: a word on the keypad, one digit, digits in order."""
    number = digits.lstrip("0")
    if number in _SPELLINGS or ONE_DIGIT.fullmatch(digits):
        return True
    rest = number.removeprefix("1")
    if rest in _SPELLINGS and len(rest) != WHOLE_NUMBER:
        return True
    return any(len(one) >= LEAST_IN_ORDER and one in IN_ORDER for one in (number, rest))
