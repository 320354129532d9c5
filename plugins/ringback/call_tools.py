"""The tools that an agent has in a call: search, remember, correct, forget that."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeAlias

from ringback.call_facts import CallFacts, Moment
from ringback.core.assurance import may_correct
from ringback.core.correction import NEEDS_KNOWN, NEEDS_VERIFIED, exact
from ringback.core.masking import masked
from ringback.core.meant import Pointer, keys_meant, meant
from ringback.core.recall.rendering import Audience, render_recall
from ringback.core.telling import may_tell
from ringback.core.wording import sentence
from ringback.errors import StoreError
from ringback.handle import CallHandle
from ringback.memory import Memory
from ringback.recollection import Channel, Recall, Recollection
from ringback.records import (
    Assurance,
    Candidate,
    Cardinality,
    Decision,
    Fact,
    Role,
    Sensitivity,
    turn_id,
)
from ringback.schemas import Schema
from ringback.terms import terms
from ringback.tool_definitions import (
    NOTE,
    ToolDefinition,
    keys_to_state,
    tool_definitions,
)

SEARCH_MS = 800  # a caller bears that much silence; a whole recall takes some milliseconds
LOOK_MS = 600  # of that, for each channel: what has not answered then is missed
WRITE_MS = 1_000
FORGET_MS = 2_000  # files are cleared of old bytes before it counts as done
MAX_NAMED = 4  # things that are named when it is not clear which is meant
MAX_TURNS = 3  # of this call, where nothing else may be searched
MAX_CHARACTERS = 1_000  # of one argument

KNOWN = "already known"  # a decision's reason to change nothing

_EVERYTHING = re.compile(r"\b(?:everything|all of it|all about me)\b|全部|所有|一切", re.IGNORECASE)


class AnswerStatus(StrEnum):
    """What came of a tool's use."""

    FOUND = "found"
    NOTHING = "nothing"
    """It looked, and there is nothing that this caller may be told."""
    COULD_NOT_LOOK = "could not look"
    """Or could not write: nothing was changed."""
    DONE = "done"
    REFUSED = "refused"
    WHICH = "which"
    """More than one thing is meant."""
    LATE = "late"
    """Not done yet; it goes on."""


Answer: TypeAlias = dict[str, str]
"""`status`, and `text` for the language model: plain words, no ids."""


