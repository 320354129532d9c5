"""From a call's turns to decisions about facts: extraction, then promotion."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ringback.core import extraction, hearing, promotion
from ringback.records import CallView, Decision, Fact
from ringback.schemas import Schema


def read_call(
    view: CallView, current: Sequence[Fact], schema: Schema, recorded_at: datetime
) -> tuple[Decision, ...]:
    """Read a whole call against what is known.

    Args:
        view: The call and its turns; blank ones say nothing, nor do those that nobody said.
        current: Facts of its caller or, for nobody's call, its own; of every status, so
            that what was withdrawn or replaced is not taken up again.
        schema: Which facts there may be.
        recorded_at: When what is read counts as learnt.

    Returns:
        See `promotion.decide`. Facts in them may be new and yet not current: a withdrawal,
        or a statement that had ended before it was read.
    """
    said = tuple(turn for turn in hearing.heard(view.turns).turns if turn.text.strip())
    candidates = extraction.extract(said, call=view.call, schema=schema)
    return promotion.decide(
        candidates,
        current,
        call=view.call,
        recorded_at=recorded_at,
        schema=schema,
        turns=said,
    )
