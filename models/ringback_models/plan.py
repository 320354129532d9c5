"""What would be fetched, before anything is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ringback_models import cache
from ringback_models.fetch import SOURCES
from ringback_models.installed import installed_folder
from ringback_models.manifest import Manifest, Model, load_manifest
from ringback_models.resolve import own_path
from ringback_models.settings import ModelSettings, SourceName

ASSUMED_MBIT_PER_S = 50  # a household's line
MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes to have one model that is not here, or not all of it."""

    model: Model
    """The model."""
    source: SourceName | None
    """The first source that has it and may be asked; None where there is none."""
    left_bytes: int
    """What is still to come, less what an interrupted fetch left."""
    disk_bytes: int
    """The room that it takes meanwhile."""


def missing(
    names: Iterable[str | Path],
    settings: ModelSettings | None = None,
    *,
    manifest: Manifest | None = None,
) -> tuple[Plan, ...]:
    """Tell which of these models are not here, and what it takes to fetch them.

    Nothing is fetched and nothing is hashed: a file counts as here if its size is right.

    Args:
        names: Names, or paths of the user's own, which are here or are an error.
        settings: Where the cache is, and which sources may be asked; from the
            environment where it is None.
        manifest: The known models; the shipped ones where it is None.

    Returns:
        One plan for each model that is not complete, in the given order.

    Raises:
        ModelUnknownError: A name is not known.
        ModelMissingError: A path does not exist.
    """
    settings = settings or ModelSettings.from_environment()
    manifest = manifest or load_manifest()
    plans = []
    for name in dict.fromkeys(names):
        if own_path(name, manifest) is None:
            plan = _plan(manifest.model(str(name)), settings)
            plans += [plan] if plan else []
    return tuple(plans)


def _plan(model: Model, settings: ModelSettings) -> Plan | None:
    folder = cache.folder_of(settings, model)
    files = [f for f in model.files if cache.size_of(folder / f.path) != f.size_bytes]
    if not files or installed_folder(model):
        return None
    for name in settings.sources:
        source = SOURCES[name]
        if source.is_known(model):
            left_bytes = source.left_bytes(model, files, settings)
            return Plan(model, name, left_bytes, source.disk_bytes(model, files, settings))
    left_bytes = sum(file.size_bytes for file in files)
    return Plan(model, None, left_bytes, left_bytes)


def plans_line(plans: Iterable[Plan], mbit_per_s: int = ASSUMED_MBIT_PER_S) -> str:
    """Return what is still to come and how long that takes, as `632 MB, about 2 min at …`."""
    left_bytes = sum(plan.left_bytes for plan in plans)
    if not left_bytes:
        return "nothing to fetch"
    takes_s = left_bytes * 8 / (mbit_per_s * 1_000_000)
    if takes_s < MINUTE_S:
        takes = f"{max(1, round(takes_s))} s"
    else:
        takes = f"{round(takes_s / MINUTE_S)} min"
    return f"{max(1, round(left_bytes / 1e6)):,} MB, about {takes} at {mbit_per_s} Mbit/s"
