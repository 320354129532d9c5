"""A call while it goes on: what is known, in this process, and where turns are handed over."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from ringback.core import briefing as rendering, cases, households, staging
from ringback.core.masking import Masker, allowed_by
from ringback.core.staging import SpokenCue, Staged
from ringback.live.shelf import Shelf
from ringback.protocols import FactsUsed, Receipt, TurnAmended, TurnObserved
from ringback.records import Assurance, Briefing, Call, Context, Fact, Role, ToolUse, Turn
from ringback.schemas import Schema
from ringback.text import composed

FROZEN_TURNS = 8  # whose block is kept: a turn of each branch, and what was speculated
SEEN_TURNS = 8  # a language model reads so many last turns by itself; repeating them confuses it

Record = Callable[[TurnObserved | TurnAmended | FactsUsed], Receipt]


class Retrieval(Protocol):
    """Looks up, beside the call, what its next turn may need; neither verb waits."""

    def cue(self, cue: SpokenCue) -> None:
        """Look this up, and put the answer in place when it comes."""
        ...

    def forget(self) -> None:
        """Drop what waits to be looked up, and what is known of earlier cues."""
        ...


class LiveCall:
    """The hot set of one call.

    Lives from `Memory.ring()` to the end of its call. Only the loop that opened the memory
    may call it. `observe()` and `context()` never wait and never raise for want of memory:
    what has not arrived yet is simply not there.

    Args:
        call: Who is on the line, as far as is known.
        record: Hands a turn to the journal, at once.
        schema: Has the wording of facts, and says who may be told them.
    """

    def __init__(self, call: Call, record: Record, schema: Schema) -> None:
        self.call = call
        self._record = record
        self._schema = schema
        self.retrieval: Retrieval | None = None
        """Looks up what the next turn may need; None looks up nothing."""
        self._masker = Masker(allowed_by(schema))
        self._cueing = staging.Cueing()
        self._cases = cases.CaseState()
        self.shelf = Shelf()
        """What was retrieved for the next turn."""
        self._next_position = 0
        self._first_position = 0
        self.briefing = Briefing(Assurance.UNKNOWN)
        """What was read for this caller; the thin one of an unknown caller until then."""
        self.told = self._of_nobody()
        """How that is told."""
        self._facts = ""
        self._looked_up = ""
        self._frozen: dict[Hashable, str] = {}  # what the newest turns were answered with
        self._interim = ""
        self._last_cue: SpokenCue | None = None
        self._listeners: list[Callable[[], None]] = []
        self._asked: Turn | None = None  # the agent's last turn
        self._said: households.Introduction | None = None
        self._said_at = -1
        self._heeded: households.Introduction | None = None  # what the store's word rests on
        self._is_hushed = False  # nothing is told, because somebody else speaks
        self._names: tuple[str, ...] = ()
        self.is_shared = False
        """What it came with leads to several people, and which of them this is is not known."""
        self.has_briefing = False
        """The caller's briefing has arrived; until then the thin one of an unknown caller."""

    @property
    def turns_observed(self) -> int:
        """Turns handed over so far."""
        return self._next_position

    @property
    def case(self) -> tuple[cases.CaseRecord, ...]:
        """Records that tools returned in this call, as they were first returned."""
        return self._cases.records

    def observe(self, turn: Turn) -> Receipt:
        """Hand over what somebody just said, with personal numbers masked.

        Args:
            turn: Without a position it gets the next one; with one (a host that numbers
                its turns) observing it again changes nothing.

        Returns:
            A receipt that says when the turn is on disk.
        """
        following = self._next_position or self._first_position
        position = turn.position if turn.position >= 0 else following
        self._next_position = max(self._next_position, position + 1)
        masked = self._masker.mask(replace(turn, text=composed(turn.text), position=position))
        tenant, call_id = self.call.tenant, self.call.id
        for earlier in masked.amended:  # a number that began there is complete now
            self._record(TurnAmended(tenant, call_id, earlier))
        receipt = self._record(TurnObserved(tenant, call_id, masked.turn))
        self._recognise(masked.turn)
        self._follow(masked.turn)
        if used := self.shelf.take_used():
            self._record(FactsUsed(tenant, used, turn.at))
        return receipt

    def number_from(self, position: int) -> None:
        """Number turns from there on, unless some have a number already.

        Where an earlier line of this call may have had turns, and again once it is known.
        """
        self._first_position = position

    def hear(self, words: str) -> None:
        """Follow words that are not settled yet: what they are about is looked up meanwhile."""
        self._interim = words
        self._ask(self._cueing.heard(words))

    def follow_topic(self, topic: str) -> None:
        """Look up what the application says the call is about now."""
        self._ask(self._cueing.labelled(topic))

    def pause(self) -> None:
        """The caller has stopped: what stands in the block now is what was made ready."""
        self.shelf.close()
        if self._interim:
            self._ask(self._cueing.paused(self._interim))

    def answered(self) -> None:
        """The agent speaks, or the caller speaks on: what came late is ready for the next turn."""
        with self._telling():
            self.shelf.open()

    def observe_tool(self, use: ToolUse) -> None:
        """Note what a tool of the agent returned; "the other one" may be among it."""
        with self._telling():
            self._cases.take(use, turn=self._next_position)

    def context(self, said: str = "", *, turn: Hashable | None = None) -> Context:
        """What memory adds to the next request; of what is in this process, and bounded.

        Args:
            said: What the caller says in this turn: what was retrieved for something else
                is left out. Without words nothing is checked: it is what the next turn will
                most likely be answered with.
            turn: Names the turn: all its requests get the same block.
        """
        if turn is not None and turn in self._frozen:
            return Context(self.told, self._frozen[turn])
        pieces = [self._facts, self._looked_up, self.shelf.text_for(said, is_used=turn is not None)]
        if said and (meant := self._cases.meant(said)) is not None:
            pieces.append(cases.render_meant(meant))
        block = "\n".join(filter(None, pieces))
        if turn is not None:
            self._freeze(turn, block)
        return Context(self.told, block)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have it told when the next request will be sent something else than before."""
        self._listeners.append(listener)

    def take_briefing(self, briefing: Briefing, told: str) -> None:
        """Put a briefing in place, in its words; called by the background, between two requests."""
        with self._telling():
            self.shelf.drop()  # for somebody else, or of before a change
            self._names, self.is_shared = briefing.names, briefing.is_shared
            self._place(briefing, told)
            self.has_briefing, self._is_hushed = True, False
            if not self.is_expected:
                self._know_nobody()
        self._ask(self._last_cue)

    def take_call(self, call: Call, *, heeded_to: int = -1) -> bool:
        """Put in place whose call it is by the store; called by the background.

        Args:
            call: As it is kept.
            heeded_to: The last turn whose words about who is speaking were heeded in that.

        Returns:
            Whether there may be more to tell this caller than they are told now.
        """
        is_known = self.call.caller_id is not None or self.is_shared or self._is_hushed
        is_another = (call.caller_id, call.assurance) != (self.call.caller_id, self.call.assurance)
        is_news = self._is_hushed or is_another
        if self._said_at <= heeded_to:
            self._heeded, self._said = self._said or self._heeded, None
        self.call = call
        if not self.is_expected:
            self._know_nobody()
            return False
        return is_news and (is_known or not self.has_briefing)

    def take_identity(self, caller_id: str, assurance: Assurance) -> None:
        """Put in place whom the application named; called by the background.

        What was read for anybody else is told no more, whenever the new briefing comes. What
        the caller said of themselves counts against a claim, also where it was heeded before.
        """
        was = (self.call.caller_id, self.call.assurance)
        if was not in ((caller_id, assurance), (caller_id, Assurance.CLAIMED)):
            self._said = self._said or self._heeded
            with self._telling():
                self._know_nobody()
        self.call = replace(self.call, caller_id=caller_id, assurance=assurance)

    def take_staged(self, staged: Staged) -> None:
        """Put in place what was retrieved for the next turn; called by the background."""
        with self._telling():
            self.shelf.put(staged)

    def note_miss(self) -> None:
        """The last cue could not be looked up: whatever of it comes again is asked again."""
        self.shelf.counts.failed += 1
        self._cueing.ask_again()

    def drop_staged(self) -> None:
        """The topic has moved: what was retrieved before is stale."""
        with self._telling():
            self.shelf.discard()

    @property
    def is_expected(self) -> bool:
        """Whoever speaks may be who the call is claimed to be: nothing they said speaks against it."""
        if self.call.assurance is Assurance.VERIFIED or self._said is None:
            return True
        if self.call.caller_id == households.person_id(self.call, self._said):
            return True
        return not households.is_another(self._names, self._said)

    @property
    def is_in_question(self) -> bool:
        """Its caller said who they are, which the background has not heeded yet."""
        return self._said is not None or self._is_hushed

    def forget(self) -> None:
        """Know nothing any more until the next briefing; the call goes on."""
        with self._telling():
            self.briefing = Briefing(Assurance.UNKNOWN)
            self.told = self._of_nobody()
            self._facts, self._looked_up, self._interim = "", "", ""
            self._frozen.clear()
            self._masker, self._last_cue = Masker(allowed_by(self._schema)), None
            self._said = self._heeded = self._asked = None
            self._names = ()
            self.shelf.drop()
            self._cueing.forget()
            self._cases.forget()
        if self.retrieval is not None:
            self.retrieval.forget()

    def take_facts(self, facts: Sequence[Fact]) -> None:
        """Put this call's own facts in place, as far as they were said a while ago.

        Called by the background.
        """
        seen_from = (self._next_position or self._first_position) - SEEN_TURNS
        said_before = [fact for fact in facts if fact.evidence.position < seen_from]
        with self._telling():
            self._facts = rendering.render_block(said_before, schema=self._schema)
            self._looked_up = cases.render_cases(
                [record for record in self._cases.records if record.turn < seen_from]
            )

    def _freeze(self, turn: Hashable, block: str) -> None:
        """Have further requests of a turn sent the same; branches of a pipeline take turns."""
        self._frozen[turn] = block
        if len(self._frozen) > FROZEN_TURNS:
            del self._frozen[next(iter(self._frozen))]

    def _follow(self, turn: Turn) -> None:
        self._cases.mention(turn.text)
        if turn.role is not Role.CALLER:
            self.answered()
            return
        self._interim = ""
        with self._telling():
            self.shelf.keep_if_fitting(turn.text)
        self._ask(self._cueing.said(turn.text))

    def _ask(self, cue: SpokenCue | None) -> None:
        if cue is not None:
            self._last_cue = cue
            if self.retrieval is not None:
                self.retrieval.cue(cue)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        before = self.context()
        yield
        if self._listeners and self.context() != before:
            for listener in self._listeners:
                listener()

    def _recognise(self, turn: Turn) -> None:
        """Tell nothing of a person to somebody who just said that they are another one."""
        if turn.role is Role.AGENT:
            self._asked = turn
            return
        asked, self._asked = self._asked, None
        said = households.introduced((asked, turn) if asked else (turn,))
        if said is not None:
            self._said, self._said_at = households.later(self._said, said), turn.position
            if not self.is_expected:
                with self._telling():
                    self._know_nobody()

    def _know_nobody(self) -> None:
        """Who speaks is another person than was thought; whose call it is, the background finds."""
        self._place(Briefing(Assurance.UNKNOWN), self._of_nobody())
        self.shelf.drop()
        self._frozen.clear()
        self._is_hushed = True
        if self.retrieval is not None:
            self.retrieval.forget()

    def _place(self, briefing: Briefing, told: str) -> None:
        self.call = replace(self.call, caller_id=briefing.caller_id, assurance=briefing.assurance)
        self.briefing, self.told = briefing, told

    def _of_nobody(self) -> str:
        call, thin = self.call, Briefing(Assurance.UNKNOWN)
        return rendering.render_briefing(
            thin, now_at=call.started_at, zone=call.zone, schema=self._schema
        )
