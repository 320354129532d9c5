from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    ("right. account is 40 61 9", ["account_number = 40619"]),
    (
        "a: Please tell me your account number. | um it's A B dash one seven, uh, one seven oh four",
        ["account_number = AB1704"],
    ),
    ("the account's eight eight one, dash, four two", ["account_number = 88142"]),
    ("four four nine one seven is my account number", ["account_number = 44917"]),
    ("07700 900123 is my mobile number", ["phone = 07700900123"]),
    ("my account number is AB-1704", ["account_number = AB1704"]),
    ("the account number used to be 3310 but since January it's 7745", ["account_number = 7745"]),
    ("My old account number was 3310, the new one is 7745.", ["account_number = 7745"]),
    ("My count number is 77731. No, sorry, 77713.", ["account_number = 77713"]),
    ("my account number is four eight um two one", ["account_number = 4821"]),
    ("my account number is four eight to one", ["account_number = 4821"]),
    ("my account number is 4 o 2 1", ["account_number = 4021"]),
    ("My account number? It's 4821.", ["account_number = 4821"]),
    (
        "a: What's your account number? | let me see, it's four eight two one, thanks",
        ["account_number = 4821"],
    ),
    (
        "a: What's your account number? | one two... sorry my wife's talking... one two nine nine zero",
        ["account_number = 12990"],
    ),
    (
        "a: What's your account number? | the number on the letter is 4821",
        ["account_number = 4821"],
    ),
    ("a: What's your account number? | my number is 48215533", ["account_number = 48215533"]),
    (
        "a: I have 4821, is that right? | No, it's not 4821. | a: What is the account number? | 4812",
        ["account_number = 4812"],
    ),
    (
        "I think my account number is 7712, no, that's my PIN, forget that | a: Go on. | account is 40619",
        ["account_number = 40619"],
    ),
    (
        "I'm calling for my mother. Her account number is 9114.",
        ["account_number = 9114 of person:mother"],
    ),
    (
        "I'm calling for my brother, his phone number is 646 555 0133",
        ["phone = 6465550133 of person:brother"],
    ),
    ("my mother's phone number is 312 555 0142", ["phone = 3125550142 of person:mother"]),
    ("well my own number is 773 555 0110", ["phone = 7735550110"]),
    (
        "a: And your phone number? | 312 555 0142. Wait, that's the office, my own is 312 555 0177.",
        ["phone = 3125550177"],
    ),
    (
        "a: What's your phone number? | it's area code 312, uh, 555, 0142, that's my cell",
        ["phone = 3125550142"],
    ),
    ("You can reach me at 2-1-2-5-5-5-0-1-4-7. It's my cell phone.", ["phone = 2125550147"]),
    ("the best number to reach me is 312 555 0142", ["phone = 3125550142"]),
    ("my customer number is K 4 4 2 1", ["account_number = K4421"]),
    ("phone's 312 555 0142", ["phone = 3125550142"]),
    ("a: What's the best number? | it's 312-555-0142", ["phone = 3125550142"]),
    ("you can call me on 1-800-555-0142", ["phone = 18005550142"]),
    ("My account number as 4821.", ["account_number = 4821"]),
    ("my account number is four thousand eight hundred twenty one", ["account_number = 4821"]),
    ("my account number is four thousand eight hundred and twenty-one", ["account_number = 4821"]),
    (
        "a: What's your account number? | it's sixty two thousand nine hundred and eight, thanks",
        ["account_number = 62908"],
    ),
    ("my account number is three thousand and five", ["account_number = 3005"]),
    (
        "my mother's account number is nine thousand one hundred fourteen",
        ["account_number = 9114 of person:mother"],
    ),
]

