"""Fills a store with any number of callers who have called twice before, by sets of rows.

A million callers through the store's verbs would take hours. So rows are written as sets, into
the schema that the store itself has made, triggers and all, in the order in which they would
have come: all first calls, then all second ones, so that what is known of one caller lies in
several places of the file. Turns of calls that are settled and the full-text index are left
out: a preload reads neither.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ringback.protocols import CallEnded, CallOpened, TurnObserved
from ringback.records import (
    Action,
    Assurance,
    Call,
    Candidate,
    Cardinality,
    Decision,
    Evidence,
    Fact,
    Handle,
    HandleKind,
    Role,
    Source,
    Status,
    Summary,
    Turn,
    fact_id,
)
from ringback.stores import MemoryStore, SqliteStore
from ringback.stores.sqlite.rows import micros

TENANT = "bench"
FIRST_AT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SECOND_AT = FIRST_AT + timedelta(days=30)
STEP = 10_000  # callers whose rows are written at once
LEASE_MS = 3_600_000  # whoever reads the unsettled calls holds them for the whole run


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact that every caller has, but for the caller's number in it."""

    key: str
    value: str
    words: str = ""
    cardinality: Cardinality = Cardinality.ONE
    status: Status = Status.ACTIVE


FIRST_FACTS = (  # of each caller's first call; every third caller has but three of them
    Kept("name", "Dana Reyes {n}", "my name is Dana Reyes {n}"),
    Kept("account_number", "{n}21", "my account number is {n}21"),
    Kept("open_matter", "my internet drops every evening", cardinality=Cardinality.MANY),
    Kept("contact_preference", "text", "please send me a text", status=Status.SUPERSEDED),
    Kept("language", "Spanish", "I would rather speak Spanish"),
)
SECOND_FACTS = (
    Kept("promise", "a technician will come on Friday", cardinality=Cardinality.MANY),
    Kept("contact_preference", "email", "an email is better now"),
    Kept("email", "dana{n}@example.org", "it is dana{n}@example.org"),
    Kept("address", "{n} Quill Lane", "I live at {n} Quill Lane"),
    Kept("open_matter", "the new router has no lights on", cardinality=Cardinality.MANY),
)
CALLS = ((FIRST_AT, FIRST_FACTS), (SECOND_AT, SECOND_FACTS))
SUMMARY = (
    "The caller reported that the internet drops every evening. "
    "A technician will come on Friday. The matter is open."
)
UNSETTLED_WORDS = (
    (Role.AGENT, "Thank you for calling, how can I help?"),
    (Role.CALLER, "Hi, it's me again, the technician never came."),
    (Role.AGENT, "I'm sorry to hear that. Let me look at it."),
    (Role.CALLER, "And I have moved, my new address is 9 Quill Lane."),
    (Role.AGENT, "Thank you, I have noted 9 Quill Lane."),
    (Role.CALLER, "Please call me after five in the afternoon."),
    (Role.AGENT, "We'll call you back by Thursday."),
    (Role.CALLER, "All right, thank you."),
)

_CALLERS = "INSERT INTO caller (tenant, id) SELECT :tenant, 'caller-' || n FROM step"
_HANDLES = """
INSERT INTO caller_handle (tenant, caller_id, kind, value)
SELECT :tenant, 'caller-' || n, 'phone', printf('+1555%07d', n) FROM step"""
_CALLS = """
INSERT INTO call (
    tenant, id, started_at, caller_id, assurance, ended_at, is_opened, generation
)
SELECT :tenant, printf('call-%d-%d', n, :round), :at + n, 'caller-' || n, 'claimed',
    :at + n + 300000000, 1, 10
FROM step"""
_CALL_HANDLES = """
INSERT INTO call_handle (tenant, call_id, kind, value)
SELECT :tenant, printf('call-%d-%d', n, :round), 'phone', printf('+1555%07d', n) FROM step"""
_SUMMARIES = """
INSERT INTO summary (tenant, call_id, caller_id, at, text, resolved, promises, numbers)
SELECT :tenant, printf('call-%d-%d', n, :round), 'caller-' || n, :at + n, :text, 0, '[]', '[]'
FROM step"""
_FACTS = """
INSERT INTO fact (
    tenant, id, call_id, caller_id, key, value, source, confidence, observed_at, recorded_at,
    evidence_call_id, evidence_position, evidence_words, evidence_start, evidence_end, kind,
    scope, cardinality, status
)
SELECT :tenant, lower(hex(randomblob(16))), printf('call-%d-%d', n, :round), 'caller-' || n,
    one.value ->> 'key', replace(one.value ->> 'value', '{n}', n), :source, 0.9,
    :at + n + one.key, :at + n + one.key + 60000000, printf('call-%d-%d', n, :round),
    2 * one.key + 1, replace(one.value ->> 'words', '{n}', n), 0,
    length(replace(one.value ->> 'words', '{n}', n)), 'fact', 'caller',
    one.value ->> 'cardinality', one.value ->> 'status'
FROM step CROSS JOIN json_each(:facts) AS one
WHERE one.key < 3 OR n % 3 > 0
ORDER BY n, one.key"""
_STEP = """
WITH RECURSIVE counted (n) AS (
    SELECT :first UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < :last
)
INSERT INTO step (n) SELECT n FROM counted"""


