"""What a new statement does to the chain of facts that it competes with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ringback.core.correction import (
    CURRENT,
    NEEDS_VERIFIED,
    SETTLED_CONFIDENCE,
    Slot,
    authority,
    caller_turns,
    ends,
    exact,
    is_confirmed,
    is_covered,
    is_earlier,
    is_same,
    is_spent,
    is_weak,
    names,
    order_of,
    outranks,
    slot_of,
    standing,
    why_stronger,
    why_weaker,
)
from ringback.core.reading import ANY_VALUE
from ringback.records import Action, Candidate, Decision, Fact, Source, Status
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import Promotion


@dataclass(frozen=True, slots=True)
class Statement:
    """A candidate as the fact that it would become."""

    fact: Fact
    candidate: Candidate
    field: Field
    may_correct: bool
    """Its caller may replace what other calls said of this field."""


class Chains:
    """All that is known where one call's statements are decided on, by id.

    Lives for one call of `decide()`. Takes facts of every status; of those that have ended
    it needs the newest of a slot, to keep an older statement from reviving what ended.
    """

    def __init__(self, known: Iterable[Fact], schema: Schema) -> None:
        self._schema = schema
        self._facts: dict[str, Fact] = {}
        self._slots: dict[str, Slot] = {}
        self._families: dict[tuple[str, str], list[str]] = {}
        for fact in known:
            self._keep(fact)

    def weigh(self, new: Statement) -> tuple[Decision, ...]:
        """Decide on a statement that may become a fact, and take it in.

        Returns:
            One decision, and one more for each further fact that it ends.
        """
        decisions = self._decided(new)
        for decision in decisions:
            for fact in (decision.fact, decision.superseded):
                if fact is not None:
                    self._keep(fact)
        return decisions

    def _decided(self, new: Statement) -> tuple[Decision, ...]:
        known = self._facts.get(new.fact.id)
        family = self._family(new.fact)
        if new.fact.is_withdrawal:
            if known is not None or is_covered(new.fact, family, new.field):
                return (_skipped(new, "already known"),)
            return self._withdrawn(new, family)
        slot = slot_of(new.fact, new.field)
        chain = [one for one in family if _is_in(one, new, self._slots[one.id] == slot)]
        if known is not None:
            return _known_again(new, known, chain)
        return _stated(new, chain)

    def _withdrawn(self, new: Statement, family: Sequence[Fact]) -> tuple[Decision, ...]:
        heads = self._heads(new, family)
        ended = [
            head for head in heads if head.status in CURRENT and ends(new.fact, head, new.field)
        ]
        if ended:
            first, *others = ended
            retired = replace(new.fact, status=Status.RETIRED, supersedes=first.id)
            reason = "no longer holds"
            return (
                Decision(Action.RETIRE, reason, new.candidate, retired, _over(first, new.fact)),
                *(
                    Decision(Action.RETIRE, reason, new.candidate, None, _over(one, new.fact))
                    for one in others
                ),
            )
        if is_weak(new.fact, new.field):
            return (_skipped(new, NEEDS_VERIFIED),)
        is_of_one = new.fact.value != ANY_VALUE  # of any: other values may yet be read
        if is_of_one and heads and is_spent(new.fact, heads[0], new.field):
            return (_skipped(new, _why_spent(new, heads[0])),)
        return (_kept_for_later(new, family),)

    def _heads(self, new: Statement, family: Sequence[Fact]) -> list[Fact]:
        """The head of each slot that a withdrawal is about."""
        slots = {self._slots[one.id] for one in family if not one.is_withdrawal}
        if new.fact.value != ANY_VALUE:
            slots &= {slot_of(new.fact, new.field)}
        chains = (
            [one for one in family if self._slots[one.id] == slot]
            for slot in sorted(slots, key=lambda slot: (slot.object, slot.value))
        )
        heads = [standing(chain, new.field) for chain in chains]
        return [head for head in heads if head is not None]

    def _family(self, fact: Fact) -> list[Fact]:
        """Facts of one key of one entity, whatever their values."""
        return [self._facts[one] for one in self._families.get((fact.subject, fact.key), [])]

    def _keep(self, fact: Fact) -> None:
        if fact.id not in self._facts:
            self._slots[fact.id] = slot_of(fact, self._schema.field(fact.key))
            self._families.setdefault((fact.subject, fact.key), []).append(fact.id)
        self._facts[fact.id] = fact


def _is_in(one: Fact, new: Statement, is_same_slot: bool) -> bool:
    """It belongs to the new statement's chain: its slot, or a withdrawal of all values."""
    return is_same_slot or (one.is_withdrawal and names(one, new.fact, new.field))