NOTHING = [
    "I don't think 4821 is my account number",
    "Is 4821 my account number?",
    "4821 isn't my account number",
    "I think my account number is 7712, no, that's my PIN",
    "my account number is 4821, scratch that",
    "is my account number 4821?",
    "maybe my account number is 4821",
    "my account number is a four digit number",
    "his account number is 4821",
    "My pin is 4821.",
    "my order number is 48213",
    "the serial number on the box is seven seven one two",
    "my phone number is 312 555 0142 no wait 0143",
    "I am on a borrowed phone so don't use this number",
    "a: What is your phone number? | I don't have a phone.",
    "a: Can I have your account number? | I waited 300 minutes",
    "a: Can I have your account number? | I'd have to look it up",
    "press one for sales, press two for accounts",
    "I called from 4821 to 4830",
    "my card is 4111-1111-1111-1111",
    "my account is four thousand dollars behind",
    "my account number is four thousand eight hundred twenty one five",
    "a: Can I have your account number? | I waited two thousand minutes",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_a_number_is_read_over_pauses_and_corrections(lines: str, facts: list[str]):
    assert found(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_no_number_is_read(lines: str):
    assert found(lines) == []


PUT_RIGHT: list[tuple[str, str]] = [
    ("a: 4821, is that right? | no, the last digit is a 7", "4827"),
    ("a: 4821? | no, the last digit is 7, not 1", "4827"),
    ("a: 4821? | no the last two digits are one two", "4812"),
    ("a: 4821? | no, the first digit is a six", "6821"),
    ("a: 4821? | no, the third digit should be a nine", "4891"),
    ("a: 4821? | no, it ends in one seven", "4817"),
    ("a: So that's 4821? | the last digit is a seven actually", "4827"),
    ("a: Thanks. | actually, the last digit is a seven", "4827"),
    ("sorry no, the last digit of my account number is a 7", "4827"),
]
NOT_PUT_RIGHT = [
    "a: 4821? | no, the last digit is 7, not 2",
    "a: 4821? | no, the last two digits are one",
    "a: 4821? | no, the ninth digit is a 7",
    "a: 4821? | is the last digit a seven?",
    "a: 4821? | the last digit of my phone number is a seven",
    "a: And your PIN? | the last digit is a seven",
    "a: Is your house number 12? | no, the last digit is a seven",
    "the last digit is a seven",
]


@pytest.mark.parametrize(("lines", "number"), PUT_RIGHT, ids=[lines for lines, _ in PUT_RIGHT])
def test_a_part_of_a_number_is_put_right(lines: str, number: str):
    assert found(f"my account number is 4821 | {lines}") == [f"account_number = {number}"]


@pytest.mark.parametrize("lines", NOT_PUT_RIGHT)
def test_a_number_stays_where_it_is_not_clear_that_a_part_of_it_is_meant(lines: str):
    assert found(f"my account number is 4821 | {lines}") == ["account_number = 4821"]


def test_a_part_of_a_code_is_put_right_from_its_end_alone():
    assert found("my account number is AB1704 | a: AB1704? | no, the last digit is a nine") == [
        "account_number = AB1709"
    ]
    assert found("my account number is AB1704 | a: AB1704? | no, the second digit is a nine") == [
        "account_number = AB1704"
    ]


def test_a_part_is_of_the_number_that_was_read_back():
    both = "my account number is 4821 | my phone number is 312 555 0142"

    assert found(f"{both} | a: 312 555 0142? | no, the last digit is a 7") == [
        "account_number = 4821",
        "phone = 3125550147",
    ]
    assert found(f"{both} | a: Okay. | no, the last digit is a 7") == [
        "account_number = 4821",
        "phone = 3125550142",
    ]


def test_a_part_of_what_only_the_agent_said_is_put_right():
    asked = "a: I have your account number as 4821, is that right?"

    assert found(f"{asked} | no, the last digit is a 7") == ["account_number = 4827"]


def test_a_part_is_put_right_in_the_same_turn():
    assert found("my account number is 4821, sorry, the last digit is a 7") == [
        "account_number = 4827"
    ]
