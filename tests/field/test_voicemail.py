"""A voicemail that answers is nobody: it gives no facts, and the next call is told what it was."""

from __future__ import annotations

import pytest

from ringback import Memory
from ringback.schemas import GENERAL, SUPPORT, Schema
from tests.field.made import AT, HANDLES, briefing_of, current, dana, danas, summary_of, talk, turn

pytestmark = pytest.mark.framework

NOBODY = "A voicemail answered; the agent spoke with nobody."
GREETINGS = (
    (
        "c: You have reached the Brandvold residence, we are away until the twelfth, leave a "
        "message. Beep.",
    ),
    (
        "c: Hi, this is Dana Whitfield.",
        "c: I can't come to the phone right now.",
        "c: Leave your number, mine is 555 010 0199, after the tone.",
    ),
    (
        "a: Hello, this is Acme.",
        "c: You've reached the mailbox of Dana Whitfield. I live in Lisbon these days.",
        "a: Hello?",
        "c: My account number is 4821. Please leave a message after the beep.",
    ),
)


@pytest.mark.parametrize("schema", [GENERAL, SUPPORT], ids=["general", "support"])
@pytest.mark.parametrize("greeting", GREETINGS)
async def test_a_greeting_gives_no_facts_and_the_summary_says_that_nobody_answered(
    url: str, schema: Schema, greeting: tuple[str, ...]
):
    async with await Memory.open(url, schema=schema) as memory:
        await talk(memory, *greeting)

        assert await dana(memory).facts(with_history=True) == ()
        assert await summary_of(memory) == NOBODY
        told = await briefing_of(memory)
        assert NOBODY in told
        assert "Brandvold" not in told
        assert "said" not in told


async def test_what_the_agent_left_as_a_message_is_remembered(url: str):
    async with await Memory.open(url) as memory:
        await talk(memory, *GREETINGS[0], "a: This is Acme, we will call you back on Thursday.")

        assert [key for key, _ in await current(dana(memory))] == ["promise"]
        assert await summary_of(memory) == (
            f"{NOBODY} The agent promised to call the caller back on Thursday (2026-03-05)."
        )


async def test_who_picks_up_after_all_is_heard(url: str):
    async with await Memory.open(url) as memory:
        await talk(
            memory,
            *GREETINGS[0],
            "a: This is Acme.",
            "c: Hello, I'm here! My account number is 4821.",
        )

        assert await current(dana(memory)) == [("account_number", "4821")]
        assert NOBODY not in await summary_of(memory)


async def test_a_greeting_that_is_not_settled_yet_is_not_quoted_as_the_callers_words(url: str):
    async with await Memory.open(url) as memory:
        first = await danas(memory)
        await first.observe(turn(GREETINGS[0][0])).committed()

        second = memory.ring(tenant="acme", handles=HANDLES, at=AT)
        await second.briefed()

        assert "Brandvold" not in second.context().briefing


async def test_a_caller_who_complains_of_a_voicemail_is_no_voicemail(url: str):
    async with await Memory.open(url) as memory:
        await talk(
            memory,
            "c: I called twice and it said you have reached our voicemail, leave a message after "
            "the tone. My internet is down.",
        )

        assert await current(dana(memory)) == [("open_matter", "my internet is down")]
        assert "voicemail answered" not in await summary_of(memory)