class CallTools:
    """What the agent of one call may ask of memory and tell it, for its caller and nobody else.

    Whose memory it is comes from the call. No tool has a parameter for that, and one that a
    model makes up is refused. Each verb answers by its deadline, in words that may be passed
    on, and raises nothing for want of memory. Lives as long as its call, on its loop.

    What is asked and written is the caller's own word: checks, policy and correction are those
    of anything said in the call, and it rests on the words that were said. `forget_that`
    erases, rather than retires, because that is what somebody means who asks for it: the fact
    goes with its versions and its words in every turn (docs/forgetting.md). So it goes no
    further than this caller could correct: with one word more, nothing goes.

    Args:
        call: Whose tools they are.
        memory: Where the call was rung.
    """

    def __init__(self, call: CallHandle, memory: Memory) -> None:
        self._call = call
        self._memory = memory
        self._schema = memory._schema
        self._clock = memory._clock
        self._facts = CallFacts(memory.keeping, self._schema, self._clock, memory._thinking)
        self.definitions: tuple[ToolDefinition, ...] = tool_definitions(self._schema)

    async def use(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Do what a language model asked for.

        Args:
            name: Of one of `definitions`.
            arguments: As the model made them up: any JSON at all.

        Returns:
            The answer; refused where the tool has no such parameter, or lacks one.
        """
        definition = next((one for one in self.definitions if one.name == name), None)
        if definition is None:
            return _answer(AnswerStatus.REFUSED, "There is no such tool.")
        fault = _fault(definition, arguments)
        if fault:
            return _answer(AnswerStatus.REFUSED, fault)
        given = {name: str(value).strip() for name, value in arguments.items()}
        match definition.name:
            case "search_memory":
                return await self.search_memory(given["question"])
            case "remember":
                return await self.remember(given["value"], key=given.get("key") or NOTE)
            case "correct":
                return await self.correct(given["what"], given["value"])
            case _:
                return await self.forget_that(given["what"])

    async def search_memory(self, question: str) -> Answer:
        """Look up what is known; of a caller whom nobody knows, what this call has said.

        Args:
            question: In words.
        """
        could_not = _answer(
            AnswerStatus.COULD_NOT_LOOK,
            "Memory could not be searched just now. That does not mean that there is nothing.",
        )
        try:
            async with asyncio.timeout(SEARCH_MS / 1000):
                await self._call._informed()  # until then it is not known who is calling
                return await self._searched(question)
        except (TimeoutError, StoreError):
            return could_not

    async def remember(self, value: str, *, key: str = NOTE) -> Answer:
        """Keep what the caller has said; of an unknown caller, as this call's own.

        Args:
            value: As it was said.
            key: Of the schema.
        """
        value = masked(value, self._schema)
        return await self._written(lambda: self._remember(key, value), WRITE_MS)

    async def correct(self, what: str, value: str) -> Answer:
        """Put something right that is known about the caller.

        Args:
            what: Their words for it: what it is, or its old value.
            value: The new one.
        """
        value = masked(value, self._schema)
        return await self._written(lambda: self._correct(what, value), WRITE_MS)

    async def forget_that(self, what: str = "that") -> Answer:
        """Erase something that is known about the caller; it is not in the next request.

        Args:
            what: Their words for it; "that" is what they said last.
        """
        return await self._written(lambda: self._forget(what), FORGET_MS)

    async def _searched(self, question: str) -> Answer:
        call = self._call.call
        if call.caller_id is None:
            return await self._searched_here(question)
        profile = self._memory.profile(call.tenant, call.caller_id)
        known = await profile.facts(with_history=True)
        recall = await profile.recall(question, deadline_ms=LOOK_MS, zone=call.zone)
        return self._told(recall, Audience(call.assurance, call.zone, known=known))

    async def _searched_here(self, question: str) -> Answer:
        now = await self._facts.moment(self._call.call)
        if now is None:
            return _nothing(Assurance.UNKNOWN)
        pointer = Pointer(question, now.view, self._clock.now_at())
        own = [fact for fact in now.current if now.is_own(fact)]
        facts = [fact for fact in own if _may_repeat(fact)]
        found = [_of_fact(fact, self._schema) for fact in meant(pointer, facts, self._schema)]
        found += _said_of(question, now)
        # They know what they have said, but for what is never said aloud.
        audience = Audience(Assurance.VERIFIED, now.view.call.zone, known=own)
        return self._told(Recall(tuple(found)), audience)

    def _told(self, recall: Recall, audience: Audience) -> Answer:
        text = render_recall(recall, audience, now_at=self._clock.now_at(), schema=self._schema)
        if recall.missed and "\n" not in text:
            return _answer(AnswerStatus.COULD_NOT_LOOK, text)
        return _answer(AnswerStatus.FOUND, text) if text else _nothing(audience.assurance)

    async def _remember(self, key: str, value: str) -> Answer:
        def stated(now: Moment) -> Sequence[Candidate]:
            candidate = self._facts.candidate(now, key, value)
            return () if candidate is None else (candidate,)

        field = self._schema.field(key)
        if field is None:
            kinds = ", ".join(keys_to_state(self._schema))
            return _answer(AnswerStatus.REFUSED, f"Only these can be noted: {kinds}.")
        outcome = await self._facts.state(self._call.call, stated)
        return await self._outcome(outcome, key, value)

    async def _correct(self, what: str, value: str) -> Answer:
        old: Fact | None = None
        reply: Answer | None = None

        def stated(now: Moment) -> Sequence[Candidate]:
            nonlocal old, reply
            old, reply = self._pointed_at(what, now)
            return self._in_its_place(old, value, now) if old is not None else ()

        outcome = await self._facts.state(self._call.call, stated)
        if old is None:
            return reply or _unkept()
        return await self._outcome(outcome, old.key, value)

    def _in_its_place(self, old: Fact, value: str, now: Moment) -> Sequence[Candidate]:
        said = self._facts.candidate(now, old.key, value)
        if said is None:
            return ()
        new = replace(said, subject=old.subject, object=old.object)
        if old.cardinality is Cardinality.ONE or exact(old.value) == exact(value):
            return (new,)
        ending = self._facts.candidate(now, old.key, old.value)
        if ending is None:
            return (new,)
        return (
            replace(ending, subject=old.subject, object=old.object, is_withdrawal=True),
            new,
        )

    async def _outcome(
        self, outcome: tuple[Moment, tuple[Decision, ...]] | None, key: str, value: str
    ) -> Answer:
        """What became of a statement: kept, or why not."""
        if outcome is None or not outcome[1]:
            return _unkept()
        now, decisions = outcome
        stated = [one for one in decisions if not one.candidate.is_withdrawal]
        last = stated[-1]
        kept = last.fact.value if last.fact is not None else value
        await self._let_it_be_known()
        is_written = last.reason != NEEDS_KNOWN  # else it was read there, and no more
        if last.reason == KNOWN or (is_written and now.holds(key, kept)):
            return _answer(AnswerStatus.DONE, "It is on record.")
        return _answer(AnswerStatus.REFUSED, _refusal(last.reason))

    async def _forget(self, what: str) -> Answer:
        if _EVERYTHING.search(what):
            text = (
                "One thing at a time can be deleted here; everything, only by the people in charge."
            )
            return _answer(AnswerStatus.REFUSED, text)
        reply: Answer | None = None

        def pick(now: Moment) -> Fact | None:
            nonlocal reply
            target, reply = self._pointed_at(what, now)
            return target

        receipt = await self._facts.forget(self._call.call, pick)
        if receipt is None:
            return reply or _answer(AnswerStatus.REFUSED, _refusal(NEEDS_VERIFIED))
        self._memory._erased(receipt)
        if receipt.caller_id is None:  # nobody's call: no other one knows of it
            self._call._live.forget()
            self._memory._switchboard._refresh(self._call)
        await self._call._informed()
        return _answer(AnswerStatus.DONE, "It is deleted. Do not repeat it.")

    def _pointed_at(self, what: str, now: Moment) -> tuple[Fact | None, Answer | None]:
        """The one fact that words mean; else what to say.

        What this caller may not take back is not looked at, so that no answer tells whether
        it is there.
        """
        pointer = Pointer(what, now.view, self._clock.now_at())
        may = [fact for fact in now.current if self._facts.may_take_back(fact, now)]
        found = meant(pointer, may, self._schema)
        if len(found) == 1:
            return found[0], None
        if found:
            named = "; ".join(self._named(found, now))
            return None, _answer(AnswerStatus.WHICH, f"Ask which of these is meant: {named}.")
        assurance = now.view.call.assurance
        for key in keys_meant(pointer, self._schema):
            field = self._schema.field(key)
            if field is not None and not may_correct(assurance, field.sensitivity):
                return None, _answer(AnswerStatus.REFUSED, _refusal(NEEDS_VERIFIED))
        return None, _nothing(assurance)

    def _named(self, facts: Sequence[Fact], now: Moment) -> Iterable[str]:
        assurance = now.view.call.assurance
        for fact in facts[:MAX_NAMED]:
            field = self._schema.field(fact.key)
            may = may_tell(fact, assurance, self._schema) or (
                now.is_own(fact) and _may_repeat(fact)
            )
            text = sentence(fact, schema=self._schema) if may else ""
            yield text or (field.label if field else "something else")

    async def _let_it_be_known(self) -> None:
        """Live calls take it in, this one before the next request."""
        call = self._call.call
        if call.caller_id is not None:
            self._memory._changed(call.tenant, call.caller_id)
        else:
            self._memory._switchboard._refresh(self._call)
        await self._call._informed()

    async def _written(self, work: Callable[[], Awaitable[Answer]], deadline_ms: int) -> Answer:
        """Have something written, and wait for it until the deadline.

        The deadline ends the wait and not the work: half a deletion would be none. Nor does
        a caller who speaks on, whatever the host then cancels.
        """
        told: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            answer = _answer(
                AnswerStatus.COULD_NOT_LOOK,
                "Memory cannot be written just now: nothing was changed.",
            )
            try:
                answer = await work()
            except StoreError:
                pass
            finally:
                if not told.done():
                    told.set_result(answer)

        self._memory._supervisor.start_once(run, name="tool")
        try:
            async with asyncio.timeout(deadline_ms / 1000):
                return await told
        except TimeoutError:
            text = "It is not done yet, and it goes on. Do not say that it is done."
            return _answer(AnswerStatus.LATE, text)


def _answer(status: AnswerStatus, text: str) -> Answer:
    return {"status": str(status), "text": text}


def _nothing(assurance: Assurance) -> Answer:
    """Nothing is there, or nothing that may be told: the same words for both."""
    if assurance is Assurance.VERIFIED:
        return _answer(AnswerStatus.NOTHING, "Nothing is on record about that.")
    text = "Nothing is on record about that which this caller may be told or change."
    return _answer(AnswerStatus.NOTHING, text)


def _unkept() -> Answer:
    return _answer(AnswerStatus.REFUSED, "The caller has said nothing in this call that is kept.")


def _refusal(reason: str) -> str:
    """A decision's reason as a sentence for whoever talks with the caller."""
    match reason:
        case "needs a verified caller":
            return "That needs a caller who has been verified first."
        case "needs a known caller":
            return "That cannot be kept before it is known who is calling."
        case _:
            return f"It was not noted: {reason}."


def _fault(definition: ToolDefinition, arguments: object) -> str:
    """What is wrong with arguments; empty when nothing is."""
    if not isinstance(arguments, Mapping):  # models make up any JSON
        return f"It takes its arguments by name: {', '.join(definition.properties)}."
    if set(arguments) - set(definition.properties):
        named = ", ".join(definition.properties)
        return f"It acts for the caller on the line and for nobody else, and takes only: {named}."
    for name in definition.required:
        if not str(arguments.get(name) or "").strip():
            return f"It needs {name}."
    for name, value in arguments.items():
        if not isinstance(value, str | int | float):
            return f"{name} has to be text."
        if len(str(value)) > MAX_CHARACTERS:
            return f"{name} is too long."
    return ""


def _may_repeat(fact: Fact) -> bool:
    """What a caller said in this call may be said to them, unless it is never said aloud."""
    return fact.is_speakable and fact.sensitivity is not Sensitivity.SECRET


def _of_fact(fact: Fact, schema: Schema) -> Recollection:
    text = sentence(fact, schema=schema)
    return Recollection(
        fact.id, text, 1.0, (Channel.FACTS,), fact.observed_at, fact.call_id, fact=fact
    )


def _said_of(question: str, now: Moment) -> list[Recollection]:
    """The turns of this call that share most words with a question, but for the question."""
    asked, call = set(terms(question)), now.view.call
    newest = max((t.position for t in now.view.turns if t.role is Role.CALLER), default=-1)
    near = [
        (len(asked & set(terms(turn.text))), turn.position, turn)
        for turn in now.view.turns
        if turn.position < newest
    ]
    best = sorted((one for one in near if one[0]), key=lambda one: one[:2], reverse=True)
    return [
        Recollection(
            turn_id(call.tenant, call.id, turn),
            turn.text,
            shared / len(asked),
            (Channel.TURNS,),
            turn.at,
            call.id,
            turn=turn,
        )
        for shared, _, turn in best[:MAX_TURNS]
    ]
