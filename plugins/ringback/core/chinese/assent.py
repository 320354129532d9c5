"""What a mere yes settles: 好, 可以, 對 to the other side's 明天下午三點可以嗎?, 帳號是4821嗎?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ringback.core.chinese import appointments, numbers
from ringback.core.chinese.clauses import Spoken, is_assent, spoken
from ringback.core.reading import ANSWERED, Found, Reading

_ASKS_YES = re.compile(
    r"(?:可以|好|行|方便|没问题|ok|okay|对|是|正确)(?:吗|不|么)|吗\W*$|对吧\W*$", re.IGNORECASE
)
_EITHER = re.compile(r"还是|或")


def read(reading: Reading, said: Spoken) -> Iterator[Found]:
    """Find the number or the date that the agent asked about and the caller agrees to."""
    yield from _agreed(reading, said, reading.asked, is_caller=True)


def read_agent(reading: Reading, said: Spoken) -> Iterator[Found]:
    """Find the date that the caller asked for and the agent agrees to."""
    yield from _agreed(reading, said, reading.lately.rpartition("\n")[2], is_caller=False)


def _agreed(reading: Reading, said: Spoken, asked: str, *, is_caller: bool) -> Iterator[Found]:
    if not is_assent(said.text):
        return
    question = spoken(asked)
    if not _ASKS_YES.search(question.text) or _EITHER.search(question.text):
        return
    clauses = tuple(
        replace(clause, is_question=False) for clause in question.clauses if not clause.is_supposed
    )
    stated = Spoken(question.text, clauses)
    found = [*appointments.offered(reading, stated)]
    if is_caller:
        found += numbers.asked_about(stated)
    end = len(said.text.rstrip())
    for one in found[:1]:
        yield replace(one, start=0, end=end, confidence=min(one.confidence, ANSWERED))
