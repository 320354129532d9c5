"""Full text, in SQL: which fact or turn of a profile holds which term.

A table of postings of our own rather than FTS5. Its rows are ordered by profile, so that a
search reads nobody else's; terms are hashes, so that it holds no words; and a row that is
deleted is gone at once, where FTS5 of SQLite 3.40 keeps it until its index is rebuilt.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from ringback.stores.scoring import terms_of_fact
from ringback.stores.sqlite.statements import statements
from ringback.terms import terms

SQL = statements("indexing")
FACT, TURN = 0, 1
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


def put_turn(
    connection: sqlite3.Connection, number: int, owner: int | None, text: str, at: int
) -> None:
    """Index a turn anew."""
    _put(connection, _Document(TURN, number, owner, at), terms(text))


def put_call(connection: sqlite3.Connection, tenant: str, call_id: str) -> None:
    """Index what a call holds under whose it is now."""
    names = {"tenant": tenant, "call_id": call_id}
    for row in connection.execute(SQL["facts_to_index"], names).fetchall():
        put_fact(connection, row)
    for row in connection.execute(SQL["turns_to_index"], names).fetchall():
        put_turn(connection, row["number"], row["owner"], row["text"], row["at"])


def put_all(connection: sqlite3.Connection) -> None:
    """Index everything: once, in a file that an older Ringback made."""
    for row in connection.execute(SQL["all_facts"]).fetchall():
        put_fact(connection, row)
    for row in connection.execute(SQL["all_turns"]).fetchall():
        put_turn(connection, row["number"], row["owner"], row["text"], row["at"])


def drop(connection: sqlite3.Connection, what: int, document: int) -> None:
    """Take a fact or a turn out of the index."""
    names = {"what": what, "document": document}
    for name in ("discount", "drop_counts", "drop_postings"):
        connection.execute(SQL[name], names)


def _put(connection: sqlite3.Connection, one: _Document, found_by: Iterable[str]) -> None:
    drop(connection, one.what, one.number)
    if one.owner is None:
        return
    hashes = {DOCUMENT, *map(term_hash, found_by)}
    connection.executemany(SQL["count"], [(one.owner, one.what, term) for term in hashes])
    rows = [(one.what, one.number, term, one.owner, one.at) for term in hashes]
    connection.executemany(SQL["post"], rows)
