"""The briefing: what the store knows, and what the journal holds that is not settled yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.protocols import Journal, Store
from ringback.records import Assurance, Briefing, Call, CallView, Fact
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
    the briefing is never older than the last turn that was committed.

    Args:
        keeping: Where memory is kept.
        call: The call that begins; with a caller where one is known.
        schema: Which facts there may be.
        now_at: When facts read from unsettled journals count as learnt.
        recent_turns: How many last turns of unsettled calls to repeat.
        thinking: Where journals are read, off the loop.
    """
    caller_id, assurance = call.caller_id, call.assurance
    if caller_id is None and call.handles:
        caller = await keeping.caller_of(call.tenant, call.handles)
        if caller is not None:
            caller_id, assurance = caller.id, Assurance.CLAIMED
    unsettled = await keeping.unsettled(call.tenant, caller_id=caller_id, handles=call.handles)
    earlier = _of(caller_id, [view for view in unsettled if view.call.id != call.id])
    known = await keeping.facts(call.tenant, caller_id=caller_id) if caller_id else ()
    facts = await thinking.about(lambda: _with_unsettled(known, earlier, schema, now_at))
    last = await keeping.last_interaction(call.tenant, caller_id) if caller_id else None
    recent = [turn for view in earlier for turn in view.turns][-recent_turns:]
    is_known = caller_id is not None or bool(earlier)
    return Briefing(
        assurance=assurance if not is_known or caller_id else Assurance.CLAIMED,
        caller_id=caller_id,
        facts=facts,
        last_interaction=last,
        recent=tuple(recent),
        is_complete=all(view.call.ended_at is not None for view in earlier),
    )


def _of(caller_id: str | None, views: Sequence[CallView]) -> list[CallView]:
    """Keep calls that are this caller's, or nobody's yet.

    Several people may share a handle: what belongs to another of them is not to be heard.
    """
    return [view for view in views if view.call.caller_id in (None, caller_id)]


def _with_unsettled(
    known: Sequence[Fact], views: Sequence[CallView], schema: Schema, now_at: datetime
) -> tuple[Fact, ...]:
    facts = list(known)
    for view in views:
        decisions = read_call(view, facts, schema, now_at)
        replaced = {d.superseded.id for d in decisions if d.superseded is not None}
        here = {fact.id for fact in facts}
        added = [d.fact for d in decisions if d.fact is not None and d.fact.id not in here]
        facts = [fact for fact in facts if fact.id not in replaced] + added
    return tuple(facts)
