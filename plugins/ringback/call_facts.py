"""A call that goes on, and memory: what is known by now, what it states, what it takes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ringback.background.reading import read_call
from ringback.background.thinking import Thinking
from ringback.background.workplace import Keeping
from ringback.clock import Clock
from ringback.core import promotion
from ringback.core.again import decided_again
from ringback.core.assurance import may_correct
from ringback.core.correction import CURRENT, NEEDS_KNOWN, exact
from ringback.core.forgetting import Known, fact_erasure
from ringback.core.heard import missing
from ringback.erasure import ErasureReceipt
from ringback.offline.forgetting import known_of
from ringback.protocols import Basis
from ringback.records import (
    Call,
    CallView,
    Candidate,
    Decision,
    Evidence,
    Fact,
    Role,
    Source,
    Status,
    Turn,
)
from ringback.schemas import Schema
from ringback.terms import terms
from ringback.text import Span, plain, sentences

CONFIDENCE = 0.8  # of what a language model heard: below what a rule read, above a doubt


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known at one moment of a call, its last words included."""

    view: CallView
    """The call as somebody's, if that is known; with its turns."""
    facts: tuple[Fact, ...]
    """Of its caller, or its own if it is nobody's; of every status."""
    read: tuple[Decision, ...]
    """What its turns say that may not be settled yet; `facts` holds it already."""
    basis: Basis
    is_in_doubt: bool = False
    """The line does not take its caller for whose call it is kept as: a profile is not theirs."""

    @property
    def current(self) -> tuple[Fact, ...]:
        """The facts that hold; in doubt those alone that this call gave."""
        return tuple(
            fact
            for fact in self.facts
            if fact.status in CURRENT and (self.is_own(fact) or not self.is_in_doubt)
        )

    def is_own(self, fact: Fact) -> bool:
        """The caller said it in this very call: they know it, and may take it back."""
        return fact.evidence.call_id == self.view.call.id

    def holds(self, key: str, value: str) -> bool:
        """This value is what is known under a key."""
        return any(one.key == key and exact(one.value) == exact(value) for one in self.current)


State = Callable[[Moment], Sequence[Candidate]]
Pick = Callable[[Moment], Fact | None]


