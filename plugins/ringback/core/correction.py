"""Which of several statements about one thing holds: the rules of correction.

Facts that compete for one place, a *slot*, form a chain. The place is an entity and a key;
an object where the fact is about something else than its value; and the value itself where
a key may have many. Facts of different slots stand side by side.

Within a slot all statements that were ever made stand in one order: authority of the
source, a full name before a first name, the time it was said, confidence, and last the
record's own address. The first of that order is the current one, unless a withdrawal ends
it: one that names its value, has no less authority, and was not said before it. A value
that was withdrawn is not replaced by the one it had replaced.

Both rules look at the statements alone and never at when they are processed, so any order
of processing ends in the same current facts. Two things follow. A withdrawal of what is not
known is kept, because the statement that it ends may yet be read. And a system of record
that says "no longer" is not overruled by a weaker source under that key.

What is sensitive has a narrower order. A statement that may not correct (the caller is not
verified, or the words were doubtful) stands below every one that may, and among its like
the first call to state it wins, so that a stranger with the right number overwrites nothing.
Each call then has one word: its last.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from ringback.core.reading import ANY_VALUE
from ringback.records import Cardinality, Fact, Scope, Sensitivity, Source, Status
from ringback.schemas import Field, Schema
from ringback.text import folded

SETTLED_CONFIDENCE = 0.65  # below: kept, but provisional, to be read back

CURRENT = (Status.ACTIVE, Status.PROVISIONAL)
HEADS = (*CURRENT, Status.RETIRED)
"""What a chain can end with: a current fact, or the withdrawal of one."""
GUARDED = (Sensitivity.SENSITIVE, Sensitivity.SECRET)
"""What a caller who is not verified does not correct."""

NEEDS_VERIFIED = "needs a verified caller"
NEEDS_KNOWN = "needs a known caller"

_AUTHORITY = {source: -place for place, source in enumerate(Source)}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOST_IN_FOLDING = ("<super>", "<sub>", "<fraction>", "<circle>")  # 10² would become 102
_MEGA = re.compile(r"(?<=\d)\s?M(?=[A-Za-z]{1,2}\b)")  # "5 MW" is not "5 mW"
_CLOSING = "。！？…"  # noqa: RUF001 - full-width signs

Rank: TypeAlias = tuple[int, bool, bool, timedelta, float, str, int, int, str]


@dataclass(frozen=True, slots=True)
class Slot:
    """What facts compete for."""

    subject: str
    key: str
    is_of_case: bool
    """It holds for one matter only, while its field holds for longer."""
    object: str = ""
    value: str = ""


def exact(value: str) -> str:
    """The form in which two values are the same value.

    As `text.folded`, but stricter: raised and enclosed digits, fractions and the M of
    "mega" stay what they are. A digit, a "not", a sign or a unit more is another value.
    """
    if value.isascii() and value.isprintable():  # most are; the same, many times faster
        return " ".join(_MEGA.sub(" {mega}", value).split()).lower().rstrip(" .!?")
    kept = "".join(
        f"{{{ord(sign):x}}}"
        if unicodedata.decomposition(sign).startswith(_LOST_IN_FOLDING)
        else sign
        for sign in _MEGA.sub(" {mega}", value)
    )
    return folded(folded(kept).rstrip(_CLOSING))


def slot_of(fact: Fact, field: Field | None) -> Slot:
    """The place that a fact competes for; the field is None when its key has no schema."""
    is_of_case = fact.scope is Scope.CASE and (field is None or field.scope is not Scope.CASE)
    cardinality = field.cardinality if field else fact.cardinality
    if cardinality is Cardinality.MANY:
        value = "" if fact.object else exact(fact.value)
        return Slot(fact.subject, fact.key, is_of_case, fact.object, value)
    # Where the value names the object, a key with one value has one object: a new employer
    # takes the old one's place.
    names_it = field is not None and bool(field.object_kind)
    return Slot(fact.subject, fact.key, is_of_case, "" if names_it else fact.object)


def is_guarded(fact: Fact, field: Field | None) -> bool:
    """A caller who is not verified does not correct it."""
    return (field.sensitivity if field else fact.sensitivity) in GUARDED


def rank(fact: Fact, schema: Schema) -> Rank:
    """Where a statement stands among those of its slot; higher stands before lower."""
    return order_of(fact, schema.field(fact.key))


def current_again(fact: Fact) -> Fact:
    """A fact as it is once what had ended it is gone."""
    if fact.is_withdrawal:
        return replace(fact, status=Status.RETIRED, valid_to=None)
    is_settled = fact.confidence >= SETTLED_CONFIDENCE
    status = Status.ACTIVE if is_settled else Status.PROVISIONAL
    return replace(fact, status=status, valid_to=None)


def order_of(fact: Fact, field: Field | None) -> Rank:
    """Where a statement stands among those of its slot; higher stands before lower."""
    age = fact.observed_at - _EPOCH
    comes_first = is_weak(fact, field)
    return _rank(fact, field, is_firm=not comes_first, age=-age if comes_first else age)


def order_in_call(fact: Fact, field: Field | None) -> Rank:
    """The same among statements of one call: whoever speaks may correct what they just said."""
    return _rank(fact, field, is_firm=True, age=fact.observed_at - _EPOCH)


def _rank(fact: Fact, field: Field | None, *, is_firm: bool, age: timedelta) -> Rank:
    evidence = fact.evidence
    return (
        authority(fact, field),
        is_firm,
        fact.key == "name" and " " in fact.value.strip(),
        age,
        fact.confidence,
        fact.call_id,
        evidence.position,
        evidence.start,
        fact.id,
    )


def is_weak(fact: Fact, field: Field | None) -> bool:
    """It is sensitive, and was said by a caller who is not verified, or in doubtful words."""
    return is_guarded(fact, field) and fact.confidence < SETTLED_CONFIDENCE


def authority(fact: Fact, field: Field | None) -> int:
    """How much its source weighs; of what is agreed, the agent's word as much as the caller's."""
    if field and field.is_agreed and fact.source is Source.AGENT:
        return _AUTHORITY[Source.CALLER]
    return _AUTHORITY[fact.source]


def outranks(fact: Fact, known: Fact, field: Field | None) -> bool:
    """A statement takes another's place."""
    order = order_in_call if fact.call_id == known.call_id else order_of
    return order(fact, field) > order(known, field)


