from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ringback.core.identity import normalise_handle
from ringback.core.phone_numbers import checked_region
from ringback.errors import UsageError
from ringback.records import HandleKind

pytestmark = pytest.mark.unit

PHONE, SIP, CRM, DEVICE, WEB = HandleKind


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (PHONE, "+1 (555) 123-4567", "+15551234567"),
        (PHONE, "0015551234567", "+15551234567"),
        (PHONE, "tel:+1-555-123-4567;ext=12", "+15551234567"),
        (PHONE, "555 123 4567", "5551234567"),
        (PHONE, "030/1234567", "0301234567"),
        (PHONE, "+1 555 123 4567 ext. 12", "+15551234567"),
        (PHONE, "101", "101"),
        (PHONE, "５５５１２３４５６７", "5551234567"),  # noqa: RUF001
        (SIP, "SIP:dana@Example.ORG", "sip:dana@example.org"),
        (SIP, '"Dana" <sip:dana@example.org:5060;transport=udp>;tag=1', "sip:dana@example.org"),
        (SIP, "dana@example.org", "sip:dana@example.org"),
        (SIP, "sips:dana:secret@example.org:5061", "sips:dana@example.org"),
        (SIP, "sip:+15551234567@10.0.0.1", "sip:+15551234567@10.0.0.1"),
        (SIP, "sip:+15551234567@10.0.0.1;transport=udp", "sip:+15551234567@10.0.0.1"),
        (SIP, "sip:dana%2Bhome@example.org", "sip:dana+home@example.org"),
        (SIP, "sip:dana%40home@example.org", "sip:dana%40home@example.org"),
        (SIP, "tel:+15551234567", "+15551234567"),
        (PHONE, "+44 (0)20 7946 0958", "+442079460958"),
        (PHONE, '"Dana" <sip:+15551234567@gw.example>', "+15551234567"),
        (PHONE, "whatsapp:+15551234567", "+15551234567"),
        (PHONE, "7372348833", "7372348833"),
        (PHONE, "13800000000", "13800000000"),
        (PHONE, "2345678", "2345678"),
        (CRM, "1", "1"),
        (CRM, "unknown-7", "unknown-7"),
        (CRM, " Cust-0042 ", "Cust-0042"),
        (DEVICE, "ab:cd:ef", "ab:cd:ef"),
        (WEB, "user_17", "user_17"),
    ],
)
def test_a_usable_claim_is_normalised(kind: HandleKind, raw: str, value: str):
    handle = normalise_handle(kind, raw)

    assert handle is not None
    assert handle.value == value


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (PHONE, raw)
        for raw in (
            "",
            "   ",
            "anonymous",
            "Restricted",
            "PRIVATE",
            "unknown",
            "unavailable",
            "Unavailable Number",
            "blocked",
            "Withheld",
            "No Caller ID",
            "+266696687",
            "266696687",
            "7378742833",
            "+7378742833",
            "8656696",
            "2562533",
            "0000000000",
            "+0",
            "9999999999",
            "+1111111111",
            "+10000000000",
            "+15555555555",
            "1234567890",
            "+11234567890",
            "+7378742883",
            "+2562533",
            "+8656696",
            "+86282452253",
            "+1266696687",
            "+",
            "-1",
            "null",
            "+anonymous",
            "Caller ID Blocked",
            "未顯示號碼",
            "sip:anonymous@anonymous.invalid",
            "sip:+15551234567@anonymous.invalid",
            "sip:0000000000@carrier.example",
            "12",
            "+12345678901234567",
            "1" * 10_000,
            "not a number",
            "\x00555",
        )
    ]
    + [
        (SIP, raw)
        for raw in (
            "",
            "sip:anonymous@anonymous.invalid",
            '"Anonymous" <sip:anonymous@anonymous.invalid>',
            "sip:thisis@anonymous.invalid",
            "sip:anonymous@10.0.0.1",
            "sip:+266696687@carrier.example",
            "sip:Restricted@carrier.example",
            "sip:unknown@unknown.invalid:5060",
            "sip:%61nonymous@carrier.example",
            "sip:%E6%9C%AA%E7%9F%A5@carrier.example",
            "sip:0000000000@carrier.example",
            "sip:+10000000000@carrier.example;user=phone",
            "sip:null@carrier.example",
            '"未顯示號碼" <sip:unavailable@carrier.example>',
            "sip:example.org",
            "sip:@example.org",
            "sip:a@b c",
            "sip:a@-",
            "junk",
            "sip:" + "a" * 400 + "@example.org",
            "sip:" + "a" * 250 + "@example.org",
        )
    ]
    + [
        (kind, raw)
        for kind in (CRM, DEVICE, WEB)
        for raw in (
            "",
            "anonymous",
            "null",
            "None",
            "undefined",
            "guest",
            "N/A",
            "0",
            "---",
            "00000000-0000-0000-0000-000000000000",
            "x" * 201,
            "Unknown_Caller",
            "Caller ID Blocked",
            "-1",
            "未顯示號碼",
            "隱藏號碼",
            "私人號碼",
            "未知",
            "発信者番号非通知",
            "公衆電話",
            "발신번호 표시제한",
            "unbekannt",
            "Rufnummer unterdrückt",
            "inconnu",
            "Numéro masqué",
            "numero prive",
            "privado",
            "неизвестный",
        )
    ],
)
def test_a_claim_that_names_nobody_is_no_handle(kind: HandleKind, raw: str):
    assert normalise_handle(kind, raw) is None


