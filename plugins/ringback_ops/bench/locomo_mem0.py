"""LoCoMo with a mem0 on this machine: alone, as people use it, and as a part of our memory."""

from __future__ import annotations

import argparse
import asyncio
import logging
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from ringback import Memory, OfferedTurn, Role
from ringback.inference import OnnxEmbedder
from ringback.protocols import Embedder
from ringback.schemas.general import GENERAL
from ringback.stores.mem0 import Mem0
from ringback.terms import terms
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench import locomo
from ringback_ops.bench.locomo import Answered
from ringback_ops.bench.locomo_set import Conversation

HEADS = ("any@5", "any@10", "any@20", "all@5", "all@20", "multi-hop all@5")
K1, B, MEAN_TERMS = 1.2, 0.75, 256  # those of fastembed's Qdrant/bm25

WORD = "zibberwock"
SAID = ("I keep a zibberwock at home.", "My zibberwock is called Otto.", "We walk at noon.")

SAYS = """mem0 with infer=False: no language model reads or rewrites what is kept (a local one of
half a billion parameters takes seconds a turn). The embedder is ours for both. mem0's keyword
search wants fastembed's model from a hub; "+ keywords" has plain stems in its place.
"""


def run(conversations: Sequence[Conversation], arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure mem0 alone, and under our layer where that is wanted."""
    logging.getLogger("mem0").setLevel(logging.ERROR)
    print(SAYS)
    alone = _alone(conversations, arguments)
    figures: dict[str, Any] = {"backend": arguments.backend, "infer": False}
    if arguments.backend == "mem0":
        figures = asyncio.run(locomo.measure(conversations, arguments, _service_in)) | figures
    print(f"\n{'':<24}" + "".join(f"{head:>8}" for head in HEADS))
    for name, found in alone.items():
        print(locomo.row(name, found))
    if arguments.backend == "mem0":
        print(locomo.row("under our layer", figures))
        figures["forgotten_is_clean"] = asyncio.run(_forgotten())
        best = max(found["any_at"][5] for found in alone.values())
        figures["gain_any_at_5"] = round(figures["any_at"][5] - alone["mem0"]["any_at"][5], 1)
        figures["gain_over_keywords"] = round(figures["any_at"][5] - best, 1)
        print(f"\ngain, any@5: {figures['gain_any_at_5']} points over mem0 as it is installed")
        print(f"gain, any@5: {figures['gain_over_keywords']} points over the better of its rows")
        print(f"nothing is left of what is forgotten: {figures['forgotten_is_clean']}\n")
    return {**figures, "alone": alone}


async def _forgotten() -> bool:
    """Whether a profile that is forgotten is gone from mem0 and its files as well."""
    embedder = OnnxEmbedder(resolve(locomo.MODEL))
    try:
        with tempfile.TemporaryDirectory() as folder:
            service = _service_in(Path(folder), embedder)
            url = f"sqlite:///{Path(folder) / 'memory.db'}"
            async with await Memory.open(url, schema=GENERAL, service=service) as memory:
                profile = memory.profile(locomo.TENANT, "zed")
                await profile.ingest([OfferedTurn(Role.CALLER, text) for text in SAID])
                await memory.settle()
                await memory.indexed()
                before = await memory.keeping.residue([WORD])
                erased = await profile.forget(everything=True, questions=SAID)
                after = await memory.keeping.residue([WORD])
    finally:
        embedder.close()
    return bool(before) and not after and erased.is_clean


def _service_in(folder: Path, embedder: Embedder) -> Mem0:
    return Mem0.on_this_machine(folder / "mem0", embedder)


def _alone(
    conversations: Sequence[Conversation], arguments: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """Every turn as "speaker: text" under the conversation's user, and its search as it is."""
    embedder = OnnxEmbedder(resolve(locomo.MODEL, reporter=TqdmReporter()))
    questions = locomo.QUICK_QUESTIONS if arguments.quick else None
    answered: dict[str, list[Answered]] = {"mem0": [], "mem0 + keywords": []}
    try:
        with tempfile.TemporaryDirectory() as folder:
            client: Any = Mem0.on_this_machine(Path(folder) / "mem0", embedder).client
            for one in tqdm(conversations, desc="mem0 alone", unit="conversation"):
                client.vector_store._bm25_encoder = Stems()
                _keep(client, one)
                for question in locomo.some(one, questions):
                    for name, encoder in (("mem0", False), ("mem0 + keywords", Stems())):
                        client.vector_store._bm25_encoder = encoder
                        ids = _search(client, one.name, question.text)
                        answered[name].append(Answered(question, ids))
            client.vector_store.client.close()
    finally:
        embedder.close()
    return {name: locomo.ranks(found) for name, found in answered.items()}


def _keep(client: Any, conversation: Conversation) -> None:
    for turn in conversation.turns:
        client.add(
            f"{turn.speaker}: {turn.text}",
            user_id=conversation.name,
            metadata={"turn": turn.id},
            infer=False,
        )


def _search(client: Any, user_id: str, question: str) -> tuple[str, ...]:
    found = client.search(question, top_k=locomo.LIMIT, filters={"user_id": user_id})
    return tuple(one["metadata"]["turn"] for one in found["results"])


@dataclass(frozen=True, slots=True)
class _Sparse:
    indices: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


class Stems:
    """Stands for fastembed's `Qdrant/bm25`: our stems, its weights; Qdrant adds the IDF."""

    def embed(self, texts: Iterable[str]) -> Iterator[_Sparse]:
        """The sparse vector of each text."""
        for text in texts:
            held = Counter(terms(text))
            bound = K1 * (1 - B + B * held.total() / MEAN_TERMS)
            weights = [times * (K1 + 1) / (times + bound) for times in held.values()]
            places = [_place(term) for term in held]
            yield _Sparse(np.array(places, np.int64), np.array(weights))


def _place(term: str) -> int:
    """A place of a term among 2^31; two of one conversation hardly meet."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) >> 1
