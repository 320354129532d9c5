"""Ways to find the nearest of one caller's vectors: time, what they miss, memory, cold start.

The vectors are real ones: turns of the extraction benchmark, alone and two at a time, or
texts of your own. What is wanted beyond them is mixtures of two, moved by the difference of
two others, so that they spread as real ones do. The questions are turns that are not among
them. All of it runs in a process of its own, on one thread.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ringback.clock import SystemClock
from ringback.inference import OnnxEmbedder
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench import vector_ways as ways
from ringback_ops.bench.extraction_set import read_set
from ringback_ops.bench.vector_ways import Vectors, Way
from ringback_ops.cli import existing_path

MODEL = "minilm-l6-v2-int8"
SIZES = (100, 1_000, 10_000, 100_000)
QUICK_SIZES = (100, 1_000, 10_000)
QUESTIONS = 200
PAIRS, QUICK_PAIRS = 5_000, 500  # texts made of two turns each; a minute, and seconds
RESCORED = (200, 800)  # of the nearest by their signs
WARM_UP = 20  # questions that are not timed
SEED = 7
LEAST_SHARE, DRIFT = 0.2, 0.5  # of the second turn in a mixture; of the difference
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one way at one size."""

    way: str
    memories: int
    p50_ms: float
    p95_ms: float
    recall_at_20: float
    """The share of the 20 nearest that it finds."""
    held_mib: float
    build_ms: float
    """From float32 vectors in memory."""
    cold_ms: float | None
    """From the file to a way that can be asked; None where it keeps nothing in one."""


Build = Callable[[], Way]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--sizes", type=int, nargs="+", metavar="N", help=f"memories; {SIZES} if not given"
    )
    parser.add_argument("--texts", type=existing_path, help="a file of memories, one a line")
    parser.add_argument("--questions", type=existing_path, help="a file of questions, one a line")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Embed, search in every way, print a table, return the figures."""
    folder = resolve(MODEL, reporter=TqdmReporter())
    sizes = arguments.sizes or (QUICK_SIZES if arguments.quick else SIZES)
    skipped = ways.missing_ways()
    for line in skipped:
        print(f"skipped: {line}")
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))  # read when numpy is loaded: in the child
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as child:
        texts, asked = _texts(arguments)
        print(f"embedding {len(texts):,} texts and {len(asked)} questions with {MODEL}", flush=True)
        real, questions = child.submit(embedded, folder, texts, asked).result()
        rows = [
            row for size in sizes for row in child.submit(measure, real, questions, size).result()
        ]
    print_table(rows)
    return {"model": MODEL, "rows": [asdict(row) for row in rows], "skipped": list(skipped)}


def embedded(folder: Path, texts: Sequence[str], asked: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Embed what is kept, and what is asked."""

    async def both() -> tuple[Vectors, Vectors]:
        return await embedder.embed(texts), await embedder.embed_query(asked)

    embedder = OnnxEmbedder(folder)
    with closing(embedder):
        return asyncio.run(both())


