"""A call on text: after each line, what was made of it and what the next prompt will hold."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ringback import CallHandle, Context, Decision, Memory, RecordingError, Role, Turn
from ringback.records import Job
from ringback_ops.memory_file import TENANT
from ringback_ops.told import context_lines, decisions_lines, summary_lines

Reply = Callable[[list[dict[str, str]], Context], Awaitable[str]]
"""Answers a conversation, given what memory adds to it."""
Print = Callable[[str], None]
DIALOGUE_FILE = "dialogue.jsonl"


class ScriptClock:
    """A clock that stands where the script puts it; the call's clock in a replay on text."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now_ms(self) -> float:
        """Milliseconds since the epoch, of the script."""
        return self.at.timestamp() * 1000

    def now_at(self) -> datetime:
        """The script's time, in UTC."""
        return self.at.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a written dialogue."""

    role: Role
    text: str
    at: datetime


def load_dialogue(folder: Path) -> tuple[Line, ...]:
    """Read a call folder's dialogue.jsonl.

    Raises:
        RecordingError: It is missing, or a line is not as it should be.
    """
    file = folder / DIALOGUE_FILE
    lines = []
    try:
        written = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise RecordingError(f"{file}: cannot be read: {error.strerror}") from error
    for number, text in enumerate(written, 1):
        try:
            line = json.loads(text)
            at = datetime.fromisoformat(line["at"])
            lines.append(Line(Role(line["role"]), line["text"], at))
        except (ValueError, KeyError, TypeError):
            raise RecordingError(f"{file}:{number}: needs role, text and at") from None
        if at.tzinfo is None:
            raise RecordingError(f"{file}:{number}: at needs an offset")
    return tuple(lines)


class Chat:
    """One text call, told to a person line by line.

    Args:
        memory: Where it is remembered; None talks without memory.
        tell: Takes each line that is shown.
        reply: Answers the caller; None leaves the agent's lines to the script or the person.
    """

    def __init__(self, memory: Memory | None, tell: Print, reply: Reply | None = None) -> None:
        self._memory = memory
        self._tell = tell
        self._reply = reply
        self._decisions: list[Decision] = []
        self._call: CallHandle | None = None
        self._shown = Context("", "")
        self.messages: list[dict[str, str]] = []
        if memory is not None:
            memory.on_settled(self._heard)

    @property
    def answers(self) -> bool:
        """The agent's lines are made here, not given."""
        return self._reply is not None

    async def ring(self, *, number: str, zone: str = "UTC", at: datetime | None = None) -> None:
        """Open the line: ring, brief, show what the first prompt will contain."""
        self.messages = []
        if self._memory is None:
            return
        handles = [("phone", number)] if number else []
        self._call = self._memory.ring(tenant=TENANT, handles=handles, zone=zone, at=at)
        await self._memory.settle()
        await self._call.briefed()
        self._show_context()

    async def say(self, role: Role, text: str, at: datetime) -> None:
        """Put in one line; show what was made of it, and the answer if there is one."""
        self._tell(f"{role:>6}: {text}")
        self._add(role, text)
        await self._remember(role, text, at)
        if role is Role.CALLER and self._reply is not None:
            answer = await self._reply(self.messages, self._context_for(text))
            self._tell(f"{Role.AGENT:>6}: {answer}")
            self._add(Role.AGENT, answer)
            await self._remember(Role.AGENT, answer, at)

    async def hang_up(self) -> None:
        """Close the line; show the summary that the next briefing will have."""
        if self._memory is None or self._call is None:
            return
        await self._memory.settle()
        await self._call.end()
        call = self._call.call
        if call.caller_id is None:
            self._tell("  (number withheld: nothing is kept beyond this call)")
            return
        last = await self._memory.keeping.last_interaction(call.tenant, call.caller_id)
        if last is not None:
            self._tell("  summary")
            for line in summary_lines(last, call.zone):
                self._tell(line)

    async def _remember(self, role: Role, text: str, at: datetime) -> None:
        if self._memory is None or self._call is None:
            return
        self._call.observe(Turn(role, text, at=at))
        await self._memory.settle()
        await self._call.briefed()
        for line in decisions_lines(self._decisions):
            self._tell(line)
        self._decisions.clear()
        self._show_context()

    def _add(self, role: Role, text: str) -> None:
        name = "user" if role is Role.CALLER else "assistant"
        self.messages.append({"role": name, "content": text})

    def _context(self) -> Context:
        return self._call.context() if self._call is not None else Context("", "")

    def _context_for(self, said: str) -> Context:
        call, turn = self._call, len(self.messages)
        return call.context(said, turn=turn) if call is not None else Context("", "")

    def _show_context(self) -> None:
        context = self._context()
        if context != self._shown:
            self._shown = context
            self._tell("  next prompt")
            for line in context_lines(context):
                self._tell(line)

    def _heard(self, job: Job, decisions: tuple[Decision, ...]) -> None:
        if self._call is not None and job.call_id == self._call.call.id:
            self._decisions.extend(decisions)