def _stated(new: Statement, chain: Sequence[Fact]) -> tuple[Decision, ...]:
    head = standing(chain, new.field)
    if head is not None and not outranks(new.fact, head, new.field):
        return _lost(new, head, chain)
    if any(_has_expired_later(one, new.fact) for one in chain) or _is_behind_unseen(new, chain):
        return (_skipped(new, "older than what is known"),)
    ending = _ending(new, chain)
    if ending is None:
        return _now_current(new, head, chain)
    # It holds no more, but neither does what it outranks.
    ended = replace(new.fact, status=Status.SUPERSEDED, valid_to=ending.observed_at)
    before = _over(head, new.fact) if head is not None and head.status in CURRENT else None
    reason = "withdrawn since"
    return (Decision(Action.RETIRE, reason, new.candidate, ended, before),)


def _now_current(new: Statement, head: Fact | None, chain: Sequence[Fact]) -> tuple[Decision, ...]:
    fact = _with_status(new, chain)
    held = sorted(_held(chain), key=lambda one: order_of(one, new.field))
    if not held:
        withdrawal = _withdrawal_before(new, head, chain)
        if withdrawal is None:
            return (Decision(Action.ADD, "new", new.candidate, fact),)
        fact = replace(fact, supersedes=withdrawal.id)
        superseded = _over(withdrawal, new.fact)
        reason = "newer than its withdrawal"
        return (Decision(Action.UPDATE, reason, new.candidate, fact, superseded),)
    *others, last = held
    reason = why_stronger(new.fact, last, new.field)
    fact = replace(fact, supersedes=last.id)
    return (
        Decision(Action.UPDATE, reason, new.candidate, fact, _over(last, new.fact)),
        *(_tidied(new, one, new.fact) for one in others),
    )


def _lost(new: Statement, head: Fact, chain: Sequence[Fact]) -> tuple[Decision, ...]:
    """A statement that does not take the head's place; it may still confirm it."""
    reason = _why_weaker(new, head)
    if not _is_counted(new, chain):
        return (_skipped(new, reason),)
    ended = replace(new.fact, status=Status.SUPERSEDED, valid_to=_from(head))
    reason = f"{reason}; it counts as said once"
    kept = Decision(Action.ADD, reason, new.candidate, ended)
    return (kept, *_confirmed(new, head, chain))


def _known_again(new: Statement, known: Fact, chain: Sequence[Fact]) -> tuple[Decision, ...]:
    """A call that is read again changes nothing, unless more is known about it now."""
    head = standing(chain, new.field)
    held = _held(chain)
    if head is not None and len(held) > 1:  # two calls of which only now one caller is known
        return tuple(_tidied(new, one, head) for one in held if one.id != head.id)
    if is_weak(known, new.field) and not is_weak(new.fact, new.field) and known in held:
        settled = _with_status(new, chain)
        now = replace(known, status=settled.status, confidence=new.fact.confidence)
        if now.status is Status.ACTIVE and known.status is not Status.ACTIVE:
            reason = "the caller is verified now"
            return (Decision(Action.UPDATE, reason, new.candidate, None, now),)
    confirmed = _confirmed(new, known, chain) if known == head else ()
    return confirmed or (_skipped(new, "already known"),)


def _confirmed(new: Statement, head: Fact, chain: Sequence[Fact]) -> tuple[Decision, ...]:
    """The head of a chain, confirmed by an older statement that is read only now."""
    is_open = head.status is Status.PROVISIONAL and head.confidence >= SETTLED_CONFIDENCE
    if not (is_open and _counts(new) and is_same(new.fact, head)):
        return ()
    if not is_confirmed(new.fact, chain):
        return ()
    now = replace(head, status=Status.ACTIVE)
    return (Decision(Action.UPDATE, "said in another turn as well", new.candidate, None, now),)


