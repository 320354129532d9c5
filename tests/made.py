"""Small things that several test modules make: call folders, language model servers."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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


@dataclass(frozen=True)
class ToolCall:
    """What a scripted model asks for instead of answering."""

    name: str
    arguments: dict[str, object]


def delta_of(reply: str | ToolCall) -> dict[str, object]:
    if isinstance(reply, str):
        return {"content": reply}
    function = {"name": reply.name, "arguments": json.dumps(reply.arguments, ensure_ascii=False)}
    call = {"index": 0, "id": f"call-{uuid.uuid4().hex}", "type": "function", "function": function}
    return {"tool_calls": [call]}


def whole(head: dict[str, object], reply: str | ToolCall) -> dict[str, object]:
    """An answer that was not asked for as a stream."""
    message = {"index": 0, "message": delta_of(reply), "finish_reason": "stop"}
    return {**head, "object": "chat.completion", "choices": [message]}


@contextmanager
def llm_server(
    *,
    answer: str | Callable[[dict], str | ToolCall] | None = None,
    hang_s: float = 0,
    requests: list[dict] | None = None,
    first: Sequence[str | ToolCall] = (),
    prompt_tokens: Callable[[dict], int] | None = None,
) -> Iterator[str]:
    """An OpenAI-compatible server that answers one text, hangs, or (without either) fails.

    `answer` may be made from each request's body; `requests` takes the bodies; `first` are
    the first answers, in order; `prompt_tokens` says what is reported as read.
    """
    over = threading.Event()
    scripted = iter(first)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(json.dumps({"data": [{"id": "scripted"}]}).encode(), "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = json.loads(body)
            if requests is not None:
                requests.append(request)
            if hang_s:
                over.wait(hang_s)
            reply = next(scripted, answer)
            if reply is None:
                self.send_error(500)
                return
            head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
            reply = reply(request) if callable(reply) else reply
            if not request.get("stream"):
                self._send(json.dumps(whole(head, reply)).encode(), "application/json")
                return
            delta = {"index": 0, "delta": delta_of(reply), "finish_reason": None}
            reason = "tool_calls" if isinstance(reply, ToolCall) else "stop"
            stop = {"index": 0, "delta": {}, "finish_reason": reason}
            chunks = [{**head, "choices": [choice]} for choice in (delta, stop)]
            if prompt_tokens is not None:
                read = prompt_tokens(request)
                usage = {"prompt_tokens": read, "completion_tokens": 1, "total_tokens": read + 1}
                chunks.append({**head, "choices": [], "usage": usage})
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
