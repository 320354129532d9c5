"""A hub and package index on 127.0.0.1 that misbehaves as told."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

PIECE_BYTES = 16_384


@dataclass(frozen=True)
class Fault:
    """What one answer does wrong."""

    status: int = 0
    body: bytes | None = None
    cut_after_bytes: int | None = None
    stall_after_bytes: int | None = None
    pause_s: float = 0.0
    ignores_range: bool = False
    hides_length: bool = False
    starts_late_by_bytes: int = 0
    encoding: str = ""
    moves_to: str = ""


@dataclass
class HubServer:
    """Serves `files` by path; the n-th request meets the n-th of `faults`, if there is one."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def ranges(self) -> list[str | None]:
        return [range_header for _, range_header in self.requests]

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


class _Http(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, hub: HubServer) -> None:
        self.hub = hub
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> HubServer:
        if not isinstance(self.server, _Http):
            raise TypeError
        return self.server.hub

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        hub = self.hub
        hub.requests.append((self.path, self.headers.get("Range")))
        fault = hub.faults.pop(0) if hub.faults else Fault()
        body = hub.files.get(self.path) if fault.body is None else fault.body
        self.close_connection = True
        if fault.moves_to:
            self.send_response(302)
            self.send_header("Location", fault.moves_to)
            self._end_headers(0)
        elif fault.status or body is None:
            self.send_response(fault.status or 404)
            self._end_headers(0)
        else:
            self._send_file(body, fault)

    def _send_file(self, body: bytes, fault: Fault) -> None:
        wanted = self.headers.get("Range", "")
        first = 0
        if wanted and not fault.ignores_range:
            first = int(wanted.removeprefix("bytes=").removesuffix("-"))
        if first and first >= len(body):
            self.send_response(416)
            self._end_headers(0)
            return
        first += fault.starts_late_by_bytes
        self.send_response(206 if first else 200)
        if fault.encoding:
            self.send_header("Content-Encoding", fault.encoding)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "x/x")
        self._end_headers(None if fault.hides_length else len(body) - first)
        self._send_pieces(body[first:], fault)

    def _send_pieces(self, body: bytes, fault: Fault) -> None:
        cut = len(body) if fault.cut_after_bytes is None else fault.cut_after_bytes
        stall = fault.stall_after_bytes
        end = min(cut, len(body) if stall is None else stall)
        for start in range(0, end, PIECE_BYTES):
            self.wfile.write(body[start : min(start + PIECE_BYTES, end)])
            if fault.pause_s and self.hub.closing.wait(fault.pause_s):
                return
        if stall is not None:
            self.hub.closing.wait(30)

    def _end_headers(self, length: int | None) -> None:
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
