"""`ringback memory reindex`: vectors are dropped, and made again where there is an embedder."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ringback import Assurance, Memory, Role, Turn
from ringback.testing import HashEmbedder

pytestmark = pytest.mark.framework

ROOT = Path(__file__).parents[2]
HASH = "ringback.testing:HashEmbedder"


def reindex(*words: str, memory: Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    return subprocess.run(
        [sys.executable, "-m", "ringback_ops", "memory", "reindex", *words, "--memory", memory],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
    )


async def made(file: Path) -> None:
    async with await Memory.open(f"sqlite:///{file}", embedder=HashEmbedder()) as memory:
        call = memory.ring(tenant="local", call_id="c1")
        await call.identify("dana", Assurance.VERIFIED)
        call.observe(
            Turn(Role.CALLER, "The hallway lamp is green.", at=datetime(2026, 3, 3, tzinfo=UTC))
        )
        assert await call.end()
        assert await memory.indexed()


async def kept(file: Path) -> dict[str, int]:
    async with await Memory.open(f"sqlite:///{file}") as memory:
        return dict(await memory.keeping.indexed_with())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    asyncio.run(made(path))
    return path


def test_without_an_embedder_vectors_are_dropped(file):
    done = reindex(memory=file)

    assert (done.returncode, done.stderr) == (0, "")
    assert "vectors dropped" in done.stdout
    assert asyncio.run(kept(file)) == {}


def test_with_an_embedder_they_are_made_again(file):
    done = reindex("--embedder", HASH, memory=file)

    assert done.returncode == 0, done.stderr
    assert "1 facts and turns embedded with hash" in done.stdout
    assert asyncio.run(kept(file)) == {"hash": 1}


@pytest.mark.parametrize("name", ["nothing", "no_such_module:x", "ringback.testing:nothing"])
def test_a_name_that_makes_no_embedder_is_refused_in_one_line(file, name):
    done = reindex("--embedder", name, memory=file)

    assert done.returncode == 1
    assert done.stderr.startswith(f"ringback: no embedder {name!r}: ")
    assert len(done.stderr.splitlines()) == 1
    assert asyncio.run(kept(file)) == {"hash": 1}
