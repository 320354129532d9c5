"""Facts and turns by their numbers, ranked and made into hits; each is read and made once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ringback.recollection import Facet, Hit
from ringback.records import Fact, Turn, turn_id
from ringback.stores.sqlite.rows import FACT_COLUMNS, TURN_COLUMNS, fact_from, only, turn_from
from ringback.stores.sqlite.statements import statements

SQL = statements("indexing")
FACTS = only(SQL["facts_by_number"], ("number", "observed_at", *FACT_COLUMNS))
TURNS = only(SQL["turns_by_number"], ("number", "at", "tenant", "call_id", *TURN_COLUMNS))


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a search found in one place: its number, its score, and the record itself."""

    number: int
    score: float
    fact: Fact | None = None
    turn: Turn | None = None
    call_id: str = ""
    outdated: tuple[tuple[int, int], ...] = ()

    def hit(self, *, bm25: float = 0.0, similarity: float = 0.0, facet: Facet | None = None) -> Hit:
        """The hit that it is."""
        return Hit(
            self.score,
            self.fact,
            self.turn,
            self.call_id,
            self.outdated,
            facet=facet,
            bm25=bm25,
            similarity=similarity,
        )


@dataclass(frozen=True, slots=True)
class Search:
    """Numbers of the best facts, or turns, with their scores: a limit, and all that tie."""

    is_of_facts: bool
    best: Mapping[int, float]


def ranked(
    connection: sqlite3.Connection, searches: Sequence[Search], *, limit: int
) -> list[list[Ranked]]:
    """What each search found, best first, of equals the newest, then by id."""
    rows = _Rows(connection, searches)
    kept = [rows.ordered(one, limit) for one in searches]
    rows.make(searches, kept)
    return [
        [rows.ranked(one, number) for number in numbers]
        for one, numbers in zip(searches, kept, strict=True)
    ]


class _Rows:
    """Rows of one read by number, and the records that were made of them."""

    def __init__(self, connection: sqlite3.Connection, searches: Sequence[Search]) -> None:
        self.connection = connection
        facts = {number for one in searches if one.is_of_facts for number in one.best}
        turns = {number for one in searches if not one.is_of_facts for number in one.best}
        self.facts = {row[0]: row for row in self._rows(FACTS, facts)}
        self.turns = {row[0]: row for row in self._rows(TURNS, turns)}
        self.made_facts: dict[int, Fact] = {}
        self.made_turns: dict[int, Turn] = {}
        self.outdated: dict[int, list[tuple[int, int]]] = {}

    def ordered(self, search: Search, limit: int) -> list[int]:
        """Numbers of a search's best that are kept; ids are made for those alone that tie."""
        rows, best = (self.facts if search.is_of_facts else self.turns), search.best
        there = sorted(
            (-score, -rows[number][1], number) for number, score in best.items() if number in rows
        )
        kept: list[int] = []
        for _, group in groupby(there, key=lambda one: one[:2]):
            tied = [number for *_, number in group]
            if len(tied) > 1:
                tied.sort(key=self._fact_id if search.is_of_facts else self._turn_id)
            kept += tied
            if len(kept) >= limit:
                break
        return kept[:limit]

    def make(self, searches: Sequence[Search], kept: Sequence[Sequence[int]]) -> None:
        """Make records of what is kept, and look up which words of the turns hold no more."""
        for one, numbers in zip(searches, kept, strict=True):
            for number in numbers:
                if one.is_of_facts and number not in self.made_facts:
                    self.made_facts[number] = fact_from(self.facts[number][2:])
                elif not one.is_of_facts and number not in self.made_turns:
                    self.made_turns[number] = turn_from(self.turns[number][4:])
        for number, start, end in self._rows(SQL["outdated"], self.made_turns.keys()):
            self.outdated.setdefault(number, []).append((start, end))

    def ranked(self, search: Search, number: int) -> Ranked:
        """One of what is kept."""
        score = search.best[number]
        if search.is_of_facts:
            return Ranked(number, score, fact=self.made_facts[number])
        return Ranked(
            number,
            score,
            turn=self.made_turns[number],
            call_id=self.turns[number][3],
            outdated=tuple(self.outdated.get(number, ())),
        )

    def _fact_id(self, number: int) -> str:
        return str(self.facts[number][2])

    def _turn_id(self, number: int) -> str:
        _, _, tenant, call_id, *values = self.turns[number]
        return turn_id(tenant, call_id, turn_from(values))

    def _rows(self, statement: str, numbers: Collection[int]) -> Iterable[tuple[Any, ...]]:
        if not numbers:
            return ()
        cursor = self.connection.cursor()
        cursor.row_factory = None  # plain tuples
        return cursor.execute(statement, {"documents": json.dumps(list(numbers))})
