"""The vector search benchmark: what it compares is right, and it prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ringback_models import ModelError, resolve
from ringback_ops.bench import vector_ways as ways
from ringback_ops.bench.vector_search import MODEL, made_vectors
from tests.conftest import missing_tool

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]


def unit_vectors(count: int) -> ways.Vectors:
    vectors = np.random.default_rng(1).normal(size=(count, 384)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def test_made_vectors_begin_with_the_real_ones_and_have_length_one():
    real = unit_vectors(50)

    made = made_vectors(real, 200)

    assert made.shape == (200, 384)
    assert np.array_equal(made[:50], real)
    assert np.linalg.norm(made, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_fewer_than_the_real_ones_are_the_first_of_them():
    real = unit_vectors(50)

    assert np.array_equal(made_vectors(real, 20), real[:20])


def test_every_way_finds_a_memory_by_its_own_vector_first(tmp_path: Path):
    vectors = unit_vectors(3_000)
    kept = ways.keep(tmp_path / "vectors.db", vectors)
    codes = ways.as_codes(vectors)
    with closing(ways.StoredCodes(kept)) as stored:
        built = [
            ways.ExactFloats(vectors),
            ways.ExactNarrow(codes),
            ways.ExactNarrow(vectors.astype(np.float16)),
            ways.SignsThenCodes(ways.as_signs(vectors), lambda rows: codes[rows], rescored=50),
            ways.SignsThenCodes(kept.signs(), stored, rescored=50),
        ]

        first = {int(way.nearest(vectors[1_234])[0]) for way in built}

    assert first == {1_234}


def test_what_is_read_from_the_file_is_what_was_kept(tmp_path: Path):
    vectors = unit_vectors(300)

    kept = ways.keep(tmp_path / "vectors.db", vectors)

    assert np.array_equal(kept.codes(), ways.as_codes(vectors))
    assert np.array_equal(kept.signs(), ways.as_signs(vectors))


def test_int8_rows_rank_as_the_floats_do():
    vectors, query = unit_vectors(2_000), unit_vectors(2_001)[-1]

    exact, narrow = ways.ExactFloats(vectors), ways.ExactNarrow(ways.as_codes(vectors))

    assert len(set(exact.nearest(query)) & set(narrow.nearest(query))) >= 19


def test_a_run_ends_with_one_line_of_json_that_holds_the_keys():
    try:
        resolve(MODEL)
    except ModelError as error:
        missing_tool(str(error))
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))
    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops.bench", "vector-search", "--quick", "--sizes", "300"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.splitlines()[-1])["rows"]
    exact = rows[0]
    assert (exact["way"], exact["memories"], exact["recall_at_20"]) == ("float32", 300, 1.0)
    assert {"p50_ms", "p95_ms", "held_mib", "build_ms", "cold_ms"} <= set(exact)
    assert {row["way"] for row in rows} >= {"int8", "signs, 200 of int8", "signs, 800 in SQLite"}
