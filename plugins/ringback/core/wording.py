"""How memory is put into words: facts as short sentences, made safe to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from ringback.core.reading import is_instruction
from ringback.core.relatives import is_person, spoken_of
from ringback.records import SELF, Fact, Kind, Source, Status
from ringback.schemas import SUPPORT, Field, Schema
from ringback.text import capped, one_line, sentences

CHARACTERS_PER_TOKEN = 4  # a rough count for English; real tokenizers give 3.5 to 4.5
MAX_VALUE_CHARACTERS = 100
MAX_DAYS = 3  # of one origin, the newest

_UNDERSTOOD = re.compile(r"\((\d{4}-\d\d-\d\d)\)")  # how a promise holds its date
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"[`|#*\\~^]|={2,}|-{3,}")
_LABEL = re.compile(
    r"\b(system|assistant|user|developer|tool|human|ai|agent|caller|instructions?)\s*:", re.I
)
ORIGINS = {
    Source.SYSTEM: "on record since",
    Source.CALLER: "said by the caller on",
    Source.AGENT: "said by you on",
    Source.INFERENCE: "guessed on",
}


def safe(text: str, limit: int = MAX_VALUE_CHARACTERS) -> str:
    """Make remembered text harmless inside a prompt.

    One line, no quotes to close, no role labels; sentences that try to give instructions
    or that hold brackets of any markup are left out; capped at `limit` characters.
    """
    line = one_line(text)
    kept = [
        line[span.start : span.end]
        for span in sentences(line)
        if not is_instruction(line[span.start : span.end])
    ]
    line = _MARKS.sub(" ", " ".join(kept)).replace('"', "'")
    return capped(one_line(_LABEL.sub(r"\1 -", line)), limit)


def rough_tokens(text: str) -> int:
    """Count tokens roughly: four characters each, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def day(at: datetime, now_at: datetime) -> str:
    """A date for a reader: "3 March", with the year when it is another year."""
    named = f"{at.day} {at:%B}"
    return named if at.year == now_at.year else f"{named} {at.year}"


def ago(then_at: datetime, now_at: datetime) -> str:
    """How long ago, by calendar days: "today", "yesterday", "12 days ago", "3 months ago".

    Args:
        then_at: Aware, in the reader's zone.
        now_at: Aware, in the same zone.
    """
    days = (now_at.date() - then_at.date()).days
    if days <= 0:
        minutes = int((now_at - then_at) / timedelta(minutes=1))
        return f"{minutes} minutes ago" if 1 < minutes < 60 else "today"
    if days == 1:
        return "yesterday"
    if days < 60:
        return f"{days} days ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def sentence(fact: Fact, *, schema: Schema = SUPPORT) -> str:
    """A fact in one sentence, without its date; empty when nothing harmless is left."""
    field = schema.field(fact.key)
    value = _own_words(fact) if field and field.is_evidence else safe(readable(fact.value))
    if not value:
        return ""
    quoted = f'"{value}"' if field and field.is_quoted else value
    label = field.label if field else safe(fact.key.replace("_", " "), 40)
    about = safe(spoken_of(fact.subject), 60) if fact.subject != SELF else ""
    if about and (field is None or is_person(fact.subject)):
        said = f"{about}: {label} {quoted}"
    elif field is None:
        said = f"The caller's {label} is {value}"
    else:
        said = f"{about}: " * bool(about) + field.sentence.format(value=quoted)
    return f"{said} ({_to_look_up(fact, field)})" if fact.kind is Kind.EVENT else said


def _to_look_up(fact: Fact, field: Field | None) -> str:
    """An event was true once: whoever acts on it asks the system that knows."""
    named = fact.object or (fact.subject if not is_person(fact.subject) else "")
    if named:
        return f"look up {safe(spoken_of(named), 60)} before acting"
    what = field.look_up or f"the {field.label}" if field else "it"
    return f"look up {what} before acting"


def origins(facts: Sequence[Fact], *, now_at: datetime) -> str:
    """Where facts come from and since when, in one line for all of them.

    A date behind each fact would be read aloud by a small model, and cost more.

    Args:
        facts: What was told; those that are not confirmed are named as such.
        now_at: In the caller's zone, which the dates are given in.

    Returns:
        E.g. "Said by the caller on 3 March and 4 March; said by you on 4 March."; empty without
        facts.
    """
    days: dict[str, list[str]] = {}
    for fact in sorted(facts, key=lambda fact: fact.observed_at):
        origin = ORIGINS[fact.source]
        if fact.status is Status.PROVISIONAL:
            origin = f"not confirmed, {origin}"
        said_on = day(fact.observed_at.astimezone(now_at.tzinfo), now_at)
        named = days.setdefault(origin, [])
        if said_on not in named:
            named.append(said_on)
    parts = [f"{origin} {_listed(named[-MAX_DAYS:])}" for origin, named in days.items()]
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}." if line else ""


def _listed(days: Sequence[str]) -> str:
    return " and ".join([", ".join(days[:-1]), days[-1]]) if len(days) > 1 else days[0]


def _own_words(fact: Fact) -> str:
    """The words as they were said, with the date that was understood if they do not name it."""
    words = safe(fact.evidence.words.strip(" ."))
    date = _understood_date(fact)
    if not words or date is None or {str(date.day), f"{date:%B}"} <= set(_WORD.findall(words)):
        return words
    return f"{words}, {day(date, fact.observed_at)}"


def _understood_date(fact: Fact) -> datetime | None:
    found = _UNDERSTOOD.search(fact.value)
    try:
        return datetime.fromisoformat(found.group(1)) if found else None
    except ValueError:  # it looks like one: somebody's words may hold "(2026-13-45)"
        return None


def readable(value: str) -> str:
    """An ISO date and time as a reader writes it: "2026-03-06 at 14:00"."""
    return re.sub(
        r"\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?(?:[+-]\d\d:\d\d|Z)?", r"\1 at \2", value
    )
