"""What the field's tests share: calls of a known caller, and what is kept afterwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ringback import Assurance, CallHandle, Memory, Role, Turn
from ringback.clock import SystemClock
from ringback.profile import Profile
from ringback.records import Status

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
HANDLES = [("phone", "+1 555 010 0199")]


class SetClock(SystemClock):
    """A wall clock that a test sets."""

    def __init__(self, at: datetime = AT) -> None:
        self.at = at

    def now_at(self) -> datetime:
        return self.at


def turn(line: str, at: datetime = AT) -> Turn:
    """A turn from "c: ..." or "a: ..."."""
    role = Role.CALLER if line.startswith("c:") else Role.AGENT
    return Turn(role, line[2:].strip(), at=at)


async def danas(memory: Memory, *, at: datetime = AT) -> CallHandle:
    """Ring as Dana, who is verified."""
    call = memory.ring(tenant="acme", handles=HANDLES, at=at)
    await call.identify("dana", Assurance.VERIFIED, handles=HANDLES)
    await call.briefed()
    return call


async def talk(memory: Memory, *lines: str, days: int = 0) -> CallHandle:
    """A whole call of Dana's, settled, so many days after the first."""
    at = AT + timedelta(days=days)
    call = await danas(memory, at=at)
    for minute, line in enumerate(lines):
        call.observe(turn(line, at + timedelta(minutes=minute)))
    await call.end()
    await memory.settle()
    return call


def dana(memory: Memory) -> Profile:
    return memory.profile("acme", "dana")


async def current(profile: Profile) -> list[tuple[str, str]]:
    """Keys and values that hold now."""
    return sorted((fact.key, fact.value) for fact in await profile.facts())


async def past(profile: Profile) -> list[tuple[str, str]]:
    """Statements that once held."""
    facts = await profile.facts(with_history=True)
    return sorted(
        (fact.key, fact.value)
        for fact in facts
        if fact.status is Status.SUPERSEDED and not fact.is_withdrawal
    )


async def answers(profile: Profile, question: str) -> list[str]:
    return [one.text for one in (await profile.recall(question)).found]


async def summary_of(memory: Memory, caller_id: str = "dana") -> str:
    last = await memory.keeping.last_interaction("acme", caller_id)
    return last.text if last else ""


async def briefing_of(memory: Memory) -> str:
    """What the next call, whose caller is only claimed, is told before the first word."""
    call = memory.ring(tenant="acme", handles=HANDLES)
    await call.briefed()
    await call.end()
    return call.context().briefing