def _texts(arguments: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Choose what is kept and what is asked, in a fixed mixed order."""
    random = np.random.default_rng(SEED)
    if arguments.texts:
        texts = _mixed(arguments.texts.read_text(encoding="utf-8").splitlines(), random)
    else:
        dialogues = [dialogue for dialogue in read_set() if dialogue.language == "en"]
        texts = _mixed([turn.text for dialogue in dialogues for turn in dialogue.turns], random)
    if arguments.questions:
        return texts, _mixed(arguments.questions.read_text(encoding="utf-8").splitlines(), random)[
            :QUESTIONS
        ]
    texts, asked = texts[QUESTIONS:], texts[:QUESTIONS]
    if not arguments.texts:
        count = QUICK_PAIRS if arguments.quick else PAIRS
        pairs = random.integers(len(texts), size=(count, 2)).tolist()
        texts += [f"{texts[one]} {texts[two]}" for one, two in pairs]
    return texts, asked


def _mixed(texts: Sequence[str], random: np.random.Generator) -> list[str]:
    distinct = sorted({text for text in texts if text.strip()})
    return [distinct[place] for place in random.permutation(len(distinct))]


def made_vectors(real: Vectors, count: int) -> Vectors:
    """Make more vectors of real ones; the first are the real ones themselves.

    Args:
        real: float32 [n, dimensions], unit norm.
        count: How many.

    Returns:
        float32 [count, dimensions], unit norm.
    """
    random = np.random.default_rng(SEED)
    more = max(0, count - len(real))
    one, two, plus, minus = (real[random.integers(len(real), size=more)] for _ in range(4))
    share = random.uniform(LEAST_SHARE, 1.0, size=(more, 1)).astype(np.float32)
    made = one + share * two + DRIFT * (plus - minus)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return np.concatenate([real[:count], made])


def measure(real: Vectors, questions: Vectors, size: int) -> list[Row]:
    """Build every way over so many memories and ask it every question."""
    vectors = made_vectors(real, size)
    truth = [set(ways.ExactFloats(vectors).nearest(question)) for question in questions]
    with tempfile.TemporaryDirectory() as folder:
        kept = ways.keep(Path(folder) / "vectors.db", vectors)
        with closing(ways.StoredCodes(kept)) as stored:
            return [
                _row(name, build, cold, questions, truth, size)
                for name, build, cold in _candidates(vectors, kept, stored)
            ]


def _candidates(
    vectors: Vectors, kept: ways.Kept, stored: ways.StoredCodes
) -> Iterator[tuple[str, Build, Build | None]]:
    """Name every way that can be tried here, how it is built, and how from the file."""
    yield "float32", lambda: ways.ExactFloats(vectors), None
    yield "float16", lambda: ways.ExactNarrow(vectors.astype(np.float16)), None
    yield (
        "int8",
        lambda: ways.ExactNarrow(ways.as_codes(vectors)),
        lambda: ways.ExactNarrow(kept.codes()),
    )
    for rescored in RESCORED:
        yield (
            f"signs, {rescored} of int8",
            partial(_held, lambda: (ways.as_signs(vectors), ways.as_codes(vectors)), rescored),
            partial(_held, lambda: (kept.signs(), kept.codes()), rescored),
        )
    for rescored in RESCORED:
        yield (
            f"signs, {rescored} in SQLite",
            partial(_stored, lambda: ways.as_signs(vectors), stored, rescored),
            partial(_stored, kept.signs, stored, rescored),
        )
    skipped = {line.partition(":")[0] for line in ways.missing_ways()}
    if "graph" not in skipped:
        saved = kept.path.with_suffix(".graph")
        yield (
            "graph (usearch)",
            lambda: ways.Graph.saved_to(saved, vectors),
            lambda: ways.Graph.loaded(saved),
        )
    if "extension" not in skipped:
        yield "sqlite-vec", lambda: ways.Extension(vectors), None


def _held(made: Callable[[], tuple[ways.Signs, ways.Codes]], rescored: int) -> Way:
    signs, codes = made()
    return ways.SignsThenCodes(
        signs, lambda rows: codes[rows], rescored=rescored, held_bytes=codes.nbytes
    )


def _stored(made: Callable[[], ways.Signs], stored: ways.StoredCodes, rescored: int) -> Way:
    return ways.SignsThenCodes(made(), stored, rescored=rescored)


def _row(
    name: str,
    build: Build,
    cold: Build | None,
    questions: Vectors,
    truth: Sequence[set[int]],
    size: int,
) -> Row:
    build_ms, way = _timed(build)
    cold_ms = _timed(cold)[0] if cold else None
    for question in questions[:WARM_UP]:
        way.nearest(question)
    asked = [_timed(partial(way.nearest, question)) for question in questions]
    takes_ms = np.array([ms for ms, _ in asked])
    found = [len(true & set(ids)) / len(true) for true, (_, ids) in zip(truth, asked, strict=True)]
    return Row(
        way=name,
        memories=size,
        p50_ms=round(float(np.percentile(takes_ms, 50)), 3),
        p95_ms=round(float(np.percentile(takes_ms, 95)), 3),
        recall_at_20=round(float(np.mean(found)), 4),
        held_mib=round(way.held_bytes / MIB, 2),
        build_ms=round(build_ms, 1),
        cold_ms=None if cold_ms is None else round(cold_ms, 1),
    )


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    clock = SystemClock()
    begun_ms = clock.now_ms()
    result = work()
    return clock.now_ms() - begun_ms, result


def print_table(rows: Sequence[Row]) -> None:
    """Print one line for each way and size."""
    print(
        f"{'memories':>9}  {'way':22}{'p50 ms':>9}{'p95 ms':>9}{'recall@20':>11}"
        f"{'MiB':>9}{'build ms':>10}{'cold ms':>9}"
    )
    for row in rows:
        cold = "-" if row.cold_ms is None else f"{row.cold_ms:,.1f}"
        print(
            f"{row.memories:>9,}  {row.way:22}{row.p50_ms:>9.3f}{row.p95_ms:>9.3f}"
            f"{row.recall_at_20:>11.4f}{row.held_mib:>9.2f}{row.build_ms:>10,.1f}{cold:>9}"
        )
