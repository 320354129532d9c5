"""Which numbers are sensitive: payment cards, national ids, IBANs, by their check digits.

Every check takes the bare characters (digits, and upper-case letters where there are any),
without spaces or hyphens, and says whether they can be such a number. A check digit alone
lets one number in ten through, so each check looks at the issuer, region or date as well.
"""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum


class Sensitive(StrEnum):
    """What a masked number was; the value stands in the text in its place."""

    CARD = "card number"
    SECURITY_CODE = "security code"
    CARD_EXPIRY = "card expiry"
    NATIONAL_ID = "national id"
    SSN = "social security number"
    IBAN = "IBAN"
    PHONE = "phone number"

    @property
    def token(self) -> str:
        """What is written instead: `[card number]`."""
        return f"[{self.value}]"


# Issuer prefixes of ISO/IEC 7812 as the networks publish them, each with the lengths that
# they issue, the usual ones first. The first row that fits counts.
_ISSUERS: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...] = tuple(
    (re.compile(prefix), lengths)
    for prefix, lengths in (
        (r"4", (16, 13, 19)),  # Visa
        (r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", (16,)),  # Mastercard
        (r"3[47]", (15,)),  # American Express
        (r"30[0-5]|3095", (14, 16, 19)),  # Diners Club
        (r"3[689]", (14, 16, 19)),
        (r"35(?:2[89]|[3-8])", (16, 19, 18, 17)),  # JCB
        (r"6011|64[4-9]|65", (16, 19)),  # Discover
        (r"62|81", (16, 19, 18, 17)),  # UnionPay
        (r"220[0-4]|9792", (16, 19)),  # Mir, Troy
        (r"5018|5020|5038|506|58|6304|6759|676[1-3]", (16, 18, 19, 17, 15, 14, 13)),  # Maestro
        (r"60|82|508|5019|636|637", (16,)),  # RuPay, Dankort, Elo and others
    )
)
CARD_START = re.compile(
    r"(?=4|5[0-58]|2[2-7]|3[04-9]|6[0-7]|8[12]|9792)"  # where a card may begin, roughly
)
CARD_LENGTHS = (13, 19)  # ISO/IEC 7812-1

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)  # the sum of the digits of twice a digit

_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # codes 10 to 35, of the household registration
_TAIWAN_ID = re.compile(r"[A-Z][1289][0-9]{8}")  # 1, 2: citizens; 8, 9: residents, from 2021
_TAIWAN_OLD_RESIDENT = re.compile(r"[A-Z][A-D][0-9]{8}")
_TAIWAN_WEIGHTS = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)

MAINLAND_ID_START = re.compile(
    r"(?=(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)[0-9]{4}"  # GB/T 2260
    r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3})"
)
_MAINLAND_ID = re.compile(MAINLAND_ID_START.pattern + r"[0-9]{17}[0-9X]")
_MAINLAND_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_MAINLAND_CHECKS = "10X98765432"

_HONG_KONG_ID = re.compile(r"[A-Z]{1,2}[0-9]{6}[0-9A]")

_SSN = re.compile(r"(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")  # issued areas only
_SSN_FAMOUS = frozenset({"078051120", "219099999"})  # printed in advertisements, nobody's

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}")
IBAN_LENGTHS = {  # the IBAN registry of SWIFT, ISO 13616
    country: int(length)
    for country, length in re.findall(
        r"([A-Z]{2})(\d\d)",
        """
        AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22
        DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28
        HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25
        MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29
        RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29
        VA22 VG24 XK20 YE30
        """,
    )
}


def card_lengths(digits: str) -> tuple[int, ...]:
    """How long a card that begins with these digits may be, the usual length first."""
    return next((lengths for issuer, lengths in _ISSUERS if issuer.match(digits)), ())


def is_card(digits: str) -> bool:
    """A payment card: an issuer's prefix, one of its lengths, and the Luhn check (ISO 7812)."""
    return len(digits) in card_lengths(digits[:6]) and passes_luhn(digits)


def passes_luhn(digits: str) -> bool:
    """The check of ISO/IEC 7812-1 annex B: from the right, every second digit is doubled."""
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + sum(_DOUBLED[value] for value in values[1::2])) % 10 == 0


def is_taiwan_id(text: str) -> bool:
    """A national id or a resident's id of Taiwan, also the residents' form before 2021.

    The letter is the two digits of its code; all are weighted and add up to a multiple of 10.
    """
    if _TAIWAN_ID.fullmatch(text):
        digits = text[1:]
    elif _TAIWAN_OLD_RESIDENT.fullmatch(text):
        digits = str(_TAIWAN_LETTERS.index(text[1]) % 10) + text[2:]
    else:
        return False
    figures = str(_TAIWAN_LETTERS.index(text[0]) + 10) + digits
    total = sum(int(f) * weight for f, weight in zip(figures, _TAIWAN_WEIGHTS, strict=True))
    return total % 10 == 0


def is_mainland_id(text: str) -> bool:
    """A resident's id of mainland China: GB 11643, ISO 7064 MOD 11-2, with a real birthday."""
    if not _MAINLAND_ID.fullmatch(text):
        return False
    try:
        date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    total = sum(int(t) * weight for t, weight in zip(text, _MAINLAND_WEIGHTS, strict=False))
    return _MAINLAND_CHECKS[total % 11] == text[17]


def is_hong_kong_id(text: str) -> bool:
    """A Hong Kong identity card, without its brackets: MOD 11 over letters as 10 to 35."""
    if not _HONG_KONG_ID.fullmatch(text):
        return False
    values = [int(sign, 36) for sign in text]
    if len(values) == 8:
        values.insert(0, 36)  # a single letter stands behind a blank, which counts as 36
    return sum(v * weight for v, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0


def is_ssn(digits: str) -> bool:
    """A US social security number that may have been issued; it has no check digit."""
    return bool(_SSN.fullmatch(digits)) and digits not in _SSN_FAMOUS


def is_iban(text: str) -> bool:
    """An international bank account number: its country's length, ISO 7064 MOD 97-10."""
    if not _IBAN.fullmatch(text) or len(text) != IBAN_LENGTHS.get(text[:2]):
        return False
    turned = text[4:] + text[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1
