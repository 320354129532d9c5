from __future__ import annotations

import pytest

from tests.core.made_reading import found

pytestmark = pytest.mark.unit

READ: list[tuple[str, list[str]]] = [
    ("please reply by email", ["contact_preference = email"]),
    ("I'd rather you called", ["contact_preference = phone call"]),
    (
        "a: How shall we let you know? | a letter please, I like things on paper",
        ["contact_preference = letter"],
    ),
    ("a: Do you prefer a call or an email? | email please", ["contact_preference = email"]),
    (
        "a: Would you like a text or a call? | um a text would be great",
        ["contact_preference = text"],
    ),
    ("text is better for me", ["contact_preference = text"]),
    ("please contact me by email", ["contact_preference = email"]),
    ("let me know by text", ["contact_preference = text"]),
    ("the best way to reach me is by phone", ["contact_preference = phone call"]),
    ("please don't phone me, write me an email", ["contact_preference = email"]),
    ("no phone calls, just emails", ["contact_preference = email"]),
    ("can you text instead of calling", ["contact_preference = text"]),
    ("don't call, email's better", ["contact_preference = email"]),
    ("stop calling me", ["contact_preference = no calls"]),
    ("The best time to call me is after 5 in the evening.", ["contact_time = after 17:00"]),
    (
        "you called me at seven in the morning! never before nine please",
        ["contact_time = not before 09:00"],
    ),
    (
        "a: When is a good time to call you? | After six in the evening.",
        ["contact_time = after 18:00"],
    ),
    (
        "a: When can we reach you? | between two and four in the afternoon",
        ["contact_time = between 14:00 and 16:00"],
    ),
    ("do you speak spanish? my english isn't so good", ["language = Spanish"]),
    ("can I speak to someone in French", ["language = French"]),
    ("is there anybody who speaks polish", ["language = Polish"]),
    ("a: Which language do you prefer? | German please", ["language = German"]),
    (
        "a: What address should we send it to? | Two fourteen Orchard Street, apartment six.",
        ["address = 214 Orchard Street, apartment six"],
    ),
    (
        "we moved, we're not at Dover Road any more, it's 31 Elm Court now",
        ["address = 31 Elm Court"],
    ),
    (
        "a: What's your red red? | It's 40 Maple Street apartment 3B Springfield.",
        ["address = 40 Maple Street apartment 3B"],
    ),
    ("my mother lives at 9 Quill Lane", ["address = 9 Quill Lane of person:mother"]),
    ("my address was 9 Quill Lane, now it's 10 Oak Street", ["address = 10 Oak Street"]),
    ("my email is d a n a at example dot com, no, dot org", ["email = dana@example.org"]),
    ("my email is v as in victor a n a at example dot com", ["email = vana@example.com"]),
    ("my email is dana eighty five at example dot com", ["email = dana85@example.com"]),
    ("my e mail is kate underscore m at example dot co dot uk", ["email = kate_m@example.co.uk"]),
    ("it's dana at example dot com", ["email = dana@example.com"]),
    ("you have my email wrong, it should be dana at example dot org", ["email = dana@example.org"]),
    ("I'm deaf so please text", ["contact_preference = text"]),
    ("my english is bad, italian please", ["language = Italian"]),
    ("we live on 12 Oak Avenue", ["address = 12 Oak Avenue"]),
    ("I moved last month, new address is 12 Oak Avenue", ["address = 12 Oak Avenue"]),
    ("no more letters please, just email", ["contact_preference = email"]),
    ("a: What's your e-mail? | d a n a dot w at example dot com", ["email = dana.w@example.com"]),
    ("a: What's your e-mail? | d-a-n-a dot w at example dot com", ["email = dana.w@example.com"]),
    (
        "a: What's your e-mail? | dana whitfield, one word, at example dot com",
        ["email = danawhitfield@example.com"],
    ),
    (
        "a: What's your e-mail? | it's dana whitfield, all one word, at example dot com",
        ["email = danawhitfield@example.com"],
    ),
    (
        "my email is dana whitfield at example dot com, that's one word",
        ["email = danawhitfield@example.com"],
    ),
    ("a: What's your e-mail? | dana one word at example dot com", ["email = dana@example.com"]),
    (
        "a: What's your e-mail? | d a n a no spaces at example dot com",
        ["email = dana@example.com"],
    ),
    (
        "a: What's your e-mail? | dana 22, no spaces, at example dot com",
        ["email = dana22@example.com"],
    ),
]

NOTHING = [
    "a: Do you prefer a call or an email? | I don't care",
    "do you speak spanish?",
    "what languages do you speak there",
    "my neighbour speaks French, I had French in school, terrible",
    "I'm learning Spanish.",
    "if I wanted letters instead of emails what would that cost me",
    "you sent me an email last week",
    "my husband likes texts",
    "they call me between jobs",
    "I was on the phone for an hour",
    "a: What time did the engineer come? | after six",
    "not after eight please",
    "imagine I lived at number one Buckingham Street, would you deliver there",
    "I'm standing in front of your shop at 12 King Street",
    "I live 5 minutes from Elm Street",
    "a: Where's the shop? | The shop is at 12 King Street.",
    "my email is dana whitfield at example dot org",
    "my email is j smith 2 at example dot com",
    "my wife's email is mei at example dot com",
    "how do I change my email address on the site",
    "can you speak slower",
    "mornings are best",
    "a: What's your e-mail? | dana whitfield at example dot com",
    "a: What's your e-mail? | send it to my old friend dana whitfield, one word, at example dot com",
]


@pytest.mark.parametrize(("lines", "facts"), READ, ids=[lines for lines, _ in READ])
def test_how_to_reach_the_caller_is_read(lines: str, facts: list[str]):
    assert found(lines) == facts


@pytest.mark.parametrize("lines", NOTHING)
def test_nothing_is_read_of_how_to_reach_the_caller(lines: str):
    assert found(lines) == []
