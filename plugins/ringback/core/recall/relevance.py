"""What of all that was found answers the question: few things, none beside the point.

Two kinds of question need two measures. One about what a named person said in recorded
conversations ("What did Caroline research?") has its answer somewhere in thousands of turns,
so whatever speaks for a turn counts, and the best come back. Everything else asks for one
thing that is known or is not: there the answer must say it by itself, clearly ahead of the
rest, or nothing comes back. Most wrong answers of a memory are near misses: the caller's
number for their wife's, order A's courier for order B's.

The thresholds were set on the tune part of the labelled questions (`scripts/bench precision`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ringback.core.entities import ALIAS, NAME
from ringback.core.recall.answer_kind import AnswerKind, asks_who, awaited
from ringback.core.recall.asked import codes
from ringback.core.recall.fusion import Candidate, is_short_question
from ringback.core.recall.likeness import (
    by_meaning,
    by_words,
    key_terms,
    likeness,
    measure,
    stands_under_its_own_key,
)
from ringback.core.recall.narrowing import mentions
from ringback.core.recall.persona import NAMED, PERSONA_KEYS
from ringback.core.recall.sought import Sought
from ringback.core.recall.wanted import wanted_terms
from ringback.core.relatives import is_person
from ringback.recollection import Channel
from ringback.records import SELF, Fact, Source
from ringback.terms import terms
from ringback.text import is_filler

TALK_BEST_LEAST = 0.34
"""A third of the question's weight, or as much likeness: without anything above, nothing is known."""
TALK_LEAST = 0.05  # of anything that is returned beside the best: who said it, and when, count too
CLEAR = 0.455  # by words and meaning together
CLEAR_WORDS = 0.3  # by words alone, where there are no vectors of what was asked
CLEAR_MEANING = 0.33  # by meaning alone, where nothing else is nearly as near
AHEAD = 0.1  # so much nearer than the next
CLEAR_BESIDE_KEY = 0.58  # where a key was asked for that nothing is known under
CLEAR_OF_ENTITY = 0.2  # among the facts about what the question names
MEANT_OF_ENTITY = 0.25  # by meaning alone, where nothing else known of it is nearly as near
CLEAR_OWN_KEY = 0.3  # where it stands under a key of its own that is in the question
MEANT_ALONE = 0.6  # a fact, by meaning alone
MEANT_SINGLE = 0.75  # what has one value, by meaning alone: nobody thought of asking like this
NEAR_BEST = 0.85  # times the best: what is as likely an answer comes with it
AHEAD_OF_KEY = 0.2  # so much better than what stands under the key
ALL_WORDS = 0.9  # of a question that names a number or an address itself
MEANT, MEANT_TOO = 0.5, 0.6  # of several under one key: the nearest, and what is nearly as near


def answering(candidates: Sequence[Candidate], sought: Sought, *, limit: int) -> list[Candidate]:
    """Keep what answers, in order; empty when nothing does.

    Args:
        candidates: Best first, by `Candidate.score`.
        sought: The question.
        limit: How many at most.
    """
    measure(candidates, sought)
    kept = _of_talk(candidates) if sought.speakers else _exact(candidates, sought)
    return _each_once(kept)[:limit]


def _of_talk(candidates: Sequence[Candidate]) -> list[Candidate]:
    if max((likeness(one) for one in candidates), default=0.0) < TALK_BEST_LEAST:
        return []
    return [one for one in candidates if likeness(one) >= TALK_LEAST]


