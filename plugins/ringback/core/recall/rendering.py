"""What a recall found, as lines for a language model: dated, sourced, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from ringback.core.wording import day, rough_tokens, safe
from ringback.recollection import Recollection
from ringback.records import Role, Source, Status

MAX_TURN_CHARACTERS = 400

_ORIGINS = {
    Source.SYSTEM: "on record since",
    Source.CALLER: "said by the caller on",
    Source.AGENT: "said by you on",
    Source.INFERENCE: "guessed on",
}


def line_of(one: Recollection, *, now_at: datetime) -> str:
    """One recollection in a line: what, from whom and when.

    Args:
        one: A fact, or a turn.
        now_at: Now, in the reader's zone, which the date is given in.
    """
    said_on = day(one.observed_at.astimezone(now_at.tzinfo), now_at)
    if one.fact is not None:
        origin = _ORIGINS[one.fact.source]
        doubt = "not confirmed, " if one.fact.status is Status.PROVISIONAL else ""
        return f"- {one.text} ({doubt}{origin} {said_on})."
    turn = one.turn
    who = "caller" if turn is None or turn.role is Role.CALLER else "you"
    if turn is not None and turn.speaker:
        who = safe(turn.speaker, 40)
    return f'- {said_on}, {who}: "{safe(one.text, MAX_TURN_CHARACTERS)}"'


def lines_of(
    found: Iterable[Recollection],
    *,
    now_at: datetime,
    max_tokens: int,
    count: Callable[[str], int] = rough_tokens,
) -> tuple[str, ...]:
    """As many of them, best first, as fit into a budget of tokens.

    Args:
        found: Best first.
        now_at: Now, in the reader's zone.
        max_tokens: Of all lines together.
        count: The model's tokenizer; roughly four characters each without one.
    """
    lines: list[str] = []
    left = max_tokens
    for one in found:
        line = line_of(one, now_at=now_at)
        left -= count(line)
        if left < 0:
            break
        lines.append(line)
    return tuple(lines)


def tokens_of(line: str) -> int:
    """Roughly; see `ringback.core.wording.rough_tokens`."""
    return rough_tokens(line)
