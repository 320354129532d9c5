"""The real embedding model on its own thread."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ringback.errors import ClosedError, InferenceError, UsageError
from ringback.inference import OnnxEmbedder

pytestmark = pytest.mark.replay

ORDER = "The caller wants the blue sofa delivered on Friday."
MEANS_THE_SAME = "She would like her couch brought at the end of the week."
ELSE = "The router loses its connection every evening."
CHINESE = "請在星期五送來藍色的沙發"
LONG = "the parcel was left with the neighbour " * 300


async def test_vectors_have_length_one(embedder):
    vectors = await embedder.embed([ORDER, CHINESE, "", LONG])

    assert vectors.shape == (4, embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


async def test_the_same_text_gives_the_same_vector(embedder):
    first, second = await embedder.embed([ORDER]), await embedder.embed([ORDER])

    assert np.array_equal(first, second)


async def test_a_text_in_a_batch_gives_the_vector_it_gives_alone(embedder):
    texts = [ORDER, CHINESE, "", MEANS_THE_SAME * 5, ELSE] * 5

    together = await embedder.embed(texts)

    alone = np.concatenate([await embedder.embed([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-4)


async def test_what_means_the_same_is_nearer_than_what_does_not(embedder):
    kept = await embedder.embed([MEANS_THE_SAME, ELSE])

    same, other = kept @ (await embedder.embed_query([ORDER]))[0]

    assert same > other + 0.2


async def test_no_texts_give_no_rows(embedder):
    assert (await embedder.embed([])).shape == (0, embedder.dimensions)


async def test_half_a_character_is_embedded(embedder):
    assert (await embedder.embed(["\ud83d and on"])).shape == (1, embedder.dimensions)


async def test_of_a_long_text_only_the_beginning_counts(embedder):
    cut, whole = await embedder.embed([LONG, LONG + "x" * 50_000])

    assert np.array_equal(cut, whole)


async def test_a_prefix_for_questions_changes_only_questions(embedder, embedding_folder):
    prefixed = OnnxEmbedder(embedding_folder, query_prefix="query: ")

    kept, asked = await prefixed.embed([ORDER]), await prefixed.embed_query([ORDER])

    prefixed.close()
    assert np.array_equal(kept, await embedder.embed([ORDER]))
    assert np.array_equal(asked, await embedder.embed_query([f"query: {ORDER}"]))


def test_another_prefix_makes_another_name(embedder, embedding_folder):
    prefixed = OnnxEmbedder(embedding_folder, query_prefix="query: ")

    prefixed.close()
    assert prefixed.name != embedder.name


async def test_a_question_overtakes_a_long_batch_and_all_that_waits(embedder):
    done: list[str] = []

    async def embed(name: str, texts: list[str]) -> None:
        await embedder.embed(texts)
        done.append(name)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(embed("long", [ORDER] * 200))
        for _ in range(5):
            tasks.create_task(embed("short", [ORDER]))
        await asyncio.sleep(0)  # they are in the queue
        await embedder.embed_query([ELSE])
        done.append("question")

    assert done == ["question", *["short"] * 5, "long"]


async def test_a_cancelled_embed_leaves_nothing_to_wait_for(embedder):
    task = asyncio.create_task(embedder.embed([LONG] * 400))
    await asyncio.sleep(0.01)

    task.cancel()

    async with asyncio.timeout(5):  # all 400 would take half a minute
        assert (await embedder.embed([ORDER])).shape == (1, embedder.dimensions)
    assert task.cancelled()


async def test_after_closing_it_refuses(embedder):
    embedder.close()

    with pytest.raises(ClosedError):
        await embedder.embed([ORDER])


async def test_closing_refuses_what_waits(embedder):
    waiting = [asyncio.create_task(embedder.embed([LONG])) for _ in range(5)]
    await asyncio.sleep(0)

    embedder.close()

    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert sum(isinstance(end, ClosedError) for end in ends) >= 4


def test_closing_ends_its_thread(embedding_folder):
    before = set(threading.enumerate())
    embedder = OnnxEmbedder(embedding_folder)
    (thread,) = set(threading.enumerate()) - before

    embedder.close()
    embedder.close()

    thread.join(timeout=10)
    assert not thread.is_alive()


def test_a_broken_model_file_is_refused(embedding_folder: Path, tmp_path: Path):
    shutil.copy(embedding_folder / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes((embedding_folder / "model.onnx").read_bytes()[:100_000])

    with pytest.raises(InferenceError, match=r"model\.onnx"):
        OnnxEmbedder(tmp_path)


def test_a_broken_tokenizer_file_is_refused(embedding_folder: Path, tmp_path: Path):
    shutil.copy(embedding_folder / "model.onnx", tmp_path)
    (tmp_path / "tokenizer.json").write_text("{")

    with pytest.raises(InferenceError, match=r"tokenizer\.json"):
        OnnxEmbedder(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match=r"model\.onnx is not there"):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize("ending", ["embedder.close()", ""])
def test_a_process_that_ends_while_its_model_computes_ends_well(embedding_folder, ending: str):
    script = f"""
import asyncio
from ringback.inference import OnnxEmbedder
embedder = OnnxEmbedder({str(embedding_folder)!r})
async def main():
    work = asyncio.create_task(embedder.embed(["hello world " * 50] * 64))
    await asyncio.sleep(0.05)
    work.cancel()
asyncio.run(main())
{ending}
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, "")
