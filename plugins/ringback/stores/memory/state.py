"""What the twin in memory keeps; every part of it is in `ringback.places`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from ringback.erasure import ErasureReceipt
from ringback.moves import Move, MoveKind
from ringback.recollection import Passage, passage_of_fact, passage_of_turn
from ringback.records import (
    OF_RULES,
    Call,
    Caller,
    CallView,
    DecisionMade,
    Fact,
    Handle,
    Job,
    JobKind,
    ModelUse,
    Role,
    Status,
    Summary,
    Turn,
)
from ringback.stores.vectors import Codes

_ID = re.compile(r"[0-9a-f]{32}")

Key = tuple[str, str]  # tenant, id
TurnKey = tuple[str, str, int, Role]  # tenant, call, position, role
PassageKey = Key | TurnKey
CURRENT = (Status.ACTIVE, Status.PROVISIONAL)


@dataclass(slots=True)
class EmbedderRow:
    """What one embedder has made."""

    dimensions: int = 0
    passages: dict[PassageKey, tuple[tuple[int, Codes], ...]] = field(default_factory=dict)
    """Facets by their places, so that no word of ours is taken for a caller's."""


@dataclass(slots=True)
class CallRow:
    """A call; it is there as soon as anything of it is."""

    call: Call
    number: int
    is_opened: bool = False
    generation: int = 0
    turns: dict[tuple[int, Role], Turn] = field(default_factory=dict)


@dataclass(slots=True)
class JobRow:
    """A call's open job of one kind."""

    number: int
    generation: int
    due_at: datetime
    leased_generation: int | None = None
    leased_until: datetime | None = None
    attempts: int = 0
    reason: str = ""


