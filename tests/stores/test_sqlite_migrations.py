"""Files that an older Ringback made are brought up to date, with all that is in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from ringback.erasure import Erasure, Forgotten
from ringback.protocols import CallEnded, Entry
from ringback.recollection import Cue
from ringback.records import JobKind, Sensitivity
from ringback.stores import SqliteStore
from ringback.stores.sqlite.connection import APPLICATION_ID
from ringback.stores.sqlite.journal import abandoned, apply
from ringback.stores.sqlite.statements import migrations, split
from ringback.testing.made_records import (
    LATER_AT,
    LEASE_MS,
    START_AT,
    TENANT,
    ended,
    opened,
    record,
    said,
)

pytestmark = pytest.mark.server

FIRST_INDEXED = 5  # its writers keep the index; older files are indexed when they are opened
ROWS_OF_VERSION_1 = """
INSERT INTO call (tenant, id, started_at, is_opened, generation, ended_at) VALUES
    ('acme', 'cut', 1772463600000000, 1, 1, NULL),
    ('acme', 'quiet', 1772463600000001, 1, 0, NULL),
    ('acme', 'over', 1772463600000002, 1, 1, 1772463900000000);
INSERT INTO turn (
    tenant, call_id, position, role, text, at, speaker, started_ms, ended_ms, interrupted, partial
) VALUES
    ('acme', 'cut', 0, 'caller', 'four', 1772463601000000, '', NULL, NULL, 0, 0);
INSERT INTO job (tenant, call_id, kind, generation, due_at) VALUES
    ('acme', 'cut', 'extract', 1, 1772463601000000),
    ('acme', 'over', 'summarise', 1, 1772463900000000);
"""


FACTS_OF_AN_OLDER_VERSION = """
INSERT INTO caller (tenant, id) VALUES ('acme', 'dana');
UPDATE call SET caller_id = 'dana' WHERE id = 'cut';
INSERT INTO fact (
    tenant, id, call_id, caller_id, key, value, source, confidence, observed_at, recorded_at,
    evidence_call_id, evidence_position, evidence_words, evidence_start, evidence_end,
    kind, scope, cardinality, status
) VALUES (
    'acme', 'f1', 'cut', 'dana', 'account_number', '4821', 'statement by the caller', 0.9,
    1772463601000000, 1772463602000000, 'cut', 0, 'four', 0, 4, 'fact', 'caller', 'one', 'active'
);
"""


def made_by(version: int, path: Path) -> sqlite3.Connection:
    """A file as the first so many migrations make it."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    for script in migrations()[:version]:
        for statement in split(script):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    return connection


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return version


async def test_a_file_of_version_1_is_taken_over_whole(tmp_path):
    path = tmp_path / "memory.db"
    older = made_by(1, path)
    older.executescript(ROWS_OF_VERSION_1)
    older.close()

    async with await SqliteStore.open(path) as store:
        found = await store.abandoned(quiet_since=LATER_AT)
        view = await store.call(TENANT, "cut")
        await record(store, CallEnded(TENANT, "cut", START_AT))
        jobs = [await store.lease(now_at=LATER_AT, lease_ms=LEASE_MS) for _ in range(3)]

    assert version_of(path) == len(migrations())
    assert [call.id for call in found] == ["cut", "quiet"]
    assert view is not None
    assert [turn.text for turn in view.turns] == ["four"]
    assert {(job.call_id, job.kind) for job in jobs if job} == {
        ("over", JobKind.SUMMARISE),
        ("cut", JobKind.EXTRACT),
    }


@pytest.mark.parametrize("version", range(1, FIRST_INDEXED))
async def test_what_an_older_version_kept_is_read_found_and_forgotten(tmp_path, version):
    path = tmp_path / "memory.db"
    older = made_by(version, path)
    older.executescript(ROWS_OF_VERSION_1 + FACTS_OF_AN_OLDER_VERSION)
    older.close()

    async with await SqliteStore.open(path) as store:
        (kept,) = await store.facts(TENANT, caller_id="dana")
        hits = await store.find(Cue(TENANT, "dana", ("four", "account"), LATER_AT))
        view = await store.call(TENANT, "cut")
        await store.forget(Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT))
        after = await store.find(Cue(TENANT, "dana", ("four", "account"), LATER_AT))

    assert version_of(path) == len(migrations())
    assert (kept.value, kept.subject, kept.object, kept.uses) == ("4821", "self", "", 0)
    assert (kept.sensitivity, kept.is_speakable) == (Sensitivity.PERSONAL, True)
    assert [hit.fact or hit.turn for hit in hits] == [kept, view.turns[0] if view else None]
    assert after == ()


async def test_a_new_file_and_one_that_was_brought_up_to_date_have_one_schema(tmp_path):
    names = [f"older-{version}.db" for version in range(1, len(migrations()))]
    for version, name in enumerate(names, start=1):
        made_by(version, tmp_path / name).close()

    schemas = []
    for name in (*names, "new.db"):
        await (await SqliteStore.open(tmp_path / name)).close()
        connection = sqlite3.connect(tmp_path / name)
        rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name")
        schemas.append(rows.fetchall())
        connection.close()

    assert schemas == [schemas[-1]] * len(migrations())


def steps_to_find_abandoned(path: Path, entries: Iterable[Entry]) -> tuple[int, list[str]]:
    """Steps of SQLite's machine for one look at a file with these entries, and what it finds."""
    connection = made_by(len(migrations()), path)
    connection.execute("BEGIN")
    for entry in entries:
        apply(connection, entry, now_at=START_AT)
    connection.execute("COMMIT")
    steps: list[None] = []
    connection.set_progress_handler(lambda: steps.append(None), 1)

    found = abandoned(connection, quiet_since=said(3_000).turn.at, limit=100)

    connection.close()
    return len(steps), [call.id for call in found]


def test_looking_for_abandoned_calls_takes_no_longer_for_calls_that_have_ended(tmp_path):
    def with_ended(number: int) -> list[Entry]:
        over = [entry for n in range(number) for entry in (opened(f"c{n}"), ended(f"c{n}"))]
        return [opened("cut"), said(0, call_id="cut"), *over]

    few = steps_to_find_abandoned(tmp_path / "few.db", with_ended(20))
    many = steps_to_find_abandoned(tmp_path / "many.db", with_ended(2_000))

    assert few[1] == ["cut"]
    assert many == few


def test_looking_for_abandoned_calls_reads_one_turn_of_a_call_that_goes_on(tmp_path):
    def with_turns(number: int) -> list[Entry]:
        return [opened(), *(said(position) for position in range(number)), said(3_000)]

    short = steps_to_find_abandoned(tmp_path / "short.db", with_turns(10))
    long = steps_to_find_abandoned(tmp_path / "long.db", with_turns(1_000))

    assert short[1] == []
    assert long == short
