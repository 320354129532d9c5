"""Many channels, one order: weighted reciprocal ranks, and what speaks for a memory besides.

Each channel says which memories it found, best first; `fused` adds what their ranks are worth
and what the question itself tells: who said it, when it was, where in a call it stands.
Weights that put turns into order were fitted on the tuning part of the LoCoMo conversations
(a listwise softmax over all turns of a conversation); docs/recall.md says what each adds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from ringback.core.recall.asked import Asked
from ringback.core.recall.timeframe import tells_when
from ringback.recollection import Aid, Channel, Hit

RRF_K = 20
"""Cormack, Clarke, Buettcher 2009, "Reciprocal Rank Fusion", take 60, for lists of 1,000; the
lists here have 40 places, and the first few decide (K = 5 … 60 tried, 10 to 20 best)."""
WEIGHTS: Mapping[Channel, float] = MappingProxyType(
    {
        Channel.KEY: 6.0,
        Channel.PERSONA: 4.0,
        Channel.FACTS: 2.0,
        Channel.RELATIONS: 2.0,
        Channel.TURNS: 0.1,
        Channel.EXCHANGES: 1.9,
        Channel.VECTORS: 1.8,
        Channel.EXCHANGE_VECTORS: 0.3,
        Channel.QUESTIONS: 0.3,
        Channel.HYPOTHESIS: 0.5,
        Channel.TIME: 0.5,
    }
)
"""What the first place is worth; an exact key answers, so it weighs most."""
BY_MEANING = frozenset(
    {Channel.VECTORS, Channel.EXCHANGE_VECTORS, Channel.QUESTIONS, Channel.HYPOTHESIS}
)
OF_CALL = 0.4  # of the mean of the best three of its call: where a thing was the topic
OF_NEIGHBOUR = 0.32  # of the better one of the turns before and after
BY_WHO_IS_NAMED = 2.8  # said by the one person that the question names
TELLS_WHEN = 2.2  # speaks of a time, where the question asks for one
IS_A_QUESTION = -1.6  # a short one tells little
LENGTH = 0.8  # of ln(1 + terms): who says more tells more
IN_FRAME = 5.2  # within the stretch of time that the question asks about
TOLD_AFTER = 2.5  # or within the two weeks after it
A_FACT = 0.5  # was read, checked and decided on; what it was read from was not

_SHORT_QUESTION = 90  # characters
_BEST_OF_CALL = 3
_TERM_CHARACTERS = 11  # of a text for each of its terms, with the empty words between them
_FACT_TERMS = 8  # what a fact counts for in length: it is dense


@dataclass(slots=True, eq=False)
class Candidate:
    """A memory that some channel found; each is itself alone."""

    hit: Hit
    channels: dict[Channel, int] = field(default_factory=dict)
    """By which ways, each with its rank from 1."""
    scores: dict[Channel, float] = field(default_factory=dict)
    """How alike it is to the question, by each of these ways, in [0, 1]."""
    ranked: float = 0.0
    """What the ranks are worth together."""
    score: float = 0.0
    """By this they are ordered."""
    alike: float = 0.0
    """How alike it is to the question by words and by meaning, in [0, 1]; see `likeness`."""

    @property
    def at(self) -> datetime:
        """When it was said."""
        fact, turn = self.hit.fact, self.hit.turn
        if fact is not None:
            return fact.observed_at
        assert turn is not None  # noqa: S101 - a hit is of one or the other
        return turn.at

    @property
    def place(self) -> tuple[str, int]:
        """Which call it was said in, and at which position."""
        fact, turn = self.hit.fact, self.hit.turn
        if fact is not None:
            return fact.evidence.call_id, fact.evidence.position
        return self.hit.call_id, turn.position if turn is not None else -1

    @property
    def text(self) -> str:
        """What it says."""
        fact, turn = self.hit.fact, self.hit.turn
        if fact is not None:
            return f"{fact.value} {fact.evidence.words}"
        return turn.text if turn is not None else ""


def fused(
    found: Mapping[Channel, Sequence[Hit]],
    asked: Asked,
    *,
    speakers: Sequence[str] = (),
    likeness_from: tuple[float, float] = (0.0, 1.0),
    aids: Collection[Aid] = tuple(Aid),
) -> list[Candidate]:
    """Put what the channels found into one order.

    Args:
        found: Each one's hits, best first; a memory may be in several.
        asked: What was asked.
        speakers: Who speaks in the profile's conversations and is named by the question.
        likeness_from: Of the embedder: see `Embedder.likeness_from`.
        aids: What else than ranks to go by; fewer of them for measuring.

    Returns:
        Best first; equal ones by their place.
    """
    candidates: dict[Hashable, Candidate] = {}
    for channel in Channel:  # in one order, whichever of them was done first
        for rank, hit in enumerate(found.get(channel, ()), start=1):
            identity = _identity(hit)
            one = candidates.get(identity)
            if one is None:
                one = candidates[identity] = Candidate(hit)
            elif channel in one.channels:
                continue
            one.channels[channel] = rank
            one.scores[channel] = (
                alike(hit.similarity, likeness_from) if channel in BY_MEANING else hit.score
            )
            one.ranked += WEIGHTS[channel] * RRF_K / (RRF_K + rank)
    around = _Around(list(candidates.values()) if Aid.NEIGHBOURS in aids else ())
    for one in candidates.values():
        one.score = one.ranked + around.worth(one) + _by_itself(one)
        if Aid.SPEAKER in aids and len(speakers) == 1 and is_said_by(one.hit, speakers[0]):
            one.score += BY_WHO_IS_NAMED
        if Aid.TIME in aids:
            one.score += _in_time(one, asked)
    return sorted(candidates.values(), key=lambda one: (-one.score, one.place))


def alike(cosine: float, likeness_from: tuple[float, float]) -> float:
    """A cosine as likeness in [0, 1]: 0 for two unrelated sentences, 1 for paraphrases."""
    unrelated, same = likeness_from
    return min(1.0, max(0.0, (cosine - unrelated) / (same - unrelated)))


def _identity(hit: Hit) -> Hashable:
    if hit.fact is not None:
        return hit.fact.id
    return (hit.call_id, hit.turn.position, hit.turn.role) if hit.turn is not None else ""


class _Around:
    """What stands around a turn: its call, the turns beside it."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._at_place: dict[tuple[str, int], float] = defaultdict(float)
        in_call: dict[str, list[float]] = defaultdict(list)
        for one in candidates:
            if one.hit.turn is not None:
                self._at_place[one.place] = max(self._at_place[one.place], one.ranked)
                in_call[one.place[0]].append(one.ranked)
        self._calls = {
            call_id: sum(sorted(ranked)[-_BEST_OF_CALL:]) / _BEST_OF_CALL
            for call_id, ranked in in_call.items()
        }

    def worth(self, one: Candidate) -> float:
        call_id, position = one.place
        beside = (self._at_place.get((call_id, position + step), 0.0) for step in (-1, 1))
        return OF_CALL * self._calls.get(call_id, 0.0) + OF_NEIGHBOUR * max(beside)


