"""A word that was forgotten stands in no file of the store and is answered by no path."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringback import Memory, MemorySettings
from ringback.core.alignment import OfferedTurn
from ringback.records import Role
from ringback.schemas import GENERAL
from tests.field.made import AT, HANDLES, current, dana, danas, talk, turn
from tests.stores.made import locked, spill_files

pytestmark = pytest.mark.framework

HURRY = MemorySettings(drain_ms=100)  # a call that was erased is never settled
WORD = "zanzibarite"
LINES = (
    f"c: I love {WORD}.",
    f"a: I will send you the {WORD} on Friday.",
    f"c: My {WORD} is broken, and what does a new {WORD} cost?",
)


def files_with(folder: Path, word: str) -> list[str]:
    """Files of a closed store in which a word stands, in any case and usual encoding."""
    wanted = [word.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path.name for path in files if any(one in path.read_bytes().lower() for one in wanted)]


class WordyModel:
    """A language model that repeats the words it is given."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        return f"The caller asked about {WORD} and was told to wait for it." if WORD in text else ""


async def say_everywhere(memory: Memory) -> None:
    """Have the word in turns of both sides, facts, decisions, summaries, jobs and handles."""
    profile = dana(memory)
    await talk(memory, *LINES)
    await profile.remember(f"collects {WORD}", record="crm-1")
    await profile.ingest([OfferedTurn(Role.CALLER, f"Is {WORD} rare?", at=AT)], conversation="mail")
    await memory.settle()
    call = await danas(memory)
    await call.identify("dana", call.call.assurance, handles=[("web", f"{WORD}@example.org")])
    await call.observe(turn(f"c: One more thing about {WORD}.")).committed()


async def test_after_a_caller_is_forgotten_their_word_is_nowhere(url: str, tmp_path: Path):
    async with await Memory.open(
        url, schema=GENERAL, generator=WordyModel(), settings=HURRY
    ) as memory:
        await say_everywhere(memory)
        assert await memory.keeping.residue([WORD]) > 0

        erased = await dana(memory).forget(everything=True)
        await memory.settle()

        assert erased.is_clean, erased.looks
        assert await memory.keeping.residue([WORD]) == 0
        assert await memory.keeping.callers("acme") == ()
        looks = await dana(memory).verify_forgotten([WORD], questions=["What does she collect?"])
        assert all(look.is_clean for look in looks), looks
        again = memory.ring(tenant="acme", handles=HANDLES)
        await again.briefed()
        assert WORD not in again.context().briefing
    if url != "memory:":
        assert files_with(tmp_path, WORD) == []


async def test_after_its_call_and_its_record_are_forgotten_a_word_is_nowhere_and_the_rest_stays(
    url: str, tmp_path: Path
):
    async with await Memory.open(url, schema=GENERAL, generator=WordyModel()) as memory:
        profile = dana(memory)
        call = await talk(memory, *LINES)
        await talk(memory, "c: I adore opera.", days=1)
        noted = await profile.remember(f"collects {WORD}")
        assert noted.fact is not None

        await profile.forget(fact=noted.fact.id)
        await profile.forget(call=call.call.id)
        await memory.settle()

        looks = await profile.verify_forgotten([WORD])
        assert all(look.is_clean for look in looks), looks
        assert await current(profile) == [("likes", "opera")]
    if url != "memory:":
        assert files_with(tmp_path, WORD) == []
        assert files_with(tmp_path, "i adore opera") != []


async def test_a_forgotten_liking_leaves_no_counterpart_that_names_it(url: str, tmp_path: Path):
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        await talk(memory, LINES[0])
        (liked,) = await profile.facts()

        erased = await profile.forget(fact=liked.id)
        await memory.settle()

        looks = await profile.verify_forgotten([WORD])
        assert erased.is_clean, erased.looks
        assert all(look.is_clean for look in looks), looks
        assert await profile.facts(with_history=True) == ()
    if url != "memory:":
        assert files_with(tmp_path, WORD) == []


async def test_what_was_spilled_while_the_file_was_locked_is_forgotten_as_well(tmp_path: Path):
    file = tmp_path / "m.db"
    async with await Memory.open(f"sqlite:///{file}", schema=GENERAL, settings=HURRY) as memory:
        await talk(memory, "c: I adore opera.")
        call = await danas(memory)
        with locked(file):
            await call.observe(turn(LINES[0])).committed()
            spilled = [path.name for path in spill_files(tmp_path) if WORD in path.read_text()]

        await dana(memory).forget(everything=True)
        await memory.settle()

        assert len(spilled) == 1
        assert await memory.keeping.residue([WORD]) == 0
    assert files_with(tmp_path, WORD) == []