def phone(number: int) -> tuple[str, str]:
    """The handle of one of the callers, as an application gives it."""
    return "phone", f"+1555{number:07d}"


def fill_rows(path: Path, callers: int) -> Iterator[int]:
    """Write callers with two settled calls each; yields how many calls came in with each step.

    Each has a phone number, six to ten facts, of which one may be superseded, and the
    summaries of both calls. The file has to be one that `SqliteStore.open` made.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -1000000")
        db.execute("CREATE TEMP TABLE step (n INTEGER PRIMARY KEY)")
        for number, (at, kept) in enumerate(CALLS, start=1):
            for first in range(0, callers, STEP):
                last = min(first + STEP, callers)
                names = {
                    "tenant": TENANT,
                    "round": number,
                    "at": micros(at),
                    "text": SUMMARY,
                    "source": Source.CALLER,
                    "facts": json.dumps([asdict(one) for one in kept]),
                }
                _write(db, first, last, names)
                yield last - first
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _write(db: sqlite3.Connection, first: int, last: int, names: dict[str, Any]) -> None:
    whose = (_CALLERS, _HANDLES) if names["round"] == 1 else ()
    db.execute("BEGIN")
    db.execute("DELETE FROM step")
    db.execute(_STEP, {"first": first, "last": last})
    for statement in (*whose, _CALLS, _CALL_HANDLES, _SUMMARIES, _FACTS):
        db.execute(statement, names)
    db.execute("COMMIT")


async def fill_by_verbs(store: MemoryStore, callers: int) -> None:
    """Have the same callers in a store that knows no SQL."""
    for number, (at, kept) in enumerate(CALLS, start=1):
        for n in range(callers):
            call_id, caller_id = f"call-{n}-{number}", f"caller-{n}"
            handle = Handle(HandleKind.PHONE, phone(n)[1])
            call = Call(call_id, TENANT, at + timedelta(seconds=n), handles=(handle,))
            store.record_nowait(CallOpened(call))
            store.record_nowait(CallEnded(TENANT, call_id, at + timedelta(minutes=5, seconds=n)))
            claimed = Assurance.CLAIMED
            await store.attach(
                TENANT, call_id, caller_id=caller_id, assurance=claimed, handles=[handle]
            )
            made = [_decision(one, call, caller_id) for one in kept[: None if n % 3 else 3]]
            await store.write(TENANT, made)
            job = await store.lease(now_at=call.started_at + timedelta(days=1), lease_ms=LEASE_MS)
            if job is not None:
                said = Summary(call_id, TENANT, caller_id, call.started_at, SUMMARY, resolved=False)
                await store.put_summary(job, said)


def _decision(kept: Kept, call: Call, caller_id: str) -> Decision:
    n = caller_id.removeprefix("caller-")
    words = (kept.words or kept.value).replace("{n}", n)
    candidate = Candidate(
        key=kept.key,
        value=kept.value.replace("{n}", n),
        source=Source.CALLER,
        confidence=0.9,
        observed_at=call.started_at,
        evidence=Evidence(call.id, 0, words, 0, len(words)),
        cardinality=kept.cardinality,
    )
    fact = Fact(
        id=fact_id(TENANT, candidate),
        tenant=TENANT,
        call_id=call.id,
        caller_id=caller_id,
        key=kept.key,
        value=candidate.value,
        source=Source.CALLER,
        confidence=0.9,
        observed_at=call.started_at,
        recorded_at=call.started_at,
        evidence=candidate.evidence,
        cardinality=kept.cardinality,
        status=kept.status,
    )
    return Decision(Action.ADD, "new", candidate, fact)


async def leave_unsettled(
    store: MemoryStore | SqliteStore, numbers: Iterable[int], *, now_at: datetime
) -> None:
    """Have these callers on another line, with eight turns that somebody else is reading."""
    began_at = now_at - timedelta(minutes=1)
    for n in numbers:
        call_id, handle = f"call-{n}-open", Handle(HandleKind.PHONE, phone(n)[1])
        store.record_nowait(CallOpened(Call(call_id, TENANT, began_at, handles=(handle,))))
        for place, (role, words) in enumerate(UNSETTLED_WORDS):
            turn = Turn(role, words, began_at + timedelta(seconds=5 * place), place)
            store.record_nowait(TurnObserved(TENANT, call_id, turn))
        await store.flush()
        await store.attach(TENANT, call_id, caller_id=f"caller-{n}", assurance=Assurance.CLAIMED)
    while await store.lease(now_at=now_at, lease_ms=LEASE_MS):
        pass  # another process has it
