"""Answering a cue, in SQL: first narrowed to a profile, then ranked by the terms held."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ringback.recollection import Cue, Facet, Heard, Hit
from ringback.records import turn_id
from ringback.stores.scoring import bm25, share, weights
from ringback.stores.sqlite.indexing import (
    DOCUMENT,
    EXCHANGE,
    FACT,
    SPEAKER,
    TURN,
    owner_of,
    term_hash,
)
from ringback.stores.sqlite.rows import fact_of, micros, micros_or_none, turn_of
from ringback.stores.sqlite.statements import statements
from ringback.terms import terms

SQL = statements("indexing")
STEP = 200  # documents that are narrowed at once
MANY = 1_000  # documents with a term: before more are read, see whether they can matter

HitsOf: TypeAlias = Callable[[sqlite3.Connection, Mapping[int, float]], list[tuple[int, Hit]]]


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
        self._narrowed = "narrowed_facts" if what == FACT else "narrowed_turns"
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
        by_held: dict[int, list[int]] = {}
        for document, held in self._held.items():
            by_held.setdefault(held, []).append(document)
        by_score: dict[float, list[int]] = {}
        for held, documents in by_held.items():
            by_score.setdefault(self._score(held), []).extend(documents)
        found: dict[int, float] = {}
        for score in sorted(by_score, reverse=True):
            wanted = self.cue.limit - len(found)
            found.update(dict.fromkeys(self._newest(by_score[score], wanted), score))
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
        for row in self.connection.execute(SQL["times"], names):
            held[row["document"]][row["term"]] = row["times"]
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
        is_settled = False  # documents that hold none of the terms so far cannot matter any more
        for place, term in enumerate(self._terms):
            if not term.documents:
                continue
            if term.documents > MANY and not is_settled:
                is_settled = self._is_settled(place)
            bit, held, at = 1 << place, self._held, self._at
            for document, document_at in self._with(term, held if is_settled else None):
                held[document] = held.get(document, 0) | bit
                at[document] = document_at

    def _with(self, term: _Term, among: Collection[int] | None) -> Iterable[tuple[int, int]]:
        names: dict[str, int | str] = {**self._scope, "term": term.number}
        cursor = self.connection.cursor()
        cursor.row_factory = None  # plain tuples: there may be many
        if among is None:
            return cursor.execute(SQL["holding"], names)
        names["documents"] = json.dumps(list(among))
        return cursor.execute(SQL["holding_among"], names)

    def _score(self, held: int) -> float:
        mine = (term.weight for place, term in enumerate(self._terms) if held >> place & 1)
        return share(mine, self._weights)

    def _is_settled(self, place: int) -> bool:
        """Enough documents are ahead of all that hold only terms from this place on."""
        rest = share((term.weight for term in self._terms[place:]), self._weights)
        better = {held for held in set(self._held.values()) if self._score(held) > rest}
        ahead = [document for document, held in self._held.items() if held in better]
        limit = self.cue.limit
        return len(ahead) >= limit and len(self._newest(ahead, limit)) >= limit

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
        names = {**self._limits, "documents": json.dumps(documents)}
        return {row["number"] for row in self.connection.execute(SQL[self._narrowed], names)}


def find(connection: sqlite3.Connection, cue: Cue) -> tuple[Hit, ...]:
    """Facts, turns, then exchanges, that hold any of the cue's terms; each best first."""
    owner = owner_of(connection, cue.tenant, cue.caller_id)
    if owner is None or (not cue.terms and cue.since_at is None and cue.until_at is None):
        return ()
    found = _found(_Search(connection, owner, FACT, cue), fact_hits)
    found += _found(_Search(connection, owner, TURN, cue), turn_hits)
    if cue.exchanges:
        exchanges = _found(_Search(connection, owner, EXCHANGE, cue), turn_hits)
        found += [replace(hit, facet=Facet.EXCHANGE) for hit in exchanges]
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


def _found(search: _Search, hits_of: HitsOf) -> list[Hit]:
    hits = hits_of(search.connection, search.best())[: search.cue.limit]
    saturated = search.saturated([number for number, _ in hits])
    return [replace(hit, bm25=saturated[number]) for number, hit in hits]


def _limits(cue: Cue) -> dict[str, str | int | None]:
    return {
        "statuses": json.dumps(cue.statuses),
        "kinds": json.dumps(cue.kinds),
        "subjects": json.dumps(cue.subjects) if cue.subjects else None,
        "at": micros(cue.at),
        "since_at": micros_or_none(cue.since_at),
        "until_at": micros_or_none(cue.until_at),
    }


def fact_hits(connection: sqlite3.Connection, best: Mapping[int, float]) -> list[tuple[int, Hit]]:
    """Facts by their numbers, each with its number and its score; best first."""
    rows = connection.execute(SQL["facts_by_number"], {"documents": json.dumps(list(best))})
    ranked = [(-best[row["number"]], -row["observed_at"], row["id"], row) for row in rows]
    ranked.sort(key=lambda one: one[:3])
    return [(row["number"], Hit(-score, fact=fact_of(row))) for score, _, _, row in ranked]


def turn_hits(connection: sqlite3.Connection, best: Mapping[int, float]) -> list[tuple[int, Hit]]:
    """Turns by their numbers, each with its number and its score; best first."""
    documents = {"documents": json.dumps(list(best))}
    outdated: dict[int, list[tuple[int, int]]] = {}
    for row in connection.execute(SQL["outdated"], documents):
        span = (row["evidence_start"], row["evidence_end"])
        outdated.setdefault(row["number"], []).append(span)
    rows = connection.execute(SQL["turns_by_number"], documents)
    ranked = [
        (
            -best[row["number"]],
            -row["at"],
            turn_id(row["tenant"], row["call_id"], turn_of(row)),
            row,
        )
        for row in rows
    ]
    ranked.sort(key=lambda one: one[:3])
    return [
        (
            row["number"],
            Hit(
                -score,
                turn=turn_of(row),
                call_id=row["call_id"],
                outdated=tuple(outdated.get(row["number"], ())),
            ),
        )
        for score, _, _, row in ranked
    ]