def standing(chain: Sequence[Fact], field: Field | None) -> Fact | None:
    """The statement that heads a slot, withdrawn or not; None when nothing was stated.

    What has expired heads nothing.
    """
    stated = [one for one in chain if not one.is_withdrawal and one.status is not Status.EXPIRED]
    held = [one for one in stated if one.status in CURRENT]
    return max(held or stated, key=lambda one: order_of(one, field), default=None)


def names(withdrawal: Fact, fact: Fact, field: Field | None) -> bool:
    """A withdrawal is of this fact's value."""
    if withdrawal.value == ANY_VALUE or exact(withdrawal.value) == exact(fact.value):
        return True
    is_named_by_object = field is not None and bool(field.object_kind and fact.object)
    return is_named_by_object and withdrawal.object == fact.object


def ends(withdrawal: Fact, fact: Fact, field: Field | None) -> bool:
    """A withdrawal ends a statement, whichever of the two is processed first."""
    is_own = withdrawal.call_id == fact.call_id
    return (
        names(withdrawal, fact, field)
        and (is_own or not is_weak(withdrawal, field))
        and authority(withdrawal, field) >= authority(fact, field)
        and not is_earlier(withdrawal, fact)
    )


def is_earlier(one: Fact, other: Fact) -> bool:
    """It was said before the other; what was said in one moment is not."""
    if one.call_id == other.call_id and one.observed_at == other.observed_at:
        return _place(one) < _place(other)
    return one.observed_at < other.observed_at


def _place(fact: Fact) -> tuple[int, int]:
    return (fact.evidence.position, fact.evidence.start)


def is_covered(withdrawal: Fact, chain: Iterable[Fact], field: Field | None) -> bool:
    """An earlier-kept withdrawal of the same value does all that this one could."""
    return any(
        known.is_withdrawal
        and exact(known.value) == exact(withdrawal.value)
        and known.object == withdrawal.object
        and (known.call_id == withdrawal.call_id or not is_weak(known, field))
        and authority(known, field) >= authority(withdrawal, field)
        and not is_earlier(known, withdrawal)
        for known in chain
    )


def is_spent(withdrawal: Fact, head: Fact, field: Field | None) -> bool:
    """Nothing that could ever take the head's place would be ended by this withdrawal."""
    mine, heads = authority(withdrawal, field), authority(head, field)
    is_by_time = not is_guarded(head, field) and head.key != "name"
    return mine < heads or (mine == heads and is_by_time and is_earlier(withdrawal, head))


def is_confirmed(fact: Fact, chain: Iterable[Fact]) -> bool:
    """The system of record has it, or the caller said it in two turns."""
    same = [one for one in (fact, *chain) if not one.is_withdrawal and is_same(one, fact)]
    return len(caller_turns(same)) > 1 or any(one.source is Source.SYSTEM for one in same)


def caller_turns(facts: Iterable[Fact]) -> set[tuple[str, int]]:
    """The turns of a caller that statements were made in."""
    return {(one.call_id, one.evidence.position) for one in facts if one.source is Source.CALLER}


def is_same(one: Fact, other: Fact) -> bool:
    """Two statements have one value."""
    return exact(one.value) == exact(other.value)


def why_weaker(fact: Fact, known: Fact, field: Field | None) -> str:
    """Why a statement does not take another's place."""
    if is_same(fact, known):
        return "already known"
    is_of_call = fact.call_id == known.call_id
    order = order_in_call if is_of_call else order_of
    mine, theirs = order(fact, field), order(known, field)
    if mine[0] < theirs[0]:
        return "weaker source than what is known"
    if is_weak(fact, field) and not is_of_call:
        return NEEDS_VERIFIED
    if mine[2] < theirs[2]:
        return "a full name is known"
    if mine[3] < theirs[3]:
        return "older than what is known"
    return "less certain than what is known"


def why_stronger(fact: Fact, known: Fact, field: Field | None) -> str:
    """Why a statement takes another's place."""
    if is_same(fact, known):
        return "said again"
    order = order_in_call if fact.call_id == known.call_id else order_of
    mine, theirs = order(fact, field), order(known, field)
    if mine[0] > theirs[0]:
        return "stronger source than what was known"
    if mine[1] > theirs[1]:
        return "the caller is verified now"
    if mine[2] > theirs[2]:
        return "the full name"
    if fact.observed_at > known.observed_at:
        return "newer than what was known"
    if mine[3] > theirs[3]:
        return "said in an earlier call, and neither caller was verified"
    return "more certain than what was known"