def _counts(new: Statement) -> bool:
    return new.field.promotion is Promotion.CONFIRMED


def _is_counted(new: Statement, chain: Sequence[Fact]) -> bool:
    """It is kept, though it does not hold: two such turns make a later one certain."""
    same = [one for one in chain if not one.is_withdrawal and is_same(one, new.fact)]
    return _counts(new) and new.fact.source is Source.CALLER and len(caller_turns(same)) < 2


def _with_status(new: Statement, chain: Sequence[Fact]) -> Fact:
    is_settled = new.fact.confidence >= SETTLED_CONFIDENCE
    if _counts(new):
        is_settled = is_settled and is_confirmed(new.fact, chain)
    return replace(new.fact, status=Status.ACTIVE if is_settled else Status.PROVISIONAL)


def _ending(new: Statement, chain: Sequence[Fact]) -> Fact | None:
    """The last withdrawal that ends a statement."""
    ending = [one for one in chain if one.is_withdrawal and ends(one, new.fact, new.field)]
    return max(ending, key=lambda one: (one.observed_at, one.id), default=None)


def _withdrawal_before(new: Statement, head: Fact | None, chain: Sequence[Fact]) -> Fact | None:
    """The withdrawal that a slot ended with, until now."""
    ended = head or new.fact
    last = [
        one
        for one in chain
        if one.is_withdrawal
        and one.status is Status.RETIRED
        and one.value != ANY_VALUE  # that one still holds for every other value
        and names(one, ended, new.field)
    ]
    return max(last, key=lambda one: (one.observed_at, one.id), default=None)


def _has_expired_later(one: Fact, new: Fact) -> bool:
    return one.status is Status.EXPIRED and not is_earlier(one, new)


def _is_behind_unseen(new: Statement, chain: Sequence[Fact]) -> bool:
    """A withdrawal ended something that we were not given, and that may have been newer."""
    seen = {one.id for one in chain}
    return any(
        one.is_withdrawal
        and one.supersedes is not None
        and one.supersedes not in seen
        and not is_earlier(one, new.fact)
        and one.value != ANY_VALUE
        for one in chain
    )


def _kept_for_later(new: Statement, family: Sequence[Fact]) -> Decision:
    """A withdrawal of what is not known: the statement it ends may yet be read."""
    retired = replace(new.fact, status=Status.RETIRED)
    before = [
        one
        for one in family
        if one.status is Status.RETIRED
        and exact(one.value) == exact(new.fact.value)
        and one.object == new.fact.object
        and not is_weak(one, new.field)
        and is_covered(one, [new.fact], new.field)
    ]
    if not before:
        return Decision(Action.RETIRE, "not known so far", new.candidate, retired)
    last = max(before, key=lambda one: (one.observed_at, one.id))
    retired = replace(retired, supersedes=last.id)
    return Decision(Action.RETIRE, "withdrawn again", new.candidate, retired, _over(last, new.fact))


def _why_weaker(new: Statement, head: Fact) -> str:
    reason = why_weaker(new.fact, head, new.field)
    is_doubt = reason == NEEDS_VERIFIED and new.may_correct
    return "less certain than what is known" if is_doubt else reason


def _why_spent(new: Statement, head: Fact) -> str:
    is_weaker = authority(new.fact, new.field) < authority(head, new.field)
    return "weaker source than what is known" if is_weaker else "older than what is known"


def _held(chain: Sequence[Fact]) -> list[Fact]:
    return [one for one in chain if one.status in CURRENT and not one.is_withdrawal]


def _tidied(new: Statement, one: Fact, by: Fact) -> Decision:
    reason = "another value of this key stands"
    return Decision(Action.UPDATE, reason, new.candidate, None, _over(one, by))


def _over(fact: Fact, by: Fact) -> Fact:
    """A fact that another one ends."""
    return replace(fact, status=Status.SUPERSEDED, valid_to=max(_from(by), _from(fact)))


def _from(fact: Fact) -> datetime:
    return fact.valid_from or fact.observed_at


def _skipped(new: Statement, reason: str) -> Decision:
    return Decision(Action.SKIP, reason, new.candidate)
