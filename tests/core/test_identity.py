from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ringback.core.identity import normalise_handle
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
        (SIP, "tel:+15551234567", "+15551234567"),
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
        )
    ],
)
def test_a_claim_that_names_nobody_is_no_handle(kind: HandleKind, raw: str):
    assert normalise_handle(kind, raw) is None


@given(st.sampled_from(HandleKind), st.text(max_size=60))
def test_normalising_twice_changes_nothing(kind: HandleKind, raw: str):
    handle = normalise_handle(kind, raw)

    if handle is not None:
        assert normalise_handle(handle.kind, handle.value) == handle
