"""What of all that was found answers the question: few things, none beside the point.

Two kinds of question need two measures. One about what a named person said in recorded
conversations ("What did Caroline research?") has its answer somewhere in thousands of turns,
so whatever speaks for a turn counts, and the best come back. Everything else asks for one
thing that is known or is not: there the answer must say it by itself, clearly ahead of the
rest, or nothing comes back. Most wrong answers of a memory are near misses: the caller's
number for their wife's, order A's courier for order B's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ringback.core.recall.asked import Asked
from ringback.core.recall.fusion import Candidate, is_short_question
from ringback.core.recall.narrowing import About, mentions
from ringback.core.recall.wanted import wanted_terms
from ringback.core.entities import NAME
from ringback.core.wording import sentence
from ringback.recollection import Channel, Recollection
from ringback.records import SELF, Fact, turn_id
from ringback.schemas import Schema
from ringback.terms import terms
from ringback.text import is_cjk, is_filler

TALK_BEST_LEAST = 0.34
"""A third of the question's weight, or as much likeness: without anything above, nothing is known."""
TALK_LEAST = 0.2  # of anything that is returned beside the best
CLEAR = 0.46  # by words and meaning together
CLEAR_WORDS = 0.3  # by words alone, where there are no vectors of what was asked
CLEAR_MEANING = 0.33  # by meaning alone, where nothing else is nearly as near
AHEAD = 0.1  # so much nearer than the next
CLEAR_BESIDE_KEY = 0.6  # where a key was asked for that nothing is known under
CLEAR_OF_ENTITY = 0.2  # among the facts about what the question names
NEAR_BEST = 0.85  # times the best: what is as likely an answer comes with it

AHEAD_OF_KEY = 0.2
MEANT, MEANT_TOO = 0.5, 0.6  # of several under one key: the nearest, and what is nearly as near
OWN_KEY = 0.3  # a key outside of the schema that stands in the question

