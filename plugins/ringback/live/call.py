"""A call while it goes on: what is known, in this process, and where turns are handed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ringback.core import briefing as rendering
from ringback.core.masking import Masker, allowed_by
from ringback.protocols import Receipt, TurnAmended, TurnObserved
from ringback.records import Assurance, Briefing, Call, Context, Fact, Turn
from ringback.schemas import Schema
from ringback.text import composed

SEEN_TURNS = 8  # a language model reads so many last turns by itself; repeating them confuses it

Record = Callable[[TurnObserved | TurnAmended], Receipt]


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
        self._masker = Masker(allowed_by(schema))
        self._next_position = 0
        self._briefing = self._rendered(Briefing(Assurance.UNKNOWN))
        self._block = ""
        self.on_change: list[Callable[[], None]] = []
        self.has_briefing = False
        """The caller's briefing has arrived; until then the thin one of an unknown caller."""

    @property
    def turns_observed(self) -> int:
        """Turns handed over so far."""
        return self._next_position

    def observe(self, turn: Turn) -> Receipt:
        """Hand over what somebody just said, with personal numbers masked.

        Args:
            turn: Without a position it gets the next one; with one (a host that numbers
                its turns) observing it again changes nothing.

        Returns:
            A receipt that says when the turn is on disk.
        """
        position = turn.position if turn.position >= 0 else self._next_position
        self._next_position = max(self._next_position, position + 1)
        masked = self._masker.mask(replace(turn, text=composed(turn.text), position=position))
        tenant, call_id = self.call.tenant, self.call.id
        for earlier in masked.amended:  # a number that began there is complete now
            self._record(TurnAmended(tenant, call_id, earlier))
        return self._record(TurnObserved(tenant, call_id, masked.turn))

    def context(self) -> Context:
        """What memory adds to the next request: two attribute reads, no more."""
        return Context(self._briefing, self._block)

    def take_briefing(self, briefing: Briefing) -> None:
        """Put a briefing in place; called by the background, between two requests."""
        self.call = replace(self.call, caller_id=briefing.caller_id, assurance=briefing.assurance)
        self._briefing = self._rendered(briefing)
        self.has_briefing = True
        self._tell()

    def forget(self) -> None:
        """Know nothing any more until the next briefing; the call goes on."""
        self._briefing, self._block = self._rendered(Briefing(Assurance.UNKNOWN)), ""
        self._masker = Masker(allowed_by(self._schema))
        self._tell()

    def take_facts(self, facts: Sequence[Fact]) -> None:
        """Put this call's own facts in place, as far as they were said a while ago.

        Called by the background.
        """
        seen_from = self._next_position - SEEN_TURNS
        said_before = [fact for fact in facts if fact.evidence.position < seen_from]
        before, self._block = (
            self._block,
            rendering.render_block(said_before, schema=self._schema),
        )
        if self._block != before:
            self._tell()

    def _tell(self) -> None:
        for listener in self.on_change:
            listener()

    def _rendered(self, briefing: Briefing) -> str:
        call = self.call
        return rendering.render_briefing(
            briefing, now_at=call.started_at, zone=call.zone, schema=self._schema
        )
