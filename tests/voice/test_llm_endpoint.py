"""A language model that the user has already: found, or told apart from one that is not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ringback import InferenceUnavailableError, UsageError
from ringback_voice.llm_endpoint import LlmEndpoint, find_endpoint, is_healthy

pytestmark = pytest.mark.server


@contextmanager
def server(body: object, *, status: int = 200) -> Iterator[tuple[str, list]]:
    """Answer every request alike; yields the address and the requests seen."""
    seen: list[tuple[str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append((self.path, self.headers.get("Authorization")))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            return

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}", seen
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


MODELS = {"data": [{"id": "llama3.2:latest"}, {"id": "qwen2.5:7b"}]}


async def test_without_a_name_the_first_listed_model_is_taken():
    with server(MODELS) as (address, seen):
        endpoint = await find_endpoint(address)

    assert endpoint == LlmEndpoint(f"{address}/v1", "llama3.2:latest")
    assert seen == [("/v1/models", "Bearer none")]


async def test_an_address_with_a_path_is_taken_as_it_is():
    with server(MODELS) as (address, seen):
        endpoint = await find_endpoint(f"{address}/openai/v2/", model="qwen2.5:7b", api_key="k1")

    assert endpoint.base_url == f"{address}/openai/v2"
    assert seen == [("/openai/v2/models", "Bearer k1")]


async def test_ollamas_default_tag_may_be_left_out():
    with server(MODELS) as (address, _):
        endpoint = await find_endpoint(address, model="llama3.2")

    assert endpoint.model == "llama3.2"


async def test_a_model_that_is_not_listed_is_named_with_those_that_are():
    with (
        server(MODELS) as (address, _),
        pytest.raises(UsageError, match=r"'gpt-9'.*llama3.2:latest, qwen2.5:7b"),
    ):
        await find_endpoint(address, model="gpt-9")


async def test_a_server_without_a_model_says_so():
    with server({"data": []}) as (address, _), pytest.raises(UsageError, match="lists no model"):
        await find_endpoint(address)


@pytest.mark.parametrize("body", [b"<html>hello</html>", {"models": []}, [1], {"data": [{}]}])
async def test_a_server_of_another_kind_is_told_apart(body: object):
    with (
        server(body) as (address, _),
        pytest.raises(InferenceUnavailableError, match="as an OpenAI-compatible server does"),
    ):
        await find_endpoint(address)


async def test_a_refused_key_is_one_line_without_the_key():
    with (
        server({}, status=401) as (address, _),
        pytest.raises(InferenceUnavailableError, match="answered HTTP 401") as caught,
    ):
        await find_endpoint(address, api_key="secret-key")

    assert "secret-key" not in str(caught.value)


async def test_nobody_at_the_address_is_one_line_that_asks_the_right_question():
    with pytest.raises(InferenceUnavailableError, match="is the server running") as caught:
        await find_endpoint("http://127.0.0.1:9")

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", ["localhost:11434", "ftp://host/", "", "http://"])
async def test_what_is_no_address_is_told_before_anything_is_asked(address: str):
    with pytest.raises(UsageError, match="no http"):
        await find_endpoint(address)


async def test_health_follows_the_server():
    with server(MODELS) as (address, _):
        endpoint = await find_endpoint(address)
        assert await is_healthy(endpoint)

    assert not await is_healthy(endpoint)


def test_a_printed_endpoint_keeps_its_key_to_itself():
    assert "secret" not in repr(LlmEndpoint("http://host/v1", "m", "secret"))
