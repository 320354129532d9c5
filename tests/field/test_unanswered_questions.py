"""A summary tells that something was asked; it does not answer it."""

from __future__ import annotations

import pytest

from ringback import Memory
from tests.field.made import briefing_of, summary_of, talk

pytestmark = pytest.mark.framework

ASKED = (
    "And what's the capital of Peru?",
    "and what's the capital of peru",
    "okay so which city is the capital of Peru",
)


class Model:
    """A language model that writes one text, and keeps what it was given."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.given: list[str] = []

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        self.given.append(text)
        return self.text


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize(
    "answer",
    [
        "Lima",
        "The capital of Peru is Lima.",
        "The caller asked for the capital of Peru, which is Lima.",
        "The caller was told that Lima is the capital of Peru.",
        "Sure! The capital city is the one on the coast.",
    ],
)
async def test_an_answer_is_no_summary(url: str, question: str, answer: str):
    model = Model(answer)
    async with await Memory.open(url, generator=model) as memory:
        await talk(memory, "c: My account number is 4821.", "a: Thank you.", f"c: {question}")

        summary = await summary_of(memory)

        assert len(model.given) == 1
        assert summary.endswith(f'The caller\'s last question was not answered: "{question}"')
        assert "Lima" not in summary
        assert "coast" not in summary
        assert "Lima" not in await briefing_of(memory)


async def test_prose_that_passes_over_the_last_question_is_completed(url: str):
    model = Model("The caller gave an account number and wanted to know something else.")
    async with await Memory.open(url, generator=model) as memory:
        await talk(memory, "c: My account number is 4821.", "a: Thank you.", f"c: {ASKED[0]}")

        assert await summary_of(memory) == (
            f'{model.text} The caller\'s last question was not answered: "{ASKED[0]}"'
        )


async def test_a_question_that_the_agent_answered_is_not_called_unanswered(url: str):
    async with await Memory.open(url) as memory:
        await talk(memory, f"c: {ASKED[0]}", "a: I can only help with your account.")

        assert "not answered" not in await summary_of(memory)
