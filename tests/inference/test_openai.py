"""The client of OpenAI-compatible servers, against a real socket that answers as it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from ringback.errors import InferenceError, InferenceUnavailableError
from ringback.inference.openai import OpenAiGenerator

pytestmark = pytest.mark.server

SHAPE = {"type": "object"}


@dataclass
class Server:
    """Answers each request with the next of its answers; keeps what was asked."""

    answers: list[tuple[int, Any]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[bytes] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        self.headers.append(head)
        self.asked.append(json.loads(await reader.readexactly(length)))
        status, body = self.answers.pop(0)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode()
            + data
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def served(*answers: tuple[int, Any]) -> AsyncIterator[tuple[Server, OpenAiGenerator]]:
    server = Server(list(answers))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with listening:
        yield server, OpenAiGenerator(f"http://127.0.0.1:{port}/v1", "small", api_key="k-1")


def says(text: Any, reason: str = "stop", **use: int) -> tuple[int, Any]:
    choice = {"message": {"content": text}, "finish_reason": reason}
    return 200, {"choices": [choice], "usage": use}


async def test_a_shape_is_asked_for_and_its_cost_comes_back():
    answer = says('{"facts": []}', prompt_tokens=12, completion_tokens=3)
    async with served(answer) as (server, model):
        completion = await model.fill("Note facts.", "0 caller: hi", shape=SHAPE, max_tokens=9)

    assert completion.text == '{"facts": []}'
    assert (completion.prompt_tokens, completion.completion_tokens) == (12, 3)
    assert not completion.is_cut
    (asked,) = server.asked
    assert asked["response_format"]["json_schema"]["schema"] == SHAPE
    assert (asked["temperature"], asked["max_tokens"]) == (0, 9)
    assert b"Bearer k-1" in server.headers[0]


async def test_an_answer_that_reached_its_limit_says_so():
    async with served(says('{"facts": [', reason="length")) as (_, model):
        completion = await model.fill("i", "t", shape=SHAPE, max_tokens=3)

    assert completion.is_cut


async def test_a_server_that_knows_no_shapes_is_asked_without_from_then_on():
    plain = says('{"facts": []}')
    async with served((400, {"error": "response_format"}), plain, plain) as (server, model):
        for _ in range(2):
            await model.fill("i", "t", shape=SHAPE, max_tokens=3)

    assert ["response_format" in asked for asked in server.asked] == [True, False, False]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((500, {}), InferenceUnavailableError),
        ((200, b"<html>nope</html>"), InferenceError),
        ((200, {}), InferenceError),
        ((200, []), InferenceError),
        ((200, {"choices": []}), InferenceError),
        (says(None), InferenceError),
        (says("   "), InferenceError),
        (says(7), InferenceError),
    ],
)
async def test_an_answer_without_a_text_is_a_typed_error(answer, error):
    async with served(answer, answer) as (_, model):
        with pytest.raises(error) as raised:
            await model.write("secret instruction", "zanzibarite", max_tokens=3)

    assert "zanzibarite" not in str(raised.value)


async def test_a_server_that_is_not_there_is_unavailable():
    with pytest.raises(InferenceUnavailableError):
        await OpenAiGenerator("http://127.0.0.1:9/v1", "m").fill(
            "i", "t", shape=SHAPE, max_tokens=3
        )
