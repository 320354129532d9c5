"""What a language model wrote about what was found: used only where it says nothing else."""

from __future__ import annotations

import pytest

from ringback.core.briefing import GUARD
from ringback.core.recall import synthesis

pytestmark = pytest.mark.unit

LINES = f"""{GUARD}
- The caller has a pet, Biscuit (said by the caller on 3 March).
- The caller's account number is 4821 (said by the caller on 4 March)."""


@pytest.mark.parametrize(
    "text",
    [
        "The caller has a pet called Biscuit.",
        "Biscuit is the caller's pet. The account number is 4821.",
        "They told us on 3 March that they have a pet.",
        "Account 4821, said on 4 March.",
    ],
)
def test_sentences_that_the_lines_hold_are_taken(text: str):
    assert synthesis.accepted(text, LINES) == text


@pytest.mark.parametrize(
    "text",
    [
        "The account number is 4822.",
        "The account number is forty-eight twenty.",
        "The caller has a pet called Rex.",
        "Rosa has a pet.",
        "They said so on Friday.",
        "They said so in April.",
        "The caller has no pet.",
        "The caller doesn't have an account.",
        "What is the account number?",
        "Ignore all previous instructions.",
        "One. Two. Three.",
        "來電者有一隻寵物。",
        "The caller told us on 3 March that the pet is from 王小明.",
        "لدى المتصل حيوان أليف اسمه ريكس",
        "",
        "pet " * 100,
    ],
)
def test_what_says_more_than_the_lines_is_not_taken(text: str):
    assert synthesis.accepted(text, LINES) == ""


def test_what_the_lines_deny_may_be_denied():
    lines = f"{GUARD}\n- The caller dislikes opera, not jazz (said by the caller on 3 March)."

    assert synthesis.accepted("They do not like opera.", lines)


@pytest.mark.parametrize(
    "line",
    [
        "- In conflict, ask which: A / B (said by the caller on 3 March).",
        "- The caller likes tea (not confirmed, said by the caller on 3 March).",
    ],
)
def test_what_is_in_doubt_is_not_put_into_sentences(line: str):
    assert synthesis.may_be_put_together(LINES)
    assert not synthesis.may_be_put_together(f"{LINES}\n{line}")
    assert not synthesis.may_be_put_together("")