_SAID_THEN = re.compile(
    r"\b(?:sa(?:y|id)|t(?:ell|old)|call(?:ed)?|complain\w*|want\w*|ask\w*|report\w*|promise\w*"
    r"|happen\w*|mention\w*|talk\w*|wrong)\b|說|说|講|讲|打電話|打电话|言|말",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwho(?:'s| is| are| was)\b|誰|谁|だれ|누구", re.IGNORECASE)
_ALL_ABOUT = frozenset(
    terms("tell say said know remember mention happen happened happens thing talk told tells")
)
"""What is left of a question that asks for everything: "what do I know about Mei"."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A question with what is known of whom it is about."""

    asked: Asked
    topic: str
    """Its words without names and times."""
    about: About
    named_speaker: str = ""
    """The one person of recorded conversations that it names; "" for none."""

    @property
    def is_of_everything(self) -> bool:
        """Beside a name or a time it asks for nothing in particular."""
        return not set(wanted_terms(self.topic)) - _ALL_ABOUT


def answering(candidates: Sequence[Candidate], sought: Sought, *, limit: int) -> list[Candidate]:
    """Keep what answers, in order; empty when nothing does.

    Args:
        candidates: Best first, by `Candidate.score`.
        sought: The question.
        limit: How many at most.
    """
    kept = _of_talk(candidates) if sought.named_speaker else _exact(candidates, sought)
    return _each_once(kept)[:limit]


def _of_talk(candidates: Sequence[Candidate]) -> list[Candidate]:
    if max((likeness(one) for one in candidates), default=0.0) < TALK_BEST_LEAST:
        return []
    return [one for one in candidates if likeness(one) >= TALK_LEAST]


def _exact(candidates: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    pool = [one for one in _each_once(candidates) if not _says_nothing(one)]
    then = [one for one in pool if Channel.TIME in one.channels]
    if then or (sought.asked.frames and _SAID_THEN.search(sought.asked.text)):
        return _of_time(then, sought)
    keyed = _keyed(pool, sought)
    rival = _rival(pool, keyed, sought)
    if keyed:
        return rival or _those_meant(keyed, sought)
    if sought.about.others:
        return _of_entity(pool, sought)
    return _clear(pool, sought)


def _says_nothing(one: Candidate) -> bool:
    """What somebody asked, or said out of courtesy, is no answer."""
    return is_short_question(one.hit) or (one.hit.turn is not None and is_filler(one.text))


def _of_time(then: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    if sought.is_of_everything:
        return sorted(then, key=lambda one: one.at)
    by_itself = _best_first(_keyed(then, sought) or then, sought)
    return _with_the_best(by_itself, sought)


def _keyed(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """Facts under a key that the question asks for; "my wife's name" asks for no other name."""
    keyed = [one for one in pool if Channel.KEY in one.channels and one.hit.fact is not None]
    others = [one for one in keyed if one.hit.fact and one.hit.fact.key != NAME]
    return others or keyed


def _rival(
    pool: Sequence[Candidate], keyed: Sequence[Candidate], sought: Sought
) -> list[Candidate]:
    """What answers far better by itself than what stands under the key: "the vet's name"."""
    if not keyed:
        return []
    free = _best_first([one for one in pool if _is_free(one) and one not in keyed], sought)
    best_keyed = max(_alike(one, sought) for one in keyed)
    if free and _alike(free[0], sought) >= max(CLEAR_BESIDE_KEY, best_keyed + AHEAD_OF_KEY):
        return free[:1]
    return []


def _those_meant(keyed: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """Of several under one key, those that the question also names, or clearly means."""
    wanted = set(wanted_terms(sought.asked.text))
    named = [one for one in keyed if one.hit.fact and wanted & _said(one.hit.fact)]
    if named:
        return named
    nearest = max(_meaning(one) for one in keyed)
    if nearest < MEANT:
        return list(keyed)
    return [one for one in keyed if _meaning(one) >= MEANT_TOO * nearest]


def _said(fact: Fact) -> set[str]:
    return set(terms(f"{fact.value} {fact.evidence.words}")) - _key_terms(fact)


def _key_terms(fact: Fact) -> frozenset[str]:
    return _terms_of_key(fact.key)


@lru_cache(maxsize=1_000)  # a schema has some dozens; each is asked for a hundred times a recall
def _terms_of_key(key: str) -> frozenset[str]:
    return frozenset(terms(key.replace("_", " ")))


def _of_entity(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """Of somebody or something by name: who it is, all that is known, or the one thing asked."""
    facts = [one for one in pool if one.hit.fact is not None and sought.about.is_of(one.hit.fact)]
    if _WHO.search(sought.asked.text):
        who = [one for one in facts if one.hit.fact and one.hit.fact.subject == SELF]
        if who:
            return who
    elif sought.is_of_everything:
        return facts
    elif not set(sought.asked.keys) - {NAME}:
        best = _best_first(facts, sought)
        if best and _alike(best[0], sought) >= CLEAR_OF_ENTITY:
            return _with_the_best(best, sought)
    spoken = [
        one
        for one in pool
        if one.hit.turn is not None and mentions(one.text, sought.asked, sought.about)
    ]
    return _clear(spoken, sought)


def _clear(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """What answers by itself, clearly; nothing where no one thing does."""
    free = [one for one in pool if _is_free(one)]
    by_itself = _best_first(free, sought)
    if not by_itself:
        return []
    if _alike(by_itself[0], sought) >= _least(by_itself[0], sought):
        return _with_the_best(by_itself, sought)
    if set(sought.asked.keys) & CODED:
        return []
    nearest = sorted(free, key=lambda one: -_meaning(one))
    next_ = _meaning(nearest[1]) if len(nearest) > 1 else 0.0
    is_ahead = _meaning(nearest[0]) >= CLEAR_MEANING and _meaning(nearest[0]) - next_ >= AHEAD
    return nearest[:1] if is_ahead else []


def _least(one: Candidate, sought: Sought) -> float:
    if set(sought.asked.keys) & CODED and not sought.about.others:
        return CLEAR_BESIDE_KEY
    return CLEAR if Channel.VECTORS in one.channels else CLEAR_WORDS


def _best_first(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    return sorted(pool, key=lambda one: -_alike(one, sought))


def _with_the_best(by_itself: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """The best, and what is as likely an answer."""
    if not by_itself:
        return []
    least = NEAR_BEST * _alike(by_itself[0], sought)
    return [one for one in by_itself if _alike(one, sought) >= least]


def _is_free(one: Candidate) -> bool:
    """Anything may be in it. A number or an address answers who asks for it, and nobody else."""
    return one.hit.fact is None or one.hit.fact.key not in CODED


CODED = frozenset(
    {"name", "phone", "email", "address", "account_number", "insurance_number", "birthday"}
    | {"date_of_birth", "language", "alias", "height", "weight", "pharmacy", "doctor"}
)


def _alike(one: Candidate, sought: Sought) -> float:
    """By words and by meaning, in [0, 1]; half of each where there are both."""
    words = max(_words(one), _covered(one, sought.topic))
    fact = one.hit.fact
    if fact is not None and _key_terms(fact) <= set(sought.asked.terms):
        words = min(1.0, words + OWN_KEY)
    if Channel.VECTORS not in one.channels:
        return words if is_cjk(sought.topic) or is_cjk(one.text) else words / 2
    return (words + _meaning(one)) / 2


def _words(one: Candidate) -> float:
    return max(one.scores.get(Channel.FACTS, 0.0), one.scores.get(Channel.TURNS, 0.0))


def _meaning(one: Candidate) -> float:
    return one.scores.get(Channel.VECTORS, 0.0)


def _covered(one: Candidate, topic: str) -> float:
    """Of a topic in Chinese, Japanese or Korean, the share of its signs that stand there too."""
    if not is_cjk(topic):
        return 0.0
    wanted = wanted_terms(topic)
    held = [term for term in wanted if term in one.text]
    return len(set("".join(held))) / len(set("".join(wanted))) if wanted else 0.0


def likeness(one: Candidate) -> float:
    """How alike it is to the question, by any way, in [0, 1]."""
    return max(one.scores.values(), default=0.0)


def _each_once(candidates: Sequence[Candidate]) -> list[Candidate]:
    """A fact says what its turn says: of the two the fact stays."""
    told = {one.place for one in candidates if one.hit.fact is not None}
    return [one for one in candidates if one.hit.fact is not None or one.place not in told]


def recollections(
    candidates: Sequence[Candidate], schema: Schema, *, tenant: str
) -> Iterator[Recollection]:
    """Put into words what is returned; what has no harmless words is left out.

    Args:
        candidates: Best first.
        schema: Has the wording for each key.
        tenant: Whose they are; part of a turn's id.
    """
    for one in candidates:
        fact, turn = one.hit.fact, one.hit.turn
        text = sentence(fact, schema=schema) if fact is not None else one.text
        if not text:
            continue
        yield Recollection(
            id=_id(one, tenant),
            text=text,
            score=round(likeness(one), 3),
            channels=tuple(one.channels),
            observed_at=one.at,
            call_id=one.place[0],
            fact=fact,
            turn=turn,
        )


def _id(one: Candidate, tenant: str) -> str:
    fact, turn = one.hit.fact, one.hit.turn
    if fact is not None:
        return fact.id
    return turn_id(tenant, one.hit.call_id, turn) if turn is not None else ""
