"""The recall scale benchmark: what it fills a store with, and that it prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from ringback.recollection import Cue
from ringback.stores.sqlite import SqliteStore
from ringback.terms import terms
from ringback.testing.hash_embedder import HashEmbedder
from ringback_models import ModelError, resolve
from ringback_ops.bench import recall_scale_filling as filling
from ringback_ops.bench.recall_scale import MODEL
from tests.conftest import missing_tool

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]


def test_the_commonest_words_are_said_far_more_often_than_the_others():
    said = filling.vocabulary()

    spoken = " ".join(islice(filling.sentences(said, np.random.default_rng(1)), 2_000)).lower()

    words = spoken.replace(".", "").split()
    counts = sorted((words.count(word) for word in said.words[:500:20]), reverse=True)
    assert len(said.words) == filling.WORDS
    assert counts[0] > 20 * max(counts[-1], 1)


def test_questions_are_the_same_every_time():
    said = filling.vocabulary()

    assert filling.questions(said, 12) == filling.questions(said, 12)


async def test_a_third_are_facts_the_others_turns_and_all_have_vectors(tmp_path: Path):
    said, embedder = filling.vocabulary(), HashEmbedder()
    real = await filling.real_vectors(said, embedder)

    await filling.fill(tmp_path / "memory.db", said, 30, embedder, real)

    async with await SqliteStore.open(tmp_path / "memory.db") as store:
        facts = await store.facts(filling.TENANT, caller_id=filling.CALLER)
        state = await store.index_state(embedder.name)
        cue = Cue(filling.TENANT, filling.CALLER, terms(facts[0].value), facts[0].observed_at)
        found = await store.find(cue)
    assert (len(facts), state.indexed, state.waiting) == (10, 30, 0)
    assert found[0].fact == facts[0]


def test_a_run_ends_with_one_line_of_json_that_holds_the_keys():
    try:
        resolve(MODEL)
    except ModelError as error:
        missing_tool(str(error))
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    given = ["recall-scale", "--quick", "--sizes", "60", "30", "--questions", "5"]
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", *given],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert [row["memories"] for row in figures["sizes"]] == [30, 60]
    assert {"p50_ms", "p95_ms", "p99_ms", "cold_p50_ms"} <= set(figures["sizes"][0])
    assert figures["growth"] > 0
