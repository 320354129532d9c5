"""From the name of a model, or a path, to files that can be loaded."""

from __future__ import annotations

import os
from pathlib import Path

from ringback_models import cache, installed
from ringback_models.errors import ModelMissingError
from ringback_models.fetch import fetch_model, offline
from ringback_models.manifest import Manifest, Model, load_manifest
from ringback_models.progress import Reporter, SilentReporter
from ringback_models.settings import FOLDER_VARIABLE, ModelSettings
from ringback_models.verify import verify


def resolve(
    name_or_path: str | Path,
    *,
    settings: ModelSettings | None = None,
    reporter: Reporter | None = None,
    fetch: bool = True,
    manifest: Manifest | None = None,
) -> Path:
    """Return the folder with a model's files, fetching them if that is allowed.

    A known name gives a folder, always; see `Model.main_file` for the file in it, or
    `resolve_file`. Looked at in this order: the cache, an installed package, the sources
    that the settings allow. A path of the user's own is returned as it is, unhashed.

    Args:
        name_or_path: A name from the manifest; else an existing file or folder. To mean a
            folder that is called like a model, write `./NAME` or pass a Path.
        settings: Where the cache is, and which sources may be asked; from the
            environment where it is None.
        reporter: Is told how it goes.
        fetch: Whether anything may be fetched.
        manifest: The known models; the shipped ones where it is None.

    Raises:
        ModelUnknownError: No model has that name, and no file that path.
        ModelMissingError: It is not here, and fetching is not allowed.
        ModelChecksumError: A file in the cache, or one that was served, is not right.
        ModelNetworkError: No source could be reached, or none has it.
        ModelDiskError: There is no room, or the cache cannot be written.
        ModelSettingsError: An environment variable holds a value that cannot be.
    """
    manifest = manifest or load_manifest()
    path = own_path(name_or_path, manifest)
    if path is not None:
        return path
    model = manifest.model(str(name_or_path))
    settings = settings or ModelSettings.from_environment()
    reporter = reporter or SilentReporter()
    here = _folder_here(model, settings, reporter)
    if here is not None:
        return here
    if not settings.sources:
        raise offline(model, settings)
    if not fetch:
        raise _not_here(model, settings)
    return fetch_model(model, settings, reporter)


def resolve_file(
    name_or_path: str | Path,
    *,
    settings: ModelSettings | None = None,
    reporter: Reporter | None = None,
    fetch: bool = True,
    manifest: Manifest | None = None,
) -> Path:
    """Return the file that a loader opens: a model's main file, or the user's own file.

    Arguments and errors are those of `resolve`; a folder of the user's own is refused
    with ModelMissingError, because it does not say which file is meant.
    """
    manifest = manifest or load_manifest()
    path = resolve(
        name_or_path, settings=settings, reporter=reporter, fetch=fetch, manifest=manifest
    )
    if own_path(name_or_path, manifest) is None:
        return path / manifest.model(str(name_or_path)).main_file
    if path.is_dir():
        raise ModelMissingError(f"{path} is a folder", "give the path of the model's file in it")
    return path


def own_path(name_or_path: str | Path, manifest: Manifest) -> Path | None:
    """Return the user's own path, if it is one and not a model's name.

    Raises:
        ModelMissingError: It is a path, and nothing is there.
    """
    if isinstance(name_or_path, str) and name_or_path in ("", *manifest.names):
        return None
    path = Path(name_or_path).expanduser()
    if path.exists():
        return path
    if isinstance(name_or_path, Path) or "/" in name_or_path or os.sep in name_or_path:
        raise ModelMissingError(f"there is no file or folder {path}", "correct the path")
    return None


def _folder_here(model: Model, settings: ModelSettings, reporter: Reporter) -> Path | None:
    """Return a verified folder that is on this machine, without asking any source."""
    folder = cache.folder_of(settings, model)
    if all((folder / file.path).is_file() for file in model.files):
        with cache.disk_errors(folder, 0):
            verify(model, folder, reporter=reporter)
        return folder
    return installed.verified_folder(model, settings, reporter)


def _not_here(model: Model, settings: ModelSettings) -> ModelMissingError:
    return ModelMissingError(
        f"{model.name} ({model.size_bytes / 1e6:,.0f} MB) is not in "
        f"{cache.folder_of(settings, model)}",
        f"run `ringback models fetch {model.name}`, or name the folder that has it "
        f"in {FOLDER_VARIABLE}",
    )
