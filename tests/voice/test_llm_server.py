"""The language model's own process: real llama.cpp, the real small model."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from ringback import InferenceUnavailableError, UsageError
from ringback_models import resolve_file
from ringback_pipelines.part_names import DEFAULT_LLM
from ringback_voice.llm_server import LlamaServer
from ringback_voice.process_hold import CAN_HOLD

pytestmark = pytest.mark.server

linux_only = pytest.mark.skipif(not CAN_HOLD, reason="servers are held on Linux only")


def process_is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def threads_of(pid: int) -> list[int]:
    return [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()]


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


async def test_a_served_model_answers_two_requests_at_once_and_keeps_their_prefixes(models):
    question = {"role": "user", "content": "Say the word yes."}
    body = {"messages": [question], "max_tokens": 4, "temperature": 0}
    async with LlamaServer(resolve_file(DEFAULT_LLM)) as server:
        assert await server.is_healthy()
        url = f"{server.endpoint.base_url}/chat/completions"
        async with httpx.AsyncClient(timeout=60) as client:
            both = await asyncio.gather(*(client.post(url, json=body) for _ in range(2)))
            again = await client.post(url, json=body)

    words = [answer.json()["choices"][0]["message"]["content"] for answer in both]
    assert all("yes" in word.lower() for word in words)
    assert again.json()["timings"]["cache_n"] > 20


async def test_a_server_says_how_much_one_request_may_hold(models):
    async with LlamaServer(resolve_file(DEFAULT_LLM), slots=2, slot_tokens=1024) as server:
        endpoint = server.endpoint
        address = endpoint.base_url.removesuffix("/v1")
        async with httpx.AsyncClient(timeout=60) as client:
            told = (await client.get(f"{address}/props")).json()

    assert told["default_generation_settings"]["n_ctx"] == endpoint.context_tokens == 1024


async def test_a_request_that_is_broken_off_stops_in_the_middle_of_its_prompt(models):
    things = " ".join(f"thing {number}" for number in range(200))
    body = {"messages": [{"role": "user", "content": things}], "max_tokens": 1, "temperature": 0}
    async with LlamaServer(resolve_file(DEFAULT_LLM)) as server:
        url = f"{server.endpoint.base_url}/chat/completions"
        async with httpx.AsyncClient(timeout=120) as client:
            with pytest.raises(httpx.ReadTimeout):
                await client.post(url, json=body, timeout=0.3)
            again = (await client.post(url, json=body)).json()["timings"]

    assert again["prompt_n"] > again["cache_n"]  # what was read before it was broken off


async def test_a_stopped_server_is_gone_and_may_be_stopped_again(models):
    server = LlamaServer(resolve_file(DEFAULT_LLM))
    endpoint = await server.start()

    await server.stop()
    await server.stop()

    assert not await server.is_healthy()
    with pytest.raises(UsageError, match="not running"):
        _ = server.endpoint
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(f"{endpoint.base_url}/models")


async def test_a_file_that_is_no_model_is_one_clear_line(tmp_path: Path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(1000))

    with pytest.raises(InferenceUnavailableError, match=r"could not load broken\.gguf"):
        await LlamaServer(broken).start()


async def test_a_model_that_is_not_there_is_told_before_a_process_starts(tmp_path: Path):
    with pytest.raises(UsageError, match="no model file"):
        await LlamaServer(tmp_path / "none.gguf").start()


async def test_a_cancelled_start_leaves_no_process(models):
    before = set(children_of(os.getpid()))
    server = LlamaServer(resolve_file(DEFAULT_LLM))
    starting = asyncio.create_task(server.start())
    await asyncio.sleep(0.5)

    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting

    assert set(children_of(os.getpid())) == before


@pytest.mark.parametrize("held", [False, pytest.param(True, marks=linux_only)])
def test_a_killed_owner_leaves_no_server_behind(held: bool, models):
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from ringback_voice.llm_server import LlamaServer\n"
        "async def main():\n"
        f"    server = LlamaServer(Path({str(resolve_file(DEFAULT_LLM))!r}))\n"
        "    await server.start()\n"
        f"    if {held}: server.hold.hold('owner')\n"
        "    print('up', flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    owner = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() == "up\n"
    (child,) = children_of(owner.pid)

    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()

    deadline = time.monotonic() + 10
    while process_is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not process_is_alive(child)


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])  # utime, stime


@linux_only
async def test_a_held_server_takes_no_cpu_and_answers_afterwards_what_it_was_asked_before(models):
    body = {"messages": [{"role": "user", "content": "Count to a hundred."}], "max_tokens": 60}
    async with LlamaServer.beside_calls(resolve_file(DEFAULT_LLM)) as server:
        (child,) = children_of(os.getpid())
        hold = server.hold
        assert hold is not None
        url = f"{server.endpoint.base_url}/chat/completions"
        async with httpx.AsyncClient(timeout=120) as client, asyncio.TaskGroup() as group:
            asking = group.create_task(client.post(url, json=body))
            before = cpu_ticks(child)
            while cpu_ticks(child) < before + 10:  # noqa: ASYNC110 - it has begun to compute
                await asyncio.sleep(0.02)
            hold.hold("test")
            await asyncio.sleep(0.1)  # until the kernel has stopped its threads
            stopped = cpu_ticks(child)
            await asyncio.sleep(1)
            assert cpu_ticks(child) == stopped
            assert not asking.done()
            assert await server.is_healthy()
            hold.go_on("test")

    assert asking.result().json()["usage"]["completion_tokens"] > 1


@linux_only
async def test_a_server_beside_calls_computes_in_idle_time_only(models):
    async with LlamaServer.beside_calls(resolve_file(DEFAULT_LLM)):
        (child,) = children_of(os.getpid())
        policies = {os.sched_getscheduler(thread) for thread in threads_of(child)}

    assert policies == {os.SCHED_IDLE}


@linux_only
async def test_a_server_is_stopped_while_it_is_held(models):
    server = LlamaServer(resolve_file(DEFAULT_LLM))
    await server.start()
    (child,) = children_of(os.getpid())
    hold = server.hold
    assert hold is not None
    hold.hold("test")

    await server.stop()

    assert not process_is_alive(child)
    assert not hold.is_held  # it was let go before it was told to end


def test_a_server_that_was_not_started_cannot_be_held(tmp_path: Path):
    with pytest.raises(UsageError, match="not running"):
        _ = LlamaServer(tmp_path / "m.gguf").hold


@pytest.mark.parametrize("options", [{"slots": 0}, {"slot_tokens": 10}])
def test_a_server_without_room_is_refused_at_construction(options: dict, tmp_path: Path):
    with pytest.raises(UsageError, match="1 slot and 256 tokens"):
        LlamaServer(tmp_path / "m.gguf", **options)
