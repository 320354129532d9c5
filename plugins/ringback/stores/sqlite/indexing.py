"""Full text, in SQL: which fact, turn or exchange of a profile holds which term.

A table of postings of our own rather than FTS5. Its rows are ordered by profile, so that a
search reads nobody else's; terms are hashes, so that it holds no words; and a row that is
deleted is gone at once, where FTS5 of SQLite 3.40 keeps it until its index is rebuilt.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from dataclasses import dataclass, replace

from ringback.stores.scoring import exchange_terms, terms_of_fact, turn_terms
from ringback.stores.sqlite.statements import statements

SQL = statements("indexing")
FACT, TURN, EXCHANGE, SPEAKER = 0, 1, 2, 3
DOCUMENT = 0  # the term that every document has


@dataclass(frozen=True, slots=True)
class _Document:
    what: int
    number: int
    owner: int | None
    at: int


def term_hash(term: str) -> int:
    """63 bits of a term, never 0: two terms of one profile do not meet."""
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest) >> 1) or 1


def owner_of(connection: sqlite3.Connection, tenant: str, caller_id: str | None) -> int | None:
    """A profile's number; None where there is no profile."""
    if caller_id is None:
        return None
    row = connection.execute(SQL["owner"], {"tenant": tenant, "caller_id": caller_id}).fetchone()
    return None if row is None else int(row["number"])


def put_fact(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    """Index a fact anew, from its row; one that is nobody's is not found by anybody."""
    owner = owner_of(connection, row["tenant"], row["caller_id"])
    found_by = terms_of_fact(row["key"], row["value"], row["evidence_words"])
    _put(connection, _Document(FACT, row["number"], owner, row["observed_at"]), found_by)


def put_turn(connection: sqlite3.Connection, number: int) -> None:
    """Index a turn anew, its exchange, and that of the turn after it."""
    row = connection.execute(SQL["turn_to_index"], {"number": number}).fetchone()
    if row is None:
        return
    _put_turn(connection, row)
    after = connection.execute(SQL["after"], dict(row)).fetchone()
    if after is not None:
        _put_exchange(connection, after)


def put_call(connection: sqlite3.Connection, tenant: str, call_id: str) -> None:
    """Index what a call holds under whose it is now."""
    names = {"tenant": tenant, "call_id": call_id}
    for row in connection.execute(SQL["facts_to_index"], names).fetchall():
        put_fact(connection, row)
    for row in connection.execute(SQL["turns_to_index"], names).fetchall():
        _put_turn(connection, row)


def put_all(connection: sqlite3.Connection) -> None:
    """Index everything: once, in a file that an older Ringback made."""
    for row in connection.execute(SQL["all_facts"]).fetchall():
        put_fact(connection, row)
    for row in connection.execute(SQL["all_turns"]).fetchall():
        _put_turn(connection, row)


def drop_fact(connection: sqlite3.Connection, number: int) -> None:
    """Take a fact out of the index."""
    _drop(connection, FACT, number)


def drop_turn(connection: sqlite3.Connection, number: int) -> None:
    """Take a turn, its exchange and who said it out of the index."""
    for what in (TURN, EXCHANGE, SPEAKER):
        _drop(connection, what, number)


def _drop(connection: sqlite3.Connection, what: int, document: int) -> None:
    names = {"what": what, "document": document}
    if connection.execute(SQL["is_indexed"], names).fetchone() is None:
        return  # most are new
    for name in ("discount", "drop_counts", "drop_postings"):
        connection.execute(SQL[name], names)


def _put_turn(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    turn = _Document(TURN, row["number"], row["owner"], row["at"])
    _put(connection, turn, turn_terms(row["text"]))
    _put(connection, replace(turn, what=SPEAKER), turn_terms(row["speaker"]))
    _put_exchange(connection, row)


def _put_exchange(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    """Index a turn with the one before it; the first of a call stands alone."""
    exchange = _Document(EXCHANGE, row["number"], row["owner"], row["at"])
    _put(connection, exchange, exchange_terms(row["ahead"] or "", row["text"]))


def _put(connection: sqlite3.Connection, one: _Document, found_by: Counter[str]) -> None:
    _drop(connection, one.what, one.number)
    if one.owner is None:
        return
    times = Counter({DOCUMENT: found_by.total()})
    for term, count in found_by.items():
        times[term_hash(term)] += count
    counts = [(one.owner, one.what, term, count) for term, count in times.items()]
    connection.executemany(SQL["count"], counts)
    rows = [(one.what, one.number, term, one.owner, one.at, count) for term, count in times.items()]
    connection.executemany(SQL["post"], rows)
