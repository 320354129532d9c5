"""How alike what was found is to a question: by its words, by its meaning, by both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ringback.core.recall.fusion import Candidate
from ringback.core.recall.sought import Sought
from ringback.core.recall.wanted import wanted_terms
from ringback.recollection import Channel
from ringback.records import Fact
from ringback.terms import terms
from ringback.text import is_cjk

OWN_KEY = 0.1  # what a key outside of the schema counts that stands in the question


def likeness(one: Candidate) -> float:
    """How alike it is to the question, by any way, in [0, 1]."""
    return max(one.scores.values(), default=0.0)


def measure(candidates: Sequence[Candidate], sought: Sought) -> None:
    """Say of each how alike it is: by words and by meaning, half of each where there are both."""
    asked = frozenset(sought.asked.terms)
    topic = wanted_terms(sought.topic) if is_cjk(sought.topic) else ()
    for one in candidates:
        words = max(by_words(one), _covered(one, topic))
        fact = one.hit.fact
        if fact is not None and key_terms(fact) <= asked:
            words = min(1.0, words + OWN_KEY)
        if Channel.VECTORS in one.channels:
            one.alike = (words + by_meaning(one)) / 2
        else:
            one.alike = words if topic or is_cjk(one.text) else words / 2


def by_words(one: Candidate) -> float:
    """The share of the question's weight that it holds itself, in [0, 1]."""
    return max(one.scores.get(Channel.FACTS, 0.0), one.scores.get(Channel.TURNS, 0.0))


def by_meaning(one: Candidate) -> float:
    """How near its vector is, in [0, 1]."""
    return one.scores.get(Channel.VECTORS, 0.0)


def stands_under_its_own_key(one: Candidate, sought: Sought) -> bool:
    """The question names the fact's key, such as `plan`, though the schema may not know it."""
    fact = one.hit.fact
    return fact is not None and key_terms(fact) <= set(sought.asked.terms)


def key_terms(fact: Fact) -> frozenset[str]:
    """The words of its key."""
    return _terms_of_key(fact.key)


@lru_cache(maxsize=1_000)  # a schema has some dozens; each is asked for a hundred times a recall
def _terms_of_key(key: str) -> frozenset[str]:
    return frozenset(terms(key.replace("_", " ")))


def _covered(one: Candidate, topic: Sequence[str]) -> float:
    """Of a topic in Chinese, Japanese or Korean, the share of its signs that stand there too.

    Signs beside each other are no words: of all pairs many are of the end of one word and
    the beginning of the next, and stand nowhere.
    """
    if not topic:
        return 0.0
    text = one.text
    held = [term for term in topic if term in text]
    return len(set("".join(held))) / len(set("".join(topic)))
