"""A mem0 for tests: its client's verbs as of mem0ai 2.2, over a list, with our own vectors."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import numpy as np

from ringback.testing.hash_embedder import HashEmbedder

HASH = HashEmbedder("there", 64)
ENTITIES = {"user_id", "agent_id", "run_id"}


class ListedMem0:
    """Keeps memories in a list; `is_down` makes every verb fail as a lost connection does."""

    def __init__(self) -> None:
        self.is_down = False
        self.kept: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self._made = 0
        self._is_asked, self._goes_on = threading.Event(), threading.Event()
        self._goes_on.set()

    def stop(self) -> tuple[threading.Event, threading.Event]:
        """Answer nothing from now on: set when it is asked, and to be set to let it go on."""
        self._is_asked.clear()
        self._goes_on.clear()
        return self._is_asked, self._goes_on

    def add(
        self, messages: str, *, user_id: str, agent_id: str, metadata: dict[str, Any], infer: bool
    ) -> dict[str, Any]:
        self._answer("add")
        assert not infer
        assert not any(character.isspace() for character in user_id)
        assert not ENTITIES & metadata.keys()
        self._made += 1
        memory_id = f"m{self._made}"
        self.kept[memory_id] = {
            "memory": messages,
            "user_id": user_id,
            "agent_id": agent_id,
            "metadata": dict(metadata),
        }
        return {"results": [{"id": memory_id, "memory": messages, "event": "ADD"}]}

    def search(
        self, query: str, *, top_k: int, filters: dict[str, Any], threshold: float
    ) -> dict[str, Any]:
        self._answer("search")
        assert query.strip()
        (asked,) = asyncio.run(HASH.embed_query([query]))
        found = self._listed(filters)
        for one in found:
            (vector,) = asyncio.run(HASH.embed([one["memory"]]))
            one["score"] = float(np.dot(vector, asked))
        found = [one for one in found if one["score"] >= threshold]
        return {"results": sorted(found, key=lambda one: -one["score"])[:top_k]}

    def get_all(self, *, filters: dict[str, Any], top_k: int) -> dict[str, Any]:
        self._answer("get_all")
        return {"results": self._listed(filters)[:top_k]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        self._answer("get")
        return self.kept.get(memory_id)

    def delete(self, memory_id: str) -> dict[str, Any]:
        self._answer("delete")
        if memory_id not in self.kept:
            raise ValueError(f"Memory with id {memory_id} not found")
        del self.kept[memory_id]
        return {"message": "Memory deleted successfully!"}

    @property
    def texts(self) -> list[str]:
        return sorted(one["memory"] for one in self.kept.values())

    def _answer(self, verb: str) -> None:
        self.asked.append(verb)
        self._is_asked.set()
        self._goes_on.wait(10)
        if self.is_down:
            raise ConnectionError("the text 'a red lamp' could not be sent")

    def _listed(self, filters: dict[str, Any]) -> list[dict[str, Any]]:
        assert ENTITIES & filters.keys()
        return [
            {"id": memory_id, **one}
            for memory_id, one in self.kept.items()
            if all(one.get(key, one["metadata"].get(key)) == to for key, to in filters.items())
        ]
