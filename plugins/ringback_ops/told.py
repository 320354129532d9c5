"""Memory in words: what was decided, what is kept, what the next prompt will contain."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ringback import Call, Context, Decision, Fact, Memory
from ringback.core.reading import ANY_VALUE
from ringback.profile import APPLICATION
from ringback.records import SELF, Action, DecisionMade, ModelUse, Outcome, Summary
from ringback_ops.short_id import short

SIGNS = {Action.ADD: "+", Action.UPDATE: "~", Action.RETIRE: "x", Action.SKIP: "-"}
WORDS_SHOWN = 60  # of the evidence, in one line
VALUE_SHOWN = 60  # columns of a value in a table
NOT_FROM_A_CALL = "not from a call"  # an application or a person at a terminal said so


def decision_line(decision: Decision) -> str:
    """One decision, its value, the words it rests on, and the reason."""
    candidate = decision.candidate
    evidence = candidate.evidence
    value = value_words(candidate.value, is_withdrawal=candidate.is_withdrawal)
    made = f"  {SIGNS[decision.action]} {candidate.key} = {value}"
    if not is_from_a_call(evidence.call_id):
        return f"{made}: {decision.reason}"
    words = shortened(evidence.words)
    return f"{made}   “{words}” (turn {evidence.position}): {decision.reason}"


def made_lines(made: Iterable[DecisionMade]) -> list[str]:
    """Decisions as they are kept: no value, but whether, why, and what checks did."""
    return _table([_made_row(one) for one in made])


def _made_row(made: DecisionMade) -> tuple[str, ...]:
    mended = [
        f"{check.name} {check.outcome}: {check.reason}"
        for check in made.checks
        if check.outcome is not Outcome.PASSED
    ]
    why = "; ".join([made.reason, *mended])
    at = made.at.strftime("%Y-%m-%d %H:%M")
    return (f"{SIGNS[made.action]} {made.key}", at, _where(made.call_id, made.position), why)


def fact_lines(facts: Iterable[Fact], zone: str = "UTC") -> list[str]:
    """Facts in columns, each with its id, its call, its turn and its words."""
    return _table([_fact_row(fact, zone) for fact in facts])


def _fact_row(fact: Fact, zone: str) -> tuple[str, ...]:
    evidence = fact.evidence
    words = f"“{shortened(evidence.words)}”" if is_from_a_call(evidence.call_id) else ""
    return (
        short(fact.id),
        fact.key if fact.subject == SELF else f"{fact.key} of {fact.subject}",
        shortened(value_words(fact.value, is_withdrawal=fact.is_withdrawal), VALUE_SHOWN),
        fact.status,
        local(fact.observed_at, zone),
        _where(evidence.call_id, evidence.position),
        words,
    )


def value_words(value: str, *, is_withdrawal: bool) -> str:
    """A value for a person; a withdrawal says that it is none."""
    if not is_withdrawal:
        return value
    return "none of any kind" if value == ANY_VALUE else f"no longer: {value}"


def is_from_a_call(call_id: str) -> bool:
    """Somebody said it in a call; what an application states has no words to show."""
    return not call_id.startswith(f"{APPLICATION}:")


def _where(call_id: str, position: int) -> str:
    return f"call {short(call_id)} turn {position}" if is_from_a_call(call_id) else NOT_FROM_A_CALL


def summary_lines(summary: Summary, zone: str = "UTC") -> list[str]:
    """A call's summary."""
    lines = [f"  {local(summary.at, zone)}  {summary.text}"]
    return lines + [f"    promised: {promise}" for promise in summary.promises]


def call_line(call: Call) -> str:
    """One call."""
    at = local(call.started_at, call.zone)
    end = local(call.ended_at, call.zone) if call.ended_at else "not ended"
    handles = ", ".join(f"{h.kind} {h.value}" for h in call.handles) or "number withheld"
    who = call.caller_id or "nobody yet"
    return f"{call.id}  {at} to {end}  {handles}  {call.assurance}: {who}"


def use_line(use: ModelUse) -> str:
    """What language models have cost a call."""
    tokens = f"{use.prompt_tokens:,} + {use.completion_tokens:,} tokens"
    return f"  read by a model up to turn {use.read_to}: {use.calls} requests, {tokens}"


def context_lines(context: Context) -> list[str]:
    """What memory adds to the next prompt."""
    parts: Sequence[tuple[str, str]] = (
        ("behind the system prompt", context.briefing),
        ("before the newest words", context.block),
    )
    lines = []
    for place, text in parts:
        if text:
            lines += [f"  [{place}]", *(f"  | {line}" for line in text.splitlines())]
    return lines or ["  (nothing)"]


def decisions_lines(decisions: Iterable[Decision]) -> list[str]:
    """All decisions of one job; what is known already is left out."""
    return [decision_line(d) for d in decisions if d.reason != "already known"]


def counted(count: int, what: str) -> str:
    """A number of things: `1 fact`, `2 facts`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def shortened(words: str, columns: int = WORDS_SHOWN) -> str:
    """Words for one line."""
    flat = " ".join(words.split())
    if _columns(flat) <= columns:
        return flat
    while _columns(flat) >= columns:
        flat = flat[:-1]
    return f"{flat}…"


def local(at: datetime, zone: str) -> str:
    """A time where the caller is."""
    return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Cells under each other, each column as wide as its widest cell."""
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(map(_padded, row, widths)).rstrip() for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _columns(text: str) -> int:
    """Columns on a terminal; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


async def remembered_text(memory: Memory, tenant: str) -> str:
    """What is kept of a tenant's callers, each with its call, turn and words."""
    lines: list[str] = []
    for caller in await memory.keeping.callers(tenant):
        names = ", ".join(handle.value for handle in caller.handles)
        lines += ["", f"Remembered of {names or caller.id}"]
        lines += fact_lines(await memory.keeping.facts(tenant, caller_id=caller.id))
        last = await memory.keeping.last_interaction(tenant, caller.id)
        if last is not None:
            lines += ["  last interaction", *summary_lines(last)]
    return "\n".join(lines)
