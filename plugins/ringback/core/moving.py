"""What becomes of facts when calls are moved between profiles, and when that is undone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ringback.core.correction import HEADS, Slot, slot_of
from ringback.core.forgetting import restored
from ringback.moves import FactState, Move
from ringback.records import Fact
from ringback.schemas import Schema


def current_without(
    facts: Sequence[Fact], call_ids: Collection[str], *, schema: Schema
) -> tuple[Fact, ...]:
    """Facts of a profile that are current again once these calls are somebody else's.

    Args:
        facts: The profile's, of every status.
        call_ids: What is taken out of it.
        schema: Says what is a version of what.
    """
    gone = {fact.id for fact in facts if fact.call_id in call_ids}
    return tuple(restored(facts, gone, schema))


def as_before(move: Move, facts: Sequence[Fact], *, schema: Schema) -> tuple[Fact, ...]:
    """Facts that a move had ended or made current, as they stood; where nothing came since.

    What a later statement has ended stays ended, and a value that a later one took the place
    of does not come back beside it.

    Args:
        move: What is undone.
        facts: Of both profiles, of every status.
        schema: Says what is a version of what.
    """
    states = {state.fact_id: state for state in move.before}
    moves_back = set(move.call_ids)
    groups = (
        [fact for fact in facts if fact.call_id in moves_back],
        [fact for fact in facts if fact.call_id not in moves_back],
    )
    return tuple(fact for group in groups for fact in _put_back(group, facts, states, move, schema))


def _put_back(
    group: Sequence[Fact],
    facts: Sequence[Fact],
    states: dict[str, FactState],
    move: Move,
    schema: Schema,
) -> Iterator[Fact]:
    """Of facts that are one profile's again, those that stand otherwise than before the move."""
    since = [fact for fact in group if fact.recorded_at > move.at]
    taken = {_slot(fact, schema) for fact in since if fact.status in HEADS}
    ended = {fact.supersedes for fact in since}
    for fact in group:
        state = states.get(fact.id)
        if state is None or (fact.status, fact.valid_to) == (state.status, state.valid_to):
            continue
        was_head, is_head = state.status in HEADS, fact.status in HEADS
        if was_head and is_head:  # it was confirmed or withdrawn since
            continue
        if was_head and (fact.id in ended or _slot(fact, schema) in taken):
            continue
        if not was_head and not _is_replaced(fact, facts, move):
            continue
        yield replace(fact, status=state.status, valid_to=state.valid_to)


def _is_replaced(fact: Fact, facts: Iterable[Fact], move: Move) -> bool:
    """What had replaced it comes back with the calls that do."""
    return any(one.supersedes == fact.id and one.call_id in move.call_ids for one in facts)


def _slot(fact: Fact, schema: Schema) -> Slot:
    return slot_of(fact, schema.field(fact.key))
