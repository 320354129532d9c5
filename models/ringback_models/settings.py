"""Where models are kept and where they may come from, read from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

import platformdirs

from ringback_models.errors import ModelSettingsError

SourceName = Literal["hub", "registry"]

FOLDER_VARIABLE = "RINGBACK_MODELS_DIR"
SOURCES_VARIABLE = "RINGBACK_MODEL_SOURCES"
HUB_VARIABLE = "HF_ENDPOINT"  # the hub's own tools read the same one

HUB_URL = "https://huggingface.co"
CONNECT_TIMEOUT_MS = 10_000  # a hub that cannot be reached must not hold up the next source
STALL_TIMEOUT_MS = 30_000  # no byte for so long counts as a broken connection
RETRY_PAUSES_MS = (250, 1_000)  # two more tries within one call, resuming each time


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where models are kept, and which sources may be asked, in order."""

    folder: Path
    """The cache; each model has a folder of its own in it."""
    sources: tuple[SourceName, ...] = ("hub",)
    """Asked in this order; empty means offline: nothing is ever fetched."""
    hub_url: str = HUB_URL
    """The hub's or its mirror's address, without a final slash."""
    connect_timeout_ms: int = CONNECT_TIMEOUT_MS
    """How long the hub may take to accept a connection."""
    stall_timeout_ms: int = STALL_TIMEOUT_MS
    """How long the hub may send nothing."""
    retry_pauses_ms: tuple[int, ...] = RETRY_PAUSES_MS
    """The pause before each further try after a broken connection."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ModelSettings:
        """Read the settings from environment variables.

        Args:
            environment: The variables; the process's own where it is None.

        Raises:
            ModelSettingsError: A variable holds a value that cannot be.
        """
        given = os.environ if environment is None else environment
        folder = given.get(FOLDER_VARIABLE, "").strip()
        return cls(
            folder=Path(folder).expanduser().absolute() if folder else default_folder(),
            sources=_sources(given.get(SOURCES_VARIABLE, "hub")),
            hub_url=_hub_url(given.get(HUB_VARIABLE, "").strip() or HUB_URL),
        )


def default_folder() -> Path:
    """Return the folder for models in the platform's cache folder."""
    return platformdirs.user_cache_path("ringback") / "models"


def _sources(value: str) -> tuple[SourceName, ...]:
    words = [word.strip().lower() for word in value.split(",") if word.strip()]
    if words in ([], ["none"]):
        return ()
    by_word: dict[str, SourceName] = {name: name for name in get_args(SourceName)}
    wrong = [word for word in words if word not in by_word]
    if wrong or len(set(words)) != len(words):
        raise ModelSettingsError(
            f"{SOURCES_VARIABLE} is {value!r}",
            "set it to hub, registry, or both with a comma, the first one asked first; "
            "none or nothing never fetches",
        )
    return tuple(by_word[word] for word in words)


def _hub_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        # Not echoed: a mirror's address may carry a password.
        raise ModelSettingsError(
            f"{HUB_VARIABLE} is not an address",
            f"set it to one like {HUB_URL}, or unset it",
        )
    return value.rstrip("/")
