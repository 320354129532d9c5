"""How well a fact or a turn answers a cue: the same numbers in every back-end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ringback.records import Fact
from ringback.terms import terms

BM25_K1 = 1.2  # Robertson and Zaragoza 2009: how soon a repeated term counts no more
BM25_B = 0.75  # and how much a long document is held back


def fact_terms(fact: Fact) -> Counter[str]:
    """What a fact is found by: its key as words, its value, the words it rests on."""
    return terms_of_fact(fact.key, fact.value, fact.evidence.words)


def terms_of_fact(key: str, value: str, words: str) -> Counter[str]:
    """The same, from its parts; each counts up to the bound of `terms` for itself."""
    return Counter([*terms(key.replace("_", " ")), *terms(value), *terms(words)])


def turn_terms(text: str) -> Counter[str]:
    """What a turn is found by: what was said in it."""
    return Counter(terms(text))


def exchange_terms(before: str, text: str) -> Counter[str]:
    """What a turn is found by together with the one before it."""
    return Counter([*terms(before), *terms(text)])


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


def bm25(held: Iterable[tuple[float, int]], *, length: int, lengths: int, documents: int) -> float:
    """BM25 of one document (Robertson and Zaragoza, 2009), the same in whatever order.

    Args:
        held: The weight of each term of the cue that it holds, and how often it does.
        length: How many terms it holds in all, with repeats.
        lengths: The same of all documents of its kind together.
        documents: How many there are.
    """
    mean = lengths / documents if documents else 0.0
    bound = BM25_K1 * (1 - BM25_B + BM25_B * (length / mean if mean else 0.0))
    return math.fsum(weight * times * (BM25_K1 + 1) / (times + bound) for weight, times in held)
