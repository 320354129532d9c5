"""`ringback chat`, `calls` and `memory`: what is kept, and from which words."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ringback import Memory, Role, Turn
from ringback.records import ModelUse
from ringback_ops.memory_file import TENANT

pytestmark = pytest.mark.framework

ROOT = Path(__file__).parents[2]
CALLS = [str(ROOT / "recordings" / name) for name in ("made-first-call", "made-second-call")]
NUMBER = "+15550100199"


def ringback(*words: str, memory: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    return subprocess.run(
        [sys.executable, "-m", "ringback_ops", *words, "--memory", str(memory)],
        env={**os.environ, "PYTHONPATH": paths},
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> tuple[Path, str]:
    """A memory after both written calls, and what the chat showed."""
    file = tmp_path_factory.mktemp("chat") / "m.db"
    done = ringback("chat", "--script", *CALLS, memory=file)
    assert done.returncode == 0, done.stderr
    return file, done.stdout


def test_a_chat_shows_what_was_read_from_which_words_and_why(kept):
    _, shown = kept

    assert "+ name = Dana Whitfield   “Dana Whitfield” (turn 0): new" in shown
    assert "+ account_number = 4821" in shown


def test_the_second_chat_begins_with_what_the_first_one_said(kept):
    second = kept[1].rpartition("\n---")[2]
    briefing = second.partition("\ncaller:")[0]

    assert "4821" in briefing
    assert "Dana Whitfield" in briefing
    assert "text" in briefing


def test_every_fact_that_is_listed_names_its_call_its_turn_and_its_words(kept):
    # The history: the calls were in March, and some of it has ended since.
    done = ringback("memory", "history", NUMBER, "--tenant", "local", memory=kept[0])

    head, *lines = done.stdout.splitlines()
    facts = lines[: lines.index("last interaction")]
    assert "from 2 calls" in head
    assert len(facts) >= 5
    for line in facts:
        assert " call " in line
        assert " turn " in line
        assert "“" in line


def test_calls_are_listed_and_one_can_be_read(kept):
    listed = ringback("calls", memory=kept[0]).stdout.splitlines()
    read = ringback("calls", listed[-1].split()[0], memory=kept[0]).stdout

    assert len(listed) == 2
    assert "My account number" in read or "my account number" in read


def test_a_person_can_type_a_call(tmp_path: Path):
    typed = "This is Dana Whitfield.\na: Hello Dana.\nMy account number is 4821.\n"

    done = ringback("chat", memory=tmp_path / "m.db", typed=typed)

    assert done.returncode == 0, done.stderr
    assert "+ account_number = 4821" in done.stdout
    assert "summary" in done.stdout


def test_a_withheld_number_is_told_to_be_kept_nowhere(tmp_path: Path):
    done = ringback(
        "chat", "--number", "", memory=tmp_path / "m.db", typed="My account number is 4821.\n"
    )

    assert "nothing is kept beyond this call" in done.stdout


def test_a_memory_that_is_not_there_is_one_clear_line(tmp_path: Path):
    done = ringback("memory", memory=tmp_path / "none.db")

    assert done.returncode == 1
    assert done.stderr.startswith("ringback: nothing is remembered yet")


def test_a_file_that_is_no_memory_is_one_clear_line(tmp_path: Path):
    file = tmp_path / "m.db"
    file.write_bytes(b"this is a text, not a database" * 100)

    done = ringback("calls", memory=file)

    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


async def test_what_a_model_cost_a_call_is_shown_with_it(tmp_path: Path):
    file = tmp_path / "m.db"
    async with await Memory.open(f"sqlite:///{file}") as memory:
        call = memory.ring(tenant=TENANT, call_id="call-1")
        call.observe(Turn(Role.CALLER, "Hello there.", at=datetime(2026, 3, 3, tzinfo=UTC)))
        await call.end()
        await memory.keeping.note_use(TENANT, "call-1", ModelUse(4, 1_200, 80, 0))

    done = ringback("calls", "call-1", memory=file)

    assert "read by a model up to turn 0: 4 requests, 1,200 + 80 tokens" in done.stdout
