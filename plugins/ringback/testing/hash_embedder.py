"""An embedder for tests and trials: texts that share terms point the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ringback.terms import terms


class HashEmbedder:
    """An `Embedder` without a model: each term of a text points one way, by its hash.

    The same text gives the same vector in every process. What shares no term with a question
    is about orthogonal to it; a text without terms points where its characters do. Holds
    nothing, and may be called from any task.

    Args:
        name: What its vectors are kept under; two names give two directions for one term.
        dimensions: At least 1; with few of them, terms meet by chance.
    """

    def __init__(self, name: str = "hash", dimensions: int = 384) -> None:
        self._name = name
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    @property
    def dimensions(self) -> int:
        """As they were given."""
        return self._dimensions

    @property
    def likeness_from(self) -> tuple[float, float]:
        """What shares no term is orthogonal; what has all of them points the same way."""
        return 0.0, 1.0

    def reads(self, text: str) -> bool:  # noqa: ARG002 - it reads anything
        """Any script: a term is a term."""
        return True

    async def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Turn texts into vectors: float32 [n, dimensions], unit norm."""
        made = [self._direction(text) for text in texts]
        return np.stack(made) if made else np.zeros((0, self._dimensions), np.float32)

    async def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The same: questions and what is kept are embedded alike."""
        return await self.embed(texts)

    def _direction(self, text: str) -> npt.NDArray[np.float32]:
        total = sum((self._term(one) for one in terms(text) or (text,)), np.zeros(1))
        length = float(np.linalg.norm(total))
        direction = total / length if length else self._term(text)
        return np.asarray(direction, np.float32)

    def _term(self, term: str) -> npt.NDArray[np.float64]:
        digest = hashlib.sha256(f"{self._name}:{term}".encode("utf-8", "surrogatepass")).digest()
        drawn = np.random.default_rng(list(digest)).standard_normal(self._dimensions)
        unit: npt.NDArray[np.float64] = drawn / np.linalg.norm(drawn)
        return unit
