"""The process that holds the language model: a llama.cpp server that ends with its parent.

Run as `python -m ringback_voice.llama_child --model FILE …`. It prints one line,
`listening http://127.0.0.1:PORT`, when the model is loaded, and ends when its standard
input closes, so that a parent that is killed leaves no server behind. While it is held
(SIGSTOP) it would not notice: on Linux the kernel kills it then.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

LISTENING = "listening "  # then the address; the parent waits for this line
BATCH_TOKENS = 64
"""Tokens of prompts that are read in one go. Only in between does the server notice that a request
was broken off: with llama.cpp's 2,048 a caller's request waits until the whole prompt of work that
gave way long ago is read, many seconds on two cores. Reading costs some 8 % more like this."""
PUT_BACK_MIB = 512
"""For prompts that another one drove out of its slot, so that they need not be read again: some
40,000 tokens of a model of half a billion parameters. llama.cpp would take 8 GiB."""
PR_SET_PDEATHSIG = 1  # of prctl(2): the signal that comes when the parent is gone
NICEST = 19  # where there is no idle class
LOG_WARNINGS = 2  # llama.cpp's verbosity; from 4 on it would print prompts


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that made it ends, also while stopped."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def take_only_idle_time() -> None:
    """Compute only where no other process wants the CPU, in all threads there are and will be."""
    if sys.platform != "linux":
        if sys.platform != "win32":
            os.nice(NICEST)
        return
    for thread in Path("/proc/self/task").iterdir():  # each has a policy, and hands it on
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))


def serve(model: Path, *, slots: int, slot_tokens: int, threads: int, idle: bool = False) -> None:
    """Load the model, answer HTTP on a free local port until standard input closes.

    Args:
        model: A GGUF file.
        slots: Requests that may run at once; each keeps a prefix cache of its own.
        slot_tokens: Context of one slot, prompt and answer together.
        threads: Threads that compute; 0 leaves the choice to llama.cpp.
        idle: Compute in idle time only, once the model is loaded: loading is waited for.
    """
    from xllamacpp.xllamacpp import CommonParams, Server  # only this process pays for it

    params = CommonParams()
    params.model.path = str(model)
    params.n_parallel = slots
    params.n_ctx = slots * slot_tokens
    params.n_batch = BATCH_TOKENS
    params.cache_ram_mib = PUT_BACK_MIB
    params.port = 0
    params.verbosity = LOG_WARNINGS
    params.ui = False
    if threads:
        params.cpuparams.n_threads = threads
        params.cpuparams_batch.n_threads = threads
    server = Server(params)
    if idle:
        take_only_idle_time()
    sys.stdout.write(f"{LISTENING}{server.listening_address}\n")
    sys.stdout.flush()
    while sys.stdin.read(4096):
        continue


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="ringback_voice.llama_child", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--slot-tokens", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--idle", action="store_true")
    arguments = parser.parse_args()
    die_with_parent()
    serve(
        arguments.model,
        slots=arguments.slots,
        slot_tokens=arguments.slot_tokens,
        threads=arguments.threads,
        idle=arguments.idle,
    )


if __name__ == "__main__":
    main()