@pytest.mark.parametrize(
    "raw",
    [
        "sip:+15551234567@gw.example;user=phone",
        "sips:%2B15551234567@gw.example:5061;user=phone",
        '"Dana" <sip:+15551234567;npdi@gw.example;user=phone>;tag=1',
        "<tel:+1-555-123-4567>",
        '"Dana" <tel:+15551234567>, <sip:dana@gw.example>',
    ],
)
def test_a_phone_that_comes_by_sip_is_the_phones_handle(raw: str):
    handle = normalise_handle(SIP, raw)

    assert handle == normalise_handle(PHONE, "+1 555 123 4567")


@pytest.mark.parametrize(
    ("region", "raw", "value"),
    [
        ("TW", "(02) 2345-6789", "+886223456789"),
        ("TW", "0912 345 678", "+886912345678"),
        ("TW", "+886 912 345 678", "+886912345678"),
        ("TW", "886912345678", "+886912345678"),
        ("TW", "+1 555 123 4567", "+15551234567"),
        ("GB", "020 7946 0958", "+442079460958"),
        ("US", "(555) 123-4567", "+15551234567"),
        ("US", "1 555 123 4567", "+15551234567"),
        ("US", "011 44 20 7946 0958", "+442079460958"),
        ("IT", "06 1234 5678", "+390612345678"),
        ("TW", "101", "101"),
        ("GB", "112", "112"),
        ("DE", "1234", "1234"),
    ],
)
def test_a_national_number_is_called_by_its_region(region: str, raw: str, value: str):
    handle = normalise_handle(PHONE, raw, region=region)

    assert handle is not None
    assert handle.value == value


def test_a_sip_address_of_a_phone_is_read_in_the_region_too():
    handle = normalise_handle(SIP, "sip:0912345678@gw.example;user=phone", region="TW")

    assert handle is not None
    assert (handle.kind, handle.value) == (PHONE, "+886912345678")


@pytest.mark.parametrize("raw", ["7378742833", "0000000000", "2562533", "隱藏號碼"])
def test_what_names_nobody_names_nobody_in_a_region_either(raw: str):
    assert normalise_handle(PHONE, raw, region="US") is None


@pytest.mark.parametrize("region", ["tw", "ZZ", "Taiwan", "T"])
def test_a_region_that_there_is_not_is_refused(region: str):
    with pytest.raises(UsageError, match="region"):
        checked_region(region)


def test_a_region_that_there_is_and_none_are_taken():
    assert checked_region("TW") == "TW"
    assert checked_region("") == ""


@given(st.sampled_from(HandleKind), st.text(max_size=60))
def test_normalising_twice_changes_nothing(kind: HandleKind, raw: str):
    handle = normalise_handle(kind, raw)

    if handle is not None:
        assert normalise_handle(handle.kind, handle.value) == handle