def _by_itself(one: Candidate) -> float:
    length = len(one.text) / _TERM_CHARACTERS if one.hit.turn is not None else _FACT_TERMS
    worth = LENGTH * math.log1p(length)
    if one.hit.fact is not None:
        worth += A_FACT
    return worth + IS_A_QUESTION if is_short_question(one.hit) else worth


def _in_time(one: Candidate, asked: Asked) -> float:
    worth = TELLS_WHEN if asked.asks_when and tells_when(one.text) else 0.0
    if any(frame.holds(one.at) for frame in asked.frames):
        return worth + IN_FRAME
    if any(frame.is_told_after(one.at) for frame in asked.frames):
        return worth + TOLD_AFTER
    return worth


def is_said_by(hit: Hit, name: str) -> bool:
    """Somebody of this name said it: "Dana" is "Dana Whitfield"."""
    said_by = hit.fact.speaker if hit.fact is not None else hit.turn.speaker if hit.turn else ""
    return name.casefold() in said_by.casefold().split()


def is_short_question(hit: Hit) -> bool:
    """A turn that only asks; what somebody asked is no answer."""
    turn = hit.turn
    if turn is None or len(turn.text) >= _SHORT_QUESTION:
        return False
    return turn.text.rstrip().endswith(("?", "\uff1f"))
