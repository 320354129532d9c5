"""Answering a cue, in SQL: first narrowed to a profile, then ranked by the terms held."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringback.recollection import Cue, Facet, Heard, Hit
from ringback.stores.scoring import bm25, share, weights
from ringback.stores.sqlite.hits import Search, ranked
from ringback.stores.sqlite.indexing import (
    DOCUMENT,
    EXCHANGE,
    FACT,
    SPEAKER,
    TURN,
    owner_of,
    term_hash,
)
from ringback.stores.sqlite.rows import micros, micros_or_none
from ringback.stores.sqlite.statements import statements
from ringback.terms import terms

SQL = statements("indexing")
STEP = 80  # documents that are narrowed at once
MANY = 1_000  # documents with a term: before more are read, see whether they can matter
ROUNDING = 1e-9  # of sums of shares
NARROWED = ("narrowed_turns", "narrowed_facts")


@dataclass(frozen=True, slots=True)
class _Term:
    number: int
    weight: float
    documents: int


class _Search:
    """One cue over one profile's facts, turns or exchanges; lives for one `find`."""

    def __init__(self, connection: sqlite3.Connection, owner: int, what: int, cue: Cue) -> None:
        self.connection = connection
        self._scope = {"owner": owner, "what": what}
        is_in_time = cue.since_at is not None or cue.until_at is not None
        self._narrowed = NARROWED[what == FACT] if what == FACT or is_in_time else None
        self._documents = self._lengths = 0
        self.cue = cue
        self._limits = _limits(cue)
        self._weights: list[float] = []
        self._terms = self._weighed()
        self._held: dict[int, int] = {}
        """Documents by number: bit n is set where it holds the n-th term."""
        self._at: dict[int, int] = {}

    def best(self) -> dict[int, float]:
        """Numbers of the best documents with their scores: the limit, and all that tie."""
        self._read()
        found: dict[int, float] = {}
        for score, documents in self._by_score():
            wanted = self.cue.limit - len(found)
            found.update(dict.fromkeys(self._newest(documents, wanted), score))
            if len(found) >= self.cue.limit:
                break
        return found

    def saturated(self, documents: Sequence[int]) -> dict[int, float]:
        """BM25 of these documents."""
        weights = {term.number: term.weight for term in self._terms}
        held: dict[int, dict[int, int]] = {document: {} for document in documents}
        names = {
            "what": self._scope["what"],
            "documents": json.dumps(documents),
            "terms": json.dumps([DOCUMENT, *weights]),
        }
        for document, term, times in self._plain(SQL["times"], names):
            held[document][term] = times
        return {
            document: bm25(
                ((weights[term], times) for term, times in mine.items() if term != DOCUMENT),
                length=mine.get(DOCUMENT, 0),
                lengths=self._lengths,
                documents=self._documents,
            )
            for document, mine in held.items()
        }

    def _weighed(self) -> list[_Term]:
        numbers = {term: term_hash(term) for term in self.cue.terms}
        wanted = json.dumps([DOCUMENT, *numbers.values()])
        rows = self.connection.execute(SQL["totals"], {**self._scope, "terms": wanted})
        totals = {}
        for row in rows:
            totals[row["term"]] = row["documents"]
            if row["term"] == DOCUMENT:
                self._documents, self._lengths = row["documents"], row["times"]
        holding = {term: totals.get(number, 0) for term, number in numbers.items()}
        weighed = weights(self.cue.terms, totals.get(DOCUMENT, 0), holding)
        self._weights = [weight for _, weight in weighed]
        return [_Term(numbers[term], weight, holding[term]) for term, weight in weighed]

    def _read(self) -> None:
        """Look up who holds which term, the heaviest first; without any, what is in the time."""
        if not self._terms:
            for row in self.connection.execute(SQL["within"], {**self._scope, **self._limits}):
                self._held[row["document"]], self._at[row["document"]] = 0, row["at"]
            return
        least: float | None = None  # what has less than this is not among the best any more
        for place, term in enumerate(self._terms):
            if not term.documents:
                continue
            if term.documents > MANY and least is None:
                least = self._settled(place)
            among = None if least is None else self._within_reach(least - self._rest(place))
            bit, held, at = 1 << place, self._held, self._at
            for document, document_at in self._with(term, among):
                held[document] = held.get(document, 0) | bit
                at[document] = document_at

    def _with(self, term: _Term, among: Sequence[int] | None) -> Iterable[tuple[int, int]]:
        names: dict[str, int | str] = {**self._scope, "term": term.number}
        if among is None:
            return self._plain(SQL["holding"], names)
        names["documents"] = json.dumps(among)
        return self._plain(SQL["holding_among"], names)

    def _plain(self, statement: str, names: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
        """Rows as plain tuples: there may be many."""
        cursor = self.connection.cursor()
        cursor.row_factory = None
        return cursor.execute(statement, names)

    def _score(self, held: int) -> float:
        mine = (term.weight for place, term in enumerate(self._terms) if held >> place & 1)
        return share(mine, self._weights)

    def _rest(self, place: int) -> float:
        """What the terms from this place on are worth together."""
        return share((term.weight for term in self._terms[place:]), self._weights)

    def _by_score(self) -> list[tuple[float, list[int]]]:
        """Documents with each score, the highest first."""
        by_held: dict[int, list[int]] = {}
        for document, held in self._held.items():
            by_held.setdefault(held, []).append(document)
        by_score: dict[float, list[int]] = {}
        for held, documents in by_held.items():
            by_score.setdefault(self._score(held), []).extend(documents)
        return sorted(by_score.items(), reverse=True)

    def _settled(self, place: int) -> float | None:
        """What the best have, where they are ahead of all that hold only later terms."""
        rest, wanted = self._rest(place), self.cue.limit
        for score, documents in self._by_score():
            if score <= rest:
                return None
            wanted -= len(self._newest(documents, wanted))
            if wanted <= 0:
                return score
        return None

    def _within_reach(self, least: float) -> list[int]:
        """Documents with so much already; sums are rounded, so a little less is enough."""
        near = {held for held in set(self._held.values()) if self._score(held) >= least - ROUNDING}
        return [document for document, held in self._held.items() if held in near]

    def _newest(self, documents: list[int], wanted: int) -> list[int]:
        """The newest of these that the cue is about: as many as wanted, and all that tie."""
        at = self._at
        ordered = sorted(documents, key=lambda one: -at[one])
        kept: list[int] = []
        for start in range(0, len(ordered), STEP):
            step = ordered[start : start + STEP]
            if len(kept) >= wanted and at[step[0]] < at[kept[wanted - 1]]:
                break
            passing = self._narrow(step)
            kept += [one for one in step if one in passing]
        if len(kept) > wanted:
            oldest_at = at[kept[wanted - 1]]
            kept = [one for one in kept if at[one] >= oldest_at]
        return kept

    def _narrow(self, documents: Sequence[int]) -> set[int]:
        """Of these documents, those that the cue is about."""
        if self._narrowed is None:
            return set(documents)
        names = {**self._limits, "documents": json.dumps(documents)}
        return {number for (number,) in self._plain(SQL[self._narrowed], names)}


def find(connection: sqlite3.Connection, cue: Cue) -> tuple[Hit, ...]:
    """Facts, turns, then exchanges, that hold any of the cue's terms; each best first."""
    owner = owner_of(connection, cue.tenant, cue.caller_id)
    if owner is None or (not cue.terms and cue.since_at is None and cue.until_at is None):
        return ()
    kinds = (FACT, TURN, EXCHANGE) if cue.exchanges else (FACT, TURN)
    searches = [_Search(connection, owner, what, cue) for what in kinds]
    best = [
        Search(what == FACT, search.best()) for what, search in zip(kinds, searches, strict=True)
    ]
    found: list[Hit] = []
    for what, search, kept in zip(
        kinds, searches, ranked(connection, best, limit=cue.limit), strict=True
    ):
        saturated = search.saturated([one.number for one in kept])
        facet = Facet.EXCHANGE if what == EXCHANGE else None
        found += [one.hit(bm25=saturated[one.number], facet=facet) for one in kept]
    return tuple(found)


def heard(
    connection: sqlite3.Connection, tenant: str, caller_id: str, names: Sequence[str]
) -> dict[str, Heard]:
    """How each name is known; those that nobody said and nobody bears are left out."""
    owner = owner_of(connection, tenant, caller_id)
    if owner is None:
        return {}
    known = {}
    for name in names:
        numbers = [term_hash(term) for term in set(terms(name))]
        counts = {what: _fewest(connection, owner, what, numbers) for what in (FACT, TURN, SPEAKER)}
        if any(counts.values()):
            known[name] = Heard(counts[SPEAKER], counts[FACT] + counts[TURN])
    return known


def _fewest(connection: sqlite3.Connection, owner: int, what: int, numbers: Sequence[int]) -> int:
    """In how many documents the rarest of these terms stands."""
    names = {"owner": owner, "what": what, "terms": json.dumps(numbers)}
    counts = {row["term"]: row["documents"] for row in connection.execute(SQL["totals"], names)}
    return min((counts.get(number, 0) for number in numbers), default=0)


def _limits(cue: Cue) -> dict[str, str | int | None]:
    return {
        "statuses": json.dumps(cue.statuses),
        "kinds": json.dumps(cue.kinds),
        "subjects": json.dumps(cue.subjects) if cue.subjects else None,
        "at": micros(cue.at),
        "since_at": micros_or_none(cue.since_at),
        "until_at": micros_or_none(cue.until_at),
    }
