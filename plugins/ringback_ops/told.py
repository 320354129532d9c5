"""Memory in words: what was decided, what is kept, what the next prompt will contain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ringback import Call, Context, Decision, Fact
from ringback.records import SELF, Action, DecisionMade, Outcome, Summary

SIGNS = {Action.ADD: "+", Action.UPDATE: "~", Action.RETIRE: "x", Action.SKIP: "-"}
SHORT_ID = 8  # characters of an id that are shown, and enough to name a fact
WORDS_SHOWN = 60  # of the evidence, in one line


def decision_line(decision: Decision) -> str:
    """One decision, its value, the words it rests on, and the reason."""
    candidate = decision.candidate
    sign = SIGNS[decision.action]
    words = shortened(candidate.evidence.words)
    where = f"turn {candidate.evidence.position}"
    return f"  {sign} {candidate.key} = {candidate.value}   “{words}” ({where}): {decision.reason}"


def made_line(made: DecisionMade) -> str:
    """One decision as it is kept: no value, but whether, why, and what checks did."""
    mended = [
        f"{check.name} {check.outcome}: {check.reason}"
        for check in made.checks
        if check.outcome is not Outcome.PASSED
    ]
    why = "; ".join([made.reason, *mended])
    at = made.at.strftime("%Y-%m-%d %H:%M")
    return f"  {SIGNS[made.action]} {made.key:20} {at}  call {made.call_id} turn {made.position}: {why}"


def fact_line(fact: Fact, zone: str = "UTC") -> str:
    """One fact with its call, its turn and its words."""
    at = local(fact.observed_at, zone)
    words = shortened(fact.evidence.words)
    key = fact.key if fact.subject == SELF else f"{fact.key} of {fact.subject}"
    return (
        f"  {fact.id[:SHORT_ID]}  {key:20}{fact.value:32} {fact.status:11} {at}  "
        f"call {fact.evidence.call_id} turn {fact.evidence.position} “{words}”"
    )


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


def shortened(words: str) -> str:
    """Words for one line."""
    flat = " ".join(words.split())
    return flat if len(flat) <= WORDS_SHOWN else f"{flat[: WORDS_SHOWN - 1]}…"


def local(at: datetime, zone: str) -> str:
    """A time where the caller is."""
    return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
