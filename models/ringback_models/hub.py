"""Models from their official home, over HTTP, continued from where they stopped."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from ringback_models import cache
from ringback_models.errors import ModelNetworkError
from ringback_models.manifest import Model, ModelFile
from ringback_models.progress import Reporter
from ringback_models.settings import HUB_VARIABLE, ModelSettings
from ringback_models.verify import admit, differs

OTHER_HUB = f"try again later, or name a mirror in {HUB_VARIABLE}"
REFUSED = "the copy was deleted; try again later or from another source"
HEADERS = {
    "Accept-Encoding": "identity",  # a range counts bytes of the file itself
    "User-Agent": "ringback-models",
}


def is_known(model: Model) -> bool:
    """Tell whether the model has a home on the hub."""
    return model.hub is not None


def left_bytes(model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
    """Return how many bytes of these files have not come yet."""
    folder = cache.folder_of(settings, model)
    return sum(file.size_bytes - _done_bytes(folder, file) for file in files)


def disk_bytes(model: Model, files: Sequence[ModelFile], settings: ModelSettings) -> int:
    """Return how much room it takes to finish these files."""
    return left_bytes(model, files, settings)


def fetch_files(
    model: Model, files: Sequence[ModelFile], settings: ModelSettings, reporter: Reporter
) -> None:
    """Fetch these files into the model's folder, which exists.

    What came of a file stays in its `.part` over any interruption, and the next call
    asks only for the rest. A file gets its name once its hash is right.

    Raises:
        ModelNetworkError: The hub cannot be reached, breaks off, or does not have it.
        ModelChecksumError: The hub served other bytes; they were deleted.
        OSError: The disk does not take it.
    """
    folder = cache.folder_of(settings, model)
    for file in files:
        _drop_unusable(folder, file)
    total_bytes = sum(file.size_bytes for file in files)
    to_come_bytes = left_bytes(model, files, settings)
    reporter.start(f"{model.name} from the hub", total_bytes, total_bytes - to_come_bytes)
    try:
        with _client(settings) as client:
            hub = _Hub(client, settings, reporter)
            for file in files:
                hub.fetch(model, file, folder)
    finally:
        reporter.finish()


class _BrokenOffError(Exception):
    """The transfer stopped early; what came is kept, and another try may finish it."""


@dataclass(slots=True)
class _Hub:
    """One conversation with the hub; lives as long as one call of `fetch_files`."""

    client: httpx.Client
    settings: ModelSettings
    reporter: Reporter
    was_reached: bool = False

    def fetch(self, model: Model, file: ModelFile, folder: Path) -> None:
        """Fetch one file, trying again after a broken connection."""
        if model.hub is None:
            raise ValueError(f"{model.name} has no home on the hub")
        url = model.hub.url(self.settings.hub_url, file)
        part = cache.part_of(folder, file)
        for pause_ms in (*self.settings.retry_pauses_ms, None):
            try:
                self._stream(url, file, part)
                break
            except (_BrokenOffError, httpx.HTTPError, httpx.InvalidURL) as error:
                # A hub that was never reached is not worth a second wait.
                if pause_ms is None or not self.was_reached:
                    raise self._unreachable(error) from error
                threading.Event().wait(pause_ms / 1_000)
        _adopt(part, file, folder)

    def _stream(self, url: str, file: ModelFile, part: Path) -> None:
        have_bytes = cache.size_of(part)
        if have_bytes == file.size_bytes:
            return
        headers = {"Range": f"bytes={have_bytes}-"} if have_bytes else {}
        with self.client.stream("GET", url, headers=headers) as response:
            self.was_reached = True
            if self._continues(response, file, part, have_bytes):
                self._append(response, file, part, have_bytes)
            else:
                self.reporter.advance(-have_bytes)
                part.unlink(missing_ok=True)
                self._append(response, file, part, 0)

    def _continues(
        self, response: httpx.Response, file: ModelFile, part: Path, have_bytes: int
    ) -> bool:
        """Tell whether the answer goes on after what we have; if not, it starts afresh."""
        status = response.status_code
        if status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)
            self.reporter.advance(-have_bytes)
            raise _BrokenOffError("the hub's file ends before what is here")
        if status >= httpx.codes.INTERNAL_SERVER_ERROR or status in (
            httpx.codes.TOO_MANY_REQUESTS,
            httpx.codes.REQUEST_TIMEOUT,
        ):
            raise _BrokenOffError(f"the hub answers {status}")
        if status not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
            raise ModelNetworkError(
                f"{self._host()} answers {status} for {file.path}",
                "check the network's proxy and login page, and the mirror if "
                f"{HUB_VARIABLE} names one",
            )
        begins, whole_bytes = _extent(response)
        if whole_bytes not in (None, file.size_bytes):
            part.unlink(missing_ok=True)
            raise differs(f"{file.path} from {self._host()}", file, whole_bytes or 0, "", REFUSED)
        if begins not in (0, have_bytes):
            raise _BrokenOffError("the hub sends another range than the one asked for")
        return begins == have_bytes

    def _append(
        self, response: httpx.Response, file: ModelFile, part: Path, have_bytes: int
    ) -> None:
        with part.open("ab") as handle:
            for piece in response.iter_bytes():
                have_bytes += len(piece)
                if have_bytes > file.size_bytes:
                    break
                handle.write(piece)
                self.reporter.advance(len(piece))
        if have_bytes > file.size_bytes:  # never fill a disk with what is wrong already
            part.unlink(missing_ok=True)
            raise differs(f"{file.path} from {self._host()}", file, have_bytes, "", REFUSED)
        if have_bytes < file.size_bytes:
            raise _BrokenOffError("the hub closed the connection early")

    def _host(self) -> str:
        return urlsplit(self.settings.hub_url).hostname or "the hub"

    def _unreachable(self, error: Exception) -> ModelNetworkError:
        what = "broke off" if self.was_reached else "cannot be reached"
        why = str(error) or type(error).__name__
        return ModelNetworkError(f"{self._host()} {what} ({why})", OTHER_HUB)


def _client(settings: ModelSettings) -> httpx.Client:
    stall_s = settings.stall_timeout_ms / 1_000
    connect_s = settings.connect_timeout_ms / 1_000
    timeout = httpx.Timeout(stall_s, connect=connect_s)
    try:
        return httpx.Client(headers=HEADERS, follow_redirects=True, timeout=timeout)
    except (OSError, ValueError, ImportError) as error:  # certificates, a proxy's address, SOCKS
        raise ModelNetworkError(
            f"no connection to the hub can be set up ({type(error).__name__}: {error})",
            "check the variables for certificates (SSL_CERT_FILE) and proxies (HTTPS_PROXY)",
        ) from error


def _extent(response: httpx.Response) -> tuple[int, int | None]:
    """Return where the answer begins in the file, and the whole file's size if it says so."""
    if response.status_code == httpx.codes.PARTIAL_CONTENT:
        # Content-Range: bytes 100-199/200
        extent, _, whole = response.headers.get("Content-Range", "").partition("/")
        first = extent.removeprefix("bytes").strip().partition("-")[0]
        begins = int(first) if first.isdecimal() else -1
    else:
        begins = 0
        whole = response.headers.get("Content-Length", "")
        if "Content-Encoding" in response.headers:
            whole = ""  # of what is sent, not of the file
    return begins, int(whole) if whole.isdecimal() else None


def _done_bytes(folder: Path, file: ModelFile) -> int:
    part_bytes = cache.size_of(cache.part_of(folder, file))
    return part_bytes if part_bytes <= file.size_bytes else 0


def _drop_unusable(folder: Path, file: ModelFile) -> None:
    """Delete an unfinished file that cannot become the right one."""
    part = cache.part_of(folder, file)
    part_bytes = cache.size_of(part)
    if part_bytes < file.size_bytes:
        return
    if part_bytes > file.size_bytes or _sha256_of(part) != file.sha256:
        part.unlink()


def _sha256_of(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _adopt(part: Path, file: ModelFile, folder: Path) -> None:
    """Give a complete file its name, if it is the right one; delete it if it is not."""
    found_sha256 = _sha256_of(part)
    if found_sha256 != file.sha256:
        part.unlink()
        raise differs(f"{file.path} from the hub", file, file.size_bytes, found_sha256, REFUSED)
    admit(part, folder / file.path, file)
