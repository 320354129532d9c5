"""What may be told of what is known: to whom, and what gives away what may not be told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ringback.core.assurance import may_speak
from ringback.core.wording import sentence
from ringback.records import Assurance, Cardinality, Fact
from ringback.schemas import Schema
from ringback.text import folded


def may_tell(fact: Fact, assurance: Assurance, schema: Schema) -> bool:
    """A fact kept from an earlier call may be put into words for this caller.

    Args:
        fact: What is known.
        assurance: How sure it is who is calling.
        schema: Has the sensitivity of each key; outside of it the fact's own counts.
    """
    field = schema.field(fact.key)
    return fact.is_speakable and may_speak(
        assurance, field.sensitivity if field else fact.sensitivity
    )


def secrets_of(withheld: Iterable[Fact]) -> frozenset[str]:
    """The values, and the words, of facts that may not be told; folded once for many texts."""
    said = (folded(words) for fact in withheld for words in (fact.value, fact.evidence.words))
    return frozenset(words for words in said if words)


def tells(text: str, secrets: Collection[str]) -> bool:
    """A text holds what may not be told; see `secrets_of`."""
    line = folded(text) if secrets else ""
    return any(words in line for words in secrets)


def holds_one(fact: Fact, schema: Schema) -> bool:
    """Of its subject and key there can be one value."""
    return (schema.field(fact.key) or fact).cardinality is Cardinality.ONE


def in_conflict(facts: Sequence[Fact], schema: Schema) -> Iterator[tuple[Fact, ...]]:
    """Facts that cannot all hold: several values where there can be one.

    Args:
        facts: Current ones, in the order in which they are to be named.
        schema: Says of which keys there can be one value.
    """
    values: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        if holds_one(fact, schema):
            values.setdefault((fact.subject, fact.key), []).append(fact)
    for rivals in values.values():
        if len({folded(fact.value) for fact in rivals}) > 1:
            yield tuple(rivals)


def conflict_line(rivals: Sequence[Fact], schema: Schema) -> str:
    """All that is on record under one key, as doubtful; without a full stop."""
    texts = dict.fromkeys(sentence(fact, schema=schema) for fact in rivals)
    return f"In conflict, ask which: {' / '.join(text for text in texts if text)}"
