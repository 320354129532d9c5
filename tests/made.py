"""Small things that several test modules make: call folders, language model servers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from ringback_voice.audio_file import write_wav

RATE_HZ = 8_000


def make_call(folder: Path, *spans_ms: tuple[int, int], sound: np.ndarray) -> Path:
    """Write a call folder with the caller's turns at the given times of a sound at 8 kHz."""
    folder.mkdir(parents=True, exist_ok=True)
    write_wav(folder / "audio.wav", sound, RATE_HZ)
    (folder / "call.toml").write_text(
        'title = "Made"\nlanguage = "en"\nlicence = "CC0-1.0"\n'
        '[audio]\nfile = "audio.wav"\n[[speaker]]\nid = "a"\nrole = "caller"\n'
    )
    turns = [
        {
            "position": i,
            "role": "caller",
            "speaker": "a",
            "text": "?",
            "started_ms": a,
            "ended_ms": b,
        }
        for i, (a, b) in enumerate(spans_ms)
    ]
    (folder / "turns.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    return folder


@contextmanager
def llm_server(
    *, answer: str | None = None, hang_s: float = 0, requests: list[dict] | None = None
) -> Iterator[str]:
    """An OpenAI-compatible server that answers one text, hangs, or (without either) fails.

    `requests` takes the body of each chat request.
    """
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(json.dumps({"data": [{"id": "scripted"}]}).encode(), "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if requests is not None:
                requests.append(json.loads(body))
            if hang_s:
                over.wait(hang_s)
            if answer is None:
                self.send_error(500)
                return
            head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
            delta = {"index": 0, "delta": {"content": answer}, "finish_reason": None}
            stop = {"index": 0, "delta": {}, "finish_reason": "stop"}
            chunks = [{**head, "choices": [choice]} for choice in (delta, stop)]
            lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
            self._send("".join(lines).encode(), "text/event-stream")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/v1"
    finally:
        over.set()
        httpd.shutdown()
        thread.join()
        httpd.server_close()
        time.sleep(0)
