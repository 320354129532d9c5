from __future__ import annotations

import pytest

from ringback.core.assurance import may_correct, may_speak, may_write
from ringback.records import Assurance, Sensitivity

pytestmark = pytest.mark.unit

UNKNOWN, CLAIMED, VERIFIED = Assurance.UNKNOWN, Assurance.CLAIMED, Assurance.VERIFIED
OPEN, PERSONAL = Sensitivity.OPEN, Sensitivity.PERSONAL
SENSITIVE, SECRET = Sensitivity.SENSITIVE, Sensitivity.SECRET


@pytest.mark.parametrize(
    ("assurance", "sensitivity", "is_allowed"),
    [
        pytest.param(UNKNOWN, OPEN, True, id="an unknown caller hears what is open"),
        pytest.param(UNKNOWN, PERSONAL, False, id="an unknown caller hears nothing personal"),
        pytest.param(UNKNOWN, SENSITIVE, False, id="an unknown caller hears nothing sensitive"),
        pytest.param(UNKNOWN, SECRET, False, id="an unknown caller hears no secret"),
        pytest.param(CLAIMED, OPEN, True, id="a claimed caller hears what is open"),
        pytest.param(CLAIMED, PERSONAL, True, id="a claimed caller hears what is personal"),
        pytest.param(CLAIMED, SENSITIVE, False, id="a claimed caller hears nothing sensitive"),
        pytest.param(CLAIMED, SECRET, False, id="a claimed caller hears no secret"),
        pytest.param(VERIFIED, OPEN, True, id="a verified caller hears what is open"),
        pytest.param(VERIFIED, PERSONAL, True, id="a verified caller hears what is personal"),
        pytest.param(VERIFIED, SENSITIVE, True, id="a verified caller hears what is sensitive"),
        pytest.param(VERIFIED, SECRET, False, id="a verified caller hears no secret either"),
    ],
)
def test_what_may_be_spoken(assurance: Assurance, sensitivity: Sensitivity, is_allowed: bool):
    assert may_speak(assurance, sensitivity) is is_allowed


@pytest.mark.parametrize(
    ("assurance", "sensitivity", "is_allowed"),
    [
        pytest.param(UNKNOWN, OPEN, True, id="an unknown caller may state what is open"),
        pytest.param(UNKNOWN, PERSONAL, True, id="an unknown caller may state what is personal"),
        pytest.param(UNKNOWN, SENSITIVE, False, id="nothing sensitive is kept of nobody"),
        pytest.param(UNKNOWN, SECRET, False, id="no secret is kept of nobody"),
        pytest.param(CLAIMED, OPEN, True, id="a claimed caller may state what is open"),
        pytest.param(CLAIMED, PERSONAL, True, id="a claimed caller may state what is personal"),
        pytest.param(CLAIMED, SENSITIVE, True, id="a claimed caller may state a first address"),
        pytest.param(CLAIMED, SECRET, False, id="a claimed caller sets no secret"),
        pytest.param(VERIFIED, OPEN, True, id="a verified caller may state what is open"),
        pytest.param(VERIFIED, PERSONAL, True, id="a verified caller may state what is personal"),
        pytest.param(VERIFIED, SENSITIVE, True, id="a verified caller may state an address"),
        pytest.param(VERIFIED, SECRET, True, id="a verified caller may set a secret"),
    ],
)
def test_what_may_be_written(assurance: Assurance, sensitivity: Sensitivity, is_allowed: bool):
    assert may_write(assurance, sensitivity) is is_allowed


@pytest.mark.parametrize(
    ("assurance", "sensitivity", "is_allowed"),
    [
        pytest.param(UNKNOWN, OPEN, False, id="an unknown caller corrects nothing that is open"),
        pytest.param(UNKNOWN, PERSONAL, False, id="an unknown caller corrects nothing personal"),
        pytest.param(UNKNOWN, SENSITIVE, False, id="an unknown caller overwrites no address"),
        pytest.param(UNKNOWN, SECRET, False, id="an unknown caller overwrites no secret"),
        pytest.param(CLAIMED, OPEN, True, id="a claimed caller corrects what is open"),
        pytest.param(CLAIMED, PERSONAL, True, id="a claimed caller corrects what is personal"),
        pytest.param(CLAIMED, SENSITIVE, False, id="a spoofed number overwrites no address"),
        pytest.param(CLAIMED, SECRET, False, id="a spoofed number overwrites no secret"),
        pytest.param(VERIFIED, OPEN, True, id="a verified caller corrects what is open"),
        pytest.param(VERIFIED, PERSONAL, True, id="a verified caller corrects what is personal"),
        pytest.param(VERIFIED, SENSITIVE, True, id="a verified caller corrects an address"),
        pytest.param(VERIFIED, SECRET, True, id="a verified caller replaces a secret"),
    ],
)
def test_what_may_be_corrected(assurance: Assurance, sensitivity: Sensitivity, is_allowed: bool):
    assert may_correct(assurance, sensitivity) is is_allowed


@pytest.mark.parametrize("decide", [may_speak, may_write, may_correct])
@pytest.mark.parametrize("sensitivity", list(Sensitivity))
def test_more_assurance_never_allows_less(decide, sensitivity: Sensitivity):
    allowed = [decide(assurance, sensitivity) for assurance in (UNKNOWN, CLAIMED, VERIFIED)]

    assert allowed == sorted(allowed)


@pytest.mark.parametrize("decide", [may_speak, may_write, may_correct])
@pytest.mark.parametrize("assurance", list(Assurance))
def test_more_sensitivity_never_allows_more(decide, assurance: Assurance):
    allowed = [decide(assurance, level) for level in (OPEN, PERSONAL, SENSITIVE, SECRET)]

    assert allowed == sorted(allowed, reverse=True)
