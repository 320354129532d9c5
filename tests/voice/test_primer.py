"""A prompt that was read ahead is in the server's cache: real llama.cpp, the real small model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from ringback_models import resolve_file
from ringback_pipelines.part_names import DEFAULT_LLM
from ringback_voice.llm_endpoint import LlmEndpoint
from ringback_voice.llm_server import LlamaServer
from ringback_voice.primer import Primed, Primer, prime_system
from tests.made import llm_server

pytestmark = pytest.mark.server

SYSTEM = "You are a kind support agent on the phone. Answer in one short spoken sentence."
LONG = " ".join(f"thing {number}" for number in range(120))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def endpoint(models) -> AsyncIterator[LlmEndpoint]:
    async with LlamaServer(resolve_file(DEFAULT_LLM), slots=1) as server:
        yield server.endpoint


def request(*contents: str) -> dict:
    roles = ["system", *["developer"] * (len(contents) - 2), "user"]
    messages = [{"role": r, "content": c} for r, c in zip(roles, contents, strict=True)]
    return {"messages": messages, "temperature": 0}


async def asked(endpoint: LlmEndpoint, body: dict, *, max_tokens: int = 4) -> dict:
    async with httpx.AsyncClient(timeout=120) as client:
        url = f"{endpoint.base_url}/chat/completions"
        answer = await client.post(url, json={**body, "max_tokens": max_tokens})
    return answer.json()


async def begun(primer: Primer, body: dict, *, after_s: float) -> asyncio.Task[Primed | None]:
    """A priming that is under way in the server."""
    priming = asyncio.create_task(primer.prime(body))
    await asyncio.sleep(after_s)
    assert not priming.done()
    return priming


@pytest.mark.asyncio(loop_scope="module")
async def test_all_but_the_callers_words_is_cached_when_the_request_comes(endpoint: LlmEndpoint):
    known = (SYSTEM, "The caller's account number is 4821.")
    primer = Primer(endpoint)

    primed = await primer.prime(request(*known, ""))
    answer = await asked(endpoint, request(*known, "What is my account number?"))
    await primer.close()

    assert primed is not None
    assert primed.prompt_tokens is not None
    timings = answer["timings"]
    words = 6  # What is my account number ?
    end_of_turn = 5  # <|im_end|> \n <|im_start|> assistant \n
    assert timings["cache_n"] == primed.prompt_tokens - end_of_turn
    assert timings["prompt_n"] == words + end_of_turn
    assert primer.counts == {"begun": 1, "primed": 1}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_priming_tells_how_much_was_cached_already(endpoint: LlmEndpoint):
    primer = Primer(endpoint)

    await primer.prime(request("Told once.", ""))
    again = await primer.prime(request("Told once.", ""))
    await primer.close()

    assert again is not None
    assert again.prompt_tokens is not None
    assert again.cached_tokens == again.prompt_tokens - 1  # the last is always read


async def test_a_connection_that_the_server_has_let_go_is_opened_anew():
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.readuntil(b"\r\n\r\n")
        if connections != 2:  # the second is closed as soon as it is asked
            writer.write(answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        primer = Primer(LlmEndpoint(f"http://127.0.0.1:{port}", "scripted"))
        first = await primer.prime(request("hello", ""))
        second = await primer.prime(request("hello again", ""))
        await primer.close()

    assert None not in (first, second)
    assert primer.counts == {"begun": 2, "primed": 2}


async def test_breaking_off_what_has_just_run_out_of_time_is_harmless():
    primer = Primer(LlmEndpoint("http://127.0.0.1:1", "scripted"))
    timed_out = False
    try:
        async with asyncio.timeout(0) as primer._under_way:
            try:
                await asyncio.Event().wait()
            finally:
                primer.break_off()
    except TimeoutError:
        timed_out = True

    assert timed_out
    assert primer._under_way is None


@pytest.mark.asyncio(loop_scope="module")
async def test_how_fast_a_server_reads_is_told_where_it_read_enough_to_tell(endpoint: LlmEndpoint):
    primer = Primer(endpoint)

    first = await primer.prime(request(f"Measured. {LONG}", ""))
    again = await primer.prime(request(f"Measured. {LONG}", ""))
    await primer.close()

    assert first is not None
    assert again is not None
    assert first.prompt_tokens is not None
    assert first.cached_tokens is not None
    assert first.tokens_per_s == (first.prompt_tokens - first.cached_tokens) / first.took_s
    assert again.tokens_per_s is None


@pytest.mark.asyncio(loop_scope="module")
async def test_a_system_prompt_that_was_read_at_start_up_is_cached_in_each_call(
    endpoint: LlmEndpoint,
):
    await prime_system(endpoint, f"{SYSTEM} Your name is Robin.")
    answer = await asked(endpoint, request(f"{SYSTEM} Your name is Robin.", "Hello."))

    assert answer["timings"]["cache_n"] > 20


@pytest.mark.asyncio(loop_scope="module")
async def test_a_priming_that_is_broken_off_stops_in_the_middle_of_its_prompt(
    endpoint: LlmEndpoint,
):
    primer = Primer(endpoint)
    priming = await begun(primer, request(f"One. {LONG}", ""), after_s=0.3)

    primer.break_off()
    primer.break_off()
    assert await priming is None
    answer = await asked(endpoint, request(f"One. {LONG}", ""), max_tokens=1)
    await primer.close()

    assert answer["timings"]["prompt_n"] > answer["timings"]["cache_n"]
    assert primer.counts == {"begun": 1, "broken_off": 1}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_newer_priming_breaks_off_the_one_under_way(endpoint: LlmEndpoint):
    primer = Primer(endpoint)
    older = await begun(primer, request(f"Two. {LONG}", ""), after_s=0.3)

    newer = await primer.prime(request("Three.", ""))

    assert newer is not None
    assert older.done()
    assert older.result() is None
    await primer.close()
    assert primer.counts == {"begun": 2, "broken_off": 1, "primed": 1}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_cancelled_priming_is_counted_and_the_next_one_works(endpoint: LlmEndpoint):
    primer = Primer(endpoint)
    priming = await begun(primer, request(f"Four. {LONG}", ""), after_s=0.3)

    priming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await priming
    primed = await primer.prime(request("Five.", ""))
    await primer.close()

    assert primed is not None
    assert primer.counts == {"begun": 2, "broken_off": 1, "primed": 1}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_closed_primer_opens_another_connection(endpoint: LlmEndpoint):
    primer = Primer(endpoint)
    await primer.prime(request("Six.", ""))

    await primer.close()
    await primer.close()

    assert await primer.prime(request("Six.", "")) is not None
    await primer.close()


async def test_a_server_that_fails_is_counted_and_described_without_what_was_sent():
    with llm_server() as address:
        primer = Primer(LlmEndpoint(address, "scripted"))
        assert await primer.prime(request("secret", "")) is None
        await primer.close()

    assert primer.counts == {"begun": 1, "failed": 1}
    assert primer.trouble == "HTTP 500"


async def test_a_server_that_is_not_there_is_counted():
    primer = Primer(LlmEndpoint("http://127.0.0.1:9/v1", "none"))

    assert await primer.prime(request("hello", "")) is None
    await primer.close()

    assert primer.trouble == "ConnectError"


async def test_a_server_that_does_not_say_what_it_cached_has_read_the_prompt_as_well():
    with llm_server(answer="Yes.") as address:
        primer = Primer(LlmEndpoint(address, "scripted"))
        primed = await primer.prime(request("hello", ""))
        assert primed is not None
        assert (primed.prompt_tokens, primed.cached_tokens) == (None, None)
        assert primed.tokens_per_s is None
        await primer.close()


async def test_the_request_is_sent_as_it_is_for_one_token_with_the_servers_own_fields():
    requests: list[dict] = []
    with llm_server(answer="Yes.", requests=requests) as address:
        primer = Primer(LlmEndpoint(address, "scripted", priming={"return_progress": True}))
        await primer.prime({**request("hello", ""), "max_tokens": 60})
        await primer.prime({**request("hello", ""), "max_completion_tokens": 60})
        await primer.close()

    streamed = {"stream": True, "stream_options": {"include_usage": True}}
    same = {**request("hello", ""), **streamed, "return_progress": True}
    assert requests == [{**same, "max_tokens": 1}, {**same, "max_completion_tokens": 1}]


async def test_an_address_that_may_bill_is_sent_no_system_prompt_ahead():
    requests: list[dict] = []
    with llm_server(answer="Yes.", requests=requests) as address:
        await prime_system(LlmEndpoint(address, "scripted"), SYSTEM)
        assert requests == []
        await prime_system(LlmEndpoint(address, "scripted", priming={}), SYSTEM)

    assert len(requests) == 1
