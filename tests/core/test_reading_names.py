from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    ("hi joan yeah this is rebecca stone", ["name = Rebecca Stone"]),
    ("hello um my name is uh peter my name is peter lindqvist", ["name = Peter Lindqvist"]),
    ("hi there this is dana whitfield calling about my bill", ["name = Dana Whitfield"]),
    ("dana here", ["name = Dana"]),
    ("good morning my name is uh dana um whitfield", ["name = Dana Whitfield"]),
    ("i'm nadia", ["name = Nadia"]),
    ("Hi, this is Dana Whitfield, could you check my bill?", ["name = Dana Whitfield"]),
    ("hey it's me again, Tom Baker, about the invoice", ["name = Tom Baker"]),
    ("Tom Baker, account number 4821.", ["name = Tom Baker", "account_number = 4821"]),
    ("this is Jan van der Berg", ["name = Jan van der Berg"]),
    ("Hello, this is Dr. Okafor speaking.", ["name = Okafor"]),
    ("it's mrs whitfield calling", ["name = Whitfield"]),
    ("Hi, this is Jon without an h, so J-O-N, Jon Meyer.", ["name = Jon Meyer"]),
    ("My name's Siobhan, S I O B H A N, Siobhan Kelly.", ["name = Siobhan Kelly"]),
    ("My name isn't Linda, it's Lydia Crane.", ["name = Lydia Crane"]),
    ("a: Who am I speaking to? | this is kwame osei", ["name = Kwame Osei"]),
    ("a: And you are? | Doug Farrow.", ["name = Doug Farrow"]),
    ("a: And your own name? | Ines Varga, please.", ["name = Ines Varga"]),
    (
        "a: And the last name? | It's Kowalczyk. K O W A L C Z Y K. | a: And your first name? | Ewa.",
        ["name = Ewa Kowalczyk"],
    ),
    (
        "a: What's your name? | Dana. | a: And the surname? | it's whitfield",
        ["name = Dana Whitfield"],
    ),
    ("My first name is Dana. | My last name is Whitfield.", ["name = Dana Whitfield"]),
    (
        "a: So that's Miss Catherine Dole with a C? | No, with a K. Katherine Dole.",
        ["name = Katherine Dole"],
    ),
    ("a: Is that Mr. Miller? | No, it's Dana Mueller.", ["name = Dana Mueller"]),
    ("my name's not Linda | a: What is it then? | Lydia. Lydia Crane.", ["name = Lydia Crane"]),
    ("My name is Danna Whitfield. | a: Danna? | No, it's D-A-N-A.", ["name = Dana Whitfield"]),
    ("a: What's your name? | Ng, N as in Nancy, G as in George", ["name = Ng"]),
    ("Marta Lopez. L-O-P-E-Z.", ["name = Marta Lopez"]),
    ("my name is Smith. John Smith.", ["name = John Smith"]),
    ("John Smith is my name", ["name = John Smith"]),
    ("I'm John, John Smith", ["name = John Smith"]),
    ("a: Hi Martha, how can I help? | it's Marta actually, not Martha", ["name = Marta"]),
    ("Hi, my name is, Marcus Selb.", ["name = Marcus Selb"]),
    ("Yeah, my name is Marcus. Last name Selb, S-E-L-B.", ["name = Marcus Selb"]),
    ("a: Who am I speaking to? | Bond, James Bond.", ["name = James Bond"]),
    ("a: Your name, please? | Whitfield. Dana Whitfield.", ["name = Dana Whitfield"]),
    ("a: Who am I speaking to? | whitfield dana whitfield", ["name = Dana Whitfield"]),
]

NOTHING = [
    "this is her husband speaking",
    "this is dana's husband",
    "This is Dana Whitfield's husband.",
    "hello this is total nonsense",
    "this is common sense again",
    "i'm furious",
    "Is this Joan?",
    "my name's not Linda by the way",
    "my wife's name is Mei",
    "Hi, I'm calling for Dana Whitfield.",
    "thanks Gloria",
    "hi Travis",
    "a: What's your name? | why do you need that",
    "a: What's your name? | um let me see",
    "a: Can I have your name? | My husband is Doug.",
    "a: Can I have your name? | no",
    "a: My name is Gloria Sands. | okay",
    "This is important, this is urgent.",
    "this is Marta's mother, Elena Lopez",
    "my wife Mei is calling too",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_a_name_is_read_as_callers_say_it(lines: str, facts: list[str]):
    assert found(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_no_name_is_read(lines: str):
    assert found(lines) == []
