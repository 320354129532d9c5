"""`ringback memory merge`, `split`, `moves`, `undo`: said first, done then, and put back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from ringback import Assurance, Memory
from ringback_ops.memory_file import TENANT
from tests.field.made import AT, turn
from tests.ops.test_memory_commands import ringback

pytestmark = pytest.mark.framework

NUMBERS = {"d-office": "+15550100200", "d-mobile": "+15550100199"}
SAID = {"d-office": "c: My account number is 4821.", "d-mobile": "c: My email is dana@example.org."}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "m.db"
    asyncio.run(_two(file))
    return file


async def _two(file: Path) -> None:
    async with await Memory.open(f"sqlite:///{file}") as memory:
        for day, (caller_id, number) in enumerate(NUMBERS.items()):
            handles = [("phone", number)]
            at = AT + timedelta(days=day)
            call = memory.ring(tenant=TENANT, call_id=f"call-{caller_id}", handles=handles, at=at)
            await call.identify(caller_id, Assurance.CLAIMED, handles=handles)
            call.observe(turn(SAID[caller_id], call.call.started_at))
            await call.end()
            await memory.settle()


def done(*words: str, memory: Path) -> str:
    made = ringback("memory", *words, memory=memory)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_a_dry_run_says_what_would_be_merged_and_merges_nothing(file: Path):
    before = done(memory=file)

    shown = done("merge", "d-office", "d-mobile", "--dry-run", memory=file)

    assert "d-office into d-mobile: 1 call, 1 fact" in shown
    assert "phone +15550100200 leads to d-mobile" in shown
    assert "nothing was changed" in shown
    assert done(memory=file) == before


def test_what_was_merged_is_listed_and_put_back_by_the_command_that_is_printed(file: Path):
    before = done(memory=file)
    shown = done("merge", "+15550100200", "+15550100199", "--by", "rosa", memory=file)
    merged = done("d-mobile", memory=file)
    undo = shown.split("`")[1].split()[2:]  # behind "ringback memory"

    listed = done("moves", "d-mobile", memory=file)
    done(*undo, memory=file)

    assert "4821" in merged
    assert "merge: all of d-office into d-mobile, 1 call, by rosa" in listed
    assert sorted(done(memory=file).splitlines()) == sorted(before.splitlines())
    assert "4821" in done("d-office", memory=file)
    assert "undone" in done("moves", "d-mobile", memory=file)


def test_a_call_is_taken_out_and_its_number_leads_to_both_where_that_is_asked(file: Path):
    words = ("split", "d-office", "--call", "call-d-office", "--into", "erik", "--keep-number")
    planned = done(*words, "--dry-run", memory=file)
    assert "nothing was changed" in planned
    assert "4821" in done("d-office", memory=file)

    done(*words, memory=file)

    assert "4821" in done("erik", memory=file)
    refused = ringback("memory", "+15550100200", memory=file)
    assert refused.returncode == 1
    assert "several people have this number: d-office, erik" in refused.stderr


def test_what_is_not_there_is_one_clear_line(file: Path):
    for words in (
        ("merge", "d-office", "nobody"),
        ("merge", "d-office", "d-office"),
        ("split", "d-office", "--call", "call-d-mobile", "--into", "erik"),
        ("undo", "d-office", "0123456789abcdef"),
    ):
        refused = ringback("memory", *words, memory=file)

        assert refused.returncode == 1, words
        assert len(refused.stderr.strip().splitlines()) == 1
