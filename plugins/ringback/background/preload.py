"""The briefing: what the store knows, and what the journal holds that is not settled yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.core import hearing
from ringback.core.correction import CURRENT
from ringback.core.telling import may_tell
from ringback.protocols import Journal, Store
from ringback.records import Assurance, Briefing, Call, CallView, Fact, Status
from ringback.schemas import Schema


class Keeping(Journal, Store, Protocol):
    """A back-end, as far as a briefing needs it."""


async def build_briefing(
    keeping: Keeping,
    call: Call,
    schema: Schema,
    *,
    now_at: datetime,
    recent_turns: int,
    thinking: Thinking,
) -> Briefing:
    """Prepare what is ready before the first word.

    Facts of earlier calls that are not settled yet are read from their journals here, so
    the briefing is never older than the last turn that was committed. Whatever is known not
    to be committed makes it incomplete: a call that goes on elsewhere or was cut off, and
    spilled entries that may be anybody's.

    Args:
        keeping: Where memory is kept.
        call: The call that begins; with a caller where one is known.
        schema: Which facts there may be.
        now_at: When facts read from unsettled journals count as learnt.
        recent_turns: How many last turns of unsettled calls to repeat.
        thinking: Where journals are read, off the loop.
    """
    # First: what is folded in after this is seen by the reads below.
    is_behind = await keeping.is_behind() if call.caller_id or call.handles else False
    caller_id, assurance, unsettled = await _who_and_unsettled(keeping, call)
    earlier = _of(caller_id, unsettled)
    known = await _known_facts(keeping, call.tenant, caller_id, earlier)
    facts = await thinking.about(lambda: _with_unsettled(known, earlier, schema, now_at))
    current = tuple(fact for fact in facts if fact.status in CURRENT)
    last = await keeping.last_interaction(call.tenant, caller_id) if caller_id else None
    recent = [turn for view in earlier for turn in hearing.told(view.turns)][-recent_turns:]
    is_known = caller_id is not None or any(view.turns for view in earlier)
    if is_known and not caller_id:
        assurance = Assurance.CLAIMED
    return Briefing(
        assurance=assurance,
        caller_id=caller_id,
        facts=current,
        last_interaction=last,
        outdated=_outdated(facts, current),
        recent=tuple(recent),
        is_complete=not is_behind and all(view.call.ended_at is not None for view in earlier),
        withheld=tuple(fact for fact in facts if not may_tell(fact, assurance, schema)),
    )


async def _who_and_unsettled(
    keeping: Keeping, call: Call
) -> tuple[str | None, Assurance, tuple[CallView, ...]]:
    """Who is calling, and what of them is not settled, as of one moment.

    Between two reads a worker may attach the handles to a caller: the calls read then would
    be somebody's, while nobody is known. So the reads go on until nobody came in between.
    """
    caller_id, assurance = await _who(keeping, call)
    while True:
        unsettled = await keeping.unsettled(
            call.tenant, caller_id=caller_id, handles=call.handles, besides=call.id
        )
        before, (caller_id, assurance) = caller_id, await _who(keeping, call)
        if caller_id == before:
            return caller_id, assurance, unsettled


async def _who(keeping: Keeping, call: Call) -> tuple[str | None, Assurance]:
    if call.caller_id is not None and await keeping.caller(call.tenant, call.caller_id):
        return call.caller_id, call.assurance
    caller = await keeping.caller_of(call.tenant, call.handles) if call.handles else None
    return (None, Assurance.UNKNOWN) if caller is None else (caller.id, Assurance.CLAIMED)


def _of(caller_id: str | None, views: Sequence[CallView]) -> list[CallView]:
    """Keep calls that are this caller's, or nobody's yet.

    Several people may share a handle: what belongs to another of them is not to be heard.
    """
    return [view for view in views if view.call.caller_id in (None, caller_id)]


async def _known_facts(
    keeping: Keeping, tenant: str, caller_id: str | None, views: Sequence[CallView]
) -> tuple[Fact, ...]:
    """Facts of the caller and of calls that are nobody's yet, of every status.

    By those that hold no more, reading a call again revives nothing that was withdrawn.
    """
    known: list[Fact] = []
    if caller_id is not None:
        known += await keeping.facts(tenant, caller_id=caller_id, statuses=tuple(Status))
    for view in views:
        if view.call.caller_id is None:
            known += await keeping.facts(tenant, call_id=view.call.id, statuses=tuple(Status))
    return tuple(known)


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
