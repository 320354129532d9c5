"""Turns in the order in which they were spoken, where a transcript came late."""

from __future__ import annotations

from collections.abc import Sequence

from ringback.records import Turn


def in_spoken_order(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Put a turn before those that began when it had ended.

    A turn's place in the call is when it was handed over; speech recognition may be so
    late that the next question was asked meanwhile, which it does not answer. Turns that
    overlap stay as they are, and so do those whose times or places nobody told.

    Args:
        turns: A call's, in order of their places.
    """
    ordered: list[Turn] = []
    for turn in turns:
        place = len(ordered)
        while place and _is_before(turn, ordered[place - 1]):
            place -= 1
        ordered.insert(place, turn)
    return tuple(ordered)


def _is_before(turn: Turn, other: Turn) -> bool:
    if turn.position < 0 or turn.ended_ms is None or other.started_ms is None:
        return False
    return turn.ended_ms <= other.started_ms and turn.started_ms != other.started_ms
