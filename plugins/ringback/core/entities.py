"""What a profile's facts speak of: people, orders, things, put together from the facts.

An entity has no record of its own. It is there as long as a fact speaks of it (as its
subject) or names it (as its object), so correcting or forgetting the facts is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ringback.recollection import Entity
from ringback.records import SELF, Fact
from ringback.text import folded, one_line

ALIAS = "alias"
"""The key of a fact that gives its subject another name."""
NAME = "name"
PERSON = "person"
_SEPARATOR = ":"


def entity_ref(kind: str, name: str) -> str:
    """Make the reference of an entity: `person:rosa`, `order:a-17`.

    Args:
        kind: One word in lower case.
        name: As it was said; case, spaces and closing punctuation do not count, every
            digit and sign does: `order:55810-7` is not `order:55810-8`.
    """
    return f"{kind}{_SEPARATOR}{folded(name)}"


def one_ref(ref: str) -> str:
    """Put a reference into the form in which two of them are the same one.

    Args:
        ref: As an application gives it: `person:Rosa Alvarez`, `order:A-17`, `self`.
    """
    kind, separator, name = ref.partition(_SEPARATOR)
    return entity_ref(kind, name) if separator else ref


def entities_of(facts: Sequence[Fact]) -> tuple[Entity, ...]:
    """Put together what facts speak of.

    A name and its aliases (facts with the key `alias`) are one entity. So are a relation
    and whom it names: with "my mother's name is Rosa" what is known of `person:mother` is
    known of `person:rosa`, as long as the profile has one mother only.

    Args:
        facts: Those to look at, e.g. a profile's current ones. Withdrawals are left out:
            they say what is not. Since when a relation holds stands in the fact's
            `valid_from`.

    Returns:
        `self` first, then by reference. Names are newest first, each once; facts and
        relations are oldest first.
    """
    said = sorted(
        (fact for fact in facts if not fact.is_withdrawal),
        key=lambda fact: (fact.observed_at, fact.evidence.position, fact.id),
    )
    same = same_refs(said)
    about: dict[str, list[Fact]] = {}
    naming: dict[str, list[Fact]] = {}
    names: dict[str, list[str]] = {}
    for fact in said:
        about.setdefault(resolved(fact.subject, same), []).append(fact)
        if fact.object:
            naming.setdefault(resolved(fact.object, same), []).append(fact)
        for owner, name in _names_in(fact):
            names.setdefault(resolved(owner, same), []).append(name)
    return tuple(
        Entity(
            ref=ref,
            names=_unique(reversed(names.get(ref, _plain_names(ref)))),
            facts=tuple(about.get(ref, ())),
            relations=tuple(naming.get(ref, ())),
        )
        for ref in sorted({*about, *naming}, key=lambda ref: (ref != SELF, ref))
    )


def _plain_names(ref: str) -> list[str]:
    """What to call an entity that nobody has named: a mother is "mother"."""
    return [] if ref == SELF else [_name_part(ref)]


def _names_in(fact: Fact) -> Iterator[tuple[str, str]]:
    """Names that a fact gives, each with the entity it is a name of."""
    if fact.key in (NAME, ALIAS):
        yield fact.subject, one_line(fact.value)
    elif fact.object:
        # The value may say more than the name: "metformin 500 mg".
        is_name = folded(fact.value) == _name_part(fact.object)
        yield fact.object, one_line(fact.value) if is_name else _name_part(fact.object)


def same_refs(said: Sequence[Fact]) -> dict[str, str]:
    """Which references mean another one, by aliases and by relations to one person.

    Args:
        said: Facts, oldest first, without withdrawals.

    Returns:
        Each such reference with one that it means; see `resolved`.
    """
    same: dict[str, str] = {}
    for role, objects in _roles(said).items():
        if len(objects) == 1:
            _merge(same, role, next(iter(objects)))
    for fact in said:
        if fact.subject == SELF or fact.key not in (NAME, ALIAS):
            continue
        _merge(same, entity_ref(_kind_part(fact.subject), fact.value), fact.subject)
    return same


def _roles(said: Iterable[Fact]) -> dict[str, set[str]]:
    """Whom each relation of the profile itself names, by `person:` and the relation."""
    roles: dict[str, set[str]] = {}
    for fact in said:
        if fact.subject == SELF and fact.object:
            role = entity_ref(_kind_part(fact.object), fact.key.replace("_", " "))
            roles.setdefault(role, set()).add(fact.object)
    return roles


def _merge(same: dict[str, str], ref: str, into: str) -> None:
    """Make one reference mean another; a circle of aliases is not closed."""
    start, end = resolved(ref, same), resolved(into, same)
    if start != end:
        same[start] = end


def resolved(ref: str, same: Mapping[str, str]) -> str:
    """The one reference that an entity is known by."""
    while ref in same:
        ref = same[ref]
    return ref


def _kind_part(ref: str) -> str:
    return ref.partition(_SEPARATOR)[0]


def _name_part(ref: str) -> str:
    return ref.partition(_SEPARATOR)[2]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(folded(name), name)
    return tuple(first.values())
