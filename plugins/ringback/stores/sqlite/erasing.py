"""Forgetting, in SQL: inside the transaction of whoever calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ringback.erasure import (
    BLOT,
    Erasure,
    ErasureReceipt,
    Forgotten,
    Redaction,
    call_tombstone,
)
from ringback.protocols import Basis
from ringback.stores.checks import amended_text, require_basis
from ringback.stores.decided import tombstones_over_fact
from ringback.stores.sqlite import deciding, indexing, journal, vectors
from ringback.stores.sqlite.removing import Removed, remove_call, remove_fact, remove_turns
from ringback.stores.sqlite.rows import fact_of, fact_row, micros, receipt_of, receipt_row
from ringback.stores.sqlite.statements import statements

SQL = statements("removing")
FACTS = statements("facts")
JOURNAL = statements("journal")
MOVING = statements("moving")
NOT_SCRUBBED = -1


@dataclass(frozen=True, slots=True)
class Gone:
    """What was deleted: the receipt, and the words to look for while files are cleared."""

    receipt: ErasureReceipt
    words: frozenset[str]
    call_ids: tuple[str, ...]
    """Calls that were deleted or redacted."""


def forget(
    connection: sqlite3.Connection, erasure: Erasure, *, basis: Basis | None, now_at: datetime
) -> Gone:
    """Delete what an erasure names, and what was written of it since it was planned."""
    if basis is not None:
        require_basis(basis, deciding.basis_of(connection, erasure.tenant, basis))
    removed = Removed()
    call_ids = _calls_of(connection, erasure)
    tombstones = {call_tombstone(erasure.tenant, call_id) for call_id in call_ids}
    tombstones.update(erasure.tombstones)
    for call_id in call_ids:
        remove_call(connection, erasure.tenant, call_id, removed)
    _remove_facts(connection, erasure, removed)
    if erasure.what is Forgotten.PROFILE:
        tombstones |= _remove_profile(connection, erasure, removed)
    _redact(connection, erasure, removed, due_at=min(erasure.at, now_at))
    for fact in erasure.restored:
        connection.execute(SQL["restore"], fact_row(fact))
    connection.executemany(
        SQL["add_tombstone"], [{"tenant": erasure.tenant, "id": one} for one in sorted(tombstones)]
    )
    receipt = ErasureReceipt(
        tenant=erasure.tenant,
        what=erasure.what,
        target_id=erasure.target_id,
        caller_id=erasure.caller_id,
        at=erasure.at,
        removed=tuple(sorted((name, count) for name, count in removed.counts.items() if count)),
        call_ids=tuple(call_ids),
        scrub_ms=NOT_SCRUBBED,
    )
    connection.execute(SQL["add_erasure"], receipt_row(receipt))
    return Gone(receipt, frozenset(removed.words), (*call_ids, *erasure.changed_calls))


def erasures(
    connection: sqlite3.Connection, *, after: int, limit: int
) -> tuple[tuple[int, ErasureReceipt], ...]:
    """Receipts with their numbers, in order."""
    rows = connection.execute(SQL["erasures"], {"after": after, "limit": limit})
    return tuple((row["number"], receipt_of(row)) for row in rows)


def scrubbed(connection: sqlite3.Connection, number: int, scrub_ms: int) -> None:
    """Say in the receipts up to this number how long clearing took."""
    connection.execute(SQL["scrubbed"], {"number": number, "scrub_ms": scrub_ms})


def unscrubbed(connection: sqlite3.Connection) -> int | None:
    """The newest receipt whose clearing has not been done."""
    number: int | None = connection.execute(SQL["unscrubbed"]).fetchone()["number"]
    return number


def expire(connection: sqlite3.Connection, *, now_at: datetime) -> int:
    """End the facts whose time is over; how many."""
    return connection.execute(SQL["expire"], {"now": micros(now_at)}).rowcount


def settled_calls(
    connection: sqlite3.Connection, *, words_before: datetime, limit: int
) -> list[tuple[str, str]]:
    """Tenant and id of settled calls from before then that still have turns."""
    names = {"words_before": micros(words_before), "limit": limit}
    return [(row["tenant"], row["id"]) for row in connection.execute(SQL["settled_calls"], names)]


def let_words_go(connection: sqlite3.Connection, calls: Sequence[tuple[str, str]]) -> int:
    """Delete the turns of calls that are still settled; how many."""
    removed = Removed()
    for tenant, call_id in calls:
        names = {"tenant": tenant, "call_id": call_id}
        if connection.execute(SQL["is_settled"], names).fetchone() is not None:
            remove_turns(connection, tenant, call_id, removed)
    return removed.counts["turn"]


def _calls_of(connection: sqlite3.Connection, erasure: Erasure) -> list[str]:
    """The calls that go: of a profile also those of nobody whose handles lead to it alone."""
    if erasure.what is Forgotten.PROFILE:
        names = {"tenant": erasure.tenant, "caller_id": erasure.target_id}
        return [row["id"] for row in connection.execute(SQL["calls_of_caller"], names)]
    return [erasure.target_id] if erasure.what is Forgotten.CALL else []


def _remove_facts(connection: sqlite3.Connection, erasure: Erasure, removed: Removed) -> None:
    """Delete the facts named, and what was written of them since from the same words."""
    for fact_id in erasure.fact_ids:
        names = {"tenant": erasure.tenant, "id": fact_id}
        row = connection.execute(FACTS["fact"], names).fetchone()
        if row is not None:
            remove_fact(connection, row, removed)
    for call_id in erasure.changed_calls:
        names = {"tenant": erasure.tenant, "call_id": call_id}
        for row in connection.execute(SQL["facts_of_call"], names).fetchall():
            if not set(erasure.tombstones).isdisjoint(tombstones_over_fact(fact_of(row))):
                remove_fact(connection, row, removed)


def _remove_profile(connection: sqlite3.Connection, erasure: Erasure, removed: Removed) -> set[str]:
    """Delete what a profile has outside its calls; gives tombstones for its facts."""
    names = {"tenant": erasure.tenant, "caller_id": erasure.target_id}
    tombstones: set[str] = set()
    for row in connection.execute(SQL["facts_of_caller"], names).fetchall():
        *_, of_fact = tombstones_over_fact(fact_of(row))  # its call may be somebody else's
        tombstones.add(of_fact)
        remove_fact(connection, row, removed)
    for row in connection.execute(SQL["words_of_caller"], names).fetchall():
        removed.note(row["words"])
    for row in connection.execute(MOVING["words_of_moves"], names).fetchall():
        removed.note(row["words"])
        removed.counts["move"] += 1
        connection.execute(MOVING["forget_move"], {"number": row["number"]})
    for place, name in (
        ("decision", "decisions_of_caller"),
        ("summary", "summaries_of_caller"),
        ("caller_handle", "handles_of_caller"),
        ("caller", "caller"),
    ):
        removed.counts[place] += connection.execute(SQL[name], names).rowcount
    return tombstones


def _redact(
    connection: sqlite3.Connection, erasure: Erasure, removed: Removed, *, due_at: datetime
) -> None:
    """Blot words out of turns and out of other facts' evidence; have their calls read anew."""
    for redaction in erasure.redactions:
        _redact_turn(connection, erasure.tenant, redaction, removed)
    for fact_id, words in erasure.reworded:
        names = {"tenant": erasure.tenant, "id": fact_id}
        row = connection.execute(FACTS["fact"], names).fetchone()
        if row is not None:
            removed.note(row["evidence_words"])
            removed.counts["vector"] += vectors.drop(connection, indexing.FACT, row["number"])
            connection.execute(SQL["reword"], {"words": words, "number": row["number"]})
            indexing.put_fact(connection, connection.execute(FACTS["fact"], names).fetchone())
    for call_id in erasure.changed_calls:
        names = {"tenant": erasure.tenant, "call_id": call_id}
        row = connection.execute(SQL["summary_words"], names).fetchone()
        if row is not None:
            removed.note(row["words"])
            removed.counts["summary"] += 1
        journal.read_anew(connection, erasure.tenant, call_id, due_at=due_at)


def _redact_turn(
    connection: sqlite3.Connection, tenant: str, redaction: Redaction, removed: Removed
) -> None:
    names = {
        "tenant": tenant,
        "call_id": redaction.call_id,
        "position": redaction.position,
        "role": redaction.role,
    }
    row = connection.execute(JOURNAL["turn"], names).fetchone()
    if row is None:
        return
    text, present = redaction.text, row["text"]
    if BLOT in text and len(text) == len(present):
        text = amended_text(text, present)  # it may have been amended since this was planned
    removed.note(present)
    removed.counts["turn"] += 1
    removed.counts["vector"] += vectors.drop_turn(connection, row)
    journal.put_text(connection, row, text)
