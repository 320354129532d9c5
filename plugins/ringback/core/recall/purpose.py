"""What this call is about, and which facts belong to another case."""

from __future__ import annotations

from collections.abc import Sequence

from ringback.core.recall.wanted import wanted_terms
from ringback.records import SELF, Fact, Scope
from ringback.terms import terms


def of_other_cases(facts: Sequence[Fact], purpose: str) -> frozenset[str]:
    """Ids of facts that hold for another case than the one that a call is about.

    A matter belongs to the purpose when it names the same code, or shares a word with it;
    what was agreed in the same call (a promise, a date) belongs with it, unless it names
    another code.

    Args:
        facts: All that is current; what holds for the caller in general is never left out.
        purpose: In words ("the broken lamp", "order A-17"), or the reference of an entity.
    """
    wanted = set(wanted_terms(purpose))
    cases = [fact for fact in facts if fact.scope is Scope.CASE]
    if not wanted:
        return frozenset()
    named = [fact for fact in cases if _is_named(_said(fact), wanted)]
    calls = {fact.evidence.call_id for fact in named}
    return frozenset(
        fact.id
        for fact in cases
        if fact not in named
        and (fact.evidence.call_id not in calls or _is_of_another_code(_said(fact), wanted))
    )


def _said(fact: Fact) -> set[str]:
    entities = " ".join(ref for ref in (fact.subject, fact.object) if ref not in ("", SELF))
    return set(terms(f"{fact.key.replace('_', ' ')} {fact.value} {fact.evidence.words} {entities}"))


def _is_named(said: set[str], wanted: set[str]) -> bool:
    return bool(said & wanted) and not _is_of_another_code(said, wanted)


def _is_of_another_code(said: set[str], wanted: set[str]) -> bool:
    """Order B-22 is not order A-17."""
    ours, theirs = _codes(wanted), _codes(said)
    return bool(ours and theirs) and not ours & theirs


def _codes(words: set[str]) -> set[str]:
    return {word for word in words if any(sign.isdigit() for sign in word)}
