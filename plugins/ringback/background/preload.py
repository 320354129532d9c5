"""The briefing: what the store knows, and what the journal holds that is not settled yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.core import briefing as rendering, hearing, households
from ringback.core.correction import CURRENT
from ringback.core.telling import may_tell
from ringback.protocols import Known, Store
from ringback.records import Assurance, Briefing, Call, CallView, Fact, Status, Turn
from ringback.schemas import Schema


async def build_briefing(
    store: Store,
    call: Call,
    schema: Schema,
    *,
    now_at: datetime,
    recent_turns: int,
    thinking: Thinking,
) -> tuple[Briefing, str]:
    """Prepare what is ready before the first word: what is known, and how it is told.

    Facts of earlier calls that are not settled yet are read from their journals here, so
    the briefing is never older than the last turn that was committed. Whatever is known not
    to be committed makes it incomplete: a call that goes on elsewhere or was cut off, and
    spilled entries that may be anybody's.

    Args:
        store: Where memory is kept.
        call: The call that begins; with a caller where one is known.
        schema: Which facts there may be.
        now_at: When facts read from unsettled journals count as learnt.
        recent_turns: How many last turns of unsettled calls to repeat.
        thinking: Where journals are read, and many facts put into words, off the loop.
    """
    known = await store.known(call)
    if known.is_shared:  # what is nobody's yet may be any of theirs
        is_complete = _is_complete(call, replace(known, unsettled=()))
        shared = Briefing(Assurance.UNKNOWN, is_complete=is_complete, is_shared=True)
        return shared, _in_words(call, shared, schema)
    caller_id = known.caller.id if known.caller is not None else None
    earlier = _of(caller_id, known.unsettled)
    facts = known.facts
    told: tuple[Turn, ...] = ()
    if earlier:
        facts, told = await thinking.about(
            lambda: (_with_unsettled(known.facts, earlier, schema, now_at), _told(earlier))
        )
    heard = replace(known, unsettled=earlier, facts=facts)

    def briefed() -> tuple[Briefing, str]:
        briefing = replace(_briefing(call, heard, schema), recent=told[-recent_turns:])
        return briefing, _in_words(call, briefing, schema)

    return await thinking.over(facts, briefed)


def _briefing(call: Call, heard: Known, schema: Schema) -> Briefing:
    caller_id, facts = heard.caller.id if heard.caller is not None else None, heard.facts
    current = tuple(fact for fact in facts if fact.status in CURRENT)
    assurance = _assurance(call, caller_id, heard.unsettled)
    return Briefing(
        assurance=assurance,
        caller_id=caller_id,
        facts=current,
        last_interaction=heard.last_interaction,
        outdated=_outdated(facts, current),
        names=households.names_of(facts, besides=call.id, merged=heard.merged),
        is_complete=_is_complete(call, heard),
        withheld=tuple(fact for fact in facts if not may_tell(fact, assurance, schema)),
    )


def _in_words(call: Call, briefing: Briefing, schema: Schema) -> str:
    at, zone = call.started_at, call.zone
    return rendering.render_briefing(briefing, now_at=at, zone=zone, schema=schema)


def _is_complete(call: Call, heard: Known) -> bool:
    """What is not folded in may be anybody's, but not of a call that leads to nobody."""
    may_miss = heard.is_behind and bool(call.caller_id or call.handles)
    return not may_miss and all(view.call.ended_at is not None for view in heard.unsettled)


def _assurance(call: Call, caller_id: str | None, earlier: Sequence[CallView]) -> Assurance:
    """As the application says of whom it named; what a handle leads to is a claim."""
    if caller_id is not None:
        return call.assurance if caller_id == call.caller_id else Assurance.CLAIMED
    has_called = any(view.turns for view in earlier)
    return Assurance.CLAIMED if has_called else Assurance.UNKNOWN


def _of(caller_id: str | None, views: Sequence[CallView]) -> tuple[CallView, ...]:
    """Keep calls that are this caller's, or nobody's yet.

    Several people may share a handle: what belongs to another of them is not to be heard.
    """
    return tuple(view for view in views if view.call.caller_id in (None, caller_id))


def _told(views: Sequence[CallView]) -> tuple[Turn, ...]:
    return tuple(turn for view in views for turn in hearing.told(view.turns))


def _with_unsettled(
    known: Sequence[Fact], views: Sequence[CallView], schema: Schema, now_at: datetime
) -> tuple[Fact, ...]:
    """What is known, of every status, once these calls are read as well."""
    facts = {fact.id: fact for fact in known}
    for view in views:
        for decision in read_call(view, tuple(facts.values()), schema, now_at):
            for fact in (decision.superseded, decision.fact):
                if fact is not None and (fact is decision.superseded or fact.id not in facts):
                    facts[fact.id] = fact
    return tuple(facts.values())


def _outdated(facts: Sequence[Fact], current: Sequence[Fact]) -> tuple[str, ...]:
    held = {fact.value for fact in current}
    ended = [fact.value for fact in facts if fact.status in (Status.SUPERSEDED, Status.RETIRED)]
    return tuple(value for value in dict.fromkeys(ended) if value not in held)
