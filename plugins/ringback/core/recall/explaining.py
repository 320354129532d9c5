"""Why something that was found is no part of the answer, in one clause for a person."""

from __future__ import annotations

from collections.abc import Collection

from ringback.core.recall.fusion import Candidate, is_short_question
from ringback.core.recall.likeness import likeness
from ringback.core.recall.persona import PERSONA_KEYS
from ringback.core.recall.relevance import TALK_LEAST
from ringback.core.recall.sought import Sought
from ringback.recollection import Channel
from ringback.text import is_filler

BESIDE = "about somebody or something else"


def why_left_out(one: Candidate, kept: Collection[Candidate], sought: Sought) -> str:
    """Say why a candidate is not among those that answer.

    Args:
        one: It was found by some channel.
        kept: Those that answer.
        sought: What was asked.

    Returns:
        Empty for one that was kept.
    """
    if one in kept:
        return ""
    fact, turn = one.hit.fact, one.hit.turn
    if fact is None and any(other.hit.fact and other.place == one.place for other in kept):
        return "the fact that was read from it says it"
    if is_short_question(one.hit):
        return "it only asks"
    if turn is not None and is_filler(turn.text):
        return "it says nothing"
    if sought.speakers:
        is_unlike = not kept or likeness(one) < TALK_LEAST
        return "too unlike the question" if is_unlike else "others are nearer"
    if (
        fact is not None
        and fact.key in sought.single | PERSONA_KEYS
        and Channel.KEY not in one.channels
    ):
        return f"{fact.key} was not asked for"
    return "others answer better" if kept else "not clearly the answer"
