"""Models that are here already, as an installed package."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from ringback_models import cache
from ringback_models.errors import ModelChecksumError, ModelMissingError
from ringback_models.manifest import Model
from ringback_models.progress import Reporter
from ringback_models.settings import ModelSettings
from ringback_models.verify import is_stamped, verify_file


def installed_folder(model: Model) -> Path | None:
    """Return the folder in an installed package that holds the model's files by their names.

    Only the pinned version counts, and only if one package holds all files in one folder.
    Their bytes are not looked at.
    """
    source = model.registry
    if source is None or len(source.packages) != 1 or len(source.parts) != len(model.files):
        return None
    package = source.packages[0]
    try:
        distribution = metadata.distribution(package.name)
    except metadata.PackageNotFoundError:
        return None
    if distribution.version != package.version:
        return None
    paths = {part.file: Path(str(distribution.locate_file(part.member))) for part in source.parts}
    folders = {path.parent for path in paths.values()}
    named = all(path.name == name and path.is_file() for name, path in paths.items())
    return folders.pop() if named and len(folders) == 1 else None


def verified_folder(model: Model, settings: ModelSettings, reporter: Reporter) -> Path | None:
    """Return the same folder if its files are the right bytes; else say so and return None.

    That they were right is remembered in the cache, not in the package's folder.
    """
    folder = installed_folder(model)
    if folder is None:
        return None
    for file in model.files:
        stamp = cache.folder_of(settings, model) / f".{file.path}.installed.stamp"
        path = folder / file.path
        if is_stamped(path, file, stamp):
            continue
        try:
            verify_file(path, file, advice="reinstall the package", stamp=stamp)
        except (ModelChecksumError, ModelMissingError, OSError) as error:
            reporter.note(f"the installed package of {model.name} is not used: {error}")
            return None
    return folder
