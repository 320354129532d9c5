"""A llama.cpp server in a process of its own: start, health, stop."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from ringback import InferenceUnavailableError, UsageError
from ringback_voice.llama_child import LISTENING
from ringback_voice.llm_endpoint import LlmEndpoint, is_healthy
from ringback_voice.process_hold import CAN_HOLD, ProcessHold

START_TIMEOUT_S = 120.0  # a 7B model from a slow disk
STOP_TIMEOUT_S = 5.0  # then the process is killed
WITH_PROGRESS = {"return_progress": True}
"""llama.cpp notices a request that was broken off as it writes, and else once a second. So it is
asked to write after each batch of the prompt: then the next request waits for one batch."""


class LlamaServer:
    """A language model served from a process of its own, with an OpenAI-compatible address.

    Lives from `start()` (or entering it) to `stop()` (or leaving it); stopping twice is
    harmless. The process ends by itself when this one dies, however it dies; on Linux also
    when the thread ends that started it. One task starts and stops it; any may use its endpoint.

    Args:
        model: A GGUF file.
        slots: Requests that may run at once, each with a prefix cache of its own: one for
            the live call, one for work beside it.
        slot_tokens: Context of one slot in tokens, prompt and answer together.
        threads: Threads that compute; 0 leaves the choice to llama.cpp.
        idle: Compute only where nothing else wants the CPU: for work that nobody waits for.
    """

    @classmethod
    def beside_calls(cls, model: Path) -> Self:
        """A server for work that nobody waits for: one slot, one thread, idle time only.

        It shares the pages of the model's file with a server of the same model, and
        nothing else: give its `hold` to whoever asks it, and it stands still for replies.
        """
        return cls(model, slots=1, threads=1, idle=True)

    def __init__(
        self,
        model: Path,
        *,
        slots: int = 2,
        slot_tokens: int = 4096,
        threads: int = 0,
        idle: bool = False,
    ) -> None:
        if slots < 1 or slot_tokens < 256:
            raise UsageError(f"a server needs 1 slot and 256 tokens, not {slots} and {slot_tokens}")
        self._model = model
        self._slot_tokens = slot_tokens
        self._arguments = [
            *("--model", str(model), "--slots", str(slots)),
            *("--slot-tokens", str(slot_tokens), "--threads", str(threads)),
            *(("--idle",) if idle else ()),
        ]
        self._process: asyncio.subprocess.Process | None = None
        self._endpoint: LlmEndpoint | None = None
        self._hold: ProcessHold | None = None

    @property
    def endpoint(self) -> LlmEndpoint:
        """Where it answers.

        Raises:
            UsageError: It was not started, or was stopped.
        """
        if self._endpoint is None:
            raise UsageError("the language model server is not running: await start() first")
        return self._endpoint

    @property
    def hold(self) -> ProcessHold | None:
        """Has the process stand still and go on; None where that cannot be done: not on Linux.

        Raises:
            UsageError: It was not started, or was stopped.
        """
        return self._hold if self.endpoint and CAN_HOLD else None

    async def start(self) -> LlmEndpoint:
        """Load the model and wait until it answers.

        Raises:
            UsageError: The model file is not there, or the engine is not installed.
            InferenceUnavailableError: The process ended, or took more than two minutes.
        """
        self._check_parts()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "ringback_voice.llama_child", *self._arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(),
        )
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                address = await self._address()
        except TimeoutError as error:
            await self.stop()
            raise InferenceUnavailableError(
                f"{self._model.name} was not loaded within {START_TIMEOUT_S:.0f} s"
            ) from error
        except BaseException:  # a cancelled start must not leave a process
            await self.stop()
            raise
        self._hold = ProcessHold(self._process.send_signal)
        self._endpoint = LlmEndpoint(
            f"{address}/v1",
            self._model.stem,
            priming=WITH_PROGRESS,
            context_tokens=self._slot_tokens,
        )
        return self._endpoint

    async def is_healthy(self) -> bool:
        """Tell whether the process runs and answers, or would if it were not held."""
        if self._process is None or self._process.returncode is not None:
            return False
        if self._hold is not None and self._hold.is_held:
            return True
        return self._endpoint is not None and await is_healthy(self._endpoint)

    async def stop(self) -> None:
        """End the process; after five seconds by force. Idempotent."""
        process, self._process, self._endpoint = self._process, None, None
        hold, self._hold = self._hold, None
        if process is None or process.returncode is not None:
            return
        if hold is not None:
            hold.release()  # first: a held process does not see its input close
        if process.stdin is not None:
            process.stdin.close()  # the child ends when its input does
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def _check_parts(self) -> None:
        if self._process is not None:
            raise UsageError("the language model server is running already")
        if importlib.util.find_spec("xllamacpp") is None:
            raise UsageError("no local LLM engine here: pip install 'ringback[local]'")
        if not self._model.is_file():
            raise UsageError(f"no model file at {self._model}")

    async def _address(self) -> str:
        process = self._process
        if process is None or process.stdout is None:
            raise UsageError("the language model server was not started")
        async for line in process.stdout:
            text = line.decode(errors="replace").strip()
            if text.startswith(LISTENING):
                return text.removeprefix(LISTENING)
        code = await process.wait()
        raise InferenceUnavailableError(
            f"the engine could not load {self._model.name} (exit status {code}): "
            "is it a whole GGUF file, and is there memory for it?"
        )


def _environment() -> dict[str, str]:
    """This process's, with the same import path, and threads that sleep while they wait.

    llama.cpp's OpenMP threads spin at each barrier unless told not to; where speech
    recognition and synthesis want the same cores, requests then crawl or stop.
    """
    path = os.pathsep.join(part for part in sys.path if part)
    return {"OMP_WAIT_POLICY": "passive", **os.environ, "PYTHONPATH": path}
