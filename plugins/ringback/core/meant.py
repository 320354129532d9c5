"""Which of the things that are known some words mean: "my account number", "4821", "that"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ringback.core.correction import slot_of
from ringback.core.entities import entity_ref
from ringback.core.heard import in_digits
from ringback.core.recall.asked import Asked, read_question
from ringback.core.wording import sentence
from ringback.records import SELF, CallView, Fact, Role
from ringback.schemas import Schema
from ringback.terms import terms
from ringback.text import folded

LAST_TURNS = 2  # of the caller: the one that says "forget that", and the one before it
LEAST_CHARACTERS = 3  # of a value that words name by holding it

_POINTING = re.compile(
    r"\b(?:please|forget|delete|erase|remove|drop|correct|change|what i (?:just )?said"
    r"|(?:just )?said|thing|matter)\b"
    r"|(?:請|请|把|忘記|忘记|忘掉|忘了|刪除|删除|刪掉|删掉|更正|改掉)"
    r"|(?:這|这|那)(?:件|個|个)?(?:事情|事|東西|东西)?"
    r"|(?:我)?(?:剛剛|刚刚|剛才|刚才)(?:說|说|講|讲)?(?:的)?(?:話|话|事)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Somebody's words for something that is known."""

    words: str
    said_in: CallView
    """The call in which they were said, as far as it has come."""
    at: datetime
    """Now, aware."""


def meant(pointer: Pointer, facts: Iterable[Fact], schema: Schema) -> tuple[Fact, ...]:
    """Find which facts some words mean.

    A value that the words name comes first, then a key that they ask for, then what shares
    most words with them; a key that they ask for and that is not there is never replaced by
    something else. "That" is what the caller said last, and nothing older.

    Args:
        pointer: The words, and where they were said.
        facts: What may be meant: current ones.
        schema: Says which keys the words ask for.

    Returns:
        Of each slot the newest fact, those of this call first, then by time, newest first.
        Several: the words fit all of them alike. None: they fit nothing.
    """
    call_id = pointer.said_in.call.id
    known = sorted(
        facts,
        key=lambda one: (one.evidence.call_id == call_id, one.observed_at, one.evidence.position),
        reverse=True,
    )
    named = _POINTING.sub(" ", pointer.words)
    if not terms(named):
        return _one_each(_said_last(known, pointer.said_in), schema)
    asked = read_question(pointer.words, schema, at=pointer.at, zone=pointer.said_in.call.zone)
    known = _about(known, asked)
    found = [one for one in known if _names_value(pointer.words, one)]
    if not found:
        found = [one for one in known if one.key in asked.keys or _names_key(one.key, named)]
        found = _most_alike(named, found, schema) or found
    if not found and not asked.keys:
        found = _most_alike(named, known, schema)
    return _one_each(found, schema)


def keys_meant(pointer: Pointer, schema: Schema) -> tuple[str, ...]:
    """Which keys of the schema some words ask for, whether anything is known or not."""
    return read_question(pointer.words, schema, at=pointer.at).keys


def _said_last(known: Sequence[Fact], view: CallView) -> list[Fact]:
    """The facts of the newest of the caller's last turns that gave any."""
    said = [turn.position for turn in view.turns if turn.role is Role.CALLER][-LAST_TURNS:]
    here = [
        one
        for one in known
        if one.evidence.call_id == view.call.id and one.evidence.position in said
    ]
    last = max((one.evidence.position for one in here), default=-1)
    return [one for one in here if one.evidence.position == last]


def _about(known: Sequence[Fact], asked: Asked) -> list[Fact]:
    """Without what is somebody else's than the words say: "my mother's number", "my number"."""
    if asked.relatives:
        roles = set(asked.relatives)
        return [one for one in known if roles & {one.subject, one.object, _person(one.key)}]
    own = [one for one in known if one.subject == SELF] if asked.is_of_self else []
    return own or list(known)


def _person(key: str) -> str:
    return entity_ref("person", key)


def _names_value(words: str, fact: Fact) -> bool:
    """The words hold the value, in whatever way its digits are said."""
    value = folded(fact.value)
    return len(value) >= LEAST_CHARACTERS and any(
        _stands_in(value, folded(said)) for said in (words, in_digits(words))
    )


def _stands_in(part: str, text: str) -> bool:
    """As whole words: a number is not named by one that holds it."""
    if part.isascii():
        return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
    return part in text


def _names_key(key: str, words: str) -> bool:
    asked = set(terms(key.replace("_", " ")))
    return bool(asked) and asked <= set(terms(words))


def _most_alike(words: str, facts: Sequence[Fact], schema: Schema) -> list[Fact]:
    """Those that share most terms with the words; none where none shares any."""
    asked = set(terms(words))
    shared = {
        one.id: len(asked & set(terms(f"{sentence(one, schema=schema)} {one.evidence.words}")))
        for one in facts
    }
    most = max(shared.values(), default=0)
    return [one for one in facts if most and shared[one.id] == most]


def _one_each(facts: Sequence[Fact], schema: Schema) -> tuple[Fact, ...]:
    newest: dict[object, Fact] = {}
    for one in facts:
        newest.setdefault(slot_of(one, schema.field(one.key)), one)
    return tuple(newest.values())
