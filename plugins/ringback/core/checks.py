"""Eight checks on a candidate, before anything is decided about it.

Each looks at the candidate and at its call, and passes it, repairs it, or drops it with a
reason. They run in the order of `CHECKS`; a later one sees what an earlier one repaired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ringback.core.ground import Checker, Ground
from ringback.core.proof import verifiable
from ringback.core.references import entity, place, relation
from ringback.core.sense import cause, consistent, important
from ringback.core.timing import time_consistent
from ringback.records import Call, Candidate, Check, Turn
from ringback.schemas import Schema


@dataclass(frozen=True, slots=True)
class Named:
    """A check and the name that its results go by."""

    name: str
    run: Checker


CHECKS = (
    Named("entity", entity),  # says whom and what it is about, without a pronoun
    Named("place", place),  # an address, not "here"
    Named("time", time_consistent),  # dates, not "tomorrow"; none that cannot be
    Named("relation", relation),  # about the person that the words are about
    Named("consistent", consistent),  # nobody else's value, nobody's echo
    Named("cause", cause),  # an event keeps its reason and stays one event
    Named("verifiable", verifiable),  # every digit and name is in the words it cites
    Named("important", important),  # says something, and not for the second time
)


def check(
    candidate: Candidate,
    *,
    turns: Sequence[Turn],
    call: Call,
    said: Sequence[Candidate],
    schema: Schema,
) -> tuple[Candidate | None, tuple[Check, ...]]:
    """Put a candidate through every check, until one drops it.

    Args:
        candidate: What was read from a turn.
        turns: The call's turns in order; a turn without a position takes its index. Without
            any, what needs a turn to be checked passes.
        call: Whose time zone dates are resolved in.
        said: What this call said before and what stood up to its checks, oldest first.
        schema: Which facts there may be; a key outside it is checked as plain text.

    Returns:
        The candidate as it goes on, None when it was dropped; and what each check said, in
        order, ending with the one that dropped it.
    """
    placed = tuple(
        turn if turn.position >= 0 else replace(turn, position=index)
        for index, turn in enumerate(turns)
    )
    ground = Ground(call, placed, tuple(said), schema, candidate)
    results: list[Check] = []
    now = candidate
    for named in CHECKS:
        verdict = named.run(now, ground)
        results.append(Check(named.name, verdict.outcome, verdict.reason))
        if verdict.candidate is None:
            return None, tuple(results)
        now = verdict.candidate
    return now, tuple(results)