@dataclass(slots=True)
class State:
    """Everything that is kept. Lives as long as its store; one thread at a time."""

    calls: dict[Key, CallRow] = field(default_factory=dict)
    callers: dict[Key, dict[Handle, None]] = field(default_factory=dict)
    facts: dict[Key, Fact] = field(default_factory=dict)
    summaries: dict[Key, Summary] = field(default_factory=dict)
    decisions: dict[Key, DecisionMade] = field(default_factory=dict)
    jobs: dict[tuple[str, str, JobKind], JobRow] = field(default_factory=dict)
    dead: list[Job] = field(default_factory=list)
    tombstones: set[Key] = field(default_factory=set)
    erasures: list[ErasureReceipt] = field(default_factory=list)
    fact_terms: dict[Key, Counter[str]] = field(default_factory=dict)
    turn_terms: dict[TurnKey, Counter[str]] = field(default_factory=dict)
    vectors: dict[str, EmbedderRow] = field(default_factory=dict)
    model_use: dict[Key, ModelUse] = field(default_factory=dict)
    moves: dict[Key, Move] = field(default_factory=dict)
    number: int = 0

    def next_number(self) -> int:
        """Count rows in the order in which they came."""
        self.number += 1
        return self.number

    def call_row(self, tenant: str, call_id: str, at: datetime) -> CallRow:
        """A call's row; made if need be."""
        key = (tenant, call_id)
        if key not in self.calls:
            self.calls[key] = CallRow(Call(call_id, tenant, at), self.next_number())
        return self.calls[key]

    def rows(self, tenant: str) -> Iterable[CallRow]:
        """A tenant's calls, oldest first."""
        return sorted(
            (row for row in self.calls.values() if row.call.tenant == tenant), key=by_start
        )

    def caller(self, key: Key) -> Caller:
        """A profile with its handles."""
        return Caller(key[1], key[0], tuple(self.callers[key]))

    def caller_of_call(self, tenant: str, call_id: str) -> str | None:
        """Whose a call is."""
        row = self.calls.get((tenant, call_id))
        return None if row is None else row.call.caller_id

    def merged_into(self, tenant: str, caller_id: str) -> str:
        """Whom a profile's calls are now: another's where it was merged and got none back."""
        merged: dict[str, str] = {}
        for (of, _), move in self.moves.items():
            if of != tenant or move.undone_at is not None:
                continue
            if move.kind is MoveKind.MERGE:
                merged[move.from_id] = move.into_id
            else:
                merged.pop(move.into_id, None)
        seen: set[str] = set()
        while caller_id in merged and caller_id not in seen:
            seen.add(caller_id)
            caller_id = merged[caller_id]
        return caller_id

    def merged_from(self, tenant: str, caller_ids: Iterable[str]) -> set[str]:
        """Which profiles were merged into these."""
        into = set(caller_ids)
        return {
            move.from_id
            for (of, _), move in self.moves.items()
            if of == tenant and move.kind is MoveKind.MERGE and move.undone_at is None
            if move.into_id in into
        }

    def rekey(self, tenant: str, call_id: str, caller_id: str, *, of: str | None = None) -> None:
        """Give all that was made of a call to a profile; with `of`, what was that one's."""
        for key, fact in self.facts.items():
            if (fact.tenant, fact.call_id) == (tenant, call_id) and of in (None, fact.caller_id):
                self.facts[key] = replace(fact, caller_id=caller_id)
        for key, made in self.decisions.items():
            if (made.tenant, made.call_id) == (tenant, call_id) and of in (None, made.caller_id):
                self.decisions[key] = replace(made, caller_id=caller_id)
        summary = self.summaries.get((tenant, call_id))
        if summary is not None and of in (None, summary.caller_id):
            self.summaries[tenant, call_id] = replace(summary, caller_id=caller_id)

    def put_turn(self, row: CallRow, turn: Turn) -> None:
        """Keep a turn, or another text for it."""
        row.turns[turn.position, turn.role] = turn
        self.turn_terms.pop((row.call.tenant, row.call.id, turn.position, turn.role), None)
        self.drop_turn_vectors(row, (turn.position, turn.role))

    def put_fact(self, fact: Fact) -> None:
        """Keep a fact, or a change of it."""
        key, known = (fact.tenant, fact.id), self.facts.get((fact.tenant, fact.id))
        self.facts[key] = fact
        self.fact_terms.pop(key, None)
        is_same = known and passage_of_fact(known).revision == passage_of_fact(fact).revision
        if fact.status not in CURRENT or not is_same:
            self.drop_vectors(key)

    def open_job(self, row: CallRow, kind: JobKind, due_at: datetime) -> None:
        """Open a call's job, or make the open one cover what happened since."""
        job = self.jobs.get((row.call.tenant, row.call.id, kind))
        if job is None:
            job = JobRow(self.next_number(), row.generation, due_at)
            self.jobs[row.call.tenant, row.call.id, kind] = job
        job.generation = row.generation
        if job.leased_until is not None:
            job.due_at = due_at

    def read_anew(self, tenant: str, call_id: str, due_at: datetime) -> None:
        """Extract and summarise a call again; what is under way for it writes nothing."""
        row = self.calls.get((tenant, call_id))
        if row is None:
            return
        row.generation += 1
        self.summaries.pop((tenant, call_id), None)
        self.jobs.pop((tenant, call_id, JobKind.DEEPEN), None)  # the next summary opens it anew
        for kind in [JobKind.EXTRACT] if row.call.ended_at is None else OF_RULES:
            key = (tenant, call_id, kind)
            number = self.jobs[key].number if key in self.jobs else self.next_number()
            self.jobs[key] = JobRow(number, row.generation, due_at)

    def extract_again(self, row: CallRow, due_at: datetime) -> None:
        """Extract a call again: more is known about whose it is."""
        row.generation += 1
        key = (row.call.tenant, row.call.id, JobKind.EXTRACT)
        number = self.jobs[key].number if key in self.jobs else self.next_number()
        self.jobs[key] = JobRow(number, row.generation, due_at)

    def remove_fact(self, fact: Fact) -> int:
        """Delete a fact, what was decided about it, and whatever names it; how many decisions."""
        key = (fact.tenant, fact.id)
        del self.facts[key]
        self.fact_terms.pop(key, None)
        self.drop_vectors(key)
        gone = [one for one, made in self.decisions.items() if (one[0], made.fact_id) == key]
        for one in gone:
            del self.decisions[one]
        for one, made in self.decisions.items():
            if (one[0], made.superseded_id) == key:
                self.decisions[one] = replace(made, superseded_id=None)
        for one, kept in self.facts.items():
            if (one[0], kept.supersedes) == key:
                self.facts[one] = replace(kept, supersedes=None)
        return len(gone)

    def remove_turns(self, row: CallRow) -> int:
        """Delete what was said in a call; how many turns."""
        removed = len(row.turns)
        self.drop_call_vectors(row)
        row.turns.clear()
        for key in [key for key in self.turn_terms if key[:2] == (row.call.tenant, row.call.id)]:
            del self.turn_terms[key]
        return removed

    def drop_vectors(self, key: PassageKey) -> int:
        """Take a fact or a turn out of the vector index; how many vectors that were."""
        return sum(len(row.passages.pop(key, ())) for row in self.vectors.values())

    def drop_turn_vectors(self, row: CallRow, place: tuple[int, Role]) -> int:
        """Take a turn out, and the one after it, which is kept together with it."""
        places = [place, *sorted(one for one in row.turns if one > place)[:1]]
        return sum(self.drop_vectors((row.call.tenant, row.call.id, *one)) for one in places)

    def drop_call_vectors(self, row: CallRow) -> int:
        """Take all turns of a call out."""
        return sum(self.drop_vectors((row.call.tenant, row.call.id, *one)) for one in row.turns)

    def passages(self) -> Iterator[tuple[PassageKey, Passage]]:
        """What the vector index is to hold: current facts, and turns, of profiles."""
        for key, fact in self.facts.items():
            if fact.caller_id is not None and fact.status in CURRENT:
                yield key, passage_of_fact(fact)
        for row in self.calls.values():
            call = row.call
            if call.caller_id is None:
                continue
            before: Turn | None = None
            for place in sorted(row.turns):
                turn = row.turns[place]
                passage = passage_of_turn(call.tenant, call.caller_id, call.id, turn, before)
                yield (call.tenant, call.id, *place), passage
                before = turn

    def residue(self, words: Iterable[str]) -> int:
        """Count where any of these words still stand, in whatever case."""
        wanted = {word.casefold() for word in words if word}
        return sum(
            text.casefold().count(word)
            for one in fields(self)
            for text in _texts(getattr(self, one.name))
            for word in wanted
        )


def by_start(row: CallRow) -> tuple[datetime, int]:
    """The order of calls."""
    return (row.call.started_at, row.number)


def view_of(row: CallRow) -> CallView:
    """A call with its turns in order."""
    return CallView(row.call, tuple(row.turns[place] for place in sorted(row.turns)))


def _texts(value: Any) -> Iterable[str]:
    """Every string in a structure of records and containers."""
    if isinstance(value, str):
        if not _ID.fullmatch(value):  # a hash holds any four digits by chance
            yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from _texts(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))
