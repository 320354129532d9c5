"""Whether a file is the right one: its size, and its SHA-256."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ringback_models.errors import ModelChecksumError, ModelMissingError
from ringback_models.manifest import Model, ModelFile
from ringback_models.progress import Reporter, SilentReporter

CHUNK_BYTES = 1 << 20
PREFIX_DIGITS = 12  # of a hash, in a message


def verify(
    model: Model, folder: Path, *, deep: bool = False, reporter: Reporter | None = None
) -> None:
    """Check that all of a model's files are here and are the right bytes.

    A file that was hashed before and has kept its size and time of change since is not
    hashed again, unless `deep` asks for it.

    Args:
        model: What the files must be.
        folder: Where they lie.
        deep: Whether to hash every file whatever its stamp says.
        reporter: Is told about the hashing, if there is any.

    Raises:
        ModelMissingError: A file is not here.
        ModelChecksumError: A file is not the right one; it is left where it is.
    """
    reporter = reporter or SilentReporter()
    doubtful = [file for file in model.files if deep or not is_stamped(folder / file.path, file)]
    if not doubtful:
        return
    reporter.start(f"checking {model.name}", sum(file.size_bytes for file in doubtful), 0)
    try:
        for file in doubtful:
            verify_file(folder / file.path, file, advice=mend(model), on_bytes=reporter.advance)
    finally:
        reporter.finish()


def verify_file(
    path: Path,
    file: ModelFile,
    *,
    advice: str,
    stamp: Path | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> None:
    """Hash one file, and remember that it was right.

    Args:
        path: The file.
        file: What it must be.
        advice: What the error tells the reader to do.
        stamp: Where to remember it; beside the file where it is None.
        on_bytes: Is given the number of bytes after each piece that was hashed.

    Raises:
        ModelMissingError: There is no such file.
        ModelChecksumError: Its size or its hash differ; its stamp is removed.
    """
    stamp = stamp or stamp_of(path)
    try:
        with path.open("rb") as handle:
            before = os.fstat(handle.fileno())
            same_size = before.st_size == file.size_bytes  # else not worth hashing
            digest = hashlib.sha256()
            while same_size and (piece := handle.read(CHUNK_BYTES)):
                digest.update(piece)
                if on_bytes:
                    on_bytes(len(piece))
    except FileNotFoundError as error:
        raise ModelMissingError(f"{path} is missing", advice) from error
    if not same_size or digest.hexdigest() != file.sha256:
        with suppress(OSError):  # the stamp no longer fits anyway
            stamp.unlink()
        raise differs(path, file, before.st_size, digest.hexdigest() if same_size else "", advice)
    write_stamp(stamp, before, file)


def admit(unfinished: Path, path: Path, file: ModelFile) -> None:
    """Give a file that was found right its name, in one step, and remember it."""
    unfinished.replace(path)
    write_stamp(stamp_of(path), path.stat(), file)


def mend(model: Model) -> str:
    """Return the advice that puts a model in order again."""
    return f"run `ringback models fetch {model.name} --again`"


def differs(
    path: Path | str, file: ModelFile, found_bytes: int, found_sha256: str, advice: str
) -> ModelChecksumError:
    """Return the error for a file that is not the right one.

    Args:
        path: The file, or where it was to come from.
        file: What it must be.
        found_bytes: The size it has.
        found_sha256: The hash it has; empty if the size already differs.
        advice: What the error tells the reader to do.
    """
    if found_sha256:
        found = f"its SHA-256 starts with {found_sha256[:PREFIX_DIGITS]}"
        wanted = f"not {file.sha256[:PREFIX_DIGITS]}"
    else:
        found = f"it has {found_bytes:,} bytes"
        wanted = f"not {file.size_bytes:,}"
    return ModelChecksumError(f"{path} was refused: {found}, {wanted}", advice)


def stamp_of(path: Path) -> Path:
    """Return the small file that remembers when a file was last found right."""
    return path.with_name(f".{path.name}.stamp")


def is_stamped(path: Path, file: ModelFile, stamp: Path | None = None) -> bool:
    """Tell whether a file was found right before, and was not changed since.

    Args:
        path: The file.
        file: What it must be; a manifest that asks for another hash makes it doubtful.
        stamp: Where it is remembered; beside the file where it is None.
    """
    try:
        now = path.stat()
        noted = json.loads((stamp or stamp_of(path)).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # no file, no stamp, or half a stamp: hash it
        return False
    return bool(now.st_size == file.size_bytes and noted == _stamp(now, file))


def write_stamp(stamp: Path, found: os.stat_result, file: ModelFile) -> None:
    """Remember that a file was right; where that cannot be written, it is hashed each time."""
    with suppress(OSError):  # a cache that is read-only must still serve
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(json.dumps(_stamp(found, file)), encoding="utf-8")


def _stamp(found: os.stat_result, file: ModelFile) -> dict[str, int | str]:
    return {"bytes": found.st_size, "mtime_ns": found.st_mtime_ns, "sha256": file.sha256}