class CallFacts:
    """Reads and writes memory for one call that goes on, as its caller's own word.

    Lives as long as its call. What it writes goes through the checks, the policy and the rules
    of correction that everything said in a call goes through, with the assurance of now.

    Args:
        keeping: Where memory is kept.
        schema: Which facts there may be.
        clock: Tells when something is recorded.
        thinking: Where it is decided, off the loop.
    """

    def __init__(self, keeping: Keeping, schema: Schema, clock: Clock, thinking: Thinking) -> None:
        self._keeping = keeping
        self._schema = schema
        self._clock = clock
        self._thinking = thinking

    async def moment(self, call: Call) -> Moment | None:
        """Read what is known now; None where the call was forgotten.

        Args:
            call: As its handle has it: who it is may be known there before any turn of the
                call is settled.

        Raises:
            StoreError: It could not be read.
        """
        keeping, tenant = self._keeping, call.tenant
        await keeping.flush()
        view = await keeping.call(tenant, call.id)
        if view is None:
            return None
        is_in_doubt = view.call.caller_id not in (None, call.caller_id)
        if view.call.caller_id is None and call.caller_id is not None:
            known_as = replace(view.call, caller_id=call.caller_id, assurance=call.assurance)
            view = replace(view, call=known_as)
        caller_id = view.call.caller_id
        basis = await keeping.basis(tenant, caller_id=caller_id, call_id=call.id)
        stored = await self._stored(view.call)
        now_at = self._clock.now_at()
        read = await self._thinking.about(lambda: read_call(view, stored, self._schema, now_at))
        return Moment(view, _with(stored, read), read, basis, is_in_doubt)

    async def state(self, call: Call, stated: State) -> tuple[Moment, tuple[Decision, ...]] | None:
        """Decide on what the caller states, write it, and tell what is known then.

        Args:
            call: Which call.
            stated: Gives the candidates for what is known; none: nothing is written.

        Returns:
            What is known afterwards, and what was decided; None where the call was forgotten.

        Raises:
            StoreError: It could not be written.
        """

        async def decide() -> tuple[Moment, tuple[Decision, ...]] | None:
            now = await self.moment(call)
            if now is None:
                return None
            candidates = stated(now)
            if not candidates:
                return now, ()
            decisions = await self._thinking.about(lambda: self._decided(now, candidates))
            if _replaces_anothers(now, (*now.read, *decisions)):
                return now, tuple(_refused(one) for one in decisions)
            # What the call said before comes first: one of these may take its place.
            await self._keeping.write(call.tenant, (*now.read, *decisions), basis=now.basis)
            return replace(now, facts=_with(now.facts, decisions)), decisions

        return await decided_again(decide)

    async def forget(self, call: Call, pick: Pick) -> ErasureReceipt | None:
        """Erase one fact, with its versions and its words in every turn.

        Args:
            call: Which call.
            pick: Chooses it among what is known; None: nothing is erased.

        Returns:
            What went; None where nothing did, because nothing was chosen or because more
            would have gone than this caller may take back.

        Raises:
            StoreError: It could not be deleted; then nothing was.
        """

        async def erase() -> ErasureReceipt | None:
            now = await self.moment(call)
            target = pick(now) if now is not None else None
            if now is None or target is None:
                return None
            known = await self._known(now)
            at, schema = self._clock.now_at(), self._schema
            erasure = await self._thinking.about(
                lambda: fact_erasure(target, known, at=at, schema=schema)
            )
            going = [fact for fact in now.facts if fact.id in erasure.fact_ids]
            if not all(self.may_take_back(fact, now) for fact in going):
                return None
            erasure = replace(erasure, caller_id=now.view.call.caller_id)
            return await self._keeping.forget(erasure, basis=now.basis)

        return await decided_again(erase)

    def may_take_back(self, fact: Fact, now: Moment) -> bool:
        """Said in this call, or this caller may correct it; see `ringback.core.assurance`."""
        field = self._schema.field(fact.key)
        sensitivity = field.sensitivity if field else fact.sensitivity
        if now.is_own(fact):
            return True
        return not now.is_in_doubt and may_correct(now.view.call.assurance, sensitivity)

    def candidate(self, now: Moment, key: str, value: str) -> Candidate | None:
        """What the caller states, with the words of this call that say it.

        Returns:
            None where the caller has said nothing in this call.
        """
        field, evidence = self._schema.field(key), _evidence(now.view, value)
        if evidence is None:
            return None
        turn, cited = evidence
        stated = Candidate(
            key=key,
            value=value,
            source=Source.CALLER,
            confidence=CONFIDENCE,
            observed_at=turn.at,
            evidence=cited,
            speaker=turn.speaker,
        )
        if field is None:
            return stated  # the policy refuses it, and says so
        return replace(stated, kind=field.kind, scope=field.scope, cardinality=field.cardinality)

    async def _stored(self, call: Call) -> tuple[Fact, ...]:
        statuses = tuple(Status)
        if call.caller_id is None:
            return await self._keeping.facts(call.tenant, call_id=call.id, statuses=statuses)
        return await self._keeping.facts(call.tenant, caller_id=call.caller_id, statuses=statuses)

    async def _known(self, now: Moment) -> Known:
        call = now.view.call
        if call.caller_id is None or now.is_in_doubt:
            return Known(now.facts, (now.view,))
        kept = await known_of(self._keeping, call.tenant, call.caller_id)
        others = tuple(view for view in kept.calls if view.call.id != call.id)
        return Known(now.facts, (*others, now.view), kept.summaries)

    def _decided(self, now: Moment, candidates: Sequence[Candidate]) -> tuple[Decision, ...]:
        return promotion.decide(
            candidates,
            now.facts,
            call=now.view.call,
            recorded_at=self._clock.now_at(),
            schema=self._schema,
            turns=now.view.turns,
        )


def _with(known: Sequence[Fact], decisions: Sequence[Decision]) -> tuple[Fact, ...]:
    """Facts as they are once decisions are written."""
    facts = {fact.id: fact for fact in known}
    for decision in decisions:
        if decision.superseded is not None:
            facts[decision.superseded.id] = decision.superseded
        if decision.fact is not None:
            facts.setdefault(decision.fact.id, decision.fact)
    return tuple(facts.values())


def _replaces_anothers(now: Moment, decisions: Sequence[Decision]) -> bool:
    """It is in doubt who speaks, and what they say would take the place of what others said."""
    replaced = [one.superseded for one in decisions if one.superseded is not None]
    return now.is_in_doubt and not all(now.is_own(fact) for fact in replaced)


def _refused(decision: Decision) -> Decision:
    return replace(decision, fact=None, superseded=None, reason=NEEDS_KNOWN)


def _evidence(view: CallView, value: str) -> tuple[Turn, Evidence] | None:
    """The sentence of the caller that says a value, or comes closest; of equals the newest."""
    wanted, zone = set(terms(value)), view.call.zone
    closest: tuple[bool, int] = (False, 0)
    found: tuple[Turn, Span] | None = None
    for turn in view.turns:
        if turn.role is not Role.CALLER:
            continue
        for span in sentences(turn.text):
            words = turn.text[span.start : span.end]
            is_said = not missing(value, plain(words), at=turn.at, zone=zone)
            near = (is_said, len(wanted & set(terms(words))))
            if found is None or near >= closest:
                closest, found = near, (turn, span)
    if found is None:
        return None
    turn, span = found
    words = turn.text[span.start : span.end]
    times = (turn.started_ms, turn.ended_ms)
    return turn, Evidence(view.call.id, turn.position, words, span.start, span.end, *times)
