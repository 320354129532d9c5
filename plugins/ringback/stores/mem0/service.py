"""Names a mem0 to work with: one that an application made, or one on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ringback.protocols import Embedder
from ringback.stores.mem0 import local
from ringback.stores.mem0.client import Mem0Client
from ringback.stores.mem0.store import Local, Mem0Store


class EmbeddedThere:
    """Stands for an embedder where the service makes its vectors itself; an `Embedder`.

    Its own vectors say nothing: the texts go to the service.

    Args:
        name: What the service embeds with; under another name all is sent anew.
        reads: Whether it has learnt the script of a text.
        likeness_from: See `Embedder`.
    """

    dimensions = 1

    def __init__(
        self, name: str, reads: Callable[[str], bool], likeness_from: tuple[float, float]
    ) -> None:
        self.name = name
        self.likeness_from = likeness_from
        self._reads = reads

    def reads(self, text: str) -> bool:
        """It has learnt the script of this text."""
        return self._reads(text)

    async def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One number for each text, always the same."""
        return np.ones((len(texts), 1), np.float32)

    async def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The same."""
        return await self.embed(texts)


class Mem0:
    """An external memory service: facts and turns are found by meaning there.

    For `Memory.open(…, service=…)`. Words of facts and turns, the tenant's name and the
    ids of callers and calls are sent to it. The journal, the facts, full text, and what
    was decided stay in the local store, which alone is believed: what mem0 answers counts
    only where it stands so in the local store.

    Args:
        client: A `mem0.Memory`, configured as the application likes; used from one thread.
        name: What it embeds with; another name than last time sends everything anew.
        reads: Whether its embedder has learnt the script of a text.
        likeness_from: The score of two texts with nothing in common, and of two that say the
            same; the default is all-MiniLM-L6-v2's.
        folder: Where its files lie, if they are on this machine and nobody else's:
            forgetting clears them, and looks into them.
    """

    def __init__(
        self,
        client: Mem0Client,
        *,
        name: str = "mem0",
        reads: Callable[[str], bool] = lambda _: True,
        likeness_from: tuple[float, float] = (0.1, 0.7),
        folder: Path | None = None,
    ) -> None:
        self.client = client
        self.embedder = EmbeddedThere(name, reads, likeness_from)
        self._folder = folder

    @classmethod
    def on_this_machine(cls, folder: Path | str, embedder: Embedder) -> Mem0:
        """mem0 with Qdrant's files in a folder, our embedder, no language model, no telemetry.

        Takes seconds: make it before the loop runs or in a thread. mem0 writes its settings
        and no words into `MEM0_DIR`, which is the same folder where it is not set.

        Args:
            folder: Of its own; made if need be. One process at a time, and one memory, with
                which it is closed.
            embedder: Stays whoever made it's, to be closed after the memory.

        Raises:
            UsageError: mem0 is not installed, or is set to send telemetry.
        """
        folder = Path(folder).absolute()
        client = local.opened(folder, embedder)
        return cls(
            client,
            name=f"mem0:{embedder.name}",
            reads=embedder.reads,
            likeness_from=embedder.likeness_from,
            folder=folder,
        )

    def over(self, kept: Local) -> Any:
        """A store of which this service is a part."""
        return Mem0Store(kept, self.client, folder=self._folder)
