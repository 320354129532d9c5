"""How much a fact still weighs: recency, importance and relevance, multiplied.

The three factors are those of Park et al. 2023, "Generative Agents: Interactive Simulacra
of Human Behavior", arXiv:2304.03442, section 4.1. There they are min-max normalised over
the memories at hand and added with equal weights; recency is 0.995 to the power of the
hours since a memory was last retrieved, and importance is a language model's answer. Ours
departs on purpose:

- The factors are multiplied, not added: one factor at 0 ends the influence, and the value
  of one fact does not depend on which other facts are looked at beside it.
- 0.995 an hour halves a memory in under six days, which suits two simulated days. People
  call again after months, so strength is counted in days and differs by kind.
- Importance comes from a table: it costs nothing and is the same in every replay.

Recency is the forgetting curve as Zhong et al. 2023, "MemoryBank: Enhancing Large Language
Models with Long-Term Memory", arXiv:2305.10250, simplify it: R = exp(-t / S), where t is
the time since the last use and S, the strength, starts at 1 and grows by 1 with each use.
Ours multiplies S by the days that an unused fact of its kind has, and stops counting uses
at `MOST_USES`. (Ebbinghaus 1885, "Über das Gedächtnis", measured savings in relearning and
fitted them with a logarithm of time; the exponential is the usual simplification.)

A *use* is a fact that came up in the talk, not one that was merely looked at: counted
otherwise, whatever is briefed in every call would keep itself alive.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from ringback.records import Cardinality, Fact, Kind, Source, Status

LEAST_INFLUENCE = 0.05  # below: faded; chosen so that an unused event has about five months
MOST_USES = 20  # further uses add no strength, so that anything can fade in the end

LASTING_DAYS = 3_650.0  # a fact with one value: a year unused takes a tenth of its weight
LISTED_DAYS = 365.0  # one of many values of a key: nothing ever replaces it, so it must fade
EVENT_DAYS = 60.0  # a thing that happened once
INFERRED_DAYS = 30.0  # what nobody said, at most, whatever its kind

_IMPORTANCE = {Kind.INSTRUCTION: 1.0, Kind.TASK: 1.0, Kind.FACT: 1.0, Kind.EVENT: 0.6}
_TRUST = {Source.SYSTEM: 1.0, Source.CALLER: 1.0, Source.AGENT: 0.8, Source.INFERENCE: 0.4}
_CURRENT = (Status.ACTIVE, Status.PROVISIONAL)
_DAY = timedelta(days=1)


def influence(
    *,
    age: timedelta,
    uses: int,
    last_used_age: timedelta | None,
    importance: float,
    relevance: float = 1.0,
    base_days: float = LASTING_DAYS,
) -> float:
    """Weigh something that was learnt a while ago.

    Never rises with age, never falls with uses, importance or relevance.

    Args:
        age: Since it was said. Below zero, when a clock was ahead, counts as zero.
        uses: How often it came up since; below zero counts as zero.
        last_used_age: Since it last came up; None if it never did. The younger of the two
            ages counts.
        importance: In [0, 1]; what lies outside is clipped, and NaN counts as 0.
        relevance: To the present question, in [0, 1], clipped as importance is; 1 when
            there is no question.
        base_days: Its strength before the first use, ≥ 0; `math.inf` never fades.

    Returns:
        In [0, 1], higher is better.
    """
    idle = age if last_used_age is None else min(age, last_used_age)
    idle_days = max(idle / _DAY, 0.0)
    recency = _retention(idle_days, _grown(base_days, uses))
    return recency * _share(importance) * _share(relevance)


def strength_days(
    kind: Kind,
    uses: int,
    *,
    source: Source = Source.CALLER,
    cardinality: Cardinality = Cardinality.ONE,
) -> float:
    """How many days without use take a fact's recency to 1/e, about 0.37.

    Args:
        kind: What sort of thing it says.
        uses: How often it came up.
        source: An inference never has more than `INFERRED_DAYS` a use.
        cardinality: A value that no other value replaces fades sooner.

    Returns:
        `math.inf` for tasks and instructions: those end when they expire, are done or are
        taken back, not because nobody spoke of them.
    """
    return _grown(_base_days(kind, source, cardinality), uses)


def importance_of(kind: Kind, source: Source = Source.CALLER) -> float:
    """How much a fact matters before anybody asks, in [0, 1]."""
    return _IMPORTANCE[kind] * _TRUST[source]


def influence_of(fact: Fact, *, now_at: datetime, relevance: float = 1.0) -> float:
    """Weigh a fact as it stands now.

    A fact that was superseded, retired or has expired weighs nothing. One with a date of
    expiry keeps its weight until then: an appointment agreed on months ago must not have
    faded on its eve.

    Args:
        fact: Its age counts from when it was said, whenever it was processed, or from when
            it last came up.
        now_at: Now, aware.
        relevance: To the present question, in [0, 1].

    Returns:
        In [0, 1], higher is better.
    """
    if fact.status not in _CURRENT or (fact.expires_at and fact.expires_at <= now_at):
        return 0.0
    has_end = fact.expires_at is not None
    return influence(
        age=now_at - fact.observed_at,
        uses=fact.uses,
        last_used_age=None if fact.last_used_at is None else now_at - fact.last_used_at,
        importance=importance_of(fact.kind, fact.source),
        relevance=relevance,
        base_days=math.inf if has_end else _base_days(fact.kind, fact.source, fact.cardinality),
    )


def is_faded(fact: Fact, *, now_at: datetime) -> bool:
    """The fact no longer weighs enough to be offered unasked.

    It is judged without a question: a question that names it may still find it, and
    nothing is deleted.
    """
    return influence_of(fact, now_at=now_at) < LEAST_INFLUENCE


def _base_days(kind: Kind, source: Source, cardinality: Cardinality) -> float:
    if kind in (Kind.TASK, Kind.INSTRUCTION):
        return math.inf
    if kind is Kind.EVENT:
        days = EVENT_DAYS
    else:
        days = LASTING_DAYS if cardinality is Cardinality.ONE else LISTED_DAYS
    return min(days, INFERRED_DAYS) if source is Source.INFERENCE else days


def _grown(base_days: float, uses: int) -> float:
    return base_days * (1 + min(max(uses, 0), MOST_USES))


def _retention(idle_days: float, strength: float) -> float:
    if idle_days == 0:
        return 1.0
    return math.exp(-idle_days / strength) if strength > 0 else 0.0


def _share(value: float) -> float:
    return min(value, 1.0) if value > 0 else 0.0  # not a number compares false: 0