def _exact(candidates: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    pool = [one for one in _each_once(candidates) if not _says_nothing(one)]
    then = [one for one in pool if Channel.TIME in one.channels]
    if then or sought.is_of_what_was_said:
        return _of_time(then, sought)
    asked_codes = sought.asked.codes
    if coded := [one for one in pool if asked_codes and asked_codes & codes(one.text)]:
        return coded
    keyed = [one for one in _keyed(pool) if sought.bears_qualifiers(_with_key(one))]
    rival = _rival(pool, keyed, sought)
    if keyed:
        return rival or _those_meant(keyed, sought)
    kind = awaited(sought.asked.text)
    fitting = [one for one in pool if kind.is_any or _fits(one, kind)]
    if sought.about.others:
        return _of_entity(fitting, sought)
    return _clear(fitting, sought)


def _fits(one: Candidate, kind: AnswerKind) -> bool:
    """It is of the kind that is asked for; who somebody is, their facts tell."""
    fact = one.hit.fact
    if fact is None:
        return kind.fits(one.text)
    is_of_person = bool(fact.object) or (fact.subject != SELF and is_person(fact.subject))
    return kind.fits(_with_key(one), is_of_person=is_of_person)


def _with_key(one: Candidate) -> str:
    """What it says, behind the words of the key that it stands under."""
    fact = one.hit.fact
    return f"{fact.key.replace('_', ' ')}: {one.text}" if fact is not None else one.text


def _says_nothing(one: Candidate) -> bool:
    """What somebody asked, or said out of courtesy, is no answer."""
    return is_short_question(one.hit) or (one.hit.turn is not None and is_filler(one.text))


def _of_time(then: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    said = [one for one in then if one.hit.fact is None or one.hit.fact.source is not Source.SYSTEM]
    keyed = _keyed(then)
    if sought.is_of_everything and not keyed:
        return sorted(said or then, key=lambda one: one.at)
    by_itself = _best_first(keyed or then)
    return _with_the_best(by_itself)


def _keyed(pool: Sequence[Candidate]) -> list[Candidate]:
    """Facts under a key that the question asks for; "my wife's name" asks for no other name."""
    keyed = [one for one in pool if one.hit.fact is not None and _is_asked_for(one)]
    others = [one for one in keyed if one.hit.fact and one.hit.fact.key != NAME]
    return others or keyed


def _is_asked_for(one: Candidate) -> bool:
    """By its key, or as a trait or an attitude; a trait in other words has to mean the same."""
    by_persona = one.scores.get(Channel.PERSONA, 0.0)
    is_persona = by_persona >= NAMED or (by_persona > 0 and by_meaning(one) >= CLEAR_MEANING)
    return Channel.KEY in one.channels or is_persona


def _rival(
    pool: Sequence[Candidate], keyed: Sequence[Candidate], sought: Sought
) -> list[Candidate]:
    """What answers far better by itself than what stands under the key: "the vet's name"."""
    if not keyed or sought.about.others:
        return []
    free = _best_first([one for one in pool if _is_free(one, sought) and one not in keyed])
    best_keyed = max(one.alike for one in keyed)
    if free and free[0].alike >= max(CLEAR_BESIDE_KEY, best_keyed + AHEAD_OF_KEY):
        return free[:1]
    return []


def _those_meant(keyed: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """Of several under one key, those that the question also names, or clearly means."""
    wanted = set(wanted_terms(sought.asked.text))
    named = [one for one in keyed if one.hit.fact and wanted & _said(one.hit.fact)]
    if named:
        return named
    nearest = max(by_meaning(one) for one in keyed)
    if nearest < MEANT:
        return list(keyed)
    return [one for one in keyed if by_meaning(one) >= MEANT_TOO * nearest]


def _said(fact: Fact) -> set[str]:
    return set(terms(f"{fact.value} {fact.evidence.words}")) - key_terms(fact)


def _of_entity(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """Of somebody or something by name: who it is, all that is known, or the one thing asked."""
    facts = [one for one in pool if one.hit.fact is not None and sought.about.is_of(one.hit.fact)]
    if asks_who(sought.asked.text):
        who = [one for one in facts if one.hit.fact and one.hit.fact.subject == SELF]
        named = who or _meant_of_entity(facts, sought)
        if named:
            return named
    elif sought.is_of_everything and not set(sought.asked.keys) - {NAME}:
        return facts
    elif not set(sought.asked.keys) - {NAME}:
        meant = _meant_of_entity(facts, sought)
        if meant:
            return meant
    spoken = [
        one
        for one in pool
        if one.hit.turn is not None and mentions(one.text, sought.asked, sought.about)
    ]
    return _clear(spoken, sought)


def _meant_of_entity(facts: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """The one thing that is asked of somebody, if it stands out among what is known of them."""
    best = _best_first(facts)
    if not best:
        return []
    of_kind = [one for one in facts if one.hit.fact and one.hit.fact.key != ALIAS]
    if len(of_kind) == 1 and awaited(sought.asked.text).is_measured:
        return of_kind
    if best[0].alike >= CLEAR_OF_ENTITY:
        return _with_the_best(best)
    next_ = by_meaning(best[1]) if len(best) > 1 else 0.0
    is_ahead = by_meaning(best[0]) >= MEANT_OF_ENTITY and by_meaning(best[0]) - next_ >= AHEAD
    return best[:1] if is_ahead else []


def _clear(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """What answers by itself, clearly; nothing where no one thing does."""
    free = [one for one in pool if _is_free(one, sought)]
    by_itself = _best_first(free)
    if not by_itself:
        return []
    if by_itself[0].alike >= _least(by_itself[0], sought):
        return _with_the_best(by_itself)
    if sought.asks_for_one:
        return []
    return _meant(pool, sought)


def _meant(pool: Sequence[Candidate], sought: Sought) -> list[Candidate]:
    """What answers by its meaning alone."""
    nearest = sorted(pool, key=lambda one: -by_meaning(one))
    first, next_ = nearest[0], by_meaning(nearest[1]) if len(nearest) > 1 else 0.0
    if not _is_free(first, sought):
        return nearest[:1] if by_meaning(first) >= MEANT_SINGLE else []
    if first.hit.turn is not None and by_words(first):
        return []  # it has some of the words, and not the one that counts
    is_meant = first.hit.fact is not None and by_meaning(first) >= MEANT_ALONE
    is_ahead = by_meaning(first) >= CLEAR_MEANING and by_meaning(first) - next_ >= AHEAD
    return nearest[:1] if is_meant or is_ahead else []


def _least(one: Candidate, sought: Sought) -> float:
    if sought.asks_for_one and not sought.about.others:
        return CLEAR_BESIDE_KEY
    if stands_under_its_own_key(one, sought):
        return CLEAR_OWN_KEY
    return CLEAR if Channel.VECTORS in one.channels else CLEAR_WORDS


def _best_first(pool: Sequence[Candidate]) -> list[Candidate]:
    return sorted(pool, key=lambda one: -one.alike)


def _with_the_best(by_itself: Sequence[Candidate]) -> list[Candidate]:
    """The best, and what is as likely an answer."""
    if not by_itself:
        return []
    least = NEAR_BEST * by_itself[0].alike
    return [one for one in by_itself if one.alike >= least]


def _is_free(one: Candidate, sought: Sought) -> bool:
    """Anything may be in it. A number or an address answers who asks for it, and nobody else."""
    fact = one.hit.fact
    return (
        fact is None or fact.key not in sought.single | PERSONA_KEYS or by_words(one) >= ALL_WORDS
    )


def _each_once(candidates: Sequence[Candidate]) -> list[Candidate]:
    """A fact says what its turn says: of the two the fact stays."""
    told = {one.place for one in candidates if one.hit.fact is not None}
    return [one for one in candidates if one.hit.fact is not None or one.place not in told]
