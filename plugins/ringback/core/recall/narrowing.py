"""Whom and what a question is about, and what is beside that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ringback.core.entities import entities_of, resolved, same_refs
from ringback.core.recall.asked import Asked, codes, relatives_in
from ringback.core.relatives import is_person
from ringback.recollection import Entity, Hit
from ringback.records import SELF, Fact
from ringback.terms import terms
from ringback.text import folded, sentences

_LETTER = "[0-9a-z\u00df-\u024f]"  # of folded text; signs of Chinese may touch a name
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ROLE_KEYS = MappingProxyType(
    {
        "partner": ["husband", "wife", "partner", "girlfriend", "boyfriend"],
        "child": ["son", "daughter", "child", "baby"],
    }
)
"""Under which key a relation is kept, where it is not its own name."""
HOPS_WORTH = (1.0, 0.6)  # of a fact about what is asked for, and of one about what that names
LEAST_ABOUT = 0.5  # what a fact about the right one is worth when nothing else was asked


@dataclass(frozen=True, slots=True)
class About:
    """Whom or what a question is about, among what a profile speaks of."""

    refs: frozenset[str] = frozenset()
    """Entities, each by the one reference it is known by; empty: it names none."""
    same: Mapping[str, str] | None = None
    names: tuple[str, ...] = ()
    """By which the question names them."""

    @property
    def others(self) -> frozenset[str]:
        """Those that are not the profile itself."""
        return self.refs - {SELF}

    @property
    def is_open(self) -> bool:
        """Anything may answer."""
        return not self.refs

    def is_of(self, fact: Fact) -> bool:
        """The fact speaks of it, or names it; "my" is also the account, and no other person."""
        if self.refs == {SELF} and not is_person(fact.subject):
            return True
        return bool(self.refs & {self._one(fact.subject), self._one(fact.object)})

    def _one(self, ref: str) -> str:
        return resolved(ref, self.same or {})


def about(asked: Asked, linked: Sequence[Fact]) -> About:
    """Read whom or what a question is about.

    Args:
        asked: The question.
        linked: The profile's facts that give names or speak of others than itself.

    Returns:
        The people and things that it names, by any of their names; the profile's own for
        "my" and "I" without any of them; and nothing in particular otherwise.
    """
    same = same_refs(linked)
    refs = {resolved(ref, same) for one in asked.relatives for ref in _people(one, linked)}
    line = folded(asked.text)
    names: list[str] = []
    for entity in entities_of(linked):
        said = [name for name in _callable(entity) if _stands_in(folded(name), line)]
        if said:
            refs.add(entity.ref)
            names += said
    others = refs - {SELF}
    if others:
        return About(frozenset(others), same, tuple(names))
    return About(frozenset({SELF}) if asked.is_of_self or refs else frozenset(), same)


def _callable(entity: Entity) -> Iterator[str]:
    """What it is called by: its names, and of a person also the first and the last of them."""
    yield from entity.names
    if not is_person(entity.ref):
        for name in entity.names:
            yield from codes(name)
    else:
        for name in entity.names:
            words = [word for word in name.split() if len(word) > 2]  # not "Dr"
            if len(words) > 1:
                yield from (words[0], words[-1])


def mentions(text: str, asked: Asked, of: About) -> bool:
    """A text speaks of whom or what the question names, by a name or by what they are."""
    line = folded(text)
    if any(_stands_in(folded(name), line) for name in of.names):
        return True
    return bool(set(asked.relatives) & set(relatives_in(text)))


def _people(relative: str, linked: Sequence[Fact]) -> Iterator[str]:
    """Who somebody is by what they are to the caller: whom a relation names, and the relation."""
    yield relative
    role = relative.partition(":")[2]
    key = next((key for key, roles in _ROLE_KEYS.items() if role in roles), role)
    named = [fact for fact in linked if fact.subject == SELF and fact.key == key and fact.object]
    said = set(terms(role))
    by_role = [fact for fact in named if said <= set(terms_of(fact))]
    for fact in by_role or named:
        yield fact.object


def terms_of(fact: Fact) -> tuple[str, ...]:
    """What a fact says, as terms."""
    return terms(f"{fact.key.replace('_', ' ')} {fact.value} {fact.evidence.words}")


def is_beside(hit: Hit, asked: Asked, of: About) -> bool:
    """It cannot be the answer: it holds another code, or is about somebody else."""
    if asked.codes:
        held = codes(hit.fact.value if hit.fact else hit.turn.text if hit.turn else "")
        if not asked.codes & held and {*map(len, asked.codes)} & {*map(len, held)}:
            return True
    fact = hit.fact
    if fact is None:
        return False
    if asked.labels and not is_person(fact.subject):  # order B is not order A
        return fact.subject.partition(":")[2] not in asked.labels
    return not of.is_open and not of.is_of(fact)


def related(asked: Asked, of: About, linked: Sequence[Fact]) -> list[Hit]:
    """Facts about what the question names, and about what those name in turn; best first."""
    if of.is_open or of.refs == {SELF}:
        return []
    wanted = set(asked.terms)
    found: dict[str, Hit] = {}
    refs, seen = set(of.refs), {SELF, *of.refs}
    for worth in HOPS_WORTH:
        near = About(frozenset(refs), of.same)
        new = [fact for fact in linked if near.is_of(fact) and fact.id not in found]
        for fact in new:
            share = _share(wanted, fact)
            found[fact.id] = Hit(worth * max(share, LEAST_ABOUT), fact=fact)
        refs = {ref for fact in new for ref in (fact.subject, fact.object) if ref} - seen
        seen |= refs
    return sorted(found.values(), key=_best_first)


def key_hits(facts: Sequence[Fact]) -> tuple[Hit, ...]:
    """Facts whose key the question names; newest first, and all of them fit it wholly."""
    newest = sorted(facts, key=lambda fact: (fact.observed_at, fact.id), reverse=True)
    return tuple(Hit(score=1.0, fact=fact) for fact in newest)


def up_to_date(hit: Hit, asked: Sequence[str]) -> Hit | None:
    """A turn without the words of facts that hold no more; its history has them still.

    Args:
        hit: Of a turn.
        asked: The question's terms.

    Returns:
        None when what is left answers nothing; else the score is lowered by the terms that
        went.
    """
    if hit.turn is None or not hit.outdated:
        return hit
    text, place, kept = hit.turn.text, 0, ""
    for start, end in hit.outdated:
        kept += text[place:start] + ("…" if start >= place else "")
        place = max(place, end)
    kept += text[place:]
    held = set(asked) & set(terms(text))
    left = held & set(terms(kept))
    if not left:
        return None
    turn = replace(hit.turn, text=kept)
    return replace(hit, score=hit.score * len(left) / len(held), turn=turn, outdated=())


def of_its_day(hit: Hit) -> Hit | None:
    """A turn for whoever asks what was said that day: without sentences that hold no more.

    Returns:
        None when no sentence is left.
    """
    if hit.turn is None or not hit.outdated:
        return hit
    text = hit.turn.text
    kept = [
        text[span.start : span.end]
        for span in sentences(text)
        if not any(start < span.end and end > span.start for start, end in hit.outdated)
    ]
    turn = replace(hit.turn, text=" ".join(kept))
    return replace(hit, turn=turn, outdated=()) if kept else None


def _stands_in(name: str, line: str) -> bool:
    if not name or name not in line:  # as most are not: an expression for each would take long
        return False
    if _CJK.search(name):
        return True
    return re.search(rf"(?<!{_LETTER}){re.escape(name)}(?!{_LETTER})", line) is not None


def _share(wanted: set[str], fact: Fact) -> float:
    return len(wanted & set(terms_of(fact))) / len(wanted) if wanted else 0.0


def _best_first(hit: Hit) -> tuple[float, float, str]:
    fact = hit.fact
    at = fact.observed_at.timestamp() if fact is not None else 0.0
    return -hit.score, -at, fact.id if fact is not None else ""
