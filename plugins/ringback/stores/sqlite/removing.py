"""Deleting facts and calls with all that hangs on them, in SQL."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from ringback.stores.sqlite import indexing, vectors
from ringback.stores.sqlite.statements import statements

SQL = statements("removing")
OF_A_CALL = ("summary", "decision", "model_use", "dead_letter", "job", "call_handle", "turn")
PAIR = re.compile(r"(?=\b(\w+ \w+)\b)")
WORD = re.compile(r"\w*\d\w{2,}|[^\W\d_]{4,}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]{2,}")


@dataclass(slots=True)
class Removed:
    """What went: how much of each place, and the telling words of it, while it is cleared."""

    counts: Counter[str] = field(default_factory=Counter)
    words: set[str] = field(default_factory=set)

    def note(self, *texts: str) -> None:
        """Remember a text's words, longer than a syllable or with digits, and pairs of words."""
        for text in texts:
            self.words.update(WORD.findall(text))
            self.words.update(PAIR.findall(text))


def remove_fact(connection: sqlite3.Connection, row: sqlite3.Row, removed: Removed) -> None:
    """Delete a fact, what was decided about it, its index entries, and whatever names it."""
    names = {"tenant": row["tenant"], "id": row["id"]}
    indexing.drop_fact(connection, row["number"])
    removed.counts["vector"] += vectors.drop(connection, indexing.FACT, row["number"])
    removed.note(row["value"], row["evidence_words"])
    removed.counts["decision"] += connection.execute(SQL["decisions_of_fact"], names).rowcount
    for name in ("unname_superseded", "unname_supersedes"):
        connection.execute(SQL[name], names)
    removed.counts["fact"] += connection.execute(SQL["fact"], names).rowcount


def remove_turns(
    connection: sqlite3.Connection, tenant: str, call_id: str, removed: Removed
) -> None:
    """Delete what was said in a call; what was made of it stays."""
    names = {"tenant": tenant, "call_id": call_id}
    for row in connection.execute(SQL["turns_of_call"], names).fetchall():
        indexing.drop_turn(connection, row["number"])
        removed.counts["vector"] += vectors.drop(connection, indexing.TURN, row["number"])
        removed.note(row["text"])
    removed.counts["turn"] += connection.execute(SQL["turn"], names).rowcount


def remove_call(
    connection: sqlite3.Connection, tenant: str, call_id: str, removed: Removed
) -> None:
    """Delete a call and all that was made of it."""
    names = {"tenant": tenant, "call_id": call_id}
    for row in connection.execute(SQL["facts_of_call"], names).fetchall():
        remove_fact(connection, row, removed)
    remove_turns(connection, tenant, call_id, removed)
    for row in connection.execute(SQL["other_words"], names).fetchall():
        removed.note(row["words"])
    for name in OF_A_CALL:
        removed.counts[name] += connection.execute(SQL[name], names).rowcount
    removed.counts["call"] += connection.execute(SQL["call"], names).rowcount
