"""`ringback chat`: a call on text; after each line, what was made of it and why."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path

import httpx

from ringback import Context, Role, SystemClock
from ringback_ops.chat import Chat, Reply, ScriptClock, load_dialogue
from ringback_ops.cli import existing_path
from ringback_ops.memory_file import add_memory_argument, memory_url
from ringback_ops.part_options import fetch_llm
from ringback_ops.schema_option import add_schema_argument, schema_named
from ringback_pipelines.part_names import PartNames
from ringback_pipelines.remembering import open_memory
from ringback_voice.call_folder import load_call

LINE_HELP = "you are the caller; start a line with `a:` to speak as the agent, Ctrl-D hangs up"
LLM_TIMEOUT_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--number", default="+1 555 010 0199", help="the caller's; empty: withheld")
    parser.add_argument("--zone", default="UTC", help="the caller's time zone, e.g. Asia/Taipei")
    parser.add_argument(
        "--script",
        type=existing_path,
        nargs="+",
        default=[],
        metavar="CALL",
        help="call folders whose written dialogue is played, one after the other",
    )
    parser.add_argument(
        "--llm",
        metavar="NAME|FILE|URL",
        help="a language model that answers; without it, the agent's lines are the script's",
    )
    parser.add_argument("--llm-model", metavar="MODEL", help="the model at that address")
    parser.add_argument("--no-memory", action="store_true", help="the same without memory")
    add_schema_argument(parser)
    add_memory_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Talk, or play the scripts."""
    asyncio.run(_chat(arguments))
    return 0


async def _chat(arguments: argparse.Namespace) -> None:
    script = [load_dialogue(folder) for folder in arguments.script]
    clock = ScriptClock(script[0][0].at) if script else SystemClock()
    async with AsyncExitStack() as stack:
        memory = None
        if not arguments.no_memory:
            url, schema = memory_url(arguments.memory), schema_named(arguments.schema)
            opened = open_memory(url, clock=clock, schema=schema)
            memory = await stack.enter_async_context(opened)
        reply = await _reply(arguments, stack) if arguments.llm else None
        chat = Chat(memory, print, reply)
        if script:
            for folder in arguments.script:
                await _play(chat, folder, clock)
        else:
            await _talk(chat, arguments)


async def _play(chat: Chat, folder: Path, clock: object) -> None:
    call, lines = load_call(folder), load_dialogue(folder)
    phones = [speaker.phone for speaker in call.speakers if speaker.role == "caller"]
    print(f"\n--- {call.title}, {lines[0].at:%A %d %B %Y, %H:%M} ---")
    for line in lines:
        if isinstance(clock, ScriptClock):
            clock.at = line.at
        if line is lines[0]:
            number = phones[0] if phones else ""
            await chat.ring(number=number, zone=call.zone, at=line.at)
        if line.role is Role.CALLER or not chat.answers:
            await chat.say(line.role, line.text, line.at)
    await chat.hang_up()


async def _talk(chat: Chat, arguments: argparse.Namespace) -> None:
    print(LINE_HELP)
    await chat.ring(number=arguments.number, zone=arguments.zone)
    while True:
        line = await asyncio.get_running_loop().run_in_executor(None, _read_line)
        if line is None:
            break
        role = Role.AGENT if line.startswith("a:") else Role.CALLER
        text = line.removeprefix("a:").strip()
        if text:
            await chat.say(role, text, _now())
    await chat.hang_up()


def _read_line() -> str | None:
    if sys.stdin.isatty():
        sys.stdout.write("> ")
        sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _now() -> datetime:
    return SystemClock().now_at()


async def _reply(arguments: argparse.Namespace, stack: AsyncExitStack) -> Reply:
    from ringback_pipecat.context import with_memory
    from ringback_pipelines.language_model import open_llm
    from ringback_pipelines.wiring import PERSONA, REPLY_TOKENS

    names = PartNames(llm=arguments.llm, llm_model=arguments.llm_model)
    fetch_llm(names)
    endpoint = await stack.enter_async_context(open_llm(names))
    headers = {"Authorization": f"Bearer {endpoint.api_key}"}
    client = await stack.enter_async_context(
        httpx.AsyncClient(timeout=LLM_TIMEOUT_S, headers=headers)
    )

    async def reply(messages: list[dict[str, str]], context: Context) -> str:
        system = {"role": "system", "content": PERSONA}
        body = {
            "model": endpoint.model,
            "messages": with_memory([system, *messages], context),
            "max_tokens": REPLY_TOKENS,
            "temperature": 0,
        }
        answer = await client.post(f"{endpoint.base_url}/chat/completions", json=body)
        answer.raise_for_status()
        return str(answer.json()["choices"][0]["message"]["content"]).strip()

    return reply
