"""How well a fact or a turn answers a cue: the same numbers in every back-end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ringback.records import Fact, Turn
from ringback.terms import terms


def fact_terms(fact: Fact) -> frozenset[str]:
    """What a fact is found by: its key as words, its value, the words it rests on."""
    return terms_of_fact(fact.key, fact.value, fact.evidence.words)


def terms_of_fact(key: str, value: str, words: str) -> frozenset[str]:
    """The same, from its parts; each counts up to the bound of `terms` for itself."""
    return frozenset([*terms(key.replace("_", " ")), *terms(value), *terms(words)])


def turn_terms(turn: Turn) -> frozenset[str]:
    """What a turn is found by: what was said in it."""
    return frozenset(terms(turn.text))


def weights(
    wanted: Sequence[str], documents: int, holding: Mapping[str, int]
) -> tuple[tuple[str, float], ...]:
    """What each distinct term of a cue weighs among a profile's facts, or its turns.

    The inverse document frequency of BM25 (Robertson and Zaragoza, 2009), with one added
    so that a term that is everywhere weighs a little rather than less than nothing.

    Args:
        wanted: The cue's terms, with repeats.
        documents: How many facts (or turns) the profile has.
        holding: How many of them hold a term; a term that none holds may be missing.

    Returns:
        Term and weight, heaviest first, equal ones by term.
    """
    found = [(one, holding.get(one, 0)) for one in dict.fromkeys(wanted)]
    heavy = [(one, math.log(1 + (documents - n + 0.5) / (n + 0.5))) for one, n in found]
    return tuple(sorted(heavy, key=lambda pair: (-pair[1], pair[0])))


def share(held: Iterable[float], all_weights: Iterable[float]) -> float:
    """The share of the weight that is held, in [0, 1]; exactly rounded, in whatever order."""
    total = math.fsum(all_weights)
    return min(1.0, math.fsum(held) / total) if total else 0.0
