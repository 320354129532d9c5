"""Made hits and questions for the tests of recall's decisions."""

from __future__ import annotations

from datetime import datetime, timedelta

from ringback.core.recall.asked import Asked, read_question
from ringback.recollection import Channel, Hit
from ringback.records import Cardinality, Evidence, Fact, Role, Turn
from ringback.schemas import GENERAL
from tests.core.made_call import STARTED, fact


def asked(question: str, at: datetime = STARTED) -> Asked:
    return read_question(question, GENERAL, at=at)


def said(
    text: str,
    position: int = 0,
    *,
    call_id: str = "call-9",
    speaker: str = "",
    days: int = 0,
    score: float = 1.0,
    similarity: float = 0.0,
) -> Hit:
    """A turn that was found, said so many days after the made call."""
    at = STARTED + timedelta(days=days)
    turn = Turn(Role.CALLER, text, at, position, speaker=speaker)
    return Hit(score, turn=turn, call_id=call_id, similarity=similarity)


def known(
    key: str,
    value: str,
    *,
    words: str = "",
    position: int = 0,
    days: int = 0,
    score: float = 1.0,
    similarity: float = 0.0,
    **changes: object,
) -> Hit:
    """A fact that was found; it was said in another call than `said` turns are."""
    made = stated(key, value, words=words, position=position, days=days, **changes)
    return Hit(score, fact=made, similarity=similarity)


def stated(
    key: str, value: str, *, words: str = "", position: int = 0, days: int = 0, **changes: object
) -> Fact:
    """A fact, said so many days after the made call."""
    said_words = words or value
    evidence = Evidence("call-1", position, said_words, 0, len(said_words))
    at = STARTED + timedelta(days=days)
    named = {"evidence": evidence, "observed_at": at, "cardinality": Cardinality.MANY}
    return fact(key, value, **(named | changes))


def words_of(hit: Hit) -> str:
    return hit.fact.value if hit.fact else hit.turn.text if hit.turn else ""


TEXT = (Channel.FACTS, Channel.TURNS, Channel.EXCHANGES)
