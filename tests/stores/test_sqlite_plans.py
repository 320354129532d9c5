"""What is asked of one caller or one call never walks over everybody's rows."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from pathlib import Path

import pytest

from ringback.stores import SqliteStore
from ringback.stores.sqlite.statements import statements

pytestmark = pytest.mark.unit

LARGE = ("caller", "caller_handle", "call", "call_handle", "turn", "fact", "summary", "decision")
OF_ALL = {  # what lists or sweeps a whole tenant, or every tenant
    ("callers", "callers"),
    ("journal", "calls"),
    ("removing", "settled_calls"),
}
FILES = ("callers", "decisions", "facts", "journal", "removing")
OF_ONE = [
    pytest.param(file, name, id=f"{file}.{name}")
    for file in FILES
    for name in statements(file)
    if (file, name) not in OF_ALL
]


def steps(db: sqlite3.Connection, statement: str) -> list[str]:
    names = defaultdict(lambda: "[]", dict.fromkeys(re.findall(r":(\w+)", statement), "[]"))
    return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", names)]


def walks(step: str) -> bool:
    """It reads a whole table, or all that a tenant has in one."""
    table = "|".join(LARGE)
    return bool(
        re.match(rf"SCAN ({table})\b", step)
        or (re.match(rf"SEARCH ({table})\b", step) and re.search(r"\(tenant=\?\)$", step))
    )


@pytest.mark.parametrize(("file", "name"), OF_ONE)
async def test_a_read_of_one_caller_or_call_is_narrowed_by_more_than_the_tenant(
    file: str, name: str, tmp_path: Path
):
    async with await SqliteStore.open(tmp_path / "memory.db"):
        pass
    db = sqlite3.connect(tmp_path / "memory.db")

    plan = steps(db, statements(file)[name])

    db.close()
    assert [step for step in plan if walks(step)] == []


@pytest.mark.parametrize(
    "step",
    [
        "SCAN call",
        "SEARCH call_handle USING COVERING INDEX sqlite_autoindex_call_handle_1 (tenant=?)",
        "SEARCH call USING INDEX call_by_caller (tenant=?)",
    ],
)
def test_such_steps_are_seen(step: str):
    assert walks(step)
