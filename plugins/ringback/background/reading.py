"""From a call's turns to decisions about facts: extraction, then promotion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ringback.core import extraction, hearing, promotion
from ringback.records import Call, CallView, Candidate, Decision, Fact, Turn
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
    return decided(found_in(view, schema), view.call, current, schema, recorded_at)


@dataclass(frozen=True, slots=True)
class Found:
    """What a call says, before it is weighed against what is known."""

    said: tuple[Turn, ...]
    """Its turns, but for blank ones and those that nobody said."""
    candidates: tuple[Candidate, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Under which facts have to be known for it; what is known under others changes nothing."""
        return tuple(sorted({one.key for one in self.candidates}))


def found_in(view: CallView, schema: Schema) -> Found:
    """Read a whole call's turns; takes a millisecond a turn."""
    said = tuple(turn for turn in hearing.heard(view.turns).turns if turn.text.strip())
    return Found(said, tuple(extraction.extract(said, call=view.call, schema=schema)))


def decided(
    found: Found, call: Call, current: Sequence[Fact], schema: Schema, recorded_at: datetime
) -> tuple[Decision, ...]:
    """Weigh it against what is known under its keys; see `read_call`."""
    return promotion.decide(
        found.candidates,
        current,
        call=call,
        recorded_at=recorded_at,
        schema=schema,
        turns=found.said,
    )
