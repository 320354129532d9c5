"""What a recall found, as lines for a language model: checked, dated, sourced, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ringback.core.briefing import GUARD
from ringback.core.correction import CURRENT
from ringback.core.dates import zone_of
from ringback.core.recall.purpose import of_other_cases
from ringback.core.telling import conflict_line, holds_one, in_conflict, may_tell, secrets_of, tells
from ringback.core.wording import ORIGINS, day, rough_tokens, safe, sentence
from ringback.recollection import Recall, Recollection
from ringback.records import Assurance, Fact, Role, Scope, Status
from ringback.schemas import SUPPORT, Schema

MAX_TURN_CHARACTERS = 400
RECALL_TOKENS = 430  # of all lines together; more memory than that makes small models worse

COULD_NOT_LOOK = "Not all of memory could be looked at just now: there may be more."

_SCOPES = {Scope.CASE: ", for that case only", Scope.ORGANISATION: ", for everybody there"}


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is shown what was found, and for what."""

    assurance: Assurance
    """How sure it is who is calling: decides what may be told."""
    zone: str = "UTC"
    """Where dates are given; UTC if it is not known."""
    purpose: str = ""
    """What this call is about, in words or as an entity: facts of other cases are left out."""
    known: Sequence[Fact] = field(default=(), repr=False)
    """The profile's facts, with those that hold no more: show conflicts, and what may not be told."""


def render_recall(
    recall: Recall,
    audience: Audience,
    *,
    now_at: datetime,
    schema: Schema = SUPPORT,
    max_tokens: int = RECALL_TOKENS,
    count: Callable[[str], int] = rough_tokens,
) -> str:
    """Put what was found into lines that may be laid before a language model.

    Each thing is checked first. Left out are facts that hold no more, that this caller may
    not be told, or that belong to another case, and turns that hold the words of what may
    not be told, whether it still holds or not. Where there can be one value and several are on record, one line names them all.

    Args:
        recall: Best first.
        audience: For whom.
        now_at: Now, aware.
        schema: Has the wording and the sensitivity of each key.
        max_tokens: Of the whole text; the last lines that do not fit are left out.
        count: The model's tokenizer; roughly four characters each without one.

    Returns:
        A guard line, then a line for each; a line of its own says where memory could not
        be looked at. Empty when there is nothing to say.
    """
    local = now_at.astimezone(zone_of(audience.zone) or UTC)
    missed = [COULD_NOT_LOOK] if recall.missed else []
    kept = [GUARD, *missed]
    for line in _checked(recall.found, audience, local, schema):
        if count("\n".join([*kept, line])) > max_tokens:
            break
        kept.insert(len(kept) - len(missed), line)
    if len(kept) > 1 + len(missed):
        return "\n".join(kept)
    return "\n".join(missed)


def line_of(one: Recollection, *, now_at: datetime, schema: Schema = SUPPORT) -> str:
    """One recollection in a line: what, from whom, when, and how long it holds.

    Args:
        one: A fact, or a turn.
        now_at: Now, in the reader's zone, which the date is given in.
        schema: Says which keys end by themselves, not by what was said.

    Returns:
        Empty when nothing harmless is left of it.
    """
    if one.fact is not None:
        return f"- {one.text} ({_origin(one.fact, now_at, schema)})." if one.text else ""
    turn, words = one.turn, safe(one.text, MAX_TURN_CHARACTERS)
    who = "caller" if turn is None or turn.role is Role.CALLER else "you"
    if turn is not None and turn.speaker:
        who = safe(turn.speaker, 40)
    return f'- {_day(one.observed_at, now_at)}, {who}: "{words}"' if words else ""


def tokens_of(line: str) -> int:
    """Roughly; see `ringback.core.wording.rough_tokens`."""
    return rough_tokens(line)


def _checked(
    found: Sequence[Recollection], audience: Audience, local: datetime, schema: Schema
) -> Iterator[str]:
    """A line for each thing that passes, each once."""
    known = {fact.id: fact for fact in audience.known}
    known |= {one.fact.id: one.fact for one in found if one.fact is not None}
    withheld = {
        fact.id: fact for fact in known.values() if not may_tell(fact, audience.assurance, schema)
    }
    secrets = secrets_of(withheld.values())
    beside = _beside(found, known.values(), schema)
    holding = [fact for fact in beside if _holds(fact, local)]
    others = of_other_cases(holding, audience.purpose)
    told = [fact for fact in holding if fact.id not in withheld and fact.id not in others]
    rivals = {fact.id: some for some in in_conflict(_newest_first(told), schema) for fact in some}
    may_show = {fact.id for fact in told}
    seen: set[str] = set()
    for one in found:
        if one.fact is not None and one.fact.id not in may_show:
            continue
        if tells(one.text, secrets):
            continue
        some = rivals.get(one.fact.id, ()) if one.fact is not None else ()
        line = _conflict(some, local, schema) if some else _line(one, local, schema)
        if line and line not in seen:
            yield line
        seen.add(line)


def _beside(found: Sequence[Recollection], known: Collection[Fact], schema: Schema) -> list[Fact]:
    """What may compete with a fact that was found, and what was said in the calls of those.

    Only that bears on what is shown, and to look at all of a long profile takes long.
    """
    facts = [one.fact for one in found if one.fact is not None]
    single = {(fact.subject, fact.key) for fact in facts if holds_one(fact, schema)}
    facts += [fact for fact in known if (fact.subject, fact.key) in single]
    calls = {fact.evidence.call_id for fact in facts}
    return [fact for fact in known if fact.evidence.call_id in calls]


def _line(one: Recollection, local: datetime, schema: Schema) -> str:
    """Worded anew from the fact: whoever made the recollection, its words are harmless."""
    if one.fact is None or (said := sentence(one.fact, schema=schema)) == one.text:
        return line_of(one, now_at=local, schema=schema)
    return f"- {said} ({_origin(one.fact, local, schema)})." if said else ""


def _conflict(rivals: Sequence[Fact], local: datetime, schema: Schema) -> str:
    origins = dict.fromkeys(_origin(fact, local, schema) for fact in rivals)
    return f"- {conflict_line(rivals, schema)} ({'; '.join(origins)})."


def _holds(fact: Fact, local: datetime) -> bool:
    ends_at = [at for at in (fact.valid_to, fact.expires_at) if at is not None]
    return fact.status in CURRENT and all(at > local for at in ends_at)


def _newest_first(facts: Sequence[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: (fact.observed_at, fact.id), reverse=True)


def _origin(fact: Fact, local: datetime, schema: Schema) -> str:
    """Who said it and when, since when and how long it holds, and for what."""
    doubt = "not confirmed, " if fact.status is Status.PROVISIONAL else ""
    said_on = _day(fact.observed_at, local)
    since = ""
    if fact.valid_from is not None and (starts := _day(fact.valid_from, local)) != said_on:
        since = f", {'from' if fact.valid_from > local else 'since'} {starts}"
    ends_at = _ends_at(fact, schema)
    until = f", until {_day(ends_at, local)}" if ends_at is not None else ""
    return f"{doubt}{ORIGINS[fact.source]} {said_on}{since}{until}{_SCOPES.get(fact.scope, '')}"


def _ends_at(fact: Fact, schema: Schema) -> datetime | None:
    """When it stops being true; a key's time to live says when to forget it, which is another."""
    named = schema.field(fact.key)
    has_own_end = named is None or named.ttl_days is None
    return fact.valid_to or (fact.expires_at if has_own_end else None)


def _day(at: datetime, local: datetime) -> str:
    return day(at.astimezone(local.tzinfo), local)
