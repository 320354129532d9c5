"""A profile: what is kept about one caller, agent or team, to read and to put right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ringback.background.prose_writer import ProseWriter
from ringback.background.retriever import Question, recall
from ringback.background.workplace import Keeping
from ringback.claims import checked_caller_id, checked_id
from ringback.clock import Clock
from ringback.core import promotion
from ringback.core.again import decided_again
from ringback.core.alignment import OfferedTurn
from ringback.core.correction import CURRENT
from ringback.core.entities import one_ref
from ringback.core.forgetting import Gone, asked_values
from ringback.core.masking import masked
from ringback.core.recall import synthesis
from ringback.core.recall.rendering import RECALL_TOKENS, Audience, render_recall
from ringback.core.wording import rough_tokens
from ringback.erasure import Erased, ErasureReceipt, Look
from ringback.errors import UsageError
from ringback.offline import forgetting
from ringback.offline.export import exported
from ringback.offline.ingestion import Ingested, Ingestion
from ringback.protocols import Embedder, FactsUsed
from ringback.recollection import Aid, Channel, Recall
from ringback.records import (
    SELF,
    Action,
    Assurance,
    Call,
    Candidate,
    Cardinality,
    Decision,
    DecisionMade,
    Evidence,
    Fact,
    Kind,
    ProfileKind,
    Role,
    Scope,
    Source,
    Status,
    Turn,
    content_id,
)
from ringback.schemas import Schema
from ringback.text import composed
from ringback.verification import Verifier

APPLICATION = "application"  # what an application says stands under, instead of a call
DEADLINE_MS = 1_000  # of a recall; a person or a tool waits for it


@dataclass(frozen=True, slots=True)
class Ground:
    """What a profile stands on; given by its memory."""

    keeping: Keeping
    clock: Clock
    embedder: Embedder | None
    """By whose vectors recall looks; None leaves it at full text."""
    has_written_questions: bool
    """A language model writes questions beside the ready ones."""
    writer: ProseWriter
    """Puts what was found into sentences, where there is a model to do it."""
    wake: Callable[[], None]
    """Tells the settler of new work."""
    changed: Callable[[str, str], None]
    """Tells live calls that a profile (tenant, id) is not as it was."""
    erased: Callable[[ErasureReceipt], None]
    """Tells them what was forgotten: they drop what they know at once."""


def profile_id(kind: ProfileKind, name: str) -> str:
    """The id under which a profile is kept: a caller's own, or the kind and the name.

    Raises:
        UsageError: See `checked_caller_id` and `checked_id`.
    """
    if kind is ProfileKind.CALLER:
        return checked_caller_id(name)
    return f"{kind}:{composed(checked_id(f'the name of a profile of kind {kind}', name))}"


class Profile:
    """What is kept about one caller, agent or team of one tenant.

    Made by `Memory.profile()`; lives as long as its memory, on its loop, and holds nothing
    by itself. Everything here may wait; a live call reads `call.context()` instead.
    """

    def __init__(
        self, ground: Ground, schema: Schema, *, tenant: str, kind: ProfileKind, name: str
    ) -> None:
        checked_id("a profile's tenant", tenant)
        self._keeping = ground.keeping
        self._ground = ground
        self._schema = schema
        self.tenant = tenant
        self.kind = kind
        self.name = name
        self.id = profile_id(kind, name)

    async def ingest(
        self, turns: Iterable[OfferedTurn], *, conversation: str = "", zone: str = "UTC"
    ) -> Ingested:
        """Take over a conversation, or the next part of it.

        Windows may overlap and may come again: what is known already is recognised by its
        run of turns, or by the turns' ids, and stored once. Facts are extracted in
        the background, as from a call; `Memory.settle()` waits for them.

        Args:
            turns: In order, each offered in the same way every time; see `OfferedTurn`.
            conversation: Which one; several of one profile are kept apart.
            zone: Where its dates are meant, an IANA name.

        Raises:
            StoreError: It could not be written.
        """
        ingestion = Ingestion(
            self._keeping,
            self._schema,
            tenant=self.tenant,
            profile_id=self.id,
            conversation=conversation,
            zone=zone,
        )
        ingested = await ingestion.take(tuple(turns), now_at=self._ground.clock.now_at())
        self._ground.wake()
        return ingested

    async def remember(
        self,
        value: str,
        *,
        key: str = "note",
        subject: str = SELF,
        source: Source = Source.SYSTEM,
        valid_from: datetime | None = None,
        record: str = "",
    ) -> Decision:
        """Keep something that the application knows, or a person says for sure.

        Args:
            value: Normalised as the schema has it; personal numbers that it has no field
                for are masked.
            key: A key of the schema.
            subject: The entity it is about; the profile's own where it is not given.
            source: Who vouches for it.
            valid_from: Since when it is true; now where it is None.
            record: The application's id of it: the same record again changes nothing.

        Returns:
            What was decided: a refusal is an answer, with its reason.
        """
        value = masked(value, self._schema)
        candidate = self._stated(value, key, subject=subject, source=source, record=record)
        return await self._decide(replace(candidate, valid_from=valid_from))

    async def correct(
        self, fact_id: str, value: str, *, source: Source = Source.SYSTEM
    ) -> Decision:
        """Put a fact right: a new version takes its place, the old one stays in history.

        Raises:
            UsageError: There is no such fact.
        """
        fact = await self._fact(fact_id)
        value = masked(value, self._schema)
        stated = self._stated(value, fact.key, subject=fact.subject, source=source)
        new = replace(stated, object=fact.object)
        if fact.cardinality is Cardinality.ONE:
            return await self._decide(new)
        old = self._withdrawn(fact, source)
        there = replace(old.evidence, call_id=new.evidence.call_id)
        old = replace(old, observed_at=new.observed_at, evidence=there)
        after = replace(new.evidence, position=1)
        return await self._decide(old, replace(new, evidence=after), following=fact)

    async def retire(self, fact_id: str) -> Decision:
        """End a fact's influence; it stays in history, with when and by whom it was ended.

        Raises:
            UsageError: There is no such fact.
        """
        return await self._decide(self._withdrawn(await self._fact(fact_id), Source.SYSTEM))

    async def facts(self, *, with_history: bool = False) -> tuple[Fact, ...]:
        """What is kept, oldest first; with what was superseded, retired or expired."""
        statuses = tuple(Status) if with_history else CURRENT
        return await self._keeping.facts(self.tenant, caller_id=self.id, statuses=statuses)

    async def decisions(self) -> tuple[DecisionMade, ...]:
        """What was decided about this profile and why, newest first."""
        return await self._keeping.decisions(self.tenant, caller_id=self.id)

    async def recall(
        self,
        question: str,
        *,
        limit: int = 5,
        deadline_ms: int = DEADLINE_MS,
        zone: str = "UTC",
        channels: Collection[Channel] = tuple(Channel),
        aids: Collection[Aid] = tuple(Aid),
    ) -> Recall:
        """Ask a question.

        Args:
            question: In words, any text at all.
            limit: How many things to return at most; fewer come when fewer answer.
            deadline_ms: When to stop waiting; what was found by then is returned.
            zone: Whose days "yesterday" counts in, an IANA name.
            channels: Which ways to look: all, or some to see what each of them finds.
            aids: What else to go by.

        Returns:
            At most `limit` things, best first; see `Recall` for what could not be asked.

        Raises:
            UsageError: `limit` is below 1.
        """
        if limit < 1:
            raise UsageError("recall() returns at least one thing: give it a limit from 1")
        now_at = self._ground.clock.now_at()
        asked = Question(
            question,
            self.tenant,
            self.id,
            now_at,
            limit,
            deadline_ms,
            zone=zone,
            channels=channels,
            aids=aids,
            has_written_questions=self._ground.has_written_questions,
        )
        answer = await recall(self._keeping, asked, self._schema, self._ground.embedder)
        used = tuple(one.fact.id for one in answer.found if one.fact is not None)
        if used:
            self._keeping.record_nowait(FactsUsed(self.tenant, used, now_at))
        return answer

    async def recalled_text(
        self,
        question: str,
        *,
        assurance: Assurance,
        purpose: str = "",
        zone: str = "UTC",
        max_tokens: int = RECALL_TOKENS,
        count: Callable[[str], int] = rough_tokens,
    ) -> str:
        """Ask a question, and put the answer into lines for a language model.

        Args:
            question: In words, any text at all.
            assurance: How sure it is who is on the line: decides what they may be told.
            purpose: What this call is about, in words or as an entity (`order:a-17`): what
                holds for other cases alone is left out.
            zone: The caller's, an IANA name.
            max_tokens: Of the whole text.
            count: The model's tokenizer; roughly four characters each without one.

        Returns:
            See `ringback.core.recall.rendering.render_recall`; empty where nothing is known.

        Raises:
            StoreError: What may not be told could not be read, so that nothing may be.
        """
        answer = await self.recall(question, zone=zone)
        known = await self.facts(with_history=True)
        return render_recall(
            answer,
            Audience(assurance, zone, purpose, known),
            now_at=self._ground.clock.now_at(),
            schema=self._schema,
            max_tokens=max_tokens,
            count=count,
        )

    async def synthesis(
        self, question: str, *, assurance: Assurance, purpose: str = "", zone: str = "UTC"
    ) -> str:
        """Ask a question, and have the answer put into one or two sentences.

        A language model writes them (`Memory.open(generator=…)`), which takes its time and
        gives way to replies: not for the live path. They hold no number, date or name that
        was not found.

        Returns:
            The sentences; the lines of `recalled_text` where no model answers by `prose_ms`,
            where it said more than was found, or where what was found is in doubt.

        Raises:
            StoreError: See `recalled_text`.
        """
        lines = await self.recalled_text(question, assurance=assurance, purpose=purpose, zone=zone)
        if not synthesis.may_be_put_together(lines):
            return lines
        request = synthesis.request(question, lines)
        written = await self._ground.writer.written(
            synthesis.INSTRUCTION, request, max_tokens=synthesis.SYNTHESIS_TOKENS
        )
        return synthesis.accepted(written, lines) or lines

    async def forget(
        self,
        *,
        fact: str | None = None,
        call: str | None = None,
        everything: bool = False,
        questions: Sequence[str] = (),
    ) -> Erased:
        """Delete one fact, one call, or the whole profile; then ask again.

        Args:
            fact: A fact's id: all its versions go, with its words in every turn.
            call: A call's id: all that it said, and what was made of it.
            everything: Every call, fact, summary and handle of this profile.
            questions: To ask besides the forgotten values themselves.

        Returns:
            The receipt, and what each read path answers now.

        Raises:
            UsageError: Not exactly one of the three, or there is no such thing.
            StoreError: It could not be deleted; then nothing was.
        """
        if sum([fact is not None, call is not None, everything]) != 1:
            raise UsageError("forget() takes a fact, a call, or everything=True")
        receipt, gone = await self._erase(fact, call)
        self._ground.erased(receipt)
        return Erased(receipt, await self._look(replace(gone, questions=tuple(questions))))

    async def verify_forgotten(
        self, words: Sequence[str], *, questions: Sequence[str] = ()
    ) -> tuple[Look, ...]:
        """Ask again, at any later time, whether some words are still answered anywhere.

        Args:
            words: Values that must not come: a number, a name, a phrase. This profile is
                asked by every path; the files of the store are searched whole, so what
                others said counts there as well.
            questions: To ask besides.

        Raises:
            UsageError: There are no words.
        """
        if not any(word.strip() for word in words):
            raise UsageError("verify_forgotten() needs words to look for")
        gone = Gone(asked_values(words), texts=tuple(words), questions=tuple(questions))
        return await self._look(gone)

    async def export(self) -> dict[str, Any]:
        """Everything that is kept about this profile, in plain data."""
        return await exported(self._keeping, self.tenant, self.id)

    async def _decide(self, *stated: Candidate, following: Fact | None = None) -> Decision:
        """Decide on statements of one moment and write what follows; tells of the last."""
        decision = await decided_again(lambda: self._weighed(stated, following))
        self._ground.changed(self.tenant, self.id)
        return decision

    async def _weighed(self, stated: Sequence[Candidate], following: Fact | None) -> Decision:
        basis = await self._keeping.basis(self.tenant, caller_id=self.id)
        known = await self._keeping.facts(self.tenant, caller_id=self.id, statuses=tuple(Status))
        last = stated[-1]
        decisions = promotion.decide(
            stated,
            known,
            call=self._moment(last),
            recorded_at=self._ground.clock.now_at(),
            schema=self._schema,
            turns=tuple(_said(candidate) for candidate in stated),
        )
        if following is not None:
            decisions = tuple(_chained(decision, following) for decision in decisions)
        await self._keeping.write(self.tenant, decisions, basis=basis)
        decisions = await self._kept(decisions)
        return next(d for d in decisions if d.candidate.value == last.value)

    async def _kept(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """What really became of them: a forgotten record is not taken in again."""
        there = {fact.id for fact in await self.facts(with_history=True)}
        return tuple(
            decision
            if decision.fact is None or decision.fact.id in there
            else replace(
                decision, action=Action.SKIP, reason="it was forgotten", fact=None, superseded=None
            )
            for decision in decisions
        )

    def _moment(self, candidate: Candidate) -> Call:
        """What stands for a call where the application speaks."""
        return Call(
            id=candidate.evidence.call_id,
            tenant=self.tenant,
            started_at=candidate.observed_at,
            caller_id=self.id,
            assurance=Assurance.VERIFIED,
        )

    def _stated(
        self,
        value: str,
        key: str,
        *,
        subject: str,
        source: Source = Source.SYSTEM,
        record: str = "",
    ) -> Candidate:
        now_at = self._ground.clock.now_at()
        subject = one_ref(subject)
        moment = record or now_at.isoformat()
        field = self._schema.field(key)
        return Candidate(
            key=key,
            value=value,
            source=source,
            confidence=1.0,
            observed_at=now_at,
            evidence=Evidence(
                call_id=f"{APPLICATION}:{content_id(self.id, moment)}",
                position=0,
                words=value,
                start=0,
                end=len(value),
            ),
            kind=field.kind if field else Kind.FACT,
            scope=field.scope if field else Scope.CALLER,
            cardinality=field.cardinality if field else Cardinality.MANY,
            subject=subject,
        )

    def _withdrawn(self, fact: Fact, source: Source) -> Candidate:
        stated = self._stated(fact.value, fact.key, subject=fact.subject, source=source)
        return replace(stated, object=fact.object, is_withdrawal=True)

    async def _fact(self, fact_id: str) -> Fact:
        for fact in await self.facts(with_history=True):
            if fact.id == fact_id:
                return fact
        raise UsageError(f"no fact {fact_id} in this profile: list them first")

    async def _erase(self, fact: str | None, call: str | None) -> tuple[ErasureReceipt, Gone]:
        keeping, tenant, at = self._keeping, self.tenant, self._ground.clock.now_at()
        schema = self._schema
        if fact is not None:
            return await forgetting.forget_fact(
                keeping, tenant, self.id, fact, at=at, schema=schema
            )
        if call is not None:
            return await forgetting.forget_call(
                keeping, tenant, self.id, call, at=at, schema=schema
            )
        if await keeping.caller(tenant, self.id) is None:
            raise UsageError("there is no such profile of this tenant: nothing was deleted")
        return await forgetting.forget_profile(keeping, tenant, self.id, at=at)

    async def _look(self, gone: Gone) -> tuple[Look, ...]:
        verifier = Verifier(
            self._keeping,
            self._schema,
            tenant=self.tenant,
            caller_id=self.id,
            embedder=self._ground.embedder,
        )
        return await verifier.looks(gone, at=self._ground.clock.now_at())


def _said(candidate: Candidate) -> Turn:
    """An application's statement as the turn that its evidence cites."""
    role = Role.CALLER if candidate.source is Source.CALLER else Role.AGENT
    evidence = candidate.evidence
    return Turn(role, evidence.words, at=candidate.observed_at, position=evidence.position)


def _chained(decision: Decision, following: Fact) -> Decision:
    """A correction among many values follows the value that it puts right."""
    if decision.fact is None or decision.candidate.is_withdrawal:
        return decision
    return replace(decision, fact=replace(decision.fact, supersedes=following.id))
