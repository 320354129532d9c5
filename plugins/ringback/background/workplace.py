"""What every worker beside the calls is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ringback.background.thinking import Thinking
from ringback.background.yielding import GiveWay
from ringback.clock import Clock
from ringback.moves import Movable
from ringback.protocols import Embedder, Filler, Generator, Index, Jobs, Journal, Store
from ringback.schemas import Schema
from ringback.settings import MemorySettings


class Keeping(Journal, Store, Jobs, Index, Movable, Protocol):
    """A back-end, whole."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where workers work. Lives as long as its memory."""

    keeping: Keeping
    schema: Schema
    """Which facts there may be."""
    clock: Clock
    settings: MemorySettings
    thinking: Thinking
    """Where decisions are made, off the loop."""
    give_way: GiveWay
    """Holds models back while somebody waits for a reply."""


@dataclass(frozen=True, slots=True)
class Models:
    """What an application brings along; None is none."""

    generator: Generator | None
    extractor: Filler | None
    embedder: Embedder | None
    questions: Filler | None
