"""What is asked of models: prose, JSON in a shape, vectors; all of it off the live path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


class Generator(Protocol):
    """A language model that writes prose, off the live path."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        """Answer an instruction about a text.

        Raises:
            InferenceError: It does not answer, or answers with nothing.
        """
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model filled in."""

    text: str
    is_cut: bool = False
    """It reached its limit: the end is missing."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Filler(Protocol):
    """A language model that fills in a JSON schema, off the live path."""

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Answer an instruction about a text, in this shape as far as the model can.

        Raises:
            InferenceError: It does not answer, or answers with nothing.
        """
        ...


class Hold(Protocol):
    """Has a model's work stand still where it is, so that it takes no CPU and loses nothing.

    Given by whoever owns the process that computes. Neither verb waits nor raises.
    """

    def hold(self, holder: object) -> None:
        """Stand still until every holder has let go."""
        ...

    def go_on(self, holder: object) -> None:
        """Let go; harmless for one who does not hold."""
        ...


@runtime_checkable
class Holdable(Protocol):
    """A language model that may be held while it answers.

    It sets itself no time limit then: only whoever holds it knows how long it has worked.
    """

    @property
    def hold(self) -> Hold | None:
        """What holds it; None: nothing can, its requests are broken off instead."""
        ...


def hold_of(model: object) -> Hold | None:
    """What holds a model; None where nothing can."""
    return model.hold if isinstance(model, Holdable) else None


class Embedder(Protocol):
    """Turns texts into vectors, off the live path."""

    @property
    def name(self) -> str:
        """Model, revision and pooling; vectors of two names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in each vector."""
        ...

    @property
    def likeness_from(self) -> tuple[float, float]:
        """The cosine of two texts with nothing in common, and of two that say the same.

        Between them likeness grows from 0 to 1: so it means the same whatever the model.
        """
        ...

    def reads(self, text: str) -> bool:
        """It has learnt the script of this text; a vector of any other would mean nothing."""
        ...

    async def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Turn what is kept into vectors; long work gives way to questions.

        Returns:
            float32 [n, dimensions], unit norm, in the order of the texts.

        Raises:
            InferenceError: The model does not answer, or cannot.
        """
        ...

    async def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Turn questions into vectors, before any other work; some models want a prefix.

        Returns:
            float32 [n, dimensions], unit norm, comparable with those of `embed`.

        Raises:
            InferenceError: The model does not answer, or cannot.
        """
        ...
